"""Builds the wheel for pip (PEP 517) with the standard library alone: nothing is fetched.

The wheel has two packages: armtwin, which needs the standard library alone, and the plugin of pytest.
`npm run build:wheel` first puts the built server into armtwin/server; the wheel then has it, and the
command `armtwin` that starts it. Without it the plugin starts the clone that --armtwin names.
"""
import base64
import hashlib
import sys
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

HERE = Path(__file__).resolve().parent
PACKAGES = (HERE / "armtwin", HERE / "pytest_armtwin")
SERVER = PACKAGES[0] / "server"
#: The same for every build, so that the same sources make the same bytes; zip files begin in 1980.
BUILT = (1980, 1, 1, 0, 0, 0)

PLUGIN = "[pytest11]\narmtwin = pytest_armtwin.plugin\n"
COMMAND = "\n[console_scripts]\narmtwin = armtwin.command:main\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: armtwin\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _files() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted(package.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _documents() -> Dict[str, str]:
    """The files of the folder .dist-info, but RECORD."""
    metadata = (HERE / "METADATA").read_text(encoding="utf-8")
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    entries = PLUGIN + (COMMAND if SERVER.is_dir() else "")
    return {"METADATA": metadata + readme, "WHEEL": WHEEL, "entry_points.txt": entries}


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={digest.decode()},{len(content)}"


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    """Writes the wheel into a folder; returns its name."""
    about = Parser().parsestr((HERE / "METADATA").read_text(encoding="utf-8"))
    stem = f"{about['Name'].replace('-', '_')}-{about['Version']}"
    name = f"{stem}-py3-none-any.whl"
    record: List[str] = []
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path: str, content: bytes) -> None:
            entry = zipfile.ZipInfo(path, BUILT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)
            record.append(f"{path},{_digest(content)}")

        for path in _files():
            add(path.relative_to(HERE).as_posix(), path.read_bytes())
        for document, text in _documents().items():
            add(f"{stem}.dist-info/{document}", text.encode())
        own = f"{stem}.dist-info/RECORD"
        record.append(f"{own},,")
        entry = zipfile.ZipInfo(own, BUILT)
        entry.external_attr = 0o100644 << 16
        wheel.writestr(entry, "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    """There is none: the sources are the repository."""
    raise RuntimeError("pytest-armtwin has no source archive; build the wheel: npm run build:wheel")


if __name__ == "__main__":
    print(build_wheel(sys.argv[1]))
