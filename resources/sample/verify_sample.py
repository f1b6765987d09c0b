#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every solution of the sample once on every workload and compares it with the reference.

usage: verify_sample.py [--times] [DEFINITION ...]

For maintainers who change a source file: it says in seconds whether the solutions still do what source/ says they do
("expect", else PASSED). It measures nothing that is stored; traces come from `tracedeck run` alone.
Needs torch, apache-tvm-ffi, g++ and, for the Triton solution, triton (left out without it). Triton's interpreter is used.
"""
import argparse
import ctypes
import json
import multiprocessing
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import types
import warnings

os.environ["TRITON_INTERPRET"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"   # no worker threads, so that a process may be forked after torch has computed
os.environ["TVM_FFI_DISABLE_TORCH_C_DLPACK"] = "1"
warnings.filterwarnings("ignore")

import torch  # noqa: E402  the settings above must come first
import tvm_ffi  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent
TOLERANCE = 1e-2
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "int32": torch.int32}
PACKAGE = pathlib.Path(tvm_ffi.__file__).parent


def read_tensor(path, key):
    """A 32-bit integer tensor of a safetensors file."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    entry = json.loads(data[8:start])[key]
    if entry["dtype"] != "I32":
        raise ValueError(f"{path}: {key} is {entry['dtype']}, expected I32")
    begin, end = entry["data_offsets"]
    return torch.frombuffer(bytearray(data[start + begin:start + end]), dtype=torch.int32).reshape(entry["shape"])


def shape_of(definition, spec, axes):
    return [definition["axes"][axis].get("value", axes.get(axis)) for axis in spec["shape"]]


def make_inputs(definition, workload):
    inputs = []
    for name, spec in definition["inputs"].items():
        given = workload["inputs"][name]
        if given["type"] == "scalar":
            inputs.append(given["value"])
            continue
        shape = shape_of(definition, spec, workload["axes"])
        if given["type"] == "safetensors":
            tensor = read_tensor(ROOT / given["path"], given["tensor_key"])
            if list(tensor.shape) != shape:
                raise ValueError(f"{given['path']}: {name} has shape {list(tensor.shape)}, expected {shape}")
            inputs.append(tensor)
        else:
            inputs.append(torch.randn(shape).to(DTYPES[spec["dtype"]]))
    return inputs


class EnvironmentAllocator:
    """Gives compiled solutions that create their result the memory for it, through tvm-ffi's C interface."""

    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                    ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                    ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                    ("byte_offset", ctypes.c_uint64)]

    class Managed(ctypes.Structure):
        pass

    DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_void_p)

    def __init__(self):
        self.alive = {}
        self.deleter = self.DELETER(lambda address: self.alive.pop(address, None) and None)
        self.callback = self.ALLOCATE(self.allocate)
        library = ctypes.CDLL(str(PACKAGE / "lib" / "libtvm_ffi.so"))
        if library.TVMFFIEnvSetDLPackManagedTensorAllocator(self.callback, 1, None) != 0:
            raise RuntimeError("libtvm_ffi refused the allocator")

    def allocate(self, prototype, out, _context, _set_error):
        wanted = prototype.contents
        shape = [wanted.shape[i] for i in range(wanted.ndim)]
        strides = [1] * wanted.ndim
        for i in range(wanted.ndim - 2, -1, -1):
            strides[i] = strides[i + 1] * shape[i + 1]
        elements = strides[0] * shape[0] if shape else 1
        memory = torch.empty(elements * wanted.bits * wanted.lanes // 8, dtype=torch.uint8)
        managed = self.Managed()
        managed.major, managed.deleter = 1, self.deleter
        managed.tensor.data, managed.tensor.ndim = memory.data_ptr(), wanted.ndim
        managed.tensor.device = wanted.device
        managed.tensor.code, managed.tensor.bits, managed.tensor.lanes = wanted.code, wanted.bits, wanted.lanes
        managed.tensor.shape = (ctypes.c_int64 * wanted.ndim)(*shape)
        managed.tensor.strides = (ctypes.c_int64 * wanted.ndim)(*strides)
        self.alive[ctypes.addressof(managed)] = (managed, memory)
        out[0] = ctypes.addressof(managed)
        return 0


EnvironmentAllocator.Managed._fields_ = [
    ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
    ("deleter", EnvironmentAllocator.DELETER), ("flags", ctypes.c_uint64), ("tensor", EnvironmentAllocator.Tensor)]


def load_python(sources, scratch):
    """The function `run` of main.py; written out first, since Triton reads the source of its functions back."""
    path = scratch / "main.py"
    path.write_text(sources["main.py"])
    module = types.ModuleType("solution")
    exec(compile(sources["main.py"], str(path), "exec"), module.__dict__)
    return module.run


def build_cpp(sources, scratch):
    """Compiles the sources to solution.so in `scratch`. False when they do not compile."""
    for name, text in sources.items():
        (scratch / name).write_text(text)
    command = [os.environ.get("CXX", "g++"), "-std=c++17", "-fPIC", "-O2", "-shared", "-I", str(PACKAGE / "include"), "-o",
               str(scratch / "solution.so"), str(scratch / "main.cpp"), "-L", str(PACKAGE / "lib"), "-ltvm_ffi"]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def verdict(outputs, expected):
    for got, want in zip(outputs, expected):
        if got.shape != want.shape:
            return "INCORRECT_SHAPE"
        if got.dtype != want.dtype:
            return "INCORRECT_DTYPE"
    for got, want in zip(outputs, expected):
        error = (got.float() - want.float()).abs()
        bad = (error > TOLERANCE) & (error / (want.float().abs() + 1e-8) > TOLERANCE)
        if not torch.isfinite(got.float()).all() or bad.any():
            return "INCORRECT_NUMERICAL"
    return "PASSED"


def prepare(call, language, returns, definition, axes, inputs):
    """A function that runs the solution once and gives its outputs as a list of torch tensors."""
    convert = (lambda value: tvm_ffi.from_dlpack(value) if isinstance(value, torch.Tensor) else value) if language == "cpp" else (lambda value: value)
    arguments = [convert(value) for value in inputs]
    if returns:
        def once():
            result = call(*arguments)
            return [torch.from_dlpack(value) for value in (result if isinstance(result, tuple) else (result,))]
        return once
    outputs = [torch.full(shape_of(definition, spec, axes), -7777, dtype=DTYPES[spec["dtype"]]) for spec in definition["outputs"].values()]
    arguments += [convert(value) for value in outputs]

    def once():
        call(*arguments)
        return outputs
    return once


def median_ms(once):
    times = []
    while len(times) < 5 or (len(times) < 50 and sum(times) < 0.2):
        start = time.perf_counter()
        once()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def evaluate(pipe, solution, definition, axes, inputs, expected, scratch, times):
    """In a process of its own: sends (status, milliseconds)."""
    language = solution["spec"]["language"]
    sources = {source["path"]: source["content"] for source in solution["sources"]}
    if language == "cpp":
        allocator = EnvironmentAllocator()
        call = tvm_ffi.load_module(str(scratch / "solution.so")).run
    else:
        allocator = None
        call = load_python(sources, scratch)
    before = [value.clone() if isinstance(value, torch.Tensor) else value for value in inputs]
    try:
        once = prepare(call, language, not solution["spec"]["destination_passing_style"], definition, axes, inputs)
        status = verdict(once(), expected)
    except Exception:
        pipe.send(("RUNTIME_ERROR", 0.0))
        return
    if not all(torch.equal(a, b) for a, b in zip(before, inputs) if isinstance(a, torch.Tensor)):
        status = "CHANGED_INPUTS"
    pipe.send((status, median_ms(once) if times else 0.0))
    pipe.close()
    del allocator
    os._exit(0)   # a loaded solution may not survive its own unloading


def evaluate_apart(*arguments):
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=evaluate, args=(theirs, *arguments))
    process.start()
    theirs.close()
    try:
        result = ours.recv()
    except EOFError:
        result = None
    process.join()
    if result is None:
        crashed = process.exitcode == -signal.SIGSEGV
        return ("RUNTIME_ERROR" if crashed else f"ended with {process.exitcode}"), 0.0
    return result


