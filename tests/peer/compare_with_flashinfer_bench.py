#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `tracedeck report` says of datasets with flashinfer-bench's own TraceSet, value by value.

Not run by CTest, since it needs PyPI:

    python3 -m venv peer && peer/bin/pip install flashinfer-bench==0.1.2
    peer/bin/python tests/peer/compare_with_flashinfer_bench.py --tracedeck build/release/bin/tracedeck DATASET...

Compared for each dataset, numbers within a relative 1e-12:
  - total, passed, failed                     TraceSet.summary()          report summary --compat
  - best trace of each definition             TraceSet.get_best_trace()   report best --compat
  - ranking of authors, for each author as    TraceSet.rank_authors()     report summary --compat, report rank --compat
    the baseline, in all scopes
  - score of each solution                    TraceSet.get_solution_score()  report rank --by solution --compat

Release 0.1.2 has no rankings yet. Where the installed version lacks them, this file computes them from the objects that
flashinfer-bench loaded, in the most literal way (data model, sections 3.3 to 3.6), sharing no code with tracedeck. Where
flashinfer-bench refuses to load a dataset (forms older than its schema, or one bad line), the same is computed from the plain
JSON lines, and the refusal is printed. Exit code: 0 all equal, 1 differences, 2 usage.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
from types import SimpleNamespace

TOLERANCE = 1e-12


class NoScore(Exception):
    """What flashinfer-bench raises as a value error."""


# --- loading ---------------------------------------------------------------------------------------------------------

def load_with_peer(root):
    from flashinfer_bench.data import TraceSet
    peer = TraceSet.from_path(str(root))
    definitions = {name: d.op_type for name, d in peer.definitions.items()}
    solutions = [SimpleNamespace(name=s.name, definition=d, author=s.author) for d, group in peer.solutions.items() for s in group]
    traces = []
    for group in peer.traces.values():
        for t in group:
            e = t.evaluation
            traces.append(SimpleNamespace(
                definition=t.definition, solution=t.solution, uuid=t.workload.uuid, evaluated=e is not None,
                status=e.status.value if e else None, latency=e.performance.latency_ms if e and e.performance else None,
                speedup=e.performance.speedup_factor if e and e.performance else None,
                absolute=e.correctness.max_absolute_error if e and e.correctness else None,
                relative=e.correctness.max_relative_error if e and e.correctness else None))
    return peer, SimpleNamespace(definitions=definitions, solutions=solutions, traces=traces)


def component_order(root):
    return lambda path: path.relative_to(root).parts


def uuid_of(workload):
    """Lines older than 2025-09-03 have no uuid: equal axes and inputs are the same workload."""
    return workload.get("uuid") or json.dumps([workload["axes"], workload["inputs"]])


def load_plainly(root):
    """Plain JSON, for datasets that flashinfer-bench refuses."""
    definitions, solutions, traces = {}, [], []
    for path in sorted((root / "definitions").rglob("*.json"), key=component_order(root)):
        d = json.loads(path.read_text())
        definitions.setdefault(d["name"], d.get("op_type", d.get("type")))
    for path in sorted((root / "solutions").rglob("*.json"), key=component_order(root)):
        s = json.loads(path.read_text())
        solutions.append(SimpleNamespace(name=s["name"], definition=s["definition"], author=s["author"]))
    folded = {"INCORRECT": "INCORRECT_NUMERICAL"}
    for folder in ("workloads", "traces"):
        for path in sorted((root / folder).rglob("*.jsonl"), key=component_order(root)):
            for line in path.read_text().splitlines():
                if not line.strip():
                    continue
                t = json.loads(line)
                e = t.get("evaluation") or None
                if not t.get("solution") and e is None:
                    continue
                performance = (e or {}).get("performance") or {}
                correctness = (e or {}).get("correctness") or {}
                status = e["status"].strip().upper() if e else None
                infinite = lambda value: math.inf if value is None else float(value)
                traces.append(SimpleNamespace(
                    definition=t["definition"], solution=t.get("solution"), uuid=uuid_of(t["workload"]), evaluated=e is not None,
                    status=folded.get(status, status),
                    latency=infinite(performance["latency_ms"]) if "latency_ms" in performance else None,
                    speedup=infinite(performance["speedup_factor"]) if "speedup_factor" in performance else None,
                    absolute=infinite(correctness.get("max_absolute_error", 0.0)) if correctness else None,
                    relative=infinite(correctness.get("max_relative_error", 0.0)) if correctness else None))
    return SimpleNamespace(definitions=definitions, solutions=solutions, traces=traces)


