"""What this machine has: devices and free memory."""
