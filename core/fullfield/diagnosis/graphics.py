"""The GPU: what the driver sees, what torch was built for, and which device will compute and why.

Asked last: importing torch or waking a broken driver may end the process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fullfield import other_python, parts, system
from fullfield.diagnosis.check import bad, good, warn
from fullfield.hardware import devices, survey
from fullfield.hardware.devices import Device
from fullfield.protocol import event_lines, events
from fullfield.protocol.checks import CheckMade
from fullfield.training_part import place
from fullfield.units import format_bytes

_DEVICE = "Device for models and training"
_MODULE = "fullfield.diagnosis.graphics"
ASK_SECONDS = 120.0  # torch from a cold disk
LITTLE_FREE = 2 << 30  # a model enhances a radiograph in tiles from about 1 GiB; a training starts at about 2


def checks() -> Iterator[CheckMade]:
    """Driver, card, torch, and the choice, as the Python sees them that has torch; where none has, that it is not
    needed."""
    if not parts.is_here("torch") and place.installed() is not None:
        yield from _of_training_part()
    else:
        yield from _here()


def _here() -> Iterator[CheckMade]:
    if not parts.is_here("torch"):
        text = "None is needed: this light installation enhances with presets, which compute on the CPU."
        yield good("device", _DEVICE, text)
        return
    found = devices.driver()
    cards = survey.cards()
    yield _driver(found)
    for number, card in enumerate(cards):
        capability = ".".join(map(str, card.capability)) if card.capability else "unknown"
        text = (
            f"{card.title}, {format_bytes(card.total_bytes)}, of which {format_bytes(card.free_bytes)} are free; "
            f"compute capability {capability}."
        )
        yield good(f"card-{number}", f"GPU {number}", text)
    try:
        build = survey.torch_build()
    except (ImportError, OSError) as error:
        text = f"It cannot be loaded ({type(error).__name__}): neither models nor training work. Presets do."
        yield bad("torch", "PyTorch", text, "Install Fullfield anew; on Windows, the Visual C++ runtime too.")
        return
    made_for = f"built for CUDA {build.cuda}" if build.cuda else "built without CUDA"
    yield good("torch", "PyTorch", f"{build.version}, {made_for}, {build.threads} threads.")
    yield judge(devices.choose(), card_present=bool(cards))


def _of_training_part() -> Iterator[CheckMade]:
    command = system.python_command(_MODULE, place.python())
    reported = [event_lines.from_line(line) for line in other_python.output(command, seconds=ASK_SECONDS).splitlines()]
    made = [check for check in reported if isinstance(check, CheckMade)]
    yield from made
    if not made:
        text = "It cannot be loaded in the training part's environment: neither models nor training work. Presets do."
        yield bad("torch", "PyTorch", text, f"Install it anew: {place.COMMAND} --remove, then {place.COMMAND}")


def judge(chosen: Device, *, card_present: bool) -> CheckMade:
    """The device that computes when none is named, and why; a GPU that is here and not used is what to mend."""
    title = _DEVICE
    if chosen.kind == devices.CPU:
        text = f"{chosen.why} Presets compute on the CPU in any case."
        if card_present:
            return bad("device", title, text, _MEND)
        return warn("device", title, text, "Models and training work, more slowly. A GPU of NVIDIA would be used.")
    if chosen.free_bytes < LITTLE_FREE:
        hint = "Close other programs that use the GPU: training hardly fits, and models compute in smaller tiles."
        return warn("device", title, f"{chosen.why} That is little.", hint)
    return good("device", title, chosen.why)


def _driver(found: devices.Driver | None) -> CheckMade:
    title = "NVIDIA driver"
    if found is None:
        return warn("driver", title, "None was found.", "Install NVIDIA's driver if there is a card of NVIDIA.")
    text = f"{found.version}, for CUDA up to {found.cuda[0]}.{found.cuda[1]}."
    if not found.cards:
        return bad("driver", title, f"{text} It finds no GPU.", "Restart the computer; check that the card sits well.")
    return good("driver", title, text)


_MEND = (
    "Update the NVIDIA driver, and install the build of PyTorch for NVIDIA GPUs from pytorch.org."
    if not system.FROZEN
    else "Update the NVIDIA driver, and install the edition of Fullfield for NVIDIA GPUs."
)


if __name__ == "__main__":  # asked by another Python, whose torch is not this one
    for one in _here():
        sys.stdout.write(events.to_line(one) + "\n")
