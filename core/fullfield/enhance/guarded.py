"""Every result is held against its own image before anybody sees it; see `fullfield.image.guards` for the figures.

Beyond its method's limits a result is doubtful, and that is said. Beyond twice those, one of a model is not given: the
preset for the image takes its place, and its warnings and event say so. A preset's result is only warned about.
So does the preset for images that a model was not found better on; see `fullfield.model.shipped`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fullfield import files
from fullfield.enhance.enhancer import Enhancer, by_preset
from fullfield.errors import ModelError, ResultDoubtful
from fullfield.image import guards, presets
from fullfield.image.cache import Decoded
from fullfield.image.guards import Limits
from fullfield.image.image import Enhanced
from fullfield.model import shipped

REPLACED = 2.0
"""Times a limit, beyond which a model's result is not given."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What becomes of doubtful results: `strict`: their item fails; `force`: a model's is kept in any case."""

    strict: bool = False
    force: bool = False


USUAL = Policy()
_NOT_BETTER = "on images of this part and kind it was not found better"


class Guarded:
    """An `Enhancer` whose results are judged. `model`: its file, None for presets. `at_once`: how many images are best
    given to it at once. `decided_by`: the SHA-256 of all that decides a result but the program and its policy."""

    def __init__(
        self, enhancer: Enhancer, *, method: str, model: Path | None = None, policy: Policy, at_once: int = 1
    ) -> None:
        self.recipe, self.at_once = enhancer.recipe, at_once
        self._enhancer, self._policy, self._model = enhancer, policy, model
        self._limits = guards.read_limits(method, model, enhancer.recipe.sha256)
        facts = None if policy.force else shipped.facts_of(enhancer.recipe.sha256)
        self._left = facts.left_to_presets if facts is not None else ()
        self.decided_by = enhancer.recipe.sha256 if policy.force else _decided_by(enhancer.recipe.sha256, model)

    def enhance(self, decoded: Decoded) -> Enhanced:
        """See `Enhancer`. Where the policy is strict, raises ModelError for an image that the model is not for, or of
        which its result is doubtful, and ResultDoubtful for a preset's."""
        return self._left_to_preset(decoded) or self._judged(decoded, self._enhancer.enhance(decoded))

    def instead(self, decoded: Decoded, made: Enhanced) -> str:
        """What is given instead of this result of the same enhancer, as a sentence; "": it is given itself."""
        given = self._left_to_preset(decoded) or self._judged(decoded, made)
        return given.doubt if given.method_wanted else ""

    def _judged(self, decoded: Decoded, made: Enhanced) -> Enhanced:
        return judged(decoded, made, self._limits, self._policy, replaces=bool(self._model))

    def _left_to_preset(self, decoded: Decoded) -> Enhanced | None:
        meant = presets.meant(**decoded.header.subject, kind=decoded.image.kind) if self._left else ""
        if meant not in self._left:
            return None
        if self._policy.strict:
            raise ModelError(
                f"This model is not for such images: {_NOT_BETTER}.",
                detail=f"They are those that the preset {meant} is meant for.",
                hint="Use the preset. Without --strict it takes the model's place; --force-result keeps the model's.",
            )
        return _in_place_of(self.recipe.name, decoded, _NOT_BETTER)


def judged(
    decoded: Decoded, enhanced: Enhanced, limits: Limits, policy: Policy = USUAL, *, replaces: bool = False
) -> Enhanced:
    """The result with its marks, warned about where it is doubtful; or the preset's, where it is too doubtful."""
    found = guards.found(decoded.image, enhanced)
    enhanced = replace(enhanced, marks=found.marks)
    reasons = ". Besides, ".join(limits.objections(found.figures))  # a sentence each, which is translated by itself
    if not reasons:
        return enhanced
    if policy.strict and not policy.force:
        raise (ModelError if replaces else ResultDoubtful)(
            f"This result is doubtful: {reasons}.",
            detail=f"{enhanced.recipe.name} does not suit this image.",
            hint="Use another preset or model. Without --strict it is warned about, or a preset takes its place.",
        )
    if not replaces or policy.force or limits.beyond(found.figures) <= REPLACED:
        return replace(enhanced, doubt=f"Look at this result twice: {reasons}.")
    return _in_place_of(enhanced.recipe.name, decoded, reasons)


def _decided_by(recipe: str, model: Path | None) -> str:
    """The recipe alone where nobody but the program has a say in what takes the place of a model's result: otherwise
    this user's own presets for a body part, and limits beside the model, decide it too."""
    if model is None:
        return recipe
    others = [preset.sha256() for preset in presets.own() if preset.body_parts]
    if (limits := model.with_suffix(guards.OWN)).exists():
        others.append(files.sha256(limits))
    return sha256(" ".join([recipe, *others]).encode()).hexdigest() if others else recipe


def _in_place_of(model: str, decoded: Decoded, reasons: str) -> Enhanced:
    made = preset_result(decoded)
    text = f"The preset {made.recipe.name} has taken the place of the model {model}: {reasons}."
    return replace(made, doubt=f"{text} {made.doubt}".strip(), method_wanted=model)


def preset_result(decoded: Decoded) -> Enhanced:
    """By the preset that is meant for the image, and judged."""
    preset = presets.choose(**decoded.header.subject, kind=decoded.image.kind)
    return judged(decoded, by_preset(decoded, preset), guards.read_limits(guards.PRESET))


__all__ = ["REPLACED", "USUAL", "Guarded", "Policy", "judged", "preset_result"]
