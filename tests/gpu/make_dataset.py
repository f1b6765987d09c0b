#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the dataset of the GPU test from a FlashInfer-Trace dataset without its blobs.

usage: make_dataset.py REAL_DATASET OUT [--workloads N] [--largest GIB] [--most-queries N] [--definitions NAME...] [--python-only]

Takes every definition that has workloads, N workloads each, and writes valid blobs for the inputs that come from files: index
tables and lengths that fit the shapes, router logits. Adds honest solutions (PyTorch, Triton, CUDA with both bindings), the
definitions `status_*`, whose solutions fail each in its own way, and `faults_*`, whose solutions (tests/gpu/faults) cheat or might look
as if they did. OUT/expected.json says what each must end as; run_gpu.py reads it.
The same arguments give the same bytes. Needs Python 3.10 and nothing else.
"""
import argparse
import array
import json
import math
import pathlib
import random
import re
import shutil
import struct
import sys
import uuid

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
FAULTS = pathlib.Path(__file__).resolve().parent / "faults"
BYTES = {"float64": 8, "int64": 8, "float32": 4, "int32": 4, "float16": 2, "bfloat16": 2, "int16": 2, "int8": 1, "bool": 1,
         "float8_e4m3fn": 1, "float8_e5m2": 1}
SAFETENSORS = {"float32": "F32", "bfloat16": "BF16", "int32": "I32", "int64": "I64"}
NAMESPACE = uuid.UUID("5f0f51e4-5f4e-4c9c-9b0d-2f8f4c1f4f60")


def write_safetensors(path, tensors):
    """tensors: name → (dtype, shape, bytes)"""
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": SAFETENSORS[dtype], "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def packed(dtype, values):
    if dtype == "bfloat16":
        halves = array.array("H", (struct.unpack("<I", struct.pack("<f", value))[0] >> 16 for value in values))
        return halves.tobytes()
    return array.array({"float32": "f", "int32": "i", "int64": "q"}[dtype], values).tobytes()


# --- contents of blobs ----------------------------------------------------------------------------------------------------

def lengths(rng, count, total, least):
    """`count` numbers of at least `least` whose sum is `total`."""
    if count == 0:
        return []
    spare = total - count * least
    cuts = sorted(rng.randint(0, spare) for _ in range(count - 1))
    return [least + b - a for a, b in zip([0] + cuts, cuts + [spare])]


def offsets(parts):
    result = [0]
    for part in parts:
        result.append(result[-1] + part)
    return result


def index_tables(rng, axes, names):
    """Query and key offsets and page numbers that fit each other: causal attention needs as many keys as queries in each
    sequence."""
    count = axes["len_indptr"] - 1
    keys = axes.get("num_kv_indices", axes.get("total_kv"))
    queries = axes.get("total_q", 0) if "qo_indptr" in names else 0
    query_parts = lengths(rng, count, queries, 1 if queries >= count else 0)
    more = keys - queries
    key_parts = [a + b for a, b in zip(query_parts, lengths(rng, count, more, 1 if more >= count and not queries else 0))]
    tables = {"kv_indptr": offsets(key_parts)}
    if "qo_indptr" in names:
        tables["qo_indptr"] = offsets(query_parts)
    if "kv_indices" in names:
        pages = axes["num_pages"]
        tables["kv_indices"] = rng.sample(range(pages), keys) if keys <= pages else [rng.randrange(pages) for _ in range(keys)]
    return tables


def blob_values(rng, definition, axes, names):
    if names <= {"kv_indptr", "qo_indptr", "kv_indices"}:
        return index_tables(rng, axes, names)
    if names <= {"routing_logits", "routing_bias"}:
        return {name: [rng.gauss(0, 1 if name == "routing_logits" else 0.01) for _ in range(math.prod(shape_of(definition["inputs"][name], axes)))]
                for name in names}
    raise SystemExit("make_dataset.py: %s takes %s from blobs, which this script can't make" % (definition["name"], sorted(names)))


def shape_of(tensor, axes):
    return [axes[axis] if isinstance(axis, str) else axis for axis in tensor["shape"] or []]


def all_axes(definition, workload):
    axes = {name: axis["value"] for name, axis in definition["axes"].items() if axis["type"] == "const"}
    axes.update(workload["axes"])
    return axes


def input_bytes(definition, workload):
    axes = all_axes(definition, workload)
    return sum(math.prod(shape_of(tensor, axes)) * BYTES[tensor["dtype"]] for tensor in definition["inputs"].values() if tensor["shape"] is not None)


def is_consistent(workload):
    """A captured workload with more queries than keys has rows that look at nothing: no number is right for them."""
    axes = workload["axes"]
    keys = axes.get("num_kv_indices", axes.get("total_kv"))
    return keys is None or (axes.get("total_q", 0) <= keys and axes["len_indptr"] >= 2)


# --- the dataset ----------------------------------------------------------------------------------------------------------

class Maker:
    def __init__(self, arguments):
        self.real = pathlib.Path(arguments.real)
        self.out = pathlib.Path(arguments.out)
        self.arguments = arguments
        self.expected = {"solutions": {}, "problems": {}}
        self.counts = {"definitions": 0, "workloads": 0, "solutions": 0, "blobs": 0}

    def write(self, folder, op_type, name, content, *between):
        path = self.out / folder / pathlib.Path(*between) / op_type / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)

    def solution(self, definition, author, variant, language, entry, sources, dps, binding=None, expect="PASSED", log="", verdict="", least=""):
        if self.arguments.python_only and language != "python":
            return
        name = "%s_%s%s" % (author, definition["name"], "_" + variant if variant else "")
        spec = {"language": language, "target_hardware": ["cpu" if language == "python" else "cuda"], "entry_point": entry,
                "dependencies": [], "destination_passing_style": dps}
        if binding:
            spec["binding"] = binding
        body = {"name": name, "definition": definition["name"], "author": author, "spec": spec,
                "sources": [{"path": path, "content": text} for path, text in sources.items()]}
        self.write("solutions", definition["op_type"], definition["name"] + "/" + name + ".json", json.dumps(body, indent=2) + "\n", author)
        self.expected["solutions"][name] = {"status": expect, "log": log, "verdict": verdict, "least": least}
        self.counts["solutions"] += 1

    def definition(self, definition, workloads):
        self.write("definitions", definition["op_type"], definition["name"] + ".json", json.dumps(definition, indent=2) + "\n")
        lines = [json.dumps({"definition": definition["name"], "solution": None, "workload": workload, "evaluation": None}) for workload in workloads]
        self.write("workloads", definition["op_type"], definition["name"] + ".jsonl", "\n".join(lines) + "\n")
        self.counts["definitions"] += 1
        self.counts["workloads"] += len(workloads)

    def blobs(self, definition, workload):
        """Every file that the workload names, with the tensors that it takes from it."""
        axes = all_axes(definition, workload)
        taken = {name: entry for name, entry in workload["inputs"].items() if entry["type"] == "safetensors"}
        if not taken:
            return
        values = blob_values(random.Random(workload["uuid"]), definition, axes, set(taken))
        files = {}
        for name, entry in taken.items():
            tensor = definition["inputs"][name]
            files.setdefault(entry["path"], {})[entry["tensor_key"]] = (tensor["dtype"], shape_of(tensor, axes), packed(tensor["dtype"], values[name]))
        for path, tensors in files.items():
            write_safetensors(self.out / path, tensors)
            self.counts["blobs"] += 1

    # the real definitions

    def real_workloads(self, definition, path):
        found = [json.loads(line)["workload"] for line in path.read_text().splitlines() if line.strip()]
        found = [workload for workload in found if is_consistent(workload)]
        found.sort(key=lambda workload: (input_bytes(definition, workload), sorted(workload["axes"].items()), workload["uuid"]))
        # Some references loop over the queries in Python: thousands of them take minutes a call.
        few = [workload for workload in found if workload["axes"].get("total_q", 0) <= self.arguments.most_queries] or found[:1]
        small = [workload for workload in few if input_bytes(definition, workload) <= self.arguments.largest * 2**30] or few[:1]
        if self.arguments.workloads >= len(small):
            return small
        last = len(small) - 1
        return [small[round(i * last / max(1, self.arguments.workloads - 1))] for i in range(self.arguments.workloads)]

    def take_real(self):
        definitions = {}
        for path in sorted((self.real / "definitions").rglob("*.json")):
            definition = json.loads(path.read_text())
            definitions[definition["name"]] = definition
        chosen = self.arguments.definitions
        for path in sorted((self.real / "workloads").rglob("*.jsonl")):
            definition = definitions.get(path.stem)
            if definition is None or (chosen and path.stem not in chosen):
                continue
            workloads = self.real_workloads(definition, path)
            # Each under a name of its own: a blob may be shared by workloads with other shapes.
            unique = []
            for workload in workloads:
                for entry in workload["inputs"].values():
                    if entry["type"] == "safetensors":
                        entry["path"] = "blob/workloads/%s/%s/%s.safetensors" % (definition["op_type"], definition["name"], workload["uuid"])
                unique.append(workload)
                self.blobs(definition, workload)
            self.definition(definition, unique)
            self.honest_solutions(definition)

    def honest_solutions(self, definition):
        name, reference = definition["name"], definition["reference"]
        self.solution(definition, "torch", "", "python", "main.py::run", {"main.py": reference}, False)
        if definition["op_type"] == "rmsnorm":
            entry = "run_fused" if name.startswith("fused") else "run"
            epsilon = re.search(r"(?:EPS|eps)\w*\s*=\s*([0-9.e-]+)", reference)
            if epsilon is None:
                raise SystemExit("make_dataset.py: the reference of %s names no epsilon" % name)
            texts = {path: (KERNELS / path).read_text().replace("EPSILON", epsilon.group(1) + ("" if path.endswith(".py") else "f"))
                     for path in ("rmsnorm_triton.py", "rmsnorm.cu", "rmsnorm_torch_binding.cu", "rmsnorm_torch_binding.cpp")}
            self.solution(definition, "triton", "", "triton", "main.py::" + entry, {"main.py": texts["rmsnorm_triton.py"]}, True)
            self.solution(definition, "cuda", "", "cuda", "main.cu::" + entry, {"main.cu": texts["rmsnorm.cu"]}, True)
            if name == "rmsnorm_h4096":
                self.solution(definition, "cuda", "torch_binding", "cuda", "main.cu::run", {"main.cu": texts["rmsnorm_torch_binding.cu"]}, True, "torch")
                self.solution(definition, "cpp", "torch_binding", "cpp", "main.cpp::run", {"main.cpp": texts["rmsnorm_torch_binding.cpp"]}, True, "torch")
        if definition["op_type"] == "gemm":
            self.solution(definition, "triton", "", "triton", "main.py::run", {"main.py": (KERNELS / "gemm_triton.py").read_text()}, True)
            self.solution(definition, "cuda", "", "cuda", "main.cu::run", {"main.cu": (KERNELS / "gemm.cu").read_text()}, True)

    # the definitions that provoke each status

    def simple(self, name, reference="def run(x):\n    return 2 * x\n", inputs=None):
        """y = 2 x, of float32 vectors."""
        return {"name": name, "op_type": "status", "description": "Provokes what its name says.", "tags": ["stage:test"],
                "axes": {"n": {"type": "var"}}, "inputs": inputs or {"x": {"shape": ["n"], "dtype": "float32"}},
                "outputs": {"y": {"shape": ["n"], "dtype": "float32"}}, "reference": reference}

    @staticmethod
    def workload(name, n, inputs=None):
        return {"uuid": str(uuid.uuid5(NAMESPACE, "%s/%d" % (name, n))), "axes": {"n": n}, "inputs": inputs or {"x": {"type": "random"}}}

    def take_status(self):
        folder = KERNELS / "status"
        scale = self.simple("status_scale")
        self.definition(scale, [self.workload("status_scale", 100_003)])
        # In the order of their names: after each failure the next one must find a device that works.
        python = {"wrong_shape": ("INCORRECT_SHAPE", ""), "wrong_dtype": ("INCORRECT_DTYPE", ""), "raises": ("RUNTIME_ERROR", "no such luck"),
                  "sleeps": ("TIMEOUT", ""), "exhausts_memory": ("RUNTIME_ERROR", "")}
        for variant, (status, log) in python.items():
            self.solution(scale, "status", variant, "python", "main.py::run", {"main.py": (folder / (variant + ".py")).read_text()}, False,
                          expect=status, log=log)
        self.solution(scale, "status", "triton_does_not_compile", "triton", "main.py::run",
                      {"main.py": (folder / "triton_does_not_compile.py").read_text()}, True, expect="RUNTIME_ERROR", log="undefined_name")
        cuda = {"passes": ("PASSED", ""), "changes_input": ("PASSED", ""), "wrong_values": ("INCORRECT_NUMERICAL", ""), "not_a_number": ("INCORRECT_NUMERICAL", ""),
                "illegal_address": ("RUNTIME_ERROR", ""), "endless_loop": ("TIMEOUT", ""), "outside_outputs": ("RUNTIME_ERROR", ""),
                "aborts": ("RUNTIME_ERROR", ""), "exits": ("RUNTIME_ERROR", ""), "does_not_compile": ("COMPILE_ERROR", "launchThrice")}
        for variant, (status, log) in cuda.items():
            sources = {"main.cu": (folder / (variant + ".cu")).read_text(), "launch.h": (folder / "launch.h").read_text()}
            self.solution(scale, "status", variant, "cuda", "main.cu::run", sources, True, expect=status, log=log)
        self.solution(scale, "zoe", "still_passes", "python", "main.py::run", {"main.py": "def run(x):\n    return 2 * x\n"}, False)

        memory = self.simple("status_out_of_memory")
        too_large = self.workload("status_out_of_memory", 1 << 38)
        self.definition(memory, [too_large, self.workload("status_out_of_memory", 1000)])
        self.solution(memory, "torch", "", "python", "main.py::run", {"main.py": "def run(x):\n    return 2 * x\n"}, False)
        self.expected["problems"][too_large["uuid"]] = "memory"

        # What the reference returns counts, whatever is declared.
        undeclared = self.simple("status_undeclared", "def run(x):\n    return (2 * x).half().reshape(-1, 1)\n")
        self.definition(undeclared, [self.workload("status_undeclared", 1000), self.workload("status_undeclared", 3000)])
        self.solution(undeclared, "torch", "", "python", "main.py::run", {"main.py": undeclared["reference"]}, False)
        self.solution(undeclared, "status", "as_declared", "python", "main.py::run", {"main.py": "def run(x):\n    return 2 * x\n"}, False, expect="INCORRECT_SHAPE")

        inputs = {"x": {"shape": ["n"], "dtype": "float32"}, "order": {"shape": ["n"], "dtype": "int32"}}
        reference = "def run(x, order):\n    return 2 * x[order.long()]\n"
        missing = self.simple("status_missing_blob", reference, inputs)
        workloads = []
        for n, is_there in ((1000, True), (2000, False)):
            path = "blob/workloads/status/status_missing_blob/order_%d.safetensors" % n
            workloads.append(self.workload("status_missing_blob", n, {"x": {"type": "random"}, "order": {"type": "safetensors", "path": path, "tensor_key": "order"}}))
            if is_there:
                write_safetensors(self.out / path, {"order": ("int32", [n], packed("int32", random.Random(n).sample(range(n), n)))})
                self.counts["blobs"] += 1
            else:
                self.expected["problems"][workloads[-1]["uuid"]] = path
        self.definition(missing, workloads)
        self.solution(missing, "torch", "", "python", "main.py::run", {"main.py": reference}, False)

    # the definitions whose solutions cheat

    def take_faults(self):
        """Each file of tests/gpu/faults; its first comment lines say what it must end as. After each that fails comes an honest one."""
        sides = {"faults_affine": 4096, "faults_short": 512}   # 64 MiB a tensor, which no cache holds; and where a time limit must pass
        solutions = {name: [] for name in sides}
        for path in sorted(FAULTS.iterdir()):
            text = path.read_text()
            facts = dict(re.findall(r"^(?:#|//) (\w+): (.*)$", text.split("\n\n")[0], re.MULTILINE))
            solutions["faults_short" if facts.get("timeout") == "short" else "faults_affine"].append((path, text, facts))
        for name, side in sides.items():
            definition = {"name": name, "op_type": "activation", "description": "y = 2 x + 1", "tags": ["stage:test"],
                          "axes": {"m": {"type": "var"}, "n": {"type": "const", "value": side}},
                          "inputs": {"x": {"shape": ["m", "n"], "dtype": "float32"}}, "outputs": {"y": {"shape": ["m", "n"], "dtype": "float32"}},
                          "reference": "def run(x):\n    return x * 2 + 1\n"}
            self.definition(definition, [{"uuid": str(uuid.uuid5(NAMESPACE, name)), "axes": {"m": side}, "inputs": {"x": {"type": "random"}}}])
            for path, text, facts in solutions[name]:
                is_native = path.suffix == ".cu"
                least = facts.get("least", "")
                if least:
                    share, other = least.split(" of ")
                    least = {"share": float(share), "of": "faults_%s_%s" % (name, other)}
                self.solution(definition, "faults", path.stem, "cuda" if is_native else "python", ("main.cu" if is_native else "main.py") + "::run",
                              {"main.cu" if is_native else "main.py": text}, is_native or facts.get("style") == "dps",
                              expect=facts["expect"], log=facts.get("says", ""), verdict=facts.get("verdict", ""), least=least)
                if facts["expect"] != "PASSED":
                    self.solution(definition, "faults", path.stem + "_then_an_honest_one", "python", "main.py::run", {"main.py": definition["reference"]}, False)

    def make(self):
        self.take_real()
        self.take_status()
        self.take_faults()
        (self.out / "expected.json").write_text(json.dumps(self.expected, indent=2) + "\n")
        print("%(definitions)d definitions, %(workloads)d workloads, %(solutions)d solutions, %(blobs)d blobs" % self.counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("real", help="a FlashInfer-Trace dataset")
    parser.add_argument("out", help="folder to make; must not exist, or be one that this script made")
    parser.add_argument("--workloads", type=int, default=3, help="of each definition (default 3)")
    parser.add_argument("--most-queries", type=int, default=1024, help="queries (total_q) that a workload may have (default 1024)")
    parser.add_argument("--largest", type=float, default=4, help="GiB of inputs that a workload may have (default 4)")
    parser.add_argument("--definitions", nargs="+", default=[], help="only these of the real dataset")
    parser.add_argument("--python-only", action="store_true", help="only solutions in Python, for a try without a GPU")
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out)
    if not (pathlib.Path(arguments.real) / "definitions").is_dir():
        sys.exit("make_dataset.py: %s has no folder definitions: it is no dataset" % arguments.real)
    if out.exists() and any(out.iterdir()) and not (out / "expected.json").is_file():
        sys.exit("make_dataset.py: %s exists and was not made by this script: name another folder" % out)
    shutil.rmtree(out, ignore_errors=True)
    Maker(arguments).make()


if __name__ == "__main__":
    main()
