"""A folder as the destination: files under the names of their inputs, none in the place of what is not ours.

Which name a result gets is decided in `fullfield.enhance.results`; `fullfield.enhance.ledger` writes.
"""

from __future__ import annotations

import os
from pathlib import Path

from fullfield import files
from fullfield.enhance.destinations.base import Made, Request
from fullfield.enhance.ledger import Ledger, Wanted
from fullfield.enhance.results import Holds, number_of
from fullfield.errors import CannotWrite
from fullfield.protocol.events import ItemDone


class Folder:
    """`address`: its path. Locked against other runs until it is closed; targets are names in it, or paths below it.

    Raises OutputInvalid where another run writes into it, or it cannot be written; CannotWrite where it was `begun`
    and is gone.
    """

    def __init__(self, address: str, begun: bool = False) -> None:
        self._out = Path(address)
        self._ledger = Ledger(self._out, begun=begun)

    def has(self, request: Request, input: str) -> bool:
        """See `Destination`."""
        self._ledger.refuse_gone()
        place = self._ledger.place(self._wanted(request, input))
        if request.overwrite or (request.again and request.settings in place.settings):
            return False
        if request.anew and place.holds is not Holds.NOTHING:
            raise CannotWrite(
                "Cannot export the image.",
                detail="A file of that name is in the folder.",
                hint="Choose another folder, or agree to replace it.",
            )
        if request.settings in place.settings:
            return True
        if place.holds is Holds.UNKNOWN:
            raise CannotWrite(
                "Cannot write the enhanced image.",
                detail="A file of that name is in the output folder: not written by Fullfield, or changed since.",
                hint="Choose another folder, or --overwrite.",
            )
        return False

    def put(self, made: Made) -> ItemDone:
        """See `Destination`."""
        self._ledger.refuse_gone()
        wanted = self._wanted(made.request, made.input)
        staged = self._ledger.parts / f"{wanted.item}{wanted.target.suffix}"
        output = made.write(staged)
        written = self._ledger.publish(staged, wanted, settings=made.request.settings, output=output)
        return made.done(number=number_of(written))

    def add(self, name: str, content: bytes) -> str:
        """See `Store`: under the next free number where a file of that name is there."""
        self._ledger.refuse_gone()
        target = self._ledger.free(name)
        files.write_bytes(target, content)
        return target.name

    def close(self) -> None:
        """See `Store`."""
        self._ledger.close()

    def _wanted(self, request: Request, input: str) -> Wanted:
        item = request.item
        try:
            os.fsencode(item.target)
        except UnicodeEncodeError as error:
            raise CannotWrite(
                "Cannot write the enhanced image.",
                detail="Its name has signs that cannot be written in the locale of this system.",
                hint="Choose a locale in UTF-8 (LC_ALL=C.UTF-8), or rename the file, and try again.",
            ) from error
        return Wanted(
            target=self._out / item.target,
            input=input,
            item=item.index,
            overwrite=request.overwrite,
            anew=request.anew,
        )
