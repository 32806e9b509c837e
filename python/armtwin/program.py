"""Where the program is: in the wheel, in a clone, on the PATH, or in node_modules."""
import os
import shlex
import shutil
from pathlib import Path
from typing import List, Optional

from .twin import TwinError

#: In a wheel that `npm run build:wheel` has made.
BUNDLED = Path(__file__).resolve().parent / "server" / "dist" / "server" / "main.js"


def _node() -> str:
    found = shutil.which("node")
    if found is None:
        raise TwinError(
            "Node is missing: there is no node on the PATH; install Node 20.19 or later "
            "(https://nodejs.org/en/download)"
        )
    return found


def bundled_program() -> List[str]:
    """The command of the server in this wheel. Raises TwinError, which says what is missing."""
    if not BUNDLED.exists():
        raise TwinError("this wheel has no server: build one that has it with npm run build:wheel")
    return [_node(), str(BUNDLED)]


def find_program(given: Optional[str] = None) -> List[str]:
    """The command that starts a twin: given, in the wheel, on the PATH, or in node_modules.

    A folder is a clone of armtwin or a project that has it installed.
    """
    if given and os.path.isdir(given):
        for place in ("tools/armtwin.mjs", "node_modules/.bin/armtwin"):
            if os.path.exists(os.path.join(given, place)):
                return [_node(), os.path.join(given, place)]
        raise TwinError(f"{given} has no armtwin: name a clone, or a folder where it is installed")
    if given:
        return shlex.split(given)
    if BUNDLED.exists():
        return bundled_program()
    local = os.path.join("node_modules", ".bin", "armtwin")
    found = shutil.which("armtwin") or (local if os.path.exists(local) else None)
    if found is None:
        raise TwinError(
            "armtwin was not found: install the wheel of npm run build:wheel, which has the server, or "
            "name a clone or a command with --armtwin or ARMTWIN_COMMAND, for example --armtwin ../armtwin"
        )
    return [found]
