"""What this machine and this installation can do: each fact checked, judged and said plainly, with what to do."""
