#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a dataset in the FlashInfer-Trace format, of any size, with the statistics of real ones.

The figures below were counted over 658 evaluated lines of six public trace sets (NVIDIA B200, GB200, A800; August 2025 to
March 2026): how often each status occurs, how long its log is (quantiles), how many axes and inputs a workload has. The
texts themselves are made up. The same arguments and seed give the same bytes.
"""
import argparse
import json
import os
import random
import shutil
import sys
import uuid

# status: (share, log lengths at the quantiles 0, 10, 25, 50, 75, 90, 95, 99, 100 %)
STATUSES = {
    "PASSED": (0.842, (0, 0, 0, 0, 0, 258, 2272, 2620, 3041)),
    "INCORRECT_NUMERICAL": (0.065, (0, 0, 22, 2043, 2043, 2050, 2367, 2382, 2382)),
    "RUNTIME_ERROR": (0.055, (2513, 2882, 10459, 12348, 17131, 18348, 19565, 22648, 22648)),
    "COMPILE_ERROR": (0.038, (5579, 5579, 5599, 6001, 6534, 7093, 7636, 20237, 20237)),
}
QUANTILES = (0.0, 0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99, 1.0)
# (share, variable axes, random tensors, scalars, tensors from files): the mix of inputs a workload
SHAPES = [(0.70, 1, 2, 0, 0), (0.15, 3, 8, 1, 1), (0.08, 1, 8, 1, 0), (0.05, 2, 3, 1, 2), (0.02, 1, 3, 0, 0)]
OP_TYPES = ["dsa_paged", "gdn", "gemm", "gqa_paged", "gqa_ragged", "mamba_ssu", "mla_paged", "mla_ragged", "moe", "rmsnorm",
            "rope", "sampling"]
LANGUAGES = ["triton", "cuda", "python", "cpp", "tilelang"]
HARDWARE = [("NVIDIA B200", 0.46), ("NVIDIA A800-SXM4-80GB", 0.30), ("NVIDIA GB200", 0.24)]
AXES = ["batch_size", "seq_len", "num_pages", "total_q", "len_indptr", "num_kv_indices"]
LIBS = {"torch": "2.9.1+cu130", "triton": "3.5.1", "cuda": "13.0"}
LOG_WORDS = [
    "/opt/env/lib/python3.11/site-packages/torch/include", "-isystem", "-std=c++17", "--expt-relaxed-constexpr",
    "kernel.cu(113): error: identifier \"tile_rows\" is undefined", "Traceback (most recent call last):",
    "  File \"/home/user/.cache/build/solution_4f2a/main.py\", line 87, in run", "RuntimeError: CUDA error: an illegal access",
    "ptxas info    : Used 96 registers, 49152 bytes smem", "max_abs_error=0.03125 at (17, 402)", "[2/3] nvcc --compile",
    "\tthe launch failed: grid 132×1×1", "-gencode=arch=compute_80,code=sm_80",
]


def pick(rng, pairs):
    point = rng.random()
    for value, share in pairs:
        point -= share
        if point < 0:
            return value
    return pairs[-1][0]


def length_at(quantiles, point):
    for i in range(1, len(QUANTILES)):
        if point <= QUANTILES[i]:
            part = (point - QUANTILES[i - 1]) / (QUANTILES[i] - QUANTILES[i - 1])
            return int(quantiles[i - 1] + part * (quantiles[i] - quantiles[i - 1]))
    return quantiles[-1]


def make_log(rng, length):
    parts, size = [], 0
    while size < length:
        word = rng.choice(LOG_WORDS)
        end = "\n" if rng.random() < 0.15 else " "
        parts.append(word + end)
        size += len(word) + 1
    return "".join(parts)[:length]


def make_logs(rng, kind):
    """For each status 200 logs as JSON texts, which the lines then choose from."""
    if kind == "none":
        return {status: ['""'] for status in STATUSES}
    return {status: [json.dumps(make_log(rng, length_at(quantiles, (i + 0.5) / 200)), ensure_ascii=False) for i in range(200)]
            for status, (_, quantiles) in STATUSES.items()}


class Definition:
    def __init__(self, rng, number, workloads):
        self.op_type = OP_TYPES[number % len(OP_TYPES)]
        shape = pick(rng, [(s, s[0]) for s in SHAPES])
        _, axes, tensors, scalars, files = shape
        self.name = f"{self.op_type}_d{number:03d}_h{128 * (number + 1)}"
        self.axes = rng.sample(AXES, axes)
        self.tensors = [f"x{i}" for i in range(tensors)]
        self.scalars = ["sm_scale"][:scalars]
        self.files = ["kv_indptr", "kv_indices"][:files]
        self.reference_ms = 10 ** rng.uniform(-2, 1.3)
        self.workloads = [self.make_workload(rng) for _ in range(workloads)]

    def make_workload(self, rng):
        ident = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        axes = {axis: rng.choice((1, 2, 7, 16, 64, 100, 256, 902, 4096, 14107)) for axis in self.axes}
        inputs = {name: {"type": "random"} for name in self.tensors}
        inputs.update({name: {"type": "scalar", "value": 0.08838834764831845} for name in self.scalars})
        path = f"./blob/workloads/{self.op_type}/{self.name}/{self.name}_{ident}.safetensors"
        inputs.update({name: {"type": "safetensors", "path": path, "tensor_key": name} for name in self.files})
        return compact({"axes": axes, "inputs": inputs, "uuid": ident})

    def json(self):
        axes = {axis: {"type": "var"} for axis in self.axes}
        axes["hidden"] = {"type": "const", "value": 512}
        tensor = {"shape": [self.axes[0], "hidden"], "dtype": "bfloat16"}
        inputs = {name: tensor for name in self.tensors}
        inputs.update({name: {"shape": None, "dtype": "float32"} for name in self.scalars})
        inputs.update({name: {"shape": [self.axes[-1]], "dtype": "int32"} for name in self.files})
        names = ", ".join(inputs)
        return {"name": self.name, "op_type": self.op_type, "axes": axes, "inputs": inputs,
                "outputs": {"output": tensor}, "tags": ["status:verified"],
                "reference": "import torch\n\n\n@torch.no_grad()\ndef run(" + names + "):\n    x = x0.to(torch.float32)\n"
                             + "    # accumulate in single precision\n" * 20 + "    return x.to(torch.bfloat16)\n"}


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def solution_json(rng, name, definition, author, language):
    path = {"cuda": "kernel.cu", "cpp": "main.cpp"}.get(language, "main.py")
    body = "".join(f"    value_{i} = load(block_{i % 7}, {rng.randrange(4096)})  # tile {i}\n" for i in range(80))
    return {"name": name, "definition": definition.name, "author": author,
            "spec": {"language": language, "target_hardware": ["NVIDIA_B200"], "entry_point": path + "::run",
                     "dependencies": [], "destination_passing_style": True},
            "sources": [{"path": path, "content": "def run(*arguments):\n" + body}], "description": "generated"}


def timestamps(rng):
    day, seconds = 0, 0.0
    while True:
        seconds += rng.expovariate(1 / 7)
        if seconds >= 86400:
            seconds, day = seconds - 86400, day + 1
        month, in_month = divmod(day % 336, 28)
        whole = int(seconds)
        yield (f"2026-{month + 1:02d}-{in_month + 1:02d}T{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}."
               f"{int((seconds - whole) * 1e6):06d}")


def trace_line(rng, definition, workload, solution, speed, hardware, status, logs, timestamp):
    line = ['{"definition":"', definition.name, '","workload":', workload, ',"solution":"', solution,
            '","evaluation":{"status":"', status, '","environment":{"hardware":"', hardware, '","libs":', LIBS_TEXT,
            '},"timestamp":"', timestamp, '","log":', rng.choice(logs[status])]
    if status in ("PASSED", "INCORRECT_NUMERICAL"):
        exact = status == "PASSED" and rng.random() < 0.3
        scale = 0.0 if exact else (1e-3 if status == "PASSED" else 40.0)
        line.append(f',"correctness":{{"max_relative_error":{scale * rng.random()!r},"max_absolute_error":{scale * rng.random()!r},'
                    '"extra":null}')
    else:
        line.append(',"correctness":null')
    if status == "PASSED":
        reference = definition.reference_ms * rng.uniform(0.98, 1.02)
        latency = reference / (speed * rng.uniform(0.9, 1.1))
        line.append(f',"performance":{{"latency_ms":{latency!r},"reference_latency_ms":{reference!r},"speedup_factor":{reference / latency!r}}}}}}}\n')
    else:
        line.append(',"performance":null}}\n')
    return "".join(line)


LIBS_TEXT = compact(LIBS)


def make(root, definitions, solutions, traces, authors, log_kind, seed):
    rng = random.Random(seed)
    logs = make_logs(rng, log_kind)
    times = timestamps(rng)
    status_shares = [(status, share) for status, (share, _) in STATUSES.items()]
    # Three quarters of the solutions never fail: a solution with one failure anywhere is not scored at all.
    failing_share = sum(share for status, share in status_shares if status != "PASSED")
    failing = [(status, share / failing_share) for status, share in status_shares if status != "PASSED"]
    unreliable = 0.25
    failure_rate = failing_share / unreliable
    per_definition = max(1, solutions // definitions)
    names = ["baseline"] + [f"author{i:02d}" for i in range(1, authors)]
    done_solutions = done_traces = 0
    for number in range(definitions):
        wanted = traces * (number + 1) // definitions - done_traces
        per_solution = max(1, -(-wanted // per_definition))
        # Real definitions have 1 to 129 workloads; the rest of the traces are repeated runs and other machines.
        definition = Definition(rng, number, min(rng.choice((4, 8, 15, 25, 40, 60, 100)), max(1, per_solution)))
        write(f"{root}/definitions/{definition.op_type}/{definition.name}.json",
              json.dumps(definition.json(), indent=2, ensure_ascii=False))
        write(f"{root}/workloads/{definition.op_type}/{definition.name}.jsonl",
              "".join(f'{{"definition":"{definition.name}","workload":{w},"solution":null,"evaluation":null}}\n'
                      for w in definition.workloads))
        lines_of = {}
        for index in range(per_definition):
            author = names[0] if index == 0 else names[1 + (index - 1) % (len(names) - 1)] if len(names) > 1 else names[0]
            name = f"{author}_{definition.name}_{LANGUAGES[index % 5]}_r{index}_{rng.getrandbits(24):06x}"
            write(f"{root}/solutions/{author}/{definition.op_type}/{definition.name}/{name}.json",
                  json.dumps(solution_json(rng, name, definition, author, LANGUAGES[index % 5]), indent=2, ensure_ascii=False))
            done_solutions += 1
            speed = 10 ** rng.gauss(0.3, 0.35)
            rate = failure_rate if index > 0 and rng.random() < unreliable else 0.0
            count = min(per_solution, wanted)
            wanted -= count
            done_traces += count
            lines = lines_of.setdefault(author, [])
            for i in range(count):
                status = pick(rng, failing) if rng.random() < rate else "PASSED"
                lines.append(trace_line(rng, definition, definition.workloads[i % len(definition.workloads)], name, speed,
                                        pick(rng, HARDWARE), status, logs, next(times)))
        for author, lines in lines_of.items():
            write(f"{root}/traces/{author}/{definition.op_type}/{definition.name}.jsonl", "".join(lines))
    return done_solutions, done_traces


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", help="folder to make; must not exist, unless --force")
    parser.add_argument("--definitions", type=int, default=200)
    parser.add_argument("--solutions", type=int, default=5000)
    parser.add_argument("--traces", type=int, default=1_000_000)
    parser.add_argument("--authors", type=int, default=13)
    parser.add_argument("--logs", choices=("real", "none"), default="real", help="log lengths as in real sets, or empty logs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--force", action="store_true", help="replace a dataset that this program made there")
    arguments = parser.parse_args()
    if min(arguments.definitions, arguments.solutions, arguments.traces, arguments.authors) < 1:
        parser.error("sizes start at 1")
    mark = os.path.join(arguments.root, ".made_by_make_dataset")
    if os.path.exists(arguments.root):
        if not (arguments.force and os.path.exists(mark)):
            sys.exit(f"{arguments.root} exists already; choose another folder"
                     + ("" if arguments.force else ", or give --force to replace a generated one"))
        shutil.rmtree(arguments.root)
    os.makedirs(arguments.root)
    write(mark, compact(vars(arguments)))
    solutions, traces = make(arguments.root, arguments.definitions, arguments.solutions, arguments.traces, arguments.authors,
                             arguments.logs, arguments.seed)
    print(f"{arguments.root}: {arguments.definitions} definitions, {solutions} solutions, {traces} traces")


if __name__ == "__main__":
    main()
