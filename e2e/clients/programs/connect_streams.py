"""Opens the stream through the public SDK: connect_streams.py HOST:PORT TOKEN COUNT.

The arm runs a toolpath meanwhile: the SDK leaves a stream only with its next event.
"""

import json
import logging
import sys

from evasdk import Eva

host, token, count, toolpath = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
logging.disable(logging.CRITICAL)
eva = Eva(host, token)
failed = []
with eva.lock(), open(toolpath, encoding="utf-8") as file:
    eva.toolpaths_use(json.load(file))
    eva.control_home()
    eva.control_run(loop=0, mode="automatic", wait_for_ready=False)
    for _ in range(count):
        try:
            with eva.websocket():
                pass
        except Exception as error:  # every failure counts
            failed.append(repr(error))
    eva.control_stop_loop()
print(f"{count} connects, {len(failed)} failed {failed[:1] or ''}".strip())
sys.exit(1 if failed else 0)
