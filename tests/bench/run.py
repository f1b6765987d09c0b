#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the data layer next to its floor and its peer, and prints the ratios that the project promises.

Floor: simdjson parsing the same bytes on the same threads, in the same process. Peer: flashinfer-bench from PyPI (its
TraceSet.from_path, summary and, in versions that have it, rank_authors) on a smaller dataset of the same kind, in the same run.
"""
import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import venv

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = "flashinfer-bench==0.1.2"
PEER_PROGRAM = r"""
import json, resource, sys, time
from flashinfer_bench.data import TraceSet
begin = time.perf_counter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
dataset = TraceSet.from_path(sys.argv[1])
loaded = time.perf_counter() - begin
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
traces = sum(len(traces) for traces in dataset.traces.values())
begin = time.perf_counter()
dataset.summary()
summary = time.perf_counter() - begin
rank = None   # release 0.1.2 cannot rank; the main branch can
if hasattr(dataset, "rank_authors"):
    begin = time.perf_counter()
    dataset.rank_authors()
    rank = time.perf_counter() - begin
print(json.dumps({"traces": traces, "load_s": loaded, "summary_s": summary, "rank_s": rank, "memory_kb": memory}))
"""


def fail(reason):
    sys.exit(f"error: {reason}")


def dataset_of(folder, arguments, traces, logs):
    """Makes the dataset, unless it is there from a run before."""
    root = os.path.join(folder, f"set-{traces}-{logs}")
    if not os.path.exists(os.path.join(root, ".complete")):
        scale = traces / arguments.traces
        size = ["--definitions", str(max(2, round(arguments.definitions * scale))), "--traces", str(traces),
                "--solutions", str(max(4, round(arguments.solutions * scale)))]
        subprocess.run([sys.executable, os.path.join(HERE, "make_dataset.py"), root, "--logs", logs, "--force", *size], check=True)
        open(os.path.join(root, ".complete"), "w", encoding="utf-8").close()
    return root


def bench(program, root, pattern, repetitions):
    """Name → the fastest of several repetitions: other work on the machine only ever adds time."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([program, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.05",
                        f"--benchmark_out={out.name}", "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={**os.environ, "TRACEDECK_BENCH_DATASET": root})
        with open(out.name, encoding="utf-8") as file:
            entries = json.load(file)["benchmarks"]
    best = {}
    for entry in entries:
        if entry.get("run_type") != "iteration":
            continue
        if "error_message" in entry:
            fail(f"{entry['name']}: {entry['error_message']}")
        name = entry["run_name"].replace("/process_time", "").replace("/real_time", "").split("/iterations")[0]
        if name not in best or entry["real_time"] < best[name]["real_time"]:
            cpu = min(entry["cpu_time"], best[name]["cpu_time"]) if name in best else entry["cpu_time"]
            best[name] = {**entry, "cpu_time": cpu}
        else:
            best[name]["cpu_time"] = min(best[name]["cpu_time"], entry["cpu_time"])
    return best


def peer_python(folder, given):
    if given:
        return given
    place = os.path.join(folder, "peer-venv")
    python = os.path.join(place, "bin", "python")
    if not os.path.exists(python):
        venv.EnvBuilder(with_pip=True).create(place)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PEER], check=True)
    return python


