#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the GPU test: every solution of a dataset that make_dataset.py made, on real devices, and checks how each one ends.

usage: run_gpu.py DATASET [--program FILE] [--device D...] [--python FILE] [--wheels DIR] [--pictures DIR] [--report FILE.json]

Prints a table, then ONE summary line; exit code 1 when something did not end as DATASET/expected.json says. Traces are appended
to the dataset. `--device cpu` tries it without a GPU (a dataset made with --python-only). Needs Python 3.10 and nothing else.
"""
import argparse
import collections
import json
import os
import pathlib
import shlex
import shutil
import site
import subprocess
import sys
import tempfile
import time

# The failing ones are given little time, since two of them must use it up; the honest ones, as much as a large reference may need.
PARTS = (("honest", lambda name: not name.startswith(("status_", "faults_")), 240), ("failing", lambda name: name.startswith("status_"), 15),
         ("faults", lambda name: name == "faults_affine", 60), ("faults that take their time", lambda name: name == "faults_short", 10))
# What the window's walk runs, and what compute-sanitizer must find.
WALKED, STRAY = "rmsnorm_h4096", "status_status_scale_outside_outputs"
PICTURES = ("overview", "traces", "charts", "leaderboard")


def environment_with(wheels, out):
    """A Python that has the packages of `wheels` beside those of the system's: the path of its interpreter."""
    folder = out / "python"
    interpreter = folder / "bin" / "python"
    if not interpreter.exists():
        subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(folder)], check=True)
        # This Python may be a virtual environment itself, whose packages --system-site-packages does not bring.
        packages = next((folder / "lib").glob("python3*")) / "site-packages"
        (packages / "parent.pth").write_text("".join(path + "\n" for path in site.getsitepackages()))
    files = sorted(str(path) for path in wheels.glob("*.whl"))
    if not files:
        sys.exit("run_gpu.py: there are no wheels in %s" % wheels)
    subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *files], check=True)
    return interpreter


def names_in(dataset, is_wanted):
    names = [path.stem for path in sorted((dataset / "definitions").rglob("*.json"))]
    return [name for name in names if is_wanted(name)]


class Outcome:
    def __init__(self):
        self.results = {}      # (solution, uuid) → (status, log, latency, environment)
        self.verdicts = {}     # (solution, uuid) → ids of the judge's verdicts
        self.problems = []     # (reason, {(solution, uuid)…})
        self.seconds = 0.0
        self.devices = {}
        self.done = None


def run_part(arguments, interpreter, names, timeout, outcome):
    command = [str(arguments.program), "run", "--local", str(arguments.dataset), "--json", "--timeout", str(timeout), "--definitions", *names]
    for device in arguments.device:
        command += ["--device", device]
    if interpreter:
        command += ["--python", str(interpreter)]
    command += shlex.split(arguments.run_options)
    print("$", " ".join(command), flush=True)
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        event = json.loads(line)
        kind = event["event"]
        if kind == "result":
            evaluation = event["trace"]["evaluation"]
            performance = evaluation.get("performance") or {}
            key = (event["trace"]["solution"], event["trace"]["workload"]["uuid"])
            outcome.results[key] = (evaluation["status"], evaluation.get("log") or "", performance.get("latency_ms"), evaluation["environment"])
            outcome.verdicts[key] = [verdict["id"] for verdict in (evaluation.get("judge") or {}).get("verdicts", [])]
        elif kind == "problem":
            pairs = {(pair["solution"], pair["workload_uuid"]) for pair in event["pairs"]}
            outcome.problems.append((event["error"]["reason"], pairs))
        elif kind == "device":
            outcome.devices[event["device"]] = event["hardware"] or outcome.devices.get(event["device"], "")
        elif kind == "done":
            outcome.done = event
    code = process.wait()
    outcome.seconds += time.monotonic() - started
    if code != 0 or outcome.done is None:
        print("run_gpu.py: tracedeck run ended with exit code %d%s" % (code, "" if outcome.done else " and no `done` event"), file=sys.stderr)
        return False
    return True


def expected_pairs(dataset):
    """(solution, uuid) → definition, of all pairs that there are."""
    solutions = collections.defaultdict(list)
    for path in sorted((dataset / "solutions").rglob("*.json")):
        body = json.loads(path.read_text())
        solutions[body["definition"]].append(body["name"])
    pairs = {}
    for path in sorted((dataset / "workloads").rglob("*.jsonl")):
        for line in path.read_text().splitlines():
            workload = json.loads(line)["workload"]
            for solution in solutions[path.stem]:
                pairs[(solution, workload["uuid"])] = path.stem
    return pairs


