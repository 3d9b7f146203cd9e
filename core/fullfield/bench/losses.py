"""`fullfield bench quality --sizes …`: how near each method comes to what is wanted, at several sizes.

Losses are 100·(1 − MS-SSIM). Beside the methods stands the oracle: the best gains of the form that a map network has
(`bench.oracle`). What MS-SSIM does not see is told apart: the strength and the correlation of the three finest bands,
what clips, and noise in the densest quarter of the anatomy beside the contrast there (`image.gains`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from fullfield import files
from fullfield.bench import cases, oracle
from fullfield.bench.cases import Case
from fullfield.bench.displayed import CLAHE, SOURCE, fractions, named, source
from fullfield.bench.speak import say
from fullfield.data.prepared import Unit
from fullfield.enhance.enhancer import by_preset
from fullfield.errors import FullfieldError
from fullfield.image import clahe, collimation, gains, measure, normalise, presets, pyramid, tone
from fullfield.image.cache import Decoded

NATIVE, CONVENTIONAL, ORACLE = "native", "conventional", "oracle of the map"
SIZES = ("256", "1024", NATIVE)
BANDS = 3

_CLIP, _TILES = 2.0, 8
_SHEET, _SHOWN, _CROP = 12, 320, 160  # images of a sheet, and pixels of each, whole and at 100 %


@dataclass(frozen=True, kw_only=True)
class Row:
    """One image by one method. `ratios`, `correlations`: of the three finest bands' SD over the wanted ones', and with
    them. `clipped`: share that the wanted output has not clipped. `noise`: the noise's gain over the contrast's, in the
    densest quarter; None where the anatomy is too small. `seconds` of one core."""

    size: str
    kind: str
    name: str
    method: str
    loss: float
    psnr_db: float
    ratios: tuple[float, ...]
    correlations: tuple[float, ...]
    clipped: float
    noise: float | None
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Table:
    """All rows, and what could not be measured with the reason."""

    rows: tuple[Row, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    def text(self) -> str:
        """For people: means; of bands and noise medians."""
        head = ("loss", "median", "90 %", "over conv.", "better", "PSNR", "1st SD/corr", "2nd SD/corr", "3rd SD/corr")
        lines = ["How near to what is wanted: loss 100·(1 − MS-SSIM); bands: SD/correlation"]
        for size, kind in dict.fromkeys((row.size, row.kind) for row in self.rows):
            group = [row for row in self.rows if (row.size, row.kind) == (size, kind)]
            count = len({row.name for row in group})
            lines += ["", f"{size}{'' if size == NATIVE else ' pixels'}, {kind} input, {count} images"]
            lines.append(f"{'':20}" + "".join(f"{title:>12}" for title in (*head, "clipped", "noise ×", "s")))
            for method in dict.fromkeys(row.method for row in group):
                lines.append(f"{method[:19]:20}" + "".join(f"{cell:>12}" for cell in _cells(group, method)))
        for name, why in dict.fromkeys(self.left_out):
            lines.append(f"{name}: {why}")
        return "\n".join(lines)

    def values(self) -> dict[str, object]:
        """For programs: what is no finite number is none, such as the PSNR of what is wanted itself."""
        rows = [{name: _finite(value) for name, value in asdict(row).items()} for row in self.rows]
        return {"rows": rows, "left_out": self.left_out}


def _finite(value: object) -> object:
    if isinstance(value, tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


Way = Callable[[Decoded], Unit]


def run(
    folder: Path | None,
    sizes: tuple[str, ...] = SIZES,
    *,
    models: tuple[Path, ...] = (),
    count: int,
    seed: int,
    sheet: Path | None = None,
) -> Table:
    """Measure; which image is worked on is said on standard error. `count`, `seed`: of the scenes, where there is no
    folder. `sheet`: a PNG of the largest size's first images, each whole and its middle at 100 %.

    Raises MissingPart, ModelError, CannotWrite.
    """
    rows: list[Row] = []
    left_out: list[tuple[str, str]] = []
    ways = _ways(models)
    for size in sizes:
        pixels = None if size == NATIVE else int(size)
        pictures: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]] = []
        given = cases.of_scenes(count, seed=seed, size=pixels) if folder is None else None
        for case in given or cases.of_folder(folder or Path(), seed=seed, size=pixels):
            if isinstance(case, tuple):
                left_out.append(case)
                continue
            say(f"{size}: {case.name}, {case.decoded.image.kind}")
            shown: dict[str, Unit] = {}
            try:
                for row, made in _measured(case, size, ways, left_out):
                    rows.append(row)
                    shown[row.method] = made
            except (FullfieldError, ValueError) as error:  # too narrow for MS-SSIM
                left_out.append((f"{case.name}, {size}", str(error)))
                continue
            if sheet is not None and size == sizes[-1] and len(pictures) < _SHEET:
                pictures.append(_strip(case, shown))
        if sheet is not None and pictures:
            files.write_bytes(sheet, _sheet(pictures))
        elif sheet is not None and size == sizes[-1]:
            say(f"No sheet was written, for no image could be measured at the last size, {size}.")
    return Table(rows=tuple(rows), left_out=tuple(left_out))


def _ways(models: tuple[Path, ...]) -> dict[str, Way]:
    from fullfield.enhance.ensemble import open_here

    found: dict[str, Way] = {
        SOURCE: lambda decoded: source(decoded.image),
        CLAHE: lambda decoded: clahe.equalise(source(decoded.image), clip=_CLIP, tiles=_TILES),
        CONVENTIONAL: _conventional,
    }
    for name, model in zip(named(models, {*found, ORACLE}), models, strict=True):
        enhancer = open_here(model, device="cpu", notice=say)
        found[name] = lambda decoded, opened=enhancer: fractions(opened.enhance(decoded))  # type: ignore[misc]
    return found


def _conventional(decoded: Decoded) -> Unit:
    return fractions(by_preset(decoded, presets.choose(**decoded.header.subject, kind=decoded.image.kind)))


def _measured(
    case: Case, size: str, ways: dict[str, Way], left_out: list[tuple[str, str]]
) -> Iterator[tuple[Row, Unit]]:
    from fullfield.train import evaluate

    image = case.decoded.image
    curve = tone.curve(image)
    anatomy = collimation.find(image, curve).anatomy
    plain = source(image)

    def best(decoded: Decoded) -> Unit:
        return oracle.best(normalise.to_input(decoded.image, normalise.BY_PRESET), case.wanted)

    every: dict[str, Way] = {**ways, ORACLE: best}
    for method, way in every.items():
        began = time.process_time()
        try:
            made = way(case.decoded)
        except FullfieldError as error:
            left_out.append((f"{method}, {image.kind}", error.detail or error.title))
            continue
        seconds = time.process_time() - began
        quality = evaluate.of_pair(made, case.wanted)
        bands = [_band(*pair) for pair in zip(*(pyramid.laplacian(p, BANDS)[:BANDS] for p in (made, case.wanted)))]
        quarters = gains.by_density(plain, made, anatomy)
        row = Row(
            size=size,
            kind=image.kind.value,
            name=case.name,
            method=method,
            loss=quality.loss,
            psnr_db=quality.psnr_db,
            ratios=tuple(ratio for ratio, _ in bands),
            correlations=tuple(correlation for _, correlation in bands),
            clipped=measure.clipped_fraction(made, source=case.wanted),
            noise=1 / quarters[-1].coarse if quarters and quarters[-1].coarse > 0 else None,
            seconds=seconds,
        )
        yield row, made


def _band(band: pyramid.Plane, wanted: pyramid.Plane) -> tuple[float, float]:
    """The SD over the wanted one's, and the correlation; 0 of a picture without any."""
    one, other = (np.asarray(plane, np.float64) - plane.mean() for plane in (band, wanted))
    sds = float(one.std()), float(other.std())
    if not all(sds):
        return (0.0, 0.0) if sds[1] else (math.nan, math.nan)
    return sds[0] / sds[1], float(np.mean(one * other)) / (sds[0] * sds[1])


