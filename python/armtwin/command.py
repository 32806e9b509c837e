"""The command `armtwin` of a wheel that has the server: runs it with Node."""
import os
import sys

from .program import bundled_program
from .twin import TwinError


def main() -> None:
    """Replaces this process by the server, so that signals and the exit code are its own."""
    try:
        command = bundled_program()
    except TwinError as problem:
        sys.exit(f"armtwin: {problem}")
    # One malloc arena: the process of the rigid-body engine uses a third less memory.
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")
    os.execvp(command[0], [*command, *sys.argv[1:]])