def why_wrong(wanted, status, log, verdicts):
    if status not in wanted["status"].split("|"):
        return "verdicts %s; %s" % (verdicts, log[-400:])
    if wanted["log"] not in log:
        return "the log does not say \"%s\"" % wanted["log"]
    if wanted["verdict"] and not set(wanted["verdict"].split("|")) & set(verdicts):
        return "none of the verdicts %s is %s; %s" % (verdicts, wanted["verdict"], log[-400:])
    return ""


def judge(expected, pairs, outcome):
    """Rows of the table: (definition, solution, uuid, wanted, got, is_right, why)."""
    rows = []
    for (solution, uuid), definition in pairs.items():
        phrase = expected["problems"].get(uuid)
        reasons = [reason for reason, touched in outcome.problems if (solution, uuid) in touched]
        result = outcome.results.get((solution, uuid))
        if phrase is not None:
            is_right = result is None and any(phrase in reason for reason in reasons)
            got = result[0] if result else "no result" if reasons else "nothing said"
            rows.append((definition, solution, uuid, "problem: " + phrase, got, is_right, " / ".join(reasons)))
            continue
        wanted = expected["solutions"][solution]
        if result is None:
            rows.append((definition, solution, uuid, wanted["status"], "no result", False, " / ".join(reasons)))
            continue
        status, log, _, environment = result
        why = why_wrong(wanted, status, log, outcome.verdicts[(solution, uuid)])
        if not why and not environment["hardware"]:
            why = "no hardware is named"
        if not why and wanted["least"] and status == "PASSED":
            other = outcome.results.get((wanted["least"]["of"], uuid))
            if other is None or other[2] is None:
                why = "%s, which it is compared with, has no latency" % wanted["least"]["of"]
            elif result[2] < wanted["least"]["share"] * other[2]:
                why = "%.5f ms are less than %g of the %.5f ms of %s" % (result[2], wanted["least"]["share"], other[2], wanted["least"]["of"])
        is_right = not why
        rows.append((definition, solution, uuid, wanted["status"], status, is_right, why))
    return rows


def print_table(rows, outcome):
    by_solution = collections.OrderedDict()
    for definition, solution, uuid, wanted, got, is_right, _ in rows:
        entry = by_solution.setdefault((definition, solution), {"wanted": set(), "got": collections.Counter(), "wrong": 0, "latencies": []})
        entry["wanted"].add(wanted)
        entry["got"][got] += 1
        entry["wrong"] += not is_right
        result = outcome.results.get((solution, uuid))
        if result and result[2]:
            entry["latencies"].append(result[2])
    width = max(len(solution) for _, solution in by_solution)
    print("\n%-*s  %-32s  %-26s  %s" % (width, "solution", "came out as", "latency (ms)", ""))
    for (_, solution), entry in by_solution.items():
        got = ", ".join("%d %s" % (count, status) for status, count in entry["got"].items())
        latencies = ", ".join("%.4f" % value for value in sorted(entry["latencies"])[:3])
        verdict = "" if not entry["wrong"] else "WRONG, expected " + ", ".join(sorted(entry["wanted"]))
        print("%-*s  %-32s  %-26s  %s" % (width, solution, got, latencies, verdict))


def take_pictures(arguments, interpreter):
    """The window on the finished dataset, off-screen. Gives the pages that could not be pictured."""
    arguments.pictures.mkdir(parents=True, exist_ok=True)
    failed = []
    for page in PICTURES:
        picture = arguments.pictures / (page + ".png")
        command = [str(arguments.gui), str(arguments.dataset), "--page", page, "--size", "1600x1000", "--grab", str(picture)]
        if interpreter:
            command += ["--python", str(interpreter)]
        run = subprocess.run(command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, capture_output=True, text=True, timeout=120)
        if run.returncode != 0 or not picture.is_file() or picture.stat().st_size < 10_000:
            failed.append(page)
            print("run_gpu.py: no picture of %s: exit code %d: %s" % (page, run.returncode, run.stderr.strip()), file=sys.stderr)
    return failed