def _cells(group: list[Row], method: str) -> Iterator[str]:
    own = [row for row in group if row.method == method]
    conventional = {row.name: row.loss for row in group if row.method == CONVENTIONAL}
    losses = [row.loss for row in own]
    yield f"{np.mean(losses):.2f}"
    yield from (f"{np.quantile(losses, share):.2f}" for share in (0.5, 0.9))
    pairs = [(row.loss, conventional[row.name]) for row in own if row.name in conventional]
    beside = sum(other for _, other in pairs)
    yield f"{sum(loss for loss, _ in pairs) / beside:.2f}" if beside else "-"
    yield f"{np.mean([loss < other for loss, other in pairs]):.0%}" if pairs and method != CONVENTIONAL else "-"
    yield f"{np.mean([row.psnr_db for row in own if math.isfinite(row.psnr_db)] or [math.nan]):.1f}"
    for band in range(BANDS):
        ratio, correlation = (
            np.median([getattr(row, name)[band] for row in own]) for name in ("ratios", "correlations")
        )
        yield f"{ratio:.2f}/{correlation:.2f}"
    yield f"{np.mean([row.clipped for row in own]):.2%}"
    noise = [row.noise for row in own if row.noise is not None]
    yield f"{np.median(noise):.2f}" if noise else "-"
    yield f"{np.mean([row.seconds for row in own]):.2f}"


Picture = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def _strip(case: Case, shown: dict[str, Unit]) -> Picture:
    """One image by every method, whole and its middle at 100 %, beside what is wanted."""
    tiles = []
    for name, plane in {**shown, "wanted": case.wanted}.items():
        grey = np.rint(np.clip(plane, 0, 1) * 255).astype(np.uint8)
        scale = min(1.0, _SHOWN / max(grey.shape))
        size = (max(1, round(grey.shape[1] * scale)), max(1, round(grey.shape[0] * scale)))
        tile = np.full((2 * _SHOWN + 24, _SHOWN), 24, np.uint8)
        whole = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        tile[24 : 24 + size[1], : size[0]] = whole
        middle = tuple(slice(max(0, side // 2 - _CROP), min(side, side // 2 + _CROP)) for side in grey.shape)
        crop = grey[middle]
        tile[24 + _SHOWN : 24 + _SHOWN + crop.shape[0], : crop.shape[1]] = crop
        cv2.putText(tile, name[:36], (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45, 208, 1, cv2.LINE_AA)
        tiles.append(tile)
    return np.concatenate(tiles, axis=1)


def _sheet(pictures: list[Picture]) -> bytes:
    width = max(picture.shape[1] for picture in pictures)
    same = [np.pad(picture, ((0, 0), (0, width - picture.shape[1])), constant_values=24) for picture in pictures]
    done, content = cv2.imencode(".png", np.concatenate(same, axis=0))
    if not done:
        raise ValueError("OpenCV cannot encode the sheet as PNG")
    return content.tobytes()


__all__ = ["NATIVE", "ORACLE", "SIZES", "Row", "Table", "run"]
