"""Nothing is asked of a model hub without consent: what every process of this program tells libraries that could.

huggingface_hub, which segmentation_models_pytorch and timm bring along, reads this when it is imported.
"""

from __future__ import annotations

import os

OFFLINE = "HF_HUB_OFFLINE"
_QUIET = {"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1", "HF_HUB_DISABLE_UPDATE_CHECK": "1"}


def stay_offline() -> None:
    """For this process and those that it starts. To be called before anything else is imported."""
    os.environ.update({**_QUIET, OFFLINE: "1"})


def go_online() -> None:
    """For this process, whose user has asked to fetch something; it tells no more than that needs."""
    os.environ.update({**_QUIET, OFFLINE: "0", "HF_HUB_DISABLE_XET": "1"})  # xet would ask other hosts
