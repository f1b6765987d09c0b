#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks closer at solutions on a real GPU: plants an out-of-bounds write, a race, an unwritten tensor and a wrong row, and checks that
`tracedeck diagnose` finds each; profiles, records and takes apart a good kernel; fights a duel.

usage: check_diagnose.py [--program FILE] [--device cuda:0] [--python FILE] [--keep FOLDER]

Prints a line for each check (ok, FAILED, or missing: a tool that is not there), then one summary line; exit code 1 when a check failed.
Needs Python 3.10 and nothing else.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HEAD = "#include <tvm/ffi/container/tensor.h>\n#include <tvm/ffi/extra/c_env_api.h>\n#include <tvm/ffi/function.h>\nusing tvm::ffi::TensorView;\n"
TAIL = """
void work(TensorView x, TensorView y)
{
    int n = int(x.size(0) * x.size(1));
    auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(x.device().device_type, x.device().device_id));
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(static_cast<const float*>(x.data_ptr()), static_cast<float*>(y.data_ptr()), n);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, work);
"""
KERNELS = {
    "good": "__global__ void kernel(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + 1;\n}",
    "slower": "__global__ void kernel(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float v = i < n ? x[i] : 0;\n"
              "    for (int k = 0; k < 2000; ++k) v = __sinf(v) * 0 + v;\n    if (i < n) y[i] = v + 1;\n}",
    "stray": "__global__ void kernel(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i <= n) y[i] = i < n ? x[i] + 1 : 0;\n}",
    "race": "__global__ void kernel(const float* x, float* y, int n)\n{\n    __shared__ float tile[256];\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    tile[threadIdx.x] = i < n ? x[i] : 0;\n    float other = tile[(threadIdx.x + 64) % 256];\n    if (i < n) y[i] = x[i] + 1 + other * 0;\n}",
    "unread": "__global__ void kernel(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + 1 + y[i] * 0;\n}",
    "wrong": "__global__ void kernel(const float* x, float* y, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = x[i] + (i / 64 == 7 ? 3 : 1);\n}",
}
ROWS = 1001   # the last block has threads to spare


def write_dataset(root):
    tensor = {"shape": ["M", "N"], "dtype": "float32"}
    definition = {"name": "add_one", "op_type": "activation", "axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 64}},
                  "inputs": {"x": tensor}, "outputs": {"y": tensor}, "reference": "def run(x):\n    return x + 1\n"}
    workload = {"definition": "add_one", "solution": None, "evaluation": None,
                "workload": {"axes": {"M": ROWS}, "inputs": {"x": {"type": "random"}}, "uuid": "00000000-0000-4000-8000-000000000001"}}
    files = {"definitions/activation/add_one.json": json.dumps(definition), "workloads/activation/add_one.jsonl": json.dumps(workload) + "\n"}
    for name, kernel in KERNELS.items():
        files["solutions/tests/activation/add_one/%s.json" % name] = json.dumps({
            "name": name, "definition": "add_one", "author": "tests",
            "spec": {"language": "cuda", "target_hardware": ["cuda"], "entry_point": "main.cu::run", "destination_passing_style": True, "dependencies": []},
            "sources": [{"path": "main.cu", "content": HEAD + kernel + TAIL}]})
    files["solutions/tests/activation/add_one/torch_add.json"] = json.dumps({
        "name": "torch_add", "definition": "add_one", "author": "tests",
        "spec": {"language": "python", "target_hardware": ["cuda"], "entry_point": "main.py::run", "destination_passing_style": False, "dependencies": []},
        "sources": [{"path": "main.py", "content": "def run(x):\n    return x + 1\n"}]})
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)


class Checks:
    def __init__(self, arguments, root):
        self.arguments, self.root = arguments, root
        self.failed, self.missing, self.done = 0, 0, 0

    def tracedeck(self, *words):
        command = [arguments_program(self.arguments), *words, "--local", str(self.root), "--device", self.arguments.device, "--json"]
        if self.arguments.python:
            command += ["--python", self.arguments.python]
        run = subprocess.run(command, capture_output=True, text=True, timeout=580)
        try:
            return json.loads(run.stdout), run
        except json.JSONDecodeError:
            return None, run

    def check(self, what, words, right):
        answer, run = self.tracedeck(*words)
        try:
            verdict = answer is not None and right(answer)
        except (KeyError, IndexError, TypeError):
            verdict = False
        if answer is None and "was not found" in run.stderr:
            self.missing += 1
            print("missing  %s: %s" % (what, run.stderr.strip()[:200]))
            return
        self.done += 1
        self.failed += not verdict
        print("%s  %s" % ("ok      " if verdict else "FAILED  ", what))
        if not verdict:
            print("    %s\n    %s" % (json.dumps(answer)[:3000], run.stderr.strip()[-2000:]))
        sys.stdout.flush()


