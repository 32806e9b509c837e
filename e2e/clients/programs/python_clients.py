"""Python HTTP clients in their default settings: python_clients.py CLIENT URL TOKEN.

Each logs in, opens the stream, takes the lock, moves the arm, sees the end of the motion on the
stream, releases the lock and logs out. Prints one line with the versions.
"""

import asyncio
import json
import platform
import sys

JOINTS = [[0.15, 0.4, -1.6, 0, -1.2, 0], [0, 0.4, -1.6, 0, -1.2, 0]]
STREAM_LIMIT_S = 20


def is_end(text, seen):
    """Whether an event ends the motion that `seen` has seen begin."""
    state = json.loads(text).get("changes", {}).get("control", {}).get("state")
    if state is not None:
        seen.append(state)
    return "running" in seen and seen[-1] == "ready"


def expect(reply, status=200):
    assert reply.status_code == status, (reply.status_code, reply.text)
    return reply


def session_of(post, token):
    return expect(post("/api/v1/auth", {"token": token})).json()["token"]


def check_pose(get, joints):
    position = get("/api/v1/data/snapshot").json()["snapshot"]["servos.telemetry.position"]
    assert all(abs(a - b) < 0.01 for a, b in zip(position, joints)), position


def blocking(request, receive_until_end, url, token):
    """The scenario through a blocking client: `request(method, path, body, session)`."""
    session = session_of(lambda path, body: request("POST", path, body, None), token)
    protocols = [f"SessionToken_{session}", "object"]
    stream = url.replace("http", "ws") + "/api/v1/data/stream"
    assert expect(request("POST", "/api/v1/controls/lock", None, session)).json()["owner"] == "you"
    for joints in JOINTS:
        body = {"joints": joints, "mode": "automatic"}
        receive_until_end(
            stream,
            protocols,
            lambda: expect(request("POST", "/api/v1/controls/go_to", body, session), 204),
        )
        check_pose(lambda path: expect(request("GET", path, None, session)), joints)
    assert expect(request("DELETE", "/api/v1/controls/lock", None, session)).json()["owner"] == "none"
    expect(request("DELETE", "/api/v1/auth", None, session), 204)


def bearer(session):
    return {} if session is None else {"Authorization": f"Bearer {session}"}


def run_requests(url, token):
    import requests
    import websocket

    def request(method, path, body, session):
        extra = {} if body is None else {"json": body}
        return requests.request(method, url + path, headers=bearer(session), **extra)

    def receive(stream, protocols, start):
        connection = websocket.create_connection(stream, subprotocols=protocols)
        connection.settimeout(STREAM_LIMIT_S)
        start()
        seen = []
        while not is_end(connection.recv(), seen):
            pass
        connection.close()

    blocking(request, receive, url, token)
    return f"requests {requests.__version__}, websocket-client {websocket.__version__}"


def run_httpx(url, token):
    import httpx
    import websockets

    def receive(stream, protocols, start):
        async def listen():
            async with websockets.connect(stream, subprotocols=protocols) as connection:
                start()
                seen = []
                while not is_end(await asyncio.wait_for(connection.recv(), STREAM_LIMIT_S), seen):
                    pass

        asyncio.run(listen())

    with httpx.Client() as client:

        def request(method, path, body, session):
            extra = {} if body is None else {"json": body}
            return client.request(method, url + path, headers=bearer(session), **extra)

        blocking(request, receive, url, token)
    return f"httpx {httpx.__version__}, websockets {websockets.__version__}"


async def through_aiohttp(aiohttp, url, token):
    async with aiohttp.ClientSession() as client:

        async def request(method, path, status=200, body=None, session=None):
            extra = {} if body is None else {"json": body}
            async with client.request(method, url + path, headers=bearer(session), **extra) as reply:
                assert reply.status == status, (reply.status, await reply.text())
                return await reply.json() if status == 200 else None

        session = (await request("POST", "/api/v1/auth", body={"token": token}))["token"]
        await request("POST", "/api/v1/controls/lock", session=session)
        # This client can send headers with a handshake: no subprotocol is needed.
        stream = client.ws_connect(url + "/api/v1/data/stream", headers=bearer(session))
        async with stream as connection:
            for joints in JOINTS:
                body = {"joints": joints, "mode": "automatic"}
                await request("POST", "/api/v1/controls/go_to", 204, body, session)
                seen = []
                while not is_end((await connection.receive(STREAM_LIMIT_S)).data, seen):
                    pass
        await request("DELETE", "/api/v1/controls/lock", session=session)
        await request("DELETE", "/api/v1/auth", 204, session=session)


def run_aiohttp(url, token):
    import aiohttp

    asyncio.run(through_aiohttp(aiohttp, url, token))
    return f"aiohttp {aiohttp.__version__}"


CLIENTS = {"requests": run_requests, "httpx": run_httpx, "aiohttp": run_aiohttp}

if __name__ == "__main__":
    name, base_url, api_token = sys.argv[1:4]
    print(f"{CLIENTS[name](base_url, api_token)}, Python {platform.python_version()}")
