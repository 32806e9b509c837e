"""armtwin from Python: twins, workflows that read like the protocol, and a receiver of webhooks.

Needs the standard library alone, and Node for the twins that it starts.
"""
import os
from typing import Optional

from .durations import Duration
from .program import find_program
from .run import Plan, Run
from .twin import ApiError, Situation, Twin, TwinError
from .webhooks import Receiver, RunEvent, RunEventInbox, WebhookRejected, check_secrets, verify_webhook
from .workcell import Workcell
from .workflow import OWN, Deck, InvalidWorkflow, Step, Template, Workflow

__all__ = [
    "OWN",
    "ApiError",
    "Deck",
    "Duration",
    "InvalidWorkflow",
    "Plan",
    "Receiver",
    "Run",
    "RunEvent",
    "RunEventInbox",
    "Situation",
    "Step",
    "Template",
    "Twin",
    "TwinError",
    "WebhookRejected",
    "Workcell",
    "Workflow",
    "check_secrets",
    "start",
    "verify_webhook",
]

#: A twin for tests and scripts: the quick plant, and a clock that moves only when it is advanced.
FLAGS = ("--driver", "fast", "--clock", "stepped", "--log-level", "warn")


def start(*flags: str, command: Optional[str] = None) -> Twin:
    """Starts a twin, which ends with a `with`, by `stop`, or with this process.

    `flags` are those of `armtwin serve`, after FLAGS. `command` or the variable ARMTWIN_COMMAND names the
    program, or a clone. Raises TwinError, which says what is missing.
    """
    program = find_program(command or os.environ.get("ARMTWIN_COMMAND"))
    return Twin.start(program, [*FLAGS, *flags])
