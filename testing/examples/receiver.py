"""A receiver of webhooks in Python without packages, shown in docs/receivers.md."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["ARMTWIN_WEBHOOK_SECRET"]
TOLERANCE_S = 300
REMEMBERED_IDS = 10_000
seen = {}


def is_genuine(headers, body: bytes) -> bool:
    """Checks signature and age as Standard Webhooks says."""
    sent = headers.get("webhook-timestamp", "")
    if not (sent.isascii() and sent.isdigit()) or abs(time.time() - int(sent)) > TOLERANCE_S:
        return False
    text = f"{headers.get('webhook-id', '')}.{sent}.".encode() + body
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        message = self.headers["webhook-id"]
        if genuine and message not in seen:
            seen[message] = True
            if len(seen) > REMEMBERED_IDS:
                del seen[next(iter(seen))]
            try:
                # The headers X-Hook-... are not signed; id, timestamp and body are.
                self.take(self.headers["x-hook-type"], json.loads(body))
            except Exception:
                del seen[message]  # It comes again.
                self.send_error(503)
                raise
        self.send_response(204 if genuine else 400)
        self.end_headers()

    def take(self, hook_type, event):
        print(hook_type, event["run_id"], event.get("state", ""), flush=True)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Receiver)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
