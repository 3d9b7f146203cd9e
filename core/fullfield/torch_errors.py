"""What torch and its libraries say in words of their own: that memory ran out. The function alone imports torch."""

from __future__ import annotations

import errno

_SIGNS = (
    "not enough memory",
    "can't allocate memory",
    "cannot allocate memory",
    "out of memory",
    "alloc_failed",
    "could not create a memory",
    "can't start new thread",  # there is no room for its stack
    "std::bad_alloc",
    "bad allocation",  # the same of Microsoft's compiler
    "memoryerror",  # what torch.compile says of one that it met
)


def is_out_of_memory(error: BaseException) -> bool:
    """Memory ran out, in any of the ways that torch and its libraries say it."""
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    if isinstance(error, OSError):
        return error.errno == errno.ENOMEM
    text = str(error).lower()
    # oneDNN gives no reason where it cannot allocate; what it does not support is "a primitive descriptor".
    exactly = "could not create a primitive"
    return isinstance(error, RuntimeError) and (text == exactly or any(sign in text for sign in _SIGNS))