def arguments_program(arguments):
    return str(arguments.program)


def at_line(findings, text):
    """Whether a finding names a line of main.cu that has this text."""
    def has(finding, source):
        lines = source.splitlines()
        return finding["file"] == "main.cu" and 0 < finding["line"] <= len(lines) and text in lines[finding["line"] - 1]
    return [finding for finding in findings if any(has(finding, HEAD + kernel) for kernel in KERNELS.values())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/tracedeck")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--python")
    parser.add_argument("--keep", type=pathlib.Path, help="where the dataset is written (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.keep or pathlib.Path(temporary)
        write_dataset(root)
        checks = Checks(arguments, root)
        check = checks.check
        check("the wrong row is found", ["diagnose", "difference", "--solution", "wrong"],
              lambda a: a["status"] == "INCORRECT_NUMERICAL" and a["outputs"][0]["wrong"] == 64 and all(w["index"][0] == 7 for w in a["outputs"][0]["worst"]))
        check("a right solution has no difference", ["diagnose", "difference", "--solution", "good"],
              lambda a: a["status"] == "PASSED" and a["outputs"][0]["wrong"] == 0)
        check("nothing degenerate passes", ["diagnose", "tolerance", "--definition", "add_one"],
              lambda a: a["calls"] == 3 and a["trials"] and not any(t["passes"] for t in a["trials"]))
        check("registers and machine code", ["diagnose", "code", "--solution", "good", "--sass"],
              lambda a: a["kernels"][0]["registers"] > 0 and a["kernels"][0]["instructions"] > 0 and "EXIT" in a["sass"])
        check("timeline of a CUDA kernel", ["diagnose", "timeline", "--solution", "good"],
              lambda a: [e for e in a["entries"] if e["kind"] == "kernel" and "kernel" in e["name"] and e["grid"] == [251, 1, 1] and e["block"] == [256, 1, 1]
                         and e["registers"] > 0 and e["duration_us"] > 0])
        check("timeline of a PyTorch solution", ["diagnose", "timeline", "--solution", "torch_add"], lambda a: len(a["entries"]) == 1)
        # As root the tools work behind no wall, and say so.
        trust = ["--confinement", "none"] if os.geteuid() == 0 else []
        check("memcheck finds the stray write", ["diagnose", "sanitize", "--solution", "stray", "--checks", "memcheck", *trust],
              lambda a: not a[0]["clean"] and any("write" in f["kind"] for f in at_line(a[0]["findings"], "y[i] =")))
        check("memcheck finds nothing in a good one", ["diagnose", "sanitize", "--solution", "good", "--checks", "memcheck", *trust], lambda a: a[0]["clean"])
        check("racecheck finds the race", ["diagnose", "sanitize", "--solution", "race", "--checks", "racecheck", *trust], lambda a: a[0]["findings"])
        check("initcheck finds the unwritten output", ["diagnose", "sanitize", "--solution", "unread", "--checks", "initcheck", *trust],
              lambda a: any("ninitialized" in f["kind"] for f in a[0]["findings"]))
        check("synccheck runs", ["diagnose", "sanitize", "--solution", "good", "--checks", "synccheck", *trust], lambda a: a[0]["clean"])
        check("Nsight Compute's figures", ["diagnose", "profile", "--solution", "good", "--report-folder", str(root / "reports"), *trust],
              lambda a: a["kernels"][0]["memory_percent"] > 0 and a["kernels"][0]["occupancy_percent"] > 0 and a["kernels"][0]["stalls"] and os.path.exists(a["report"]))
        check("a duel finds the faster one", ["duel", "--solutions", "slower", "good", "--iterations", "20", "--time-limit", "240"],
              lambda a: a["end"] == "clear" and a["leader"] == "good" and a["sides"][0]["verdict"] == "SLOWER")
        if (root / "traces").exists():
            checks.failed += 1
            print("FAILED    something was stored in the dataset")
    print("%d checks, %d failed, %d need a tool that is missing" % (checks.done, checks.failed, checks.missing))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
