"""What a failed test leaves: the recording of its run, and how the twin stood at the end."""
import json
import re
from pathlib import Path
from typing import Dict

from armtwin import ApiError, Twin, TwinError

#: Documents that are kept, by the name of their file.
DOCUMENTS: Dict[str, str] = {
    "status.json": "/sim/v1/status",
    "snapshot.json": "/api/v1/data/snapshot",
    "cell.json": "/sim/v1/cell",
    "cell-events.json": "/sim/v1/cell/events",
    "faults.json": "/sim/v1/faults",
    "situations.json": "/sim/v1/situations",
}


def folder_of(base: Path, node_id: str) -> Path:
    """A folder of this test alone, whatever its parameters are."""
    return base / re.sub(r"[^\w.-]+", "-", node_id).strip("-")


def save(twin: Twin, folder: Path) -> str:
    """Writes the files; returns the lines that say where they are, or why one is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    problems = []

    def keep(name: str, text: str) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    def keep_or_say(name: str, method: str, path: str, body: object = None) -> None:
        try:
            keep(name, json.dumps(twin.call(method, path, body), indent=1))
        except (ApiError, TwinError) as error:
            problems.append(f"{name} is missing: {error}")

    try:
        twin.call("POST", "/sim/v1/recording/stop")
        keep("run.armtape", twin.call("GET", "/sim/v1/recording/tape")["tape"])
    except (ApiError, TwinError) as error:
        problems.append(f"run.armtape is missing: {error}")
    for name, path in DOCUMENTS.items():
        keep_or_say(name, "GET", path)
    keep_or_say("calls.json", "POST", "/sim/v1/journal/search", {})
    return "\n".join([f"the run is in {folder}: armtwin replay {folder / 'run.armtape'}", *problems])
