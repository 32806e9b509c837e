"""What a release of the public Python SDK does with an arm in its defaults; prints what it is."""
import json
import sys

import evasdk
import requests

host, token, toolpath = sys.argv[1:]
with open(toolpath, encoding="utf-8") as file:
    toolpath = json.load(file)
toolpath = toolpath.get("toolpath", toolpath)
eva = evasdk.Eva(host, token)
eva.users_get()
TARGET = [0.2, 0.1, -0.8, 0.0, -0.5, 0.0]
with eva.lock():
    eva.control_wait_for_ready()
    eva.control_go_to(TARGET)
    reached = eva.data_servo_positions()
    assert all(abs(a - b) < 1e-2 for a, b in zip(reached, TARGET)), reached
    eva.toolpaths_save("release", toolpath)
    eva.toolpaths_use(toolpath)
    eva.control_home()
    eva.control_run(loop=1)
    assert eva.data_snapshot()["control"]["state"] == "ready"
assert eva.lock_status()["status"] == "unlocked"
eva.calc_forward_kinematics(TARGET)
print(f"requests {requests.__version__}, Python {sys.version.split()[0]}")
