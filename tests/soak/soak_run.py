#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs trivial solutions on the cpu device for as long as you like while hosts and judges are killed at random, and checks that every
pair has exactly one end: in the events, in the run's journal, and on disk.

    tests/soak/soak_run.py --program build/release/bin/tracedeck --seconds 3600
"""
import argparse
import collections
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

REFERENCE = "def run(x):\n    return x + 1\n"


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(value)


def make_dataset(root, solutions, workloads):
    axes = {"M": {"type": "var"}, "N": {"type": "const", "value": 4}}
    tensor = {"shape": ["M", "N"], "dtype": "float32"}
    write(f"{root}/definitions/soak/soak.json", json.dumps({
        "name": "soak", "op_type": "soak", "axes": axes, "inputs": {"x": tensor}, "outputs": {"y": tensor}, "reference": REFERENCE}))
    for number in range(solutions):
        source = REFERENCE if number % 3 else "def run(x):\n    return x + 2\n"   # every third one is wrong
        write(f"{root}/solutions/ann/soak/soak/s{number}.json", json.dumps({
            "name": f"s{number}", "definition": "soak", "author": "ann",
            "spec": {"language": "python", "target_hardware": ["cpu"], "entry_point": "main.py::run", "destination_passing_style": False},
            "sources": [{"path": "main.py", "content": source}]}))
    write(f"{root}/workloads/soak/soak.jsonl", "".join(json.dumps({
        "definition": "soak", "solution": None, "evaluation": None,
        "workload": {"uuid": f"w{number}", "axes": {"M": number % 7 + 1}, "inputs": {"x": {"type": "random"}}}}) + "\n" for number in range(workloads)))


def descendants(pid):
    children = collections.defaultdict(list)
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    children[int(file.read().rsplit(")", 1)[1].split()[1])].append(int(entry))
            except OSError:
                pass
    found, todo = [], [pid]
    while todo:
        for child in children[todo.pop()]:
            found.append(child)
            todo.append(child)
    return found


def kill_at_random(program, every, counts):
    while program.poll() is None:
        time.sleep(random.uniform(0.3, 2 * every))
        below = descendants(program.pid)
        if below and program.poll() is None:
            try:
                os.kill(random.choice(below), signal.SIGKILL)
                counts["kills"] += 1
            except ProcessLookupError:
                pass


def run_once(program, root, data, every, counts):
    """One run to its end; what is wrong with its account."""
    environment = dict(os.environ, TRACEDECK_DATA_PATH=data)
    process = subprocess.Popen([program, "run", "--local", root, "--device", "cpu", "--json", "--iterations", "3", "--num-trials", "1",
                                "--warmup-runs", "1", "--timeout", "60", "--log-level", "ERROR"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    ends, stored, plan, done = collections.Counter(), collections.Counter(), None, None
    for line in process.stdout:
        event = json.loads(line)
        kind = event["event"]
        if kind == "plan":
            plan = event
            # Not before: who kills what looks at the interpreter only has the run refused.
            threading.Thread(target=kill_at_random, args=(process, every, counts), daemon=True).start()
        elif kind == "result":
            ends[event["pair"]] += 1
            if event["stored"]:
                stored[event["solution"], event["workload_uuid"], event["trace"]["evaluation"]["timestamp"]] += 1
            counts[event["status"]] += 1
        elif kind in ("problem", "skipped"):
            for pair in event["pairs"]:
                ends[pair["pair"]] += 1
            counts[kind] += len(event["pairs"])
        elif kind == "done":
            done = event
    process.wait()
    wrong = []
    if plan is None or done is None:
        return [f"the run ended without a word (exit code {process.returncode})"]
    if len(ends) != plan["total"]:
        wrong.append(f"{plan['total'] - len(ends)} pairs have no end")
    wrong += [f"pair {pair} ended {times} times" for pair, times in ends.items() if times != 1]
    on_disk = collections.Counter()
    for folder, _, files in os.walk(f"{root}/traces"):
        for name in files:
            if name.endswith(".jsonl"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    for line in file:
                        trace = json.loads(line)
                        on_disk[trace["solution"], trace["workload"]["uuid"], trace["evaluation"]["timestamp"]] += 1
    wrong += [f"{key} is on disk {on_disk[key]} times" for key in stored if on_disk[key] != 1]
    left = descendants(os.getpid())
    if left:
        time.sleep(2)
        left = [pid for pid in left if os.path.exists(f"/proc/{pid}")]
        if left:
            wrong.append(f"processes are left over: {left}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/tracedeck")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--solutions", type=int, default=6)
    parser.add_argument("--workloads", type=int, default=20)
    parser.add_argument("--kill-every", type=float, default=4, help="seconds between two kills, on average")
    parser.add_argument("--seed", type=int, default=None)
    options = parser.parse_args()
    random.seed(options.seed)
    counts, runs, end = collections.Counter(), 0, time.time() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        make_dataset(f"{folder}/dataset", options.solutions, options.workloads)
        while time.time() < end:
            wrong = run_once(options.program, f"{folder}/dataset", f"{folder}/data", options.kill_every, counts)
            runs += 1
            print(f"run {runs}: {dict(counts)}", flush=True)
            if wrong:
                sys.exit("\n".join(wrong[:20]))
    print(f"{runs} runs, {counts['kills']} kills: every pair has exactly one end")


if __name__ == "__main__":
    main()
