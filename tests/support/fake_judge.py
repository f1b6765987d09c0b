#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays `tracedeck-worker judge DEVICE` for tests of the runner. What it does is said by the names that it is given:
the solution's name for `evaluate`, the workload's uuid for `open`, FAKE_JUDGE_START for the start."""
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time

if sys.argv[1] == "probe":
    # A system without any walls.
    print(json.dumps({"namespaces": "none", "why_not_full": "a test", "landlock": 0, "why_no_filter": "a test", "joinable": []}))
    sys.exit(0)
if sys.argv[1] == "confined":
    os.execv(sys.argv[3], sys.argv[3:])

SOCKET = socket.socket(fileno=3)


def receive():
    data = b""
    while len(data) < 4:
        part = SOCKET.recv(4 - len(data))
        if not part:
            sys.exit(0)
        data += part
    size = struct.unpack("<I", data)[0]
    data = b""
    while len(data) < size:
        part = SOCKET.recv(size - len(data))
        if not part:
            sys.exit(0)
        data += part
    return json.loads(data)


def send(**message):
    text = json.dumps(message).encode()
    SOCKET.sendall(struct.pack("<I", len(text)) + text)


def hang():
    while True:
        time.sleep(3600)


def die():
    print("about to die", file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGSEGV)


def once(name):
    """True the first time that any judge of this test asks."""
    try:
        os.close(os.open(os.path.join(os.environ["FAKE_JUDGE_FOLDER"], name), os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def evaluation(status, log="", libs=None):
    passed = status == "PASSED"
    return {
        "status": status,
        "environment": {"hardware": "Fake CPU", "libs": libs or {"torch": "9.9"}},
        "timestamp": "2026-01-31T12:00:00.000001",
        "log": log,
        "correctness": {"max_relative_error": 0.0, "max_absolute_error": 0.0, "extra": None} if passed else None,
        "performance": {"latency_ms": 0.5, "reference_latency_ms": 1.0, "speedup_factor": 2.0} if passed else None,
    }


def evaluate(message):
    identity = message["id"]
    name = message["solution"]["name"]
    send(op="stage", id=identity, stage="check")
    if name.startswith("pass") or name == "z_last":
        artifact = message["artifact"]
        send(op="stage", id=identity, stage="time")
        send(op="evaluated", id=identity, evaluation=evaluation("PASSED", json.dumps({"artifact": artifact, "build_log": message["build_log"], "timeout": message["timeout"]})), store=True, note=None)
    elif name == "z_fail":
        send(op="evaluated", id=identity, evaluation=evaluation("TIMEOUT", "too slow"), store=True, note="a note")
    elif name.startswith("unstored"):
        send(op="evaluated", id=identity, evaluation=evaluation("PASSED"), store=False, note="interpreted: not a latency")
    elif name.startswith("hang_with_host"):
        subprocess.Popen(["sh", "-c", "sleep 3600 & wait"], start_new_session=True)
        send(op="stage", id=identity, stage="time")
        hang()
    elif name.startswith("silent"):
        hang()
    elif name.startswith("chatty"):
        for _ in range(8):
            time.sleep(0.25)
            send(op="stage", id=identity, stage="time")
        send(op="evaluated", id=identity, evaluation=evaluation("PASSED"), store=True, note=None)
    elif name.startswith("prints_forever"):
        while True:
            time.sleep(0.05)
            send(op="log", id=identity, text="still here\n")
    elif name.startswith("prints"):
        send(op="log", id=identity, text="one\n")
        send(op="log", id=identity + 7, text="of another one\n")
        send(op="log", id=identity, text="x" * 20000)
        send(op="log", id=identity)
        send(op="log", id=identity, text="two\n")
        result = evaluation("PASSED", "one\ntwo\n")
        result["judge"] = {"time": {"samples_us": [[500.0, 510.0], [490.0, 500.0]]}}
        if not name.startswith("prints_until"):
            send(op="evaluated", id=identity, evaluation=result, store=True, note=None)
            return
        while not os.path.exists(os.path.join(os.environ["FAKE_JUDGE_FOLDER"], "go on")):
            time.sleep(0.02)
        send(op="evaluated", id=identity, evaluation=result, store=True, note=None)
    elif name.startswith("die"):
        die()
    elif name.startswith("exit"):
        sys.exit(5)
    elif name.startswith("garbage"):
        SOCKET.sendall(struct.pack("<I", 9) + b"not json!")
        hang()
    elif name.startswith("huge"):
        SOCKET.sendall(struct.pack("<I", 0xFFFFFFFF))
        hang()
    elif name.startswith("wrong_id"):
        send(op="evaluated", id=identity + 1, evaluation=evaluation("PASSED"), store=True, note=None)
        hang()
    elif name.startswith("wrong_stage"):
        send(op="stage", id=identity, stage="lunch")
        hang()
    elif name.startswith("contradiction"):
        broken = evaluation("PASSED")
        broken["performance"] = None
        send(op="evaluated", id=identity, evaluation=broken, store=True, note=None)
        hang()
    elif name.startswith("no_verdict"):
        send(op="evaluated", id=identity)
        hang()
    elif name.startswith("other_op"):
        send(op="opened", id=identity, reference_latency_ms=1.0)
        hang()
    else:
        sys.exit("no part for solution " + name)


def open_workload(message):
    identity = message["id"]
    uuid = message["workload"]["uuid"]
    with open(os.path.join(os.environ["FAKE_JUDGE_FOLDER"], "opened.jsonl"), "a", encoding="utf-8") as log:
        log.write(json.dumps(message) + "\n")
    send(op="stage", id=identity, stage="reference")
    if uuid == "reference-fails":
        send(op="open_failed", id=identity, message="the reference raised", log="ZeroDivisionError")
    elif uuid == "open-dies":
        die()
    elif uuid == "open-dies-once" and once(uuid):
        die()
    elif uuid == "open-silent":
        hang()
    else:
        send(op="opened", id=identity, reference_latency_ms=1.0)


def main():
    start = os.environ.get("FAKE_JUDGE_START", "")
    init = receive()
    with open(os.path.join(os.environ["FAKE_JUDGE_FOLDER"], "init.jsonl"), "a", encoding="utf-8") as log:
        log.write(json.dumps({"arguments": sys.argv[1:], **init}) + "\n")
    if start == "fatal":
        send(op="fatal", message="there is no torch in this Python")
        hang()
    if start == "die" or (start == "die_once" and once("start")):
        die()
    if start == "old":
        send(op="hello", v=0, hardware="Fake CPU", libs={})
        hang()
    send(op="hello", v=1, hardware="Fake CPU", libs={"torch": "9.9"})
    while True:
        message = receive()
        if message["op"] == "open":
            open_workload(message)
        elif message["op"] == "evaluate":
            evaluate(message)
        elif message["op"] != "close":
            sys.exit("unknown op " + message["op"])


main()
