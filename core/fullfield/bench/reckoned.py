"""Steps of several devices that need not be here, reckoned from the measured step of one: for `bench.several`.

`python -m fullfield.bench.reckoned QUESTION`: JSON in and out.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from fullfield.bench.several import Point, Way, nothing
from fullfield.checked import Fields, make
from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.plan import step_time
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.techniques import compose, costing


def reckon(question: Fields) -> list[Point]:
    """Every way, with the `seconds` that its step of one image takes on one device, on each of `counts`. Raises
    FullfieldError."""
    devices.compute_with(question["threads"])
    costs = costing.kept(question["encoder"], devices.choose(question["device"]).name)
    found: list[Point] = []

    def predictor(count: int, batch: int) -> Predictor:
        asked = Question(
            height=question["size"],
            width=question["size"],
            batch=batch,
            encoder=question["encoder"],
            device=question["device"],
            processes=count,
            link=question["link"],
        )
        return Predictor(asked, costs)

    for values in question["ways"]:
        way = make(Way, values)
        one = predictor(1, 1)
        estimate, account = one.account(compose.read(way.beside))
        # What the plain step of one image would take here, for all of whose work this step's share is known.
        plain = values["seconds"] / step_time.apart(estimate, account, one.site, 1.0)
        for count in question["counts"]:
            of = predictor(count, way.batch(count))
            techniques = compose.read(way.techniques(count))
            refused = compose.refusals(techniques, of.site)
            try:
                if refused:
                    raise UsageError("These techniques are impossible here.", detail=" ".join(refused))
                estimate, account = of.account(techniques)
            except UsageError as error:
                found.append(nothing(way, count, error.detail or error.title))
                continue
            found.append(
                Point(
                    way=way.name,
                    techniques=way.techniques(count),
                    devices=count,
                    batch=way.batch(count),
                    simulated=count > 1,
                    seconds=step_time.apart(estimate, account, of.site, plain * way.batch(count)),
                    peak=account.fullest.peak,
                    sent=max(work.passed + work.shared for work in account.works) if count > 1 else 0,
                )
            )
    costs.keep()
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps({"points": [asdict(one) for one in reckon(json.loads(sys.argv[1]))]}) + "\n")