def expected_status(about, axes):
    for axis, limit in about.get("expect_above", {}).items():
        if axes[axis] <= limit:
            return "PASSED"
    return about.get("expect", "PASSED")


def verify(name, times):
    """Number of results that are not as source/ says."""
    surprises = 0
    about = json.loads((ROOT / "source" / name / "definition.json").read_text())
    definition = json.loads((ROOT / "definitions" / about["op_type"] / f"{name}.json").read_text())
    lines = (ROOT / "workloads" / about["op_type"] / f"{name}.jsonl").read_text().splitlines()
    workloads = [json.loads(line)["workload"] for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        reference = load_python({"main.py": definition["reference"]}, pathlib.Path(folder))
    cases, reference_times = [], []
    for workload in workloads:
        inputs = make_inputs(definition, workload)
        result = reference(*inputs)
        cases.append((workload, inputs, list(result) if isinstance(result, tuple) else [result]))
        for output, spec in zip(cases[-1][2], definition["outputs"].values()):
            if list(output.shape) != shape_of(definition, spec, workload["axes"]) or output.dtype != DTYPES[spec["dtype"]]:
                raise ValueError(f"{name}: the reference gives {list(output.shape)} {output.dtype}, not what outputs says")
        if times:
            reference_times.append(f"{median_ms(lambda: reference(*inputs)):9.3f}")
    print(f"{name}: reference {' '.join(reference_times)}")
    for item in about["solutions"]:
        solution_name = f"{item['author']}_{name}_{item['variant']}"
        path = ROOT / "solutions" / item["author"] / about["op_type"] / name / f"{solution_name}.json"
        solution = json.loads(path.read_text())
        if solution["spec"]["language"] == "triton":
            try:
                import triton  # noqa: F401  only to see whether it is there
            except ImportError:
                print(f"  {solution_name}: left out, triton is not installed")
                continue
        if solution["spec"]["language"] == "cuda":
            print(f"  {solution_name}: left out, it needs a GPU (tracedeck run --device cuda:0 checks it)")
            continue
        row = []
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            sources = {source["path"]: source["content"] for source in solution["sources"]}
            compiles = solution["spec"]["language"] != "cpp" or build_cpp(sources, scratch)
            for workload, inputs, expected in cases:
                status, ms = "COMPILE_ERROR", 0.0
                if compiles:
                    status, ms = evaluate_apart(solution, definition, workload["axes"], inputs, expected, scratch, times)
                wanted = expected_status(item, workload["axes"])
                if status != wanted:
                    surprises += 1
                    print(f"  {solution_name} {workload['axes']}: {status}, expected {wanted}")
                row.append(f"{ms:9.3f}" if times and status == "PASSED" else f"{status[:9]:>9}")
        print(f"  {solution_name}: {' '.join(row)}")
    return surprises


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", action="store_true", help="show median milliseconds of a call (rough, nothing is stored)")
    parser.add_argument("definitions", nargs="*", help="names; default all")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    names = arguments.definitions or sorted(path.parent.name for path in (ROOT / "source").glob("*/definition.json"))
    surprises = 0
    with torch.no_grad():
        for name in names:
            surprises += verify(name, arguments.times)
    print("as source/ says" if surprises == 0 else f"{surprises} results are not as source/ says")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
