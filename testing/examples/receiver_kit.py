"""A receiver of webhooks with the package armtwin, shown in docs/receivers.md."""
import os
import threading

from armtwin import Receiver, RunEvent, Twin


def take(event: RunEvent) -> None:
    print(event.hook_type, event.run_id, event.body.get("state", ""), flush=True)


twin = Twin(os.environ["ARMTWIN_URL"], os.environ["ARMTWIN_TOKEN"])
with Receiver(twin, take) as receiver:
    print(receiver.url, flush=True)
    threading.Event().wait()
