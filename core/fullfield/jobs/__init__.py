"""A run as a process: `job.json` in, `events.jsonl` out, one entry point for every worker."""
