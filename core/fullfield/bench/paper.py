"""What the paper measured: memory, time and losses of its trainings, to be shown beside ours.

A U-Net with a ResNet-34 encoder and the loss 100·(1 − MS-SSIM), 60 radiographs at 512×512 pixels (48 to train on, 12
held back), batch 1, 50 epochs, ImageNet weights with the colours summed; cards of 8 GB (RTX 2060, RTX 3070).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SET_UP = (
    "The paper: U-Net with ResNet-34, 60 radiographs at 512×512 (48 to train on, 12 held back), batch 1, 50 epochs, "
    "ImageNet weights; RTX 2060 and RTX 3070 with 8 GB; memory of the process as NVML tells it, in MB."
)
SIZE, EPOCHS, IMAGES, TRAINING_IMAGES, BATCH = 512, 50, 60, 48, 1


class Setting(StrEnum):
    """On what it was trained. Figures of several cards are means per card."""

    SINGLE = "one card"
    DATA = "data parallel, two cards"
    MODEL = "model parallel, two cards"


@dataclass(frozen=True, kw_only=True)
class Figures:
    """One training. `forward`: what the process's memory grew by in the forward, `backward`: by how much more in the
    backward, `total`: as the paper prints it, in MB. `seconds`: of an epoch of 48 images. Losses are 100·(1 − MS-SSIM).
    None: the paper has no figure. `remark`: why.
    """

    setting: Setting
    name: str
    forward: float | None = None
    backward: float | None = None
    total: float | None = None
    seconds: float | None = None
    train_loss: float | None = None
    validation_loss: float | None = None
    remark: str = ""


def find(setting: Setting, name: str) -> Figures | None:
    """The training of this name, such as "AMP+Chkp"; None where the paper has none."""
    return next((one for one in TABLE if one.setting is setting and one.name == name), None)


def _training(setting: Setting, name: str, *figures: float | None, remark: str = "") -> Figures:
    forward, backward, total, seconds, train, validation = figures
    return Figures(
        setting=setting,
        name=name,
        forward=forward,
        backward=backward,
        total=total,
        seconds=seconds,
        train_loss=train,
        validation_loss=validation,
        remark=remark,
    )


_NOTHING = (None,) * 6
_SINGLE, _DATA, _MODEL = Setting.SINGLE, Setting.DATA, Setting.MODEL

TABLE: tuple[Figures, ...] = (
    # forward, backward, total (MB), seconds an epoch, train loss, validation loss
    _training(_SINGLE, "original", 758, 440, 1198, 35.6, 4.05, 6.01),
    _training(_SINGLE, "AMP", 481, 102, 584, 34.0, 4.86, 6.25),
    _training(_SINGLE, "Quant", 614, 451, 1065, 35.3, 4.73, 5.98),
    _training(_SINGLE, "Chkp", 287, 655, 942, 35.2, 4.05, 6.06),
    _training(_SINGLE, "Mom", 696, 389, 1085, 37.9, 4.15, 5.99),
    _training(_SINGLE, "AMP+Chkp", 266, 195, 461, 34.3, 4.86, 6.28),
    _training(_SINGLE, "Chkp+Mom", 338, 563, 901, 37.5, 4.15, 6.01),
    _training(_SINGLE, "AMP+Chkp+Mom", 317, 287, 604, 32.4, 15.17, 17.25),
    _training(_SINGLE, "AMP+Quant", *_NOTHING, remark="The paper's training never finished."),
    _training(_DATA, "original", 758, 532, 1290, 14.4, 2.16, 6.14),
    _training(_DATA, "AMP", 492, 123, 614, 10.0, 2.45, 6.22),
    _training(_DATA, "ZeRO", 768, 338, 1106, 13.0, 2.23, 6.14),
    _training(_DATA, "ZeRO+AMP", None, None, 614, 13.5, 2.45, 6.22),
    _training(_DATA, "ZeRO+Chkp", 297, 502, 799, 15.2, 2.16, 5.89),
    _training(_DATA, "ZeRO+Mom", 686, 276, 963, 14.4, 1.60, 6.83),
    _training(_DATA, "ZeRO+AMP+Chkp", 276, 154, 430, 13.0, 2.16, 6.24),
    _training(_MODEL, "original", 425, 307, 732, 53.3, 4.53, 5.98),
    _training(_MODEL, "AMP", 282, 118, 399, 40.7, 4.64, 5.75),
    _training(_MODEL, "Chkp", 215, 399, 614, 57.3, 4.48, 5.66),
    _training(_MODEL, "Mom", 445, 225, 671, 57.1, 4.60, 5.94),
    _training(_MODEL, "AMP+Chkp", 164, 230, 394, 57.3, 4.64, 5.75),
    _training(_MODEL, "AMP+Mom", 312, 159, 471, 58.4, 4.54, 5.78),
    _training(_MODEL, "AMP+Chkp+Mom", 205, 292, 497, 50.0, 4.54, 5.78),
)