def measure_peer(folder, given, root):
    finished = subprocess.run([peer_python(folder, given), "-c", PEER_PROGRAM, root], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        fail("the peer cannot be measured; --no-peer leaves it out:\n" + finished.stderr.strip())
    return json.loads(finished.stdout.strip().splitlines()[-1])


def ratios(figures, threads):
    """The rows of the table: what, measured, target, whether it is met."""
    rows = []
    for logs, found in figures["sets"].items():
        main = found["main"]
        ms = {name: entry["real_time"] for name, entry in main.items()}
        cpu = {name: entry["cpu_time"] for name, entry in main.items()}
        load, floor, reading = f"load/threads:{threads}", f"floor_in_memory/threads:{threads}", f"floor_reading/threads:{threads}"
        traces = main[load]["traces"]

        def row(what, value, unit, target="", met=None):
            rows.append({"logs": logs, "what": what, "value": value, "unit": unit, "target": target, "met": met})

        row("load", ms[load], "ms")
        row("load ÷ simdjson on bytes in memory", ms[load] / ms[floor], "×", "≤ 2", ms[load] <= 2 * ms[floor])
        row("load ÷ simdjson reading the same files", ms[load] / ms[reading], "×", "≤ 2", ms[load] <= 2 * ms[reading])
        row("the same by processor time (in memory)", cpu[load] / cpu[floor], "×")
        row("the same by processor time (reading)", cpu[load] / cpu[reading], "×")
        row("reload, nothing changed", ms["reload_unchanged"], "ms")
        row("reload, one line appended in the middle", ms["reload_one_line"], "ms")
        row("load ÷ reload of one line", ms[load] / ms["reload_one_line"], "×")
        row("rank all authors", ms["rank_authors"], "ms", "≤ 20", ms["rank_authors"] <= 20)
        row("summary", ms["summary"], "ms")
        for name in sorted(name for name in ms if name.startswith("filter_")):
            row(name.replace("_", " "), ms[name], "ms", "≤ 100", ms[name] <= 100)
        for name in sorted(name for name in ms if name.startswith(("sort_", "select_"))):
            row(name.replace("_", " "), ms[name], "ms")
        memory = found["memory"]["memory"]
        row("memory a trace, names and workloads aside", memory["trace_bytes"] / memory["traces"], "bytes", "≤ 120",
            memory["trace_bytes"] <= 120 * memory["traces"])
        row("memory a trace in the row itself", memory["row_bytes"], "bytes", "≤ 64", memory["row_bytes"] <= 64)
        row("resident memory of the whole dataset, sources included", memory["resident_bytes"] / memory["traces"], "bytes a trace")
        peer = found.get("peer")
        if peer:
            own = found["peer_size"]
            their_rate, our_rate = peer["traces"] / peer["load_s"], traces / (ms[load] / 1000)
            row(f"flashinfer-bench loads ({peer['traces']} traces)", their_rate, "traces/s")
            row("our rate ÷ theirs", our_rate / their_rate, "×", "≥ 150", our_rate >= 150 * their_rate)
            small = own[f"load/threads:{threads}"]["real_time"] / 1000
            row(f"load, both {peer['traces']} traces: theirs ÷ ours", peer["load_s"] / small, "×")
            row(f"summary, both {peer['traces']} traces: theirs ÷ ours (ours ranks too)",
                peer["summary_s"] / (own["summary"]["real_time"] / 1000), "×")
            if peer["rank_s"] is not None:
                rank = own["rank_authors"]["real_time"] / 1000
                row(f"rank, both {peer['traces']} traces: theirs ÷ ours", peer["rank_s"] / rank, "×", "≥ 200", peer["rank_s"] >= 200 * rank)
            row("flashinfer-bench's memory a trace", peer["memory_kb"] * 1024 / peer["traces"], "bytes")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=os.path.join(HERE, "../../build/release/tests/tracedeck_bench"), help="the built program")
    parser.add_argument("--data", default=os.path.join(tempfile.gettempdir(), "tracedeck-bench"), help="folder for the datasets")
    parser.add_argument("--definitions", type=int, default=200)
    parser.add_argument("--solutions", type=int, default=5000)
    parser.add_argument("--traces", type=int, default=1_000_000)
    parser.add_argument("--logs", nargs="+", choices=("real", "none"), default=["real", "none"])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--peer-traces", type=int, default=20_000)
    parser.add_argument("--peer-python", default="", help="a Python that has flashinfer-bench; else a venv is made")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--json", default="", help="write all figures there")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.bench)
    if not os.access(program, os.X_OK):
        fail(f"{program} is not built: cmake --preset release -DTRACEDECK_BENCH=ON && ninja -C build/release tracedeck_bench")
    os.makedirs(arguments.data, exist_ok=True)
    threads = os.cpu_count() or 1
    figures = {"machine": platform.platform(), "threads": threads, "traces": arguments.traces, "sets": {}}
    for logs in arguments.logs:
        root = dataset_of(arguments.data, arguments, arguments.traces, logs)
        found = {"main": bench(program, root, f"threads:{threads}|reload|rank|summary|filter|sort|select", arguments.repetitions),
                 "memory": bench(program, root, "^memory", 1)}
        if not arguments.no_peer:
            small = dataset_of(arguments.data, arguments, arguments.peer_traces, logs)
            found["peer_size"] = bench(program, small, f"load/threads:{threads}|rank|summary", arguments.repetitions)
            found["peer"] = measure_peer(arguments.data, arguments.peer_python, small)
        figures["sets"][logs] = found
    figures["ratios"] = ratios(figures, threads)
    print(f"| logs | what | measured | target | met |\n|---|---|---|---|---|")
    for row in figures["ratios"]:
        met = "" if row["met"] is None else "yes" if row["met"] else "NO"
        print(f"| {row['logs']} | {row['what']} | {row['value']:.4g} {row['unit']} | {row['target']} | {met} |")
    text = json.dumps(figures, indent=1)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.write(text + "\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