# --- the data model's sections 3.3 to 3.6, literally -------------------------------------------------------------------

def baseline_of(data, definition, author):
    found = [s for s in data.solutions if s.definition == definition and s.author == author]
    if len(found) != 1:
        raise NoScore(f"{len(found)} baselines for {definition}")
    return found[0]


def solution_score(data, solution, author):
    baseline = baseline_of(data, solution.definition, author)
    if baseline.name == solution.name:
        return None

    def best_latencies(name):
        best, touched, failed = {}, set(), False
        for t in data.by_solution.get(name, []):
            if not t.evaluated:
                continue
            touched.add(t.uuid)
            if t.status != "PASSED":
                failed = True
                continue
            if t.latency is None or t.latency <= 0:
                raise NoScore(f"latency of {name}")
            best[t.uuid] = min(best.get(t.uuid, math.inf), t.latency)
        return best, touched, failed

    best, touched, failed = best_latencies(solution.name)
    base, _, _ = best_latencies(baseline.name)
    common = base.keys() & touched
    if not common:
        return None
    if failed:
        return SimpleNamespace(avg=0.0, definitions=1, workloads=len(common), success=0.0, win=0.0)
    ratios = [base[u] / best[u] for u in common]
    return SimpleNamespace(avg=math.fsum(ratios) / len(ratios), definitions=1, workloads=len(common), success=1.0,
                           win=sum(r > 1 for r in ratios) / len(ratios))


def rank_authors(data, author, op_type=None, definition=None):
    scope = [d for d, kind in data.definitions.items() if (op_type in (None, kind)) and (definition in (None, d))]
    ranked = []
    for name in sorted({s.author for s in data.solutions if s.definition in scope}):
        kept = {}
        for d in scope:
            for s in data.solutions:
                if s.definition != d or s.author != name:
                    continue
                score = solution_score(data, s, author)
                if score is not None and (d not in kept or score.avg > kept[d][1].avg):
                    kept[d] = (s.name, score)
        if not kept:
            continue
        k = len(kept)
        ranked.append((name, SimpleNamespace(
            avg=math.fsum(s.avg for _, s in kept.values()) / k, definitions=k, workloads=sum(s.workloads for _, s in kept.values()),
            success=sum(s.success for _, s in kept.values()) / k, win=math.fsum(s.win for _, s in kept.values()) / k,
            best={d: n for d, (n, _) in kept.items()})))
    return sorted(ranked, key=lambda entry: (-entry[1].avg, entry[0]))


def best_trace(data, definition):
    best = None
    for t in data.traces:
        if t.definition == definition and t.status == "PASSED" and t.absolute is not None and t.speedup is not None \
                and t.absolute <= 0.01 and t.relative <= 0.01 and (best is None or t.speedup > best.speedup):
            best = t
    return best


# --- comparison ------------------------------------------------------------------------------------------------------