def click_in_the_window(arguments, interpreter):
    """Run selected, and a whole day's walk, clicked by the window's own tests on a GPU; their pictures lie beside the others. 1 when one fails."""
    arguments.pictures.mkdir(parents=True, exist_ok=True)
    device = next((name for name in arguments.device if name != "all"), "cuda:0")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "TRACEDECK_TEST_DEVICE": device, "TRACEDECK_TEST_PICTURES": str(arguments.pictures),
                   "TRACEDECK_WORKER": str(arguments.program.parent / "tracedeck-worker")}
    if interpreter:
        environment["TRACEDECK_PYTHON"] = str(interpreter)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        walked = pathlib.Path(folder) / "dataset"
        shutil.copytree(arguments.dataset, walked, ignore=shutil.ignore_patterns("traces", "tracedeck"))
        more = {"gui_test_run_selected": {}, "gui_test_run_walk": {"TRACEDECK_TEST_WALK": str(walked), "TRACEDECK_TEST_DEFINITION": WALKED, "TRACEDECK_TEST_STRAY": STRAY}}
        for name, settings in more.items():
            test = arguments.gui.parent / name
            if not test.is_file():
                print("run_gpu.py: %s is not there: nothing is clicked in the window" % test, file=sys.stderr)
                continue
            run = subprocess.run([str(test)], env={**environment, **settings}, capture_output=True, text=True, timeout=400)
            lines = run.stdout.splitlines()
            # A test that was skipped has shown nothing.
            well = run.returncode == 0 and not any(line.startswith("SKIP") for line in lines)
            print("\n".join(lines if not well else lines[-2:]))
            failed = failed or not well
    return 1 if failed else 0


def main():
    beside = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=beside / ".." / ".." / "build" / "release" / "bin" / "tracedeck")
    parser.add_argument("--gui", type=pathlib.Path, help="tracedeck-gui (default: beside the program)")
    parser.add_argument("--device", nargs="+", default=["all"])
    parser.add_argument("--python", type=pathlib.Path, help="interpreter with torch")
    parser.add_argument("--wheels", type=pathlib.Path, help="folder of wheels to install beside this Python's packages, in an environment of its own")
    parser.add_argument("--pictures", type=pathlib.Path, help="folder for pictures of the window; without it none is made")
    parser.add_argument("--report", type=pathlib.Path, help="file for all outcomes as JSON")
    parser.add_argument("--only", nargs="+", choices=[part[0] for part in PARTS], help="only these parts")
    parser.add_argument("--run-options", default="", help="more options for tracedeck run, in one text")
    arguments = parser.parse_args()
    arguments.gui = arguments.gui or arguments.program.parent / "tracedeck-gui"
    if not (arguments.dataset / "expected.json").is_file():
        sys.exit("run_gpu.py: %s/expected.json is not there: make the dataset with make_dataset.py" % arguments.dataset)
    expected = json.loads((arguments.dataset / "expected.json").read_text())
    pairs = expected_pairs(arguments.dataset)
    interpreter = environment_with(arguments.wheels, arguments.dataset.parent) if arguments.wheels else arguments.python

    outcome = Outcome()
    seconds = {}
    well = True
    parts = [part for part in PARTS if not arguments.only or part[0] in arguments.only]
    pairs = {pair: definition for pair, definition in pairs.items() if any(is_wanted(definition) for _, is_wanted, _ in parts)}
    for part, is_wanted, timeout in parts:
        names = names_in(arguments.dataset, is_wanted)
        before = outcome.seconds
        if names:
            outcome.done = None
            well = run_part(arguments, interpreter, names, timeout, outcome) and well
        seconds[part] = outcome.seconds - before
    rows = judge(expected, pairs, outcome)
    print_table(rows, outcome)
    wrong = [row for row in rows if not row[5]]
    for definition, solution, uuid, wanted, got, _, why in wrong:
        print("WRONG: %s on %s (%s): expected %s, got %s%s" % (solution, uuid, definition, wanted, got, ": " + why if why else ""))
    missing_pictures = take_pictures(arguments, interpreter) if arguments.pictures else []
    if arguments.pictures and click_in_the_window(arguments, interpreter) != 0:
        missing_pictures.append("Run selected, whose test failed")
    if arguments.report:
        arguments.report.write_text(json.dumps({"rows": rows, "devices": outcome.devices, "seconds": seconds, "problems": [
            [reason, sorted(touched)] for reason, touched in outcome.problems]}, indent=1) + "\n")
    statuses = collections.Counter(result[0] for result in outcome.results.values())
    honest = sum(1 for (solution, uuid) in outcome.results if not pairs.get((solution, uuid), "").startswith(("status_", "faults_")))
    is_good = well and rows and not wrong and not missing_pictures
    print("GPU TEST %s: %d definitions, %d of %d pairs ended as expected (%s) on %s; %d honest evaluations in %.0f s (%.1f a minute)%s" % (
        "PASSED" if is_good else "FAILED", len(set(pairs.values())), len(rows) - len(wrong), len(rows),
        ", ".join("%d %s" % (count, status) for status, count in sorted(statuses.items())),
        ", ".join("%s %s" % item for item in sorted(outcome.devices.items())) or "no device", honest, seconds.get("honest", 0),
        60 * honest / seconds["honest"] if seconds.get("honest") else 0,
        "; no picture of " + ", ".join(missing_pictures) if missing_pictures else ""))
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
