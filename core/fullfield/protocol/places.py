"""Where runs are: each place by its name, with the module that starts runs there. A new place is a file and a line."""

from __future__ import annotations

LOCAL = "local"
PLACES = {
    LOCAL: "fullfield.jobs.launchers.local",
}
