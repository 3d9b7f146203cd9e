"""The training part in an environment of its own: where it lies, what it consists of, and how it is brought.

A program that is frozen, or that an administrator installed, cannot change itself, and a training needs libraries of
some gigabytes for one computer's card. They are installed into a virtual environment of a Python of the system, in the
user's data or where an administrator says; workers of the jobs that need them run with that Python. See decision 035.
"""
