"""Files that lie beside radiographs on a CD or in an archive and are none: a viewer, its help, papers.

Both name and content must say so: a DICOM file that is called README.TXT is an image, and a picture in any other
clothes is told in its turn, as is an index of a medium under another name than DICOMDIR. Imports nothing heavy: what
is passed over is decided where inputs are listed.
"""

from __future__ import annotations

from pathlib import PurePath

from fullfield.dicom import formats

NAMES = frozenset({"changelog", "copying", "licence", "license", "readme"})
SUFFIXES = frozenset(
    {".bat", ".cab", ".chm", ".class", ".cmd", ".com", ".dll", ".dylib", ".exe", ".hlp", ".jar", ".lnk", ".msi"}
    | {".ocx", ".py", ".sh", ".so", ".swf", ".sys", ".url"}
    | {".css", ".dtd", ".htm", ".html", ".icns", ".ico", ".js", ".ttf", ".woff", ".woff2", ".xhtml", ".xsl", ".xslt"}
    | {".cfg", ".conf", ".config", ".inf", ".ini", ".json", ".jsonl", ".log", ".manifest", ".properties", ".toml"}
    | {".csv", ".doc", ".docx", ".md", ".pdf", ".rtf", ".txt", ".xls", ".xlsx", ".xml", ".yaml", ".yml"}
)


def is_one(head: bytes, name: str) -> bool:
    """Whether the file of this name that begins with `head` (its first `formats.HEAD_BYTES`) is no image for sure."""
    path = PurePath(name.lower())
    named = path.suffix in SUFFIXES or path.name in NAMES
    return named and not formats.may_be_image(head)
