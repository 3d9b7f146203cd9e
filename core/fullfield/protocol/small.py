"""What the jobs with few settings shall do: one type each."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class EmptySpec:
    """The job "empty" does nothing but meet."""


@dataclass(frozen=True, kw_only=True)
class SessionSpec:
    """The job "session" serves a window; `device`: auto, cpu or cuda:N."""

    device: str = "auto"


@dataclass(frozen=True, kw_only=True)
class DiagnoseSpec:
    """The job "diagnose". `folders`: the front end's own ones by title; `window`: what only a window knows of its
    screen."""

    folders: dict[str, str] = field(default_factory=dict)
    window: str = ""


@dataclass(frozen=True, kw_only=True)
class FetchSpec:
    """The job "fetch": ImageNet's weights of this encoder."""

    encoder: str


@dataclass(frozen=True, kw_only=True)
class InstallSpec:
    """The job "install". `build`: cpu or cuda; "": what the driver allows. `wheels`: a folder; "": the network."""

    build: str = ""
    wheels: str = ""


@dataclass(frozen=True, kw_only=True)
class Machine:
    """Another machine: what this user calls it, its address as ssh understands it, how Fullfield is called there, the
    network interface on which it trains with others ("": none), and the options of a cluster's queue (`Node.slurm`)."""

    name: str
    address: str
    command: str
    interface: str = ""
    slurm: str = ""


@dataclass(frozen=True, kw_only=True)
class ProbeSpec:
    """The job "probe": what these machines have, each told by a `NodeProbed` as soon as it has answered; or where they
    are `linked`, what is between the first and each other one, told by a `LinkProbed` of that one."""

    machines: tuple[Machine, ...]
    linked: bool = False


@dataclass(frozen=True, kw_only=True)
class ReportSpec:
    """The job "report". `run`: its folder. `output`: a file ending in .html or .pdf. `images`: with radiographs.

    `language`: en, es; `decimal`, `thousands`: signs in numbers, where they are not the language's usual ones.
    """

    run: str
    output: str
    images: bool = False
    language: str = "en"
    decimal: str = ""
    thousands: str = ""


@dataclass(frozen=True, kw_only=True)
class SurveySpec:
    """The job "survey" of the folder `data`; the others as in `Training`, the same as the command `Split` has."""

    data: str
    reference: str
    validation: float
    seed: int
    review: bool = True
    use_on: str = "auto"