class Comparison:
    def __init__(self, tracedeck):
        self.tracedeck = tracedeck
        self.values = 0
        self.differences = []

    def report(self, root, *arguments):
        """The JSON document, or None where the report fails as a whole (exit code 1)."""
        run = subprocess.run([self.tracedeck, "report", *arguments, "--local", str(root), "--json"], capture_output=True, text=True)
        if run.returncode == 1:
            return None
        if run.returncode != 0:
            sys.exit(f"{' '.join(run.args)} failed with {run.returncode}: {run.stderr}")
        return json.loads(run.stdout)

    def equal(self, what, ours, theirs):
        self.values += 1
        if isinstance(ours, str) and isinstance(theirs, float):
            ours = float(ours)
        same = ours == theirs
        if not same and isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
            same = math.isclose(ours, theirs, rel_tol=TOLERANCE) or (math.isnan(ours) and math.isnan(theirs))
        if not same:
            self.differences.append(f"{what}: ours {ours!r}, flashinfer-bench {theirs!r}")

    def rankings(self, root, data, author, arguments, scope):
        where = f"{root.name} baseline {author} {scope}"
        try:
            theirs = rank_authors(data, author, **scope)
        except NoScore:
            theirs = None
        for command in ("summary", "rank"):
            ours = self.report(root, command, "--compat", "--baseline", author, *arguments)
            if not data.traces and command == "summary":
                continue   # zeros at once, nothing is checked
            self.equal(f"{where} {command} fails", ours is None, theirs is None)
            if ours is None or theirs is None:
                continue
            rows = ours["rankings"] if command == "summary" else ours["rows"]
            name, score = ("author", "avg_speedup") if command == "summary" else ("name", "score")
            self.equal(f"{where} {command} authors", [r[name] for r in rows], [n for n, _ in theirs])
            for row, (_, metrics) in zip(rows, theirs):
                for key, value in ((score, metrics.avg), ("definitions", metrics.definitions), ("workloads", metrics.workloads),
                                   ("success_rate", metrics.success), ("win_rate", metrics.win), ("best_solutions", metrics.best)):
                    self.equal(f"{where} {command} {row[name]} {key}", row[key], value)

    def solutions(self, root, data, author, definition):
        """On one definition, so that another one without a baseline does not hide it."""
        try:
            theirs = {s.name: solution_score(data, s, author) for s in data.solutions if s.definition == definition}
        except NoScore:
            theirs = None
        ours = self.report(root, "rank", "--by", "solution", "--compat", "--baseline", author, "--definition", definition)
        where = f"{root.name} baseline {author} {definition}"
        self.equal(f"{where} solutions fail", ours is None, theirs is None)
        if ours is None or theirs is None:
            return
        rows = {row["name"]: row for row in ours["rows"]}
        self.equal(f"{where} scored solutions", sorted(rows), sorted(n for n, s in theirs.items() if s is not None))
        for name, score in theirs.items():
            if score is None or name not in rows:
                continue
            for key, value in (("score", score.avg), ("workloads", score.workloads), ("success_rate", score.success), ("win_rate", score.win)):
                self.equal(f"{where} {name} {key}", rows[name][key], value)

    def dataset(self, root):
        refusal, peer = "", None
        try:
            peer, data = load_with_peer(root)
        except Exception as error:   # whatever flashinfer-bench raises: that is its answer
            refusal = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            data = load_plainly(root)
        data.by_solution = {}
        for t in data.traces:
            data.by_solution.setdefault(t.solution, []).append(t)
        before, started = len(self.differences), self.values

        passed = sum(t.status == "PASSED" for t in data.traces)
        counts = {"total": len(data.traces), "passed": passed, "failed": len(data.traces) - passed}
        if peer is not None:
            counts = {key: value for key, value in peer.summary().items() if key in counts}
        summary = self.report(root, "summary")
        for key, value in counts.items():
            self.equal(f"{root.name} {key}", summary[key], value)

        for extra in ([], ["--compat"]):
            ours = {row["definition"]: row for row in self.report(root, "best", *extra)}
            for definition in data.definitions:
                theirs = peer.get_best_trace(definition) if peer is not None else best_trace(data, definition)
                self.equal(f"{root.name} {definition} has a best trace {extra}", definition in ours, theirs is not None)
                if theirs is None or definition not in ours:
                    continue
                row = ours[definition]
                synthetic = peer is None and theirs.uuid.startswith("[")   # ours is a digest of it
                values = ((theirs.solution, theirs.workload.uuid, theirs.evaluation.performance.latency_ms,
                           theirs.evaluation.performance.speedup_factor) if peer is not None else
                          (theirs.solution, None if synthetic else theirs.uuid, theirs.latency, theirs.speedup))
                for key, value in zip(("solution", "workload_uuid", "latency_ms", "speedup_factor"), values):
                    if value is not None:
                        self.equal(f"{root.name} {definition} best {key} {extra}", row[key], value)

        authors = sorted({s.author for s in data.solutions})
        for author in authors:
            self.rankings(root, data, author, [], {})
            for op_type in sorted(set(data.definitions.values())):
                self.rankings(root, data, author, ["--op-type", op_type], {"op_type": op_type})
            for definition in sorted({s.definition for s in data.solutions} & data.definitions.keys()):
                self.rankings(root, data, author, ["--definition", definition], {"definition": definition})
                self.solutions(root, data, author, definition)
        print(f"{root.name}: {len(data.definitions)} definitions, {len(data.solutions)} solutions, {len(data.traces)} traces; "
              f"{self.values - started} values compared, {len(self.differences) - before} differ")
        if refusal:
            print(f"  flashinfer-bench does not load it ({refusal}); compared with the plain JSON lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tracedeck", required=True, help="the program under test")
    parser.add_argument("datasets", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    comparison = Comparison(arguments.tracedeck)
    for root in arguments.datasets:
        if not (root / "definitions").is_dir():
            parser.error(f"{root} has no folder 'definitions'")
        comparison.dataset(root)
    for difference in comparison.differences:
        print("DIFFERENT " + difference)
    print(f"{comparison.values} values compared, {len(comparison.differences)} differ")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
