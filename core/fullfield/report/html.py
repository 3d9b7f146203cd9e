"""A report as one HTML file: no script, nothing fetched, pictures inside, readable in print and on a small screen."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import TYPE_CHECKING

from fullfield.report.content import Report
from fullfield.report.tables import Table
from fullfield.report.words import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1e23; background: #fff; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin: 1.8rem 0 .4rem; }
.made, .note { color: #555; } .note { font-size: .9rem; }
.not { border-left: 4px solid #b04a2f; background: #fbf1ee; padding: .5rem .8rem; margin: 1rem 0; }
.not p { margin: .2rem 0; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top;
  padding: .25rem .8rem .25rem 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; } figure { margin: 1rem 0; break-inside: avoid; }
figure svg, figure img { width: 100%; height: auto; } section { break-inside: avoid; }
@media (max-width: 40rem) { td:first-child { white-space: normal; } }
"""


def write(report: Report, figures: list[tuple[str, Figure]]) -> bytes:
    """The file's content. `figures`: with what they show; radiographs become PNG inside it, all others SVG."""
    title = escape(report.title)
    body = [
        f"<h1>{title}</h1>",
        f'<p class="made">{escape(report.made)}</p>',
        _disclaimer(report.words),
        _table(report.tables[0]) if report.tables else "",
        *(_figure(says, figure, picture=bool(figure.axes and figure.axes[0].images)) for says, figure in figures),
        *map(_table, report.tables[1:]),
        _disclaimer(report.words),
    ]
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!DOCTYPE html>\n<html lang="{report.words.language.code}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(filter(None, body)) + "\n</body></html>\n"
    ).encode()


def _disclaimer(words: Words) -> str:
    """In the page's own language first; others say which they are."""
    (_, own), *others = words.disclaimers()
    rest = "".join(f'<p lang="{code}">{escape(text)}</p>' for code, text in others)
    return f'<div class="not"><p>{escape(own)}</p>{rest}</div>'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    heading = f"<thead><tr>{head}</tr></thead>" if head else ""
    return f"<section><h2>{escape(table.title)}</h2><table>{heading}<tbody>{rows}</tbody></table>{note}</section>"


def _figure(says: str, figure: Figure, *, picture: bool) -> str:
    stream = io.BytesIO()
    if picture:
        figure.savefig(stream, format="png", dpi=150, metadata={"Software": None})
        data = base64.b64encode(stream.getvalue()).decode()
        return f'<figure><img alt="{escape(says)}" src="data:image/png;base64,{data}"></figure>'
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    text = stream.getvalue().decode()
    svg = text[text.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{escape(says)}"', 1)
    return f"<figure>{svg}</figure>"
