"""What crosses the border between processes, as frozen values: what a job shall do, what is asked of it while it runs.

The command line, the window and the worker make and read the same types. No torch, no Qt. A job's `kind` and a
command's `command` say which type it is; `jobs`, `commands` and `events` are the lists of all of them.
"""
