#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the sample dataset from the plain files in source/.

usage: make_sample.py            write definitions/, solutions/, workloads/ and blob/ anew (traces/ is left alone)
       make_sample.py --check    write nothing; exit 1 and name the files that differ from what would be written

Needs Python 3.10 or newer and nothing else. The same sources always give the same bytes.
"""
import argparse
import array
import hashlib
import json
import math
import pathlib
import random
import shutil
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent
SOURCE = ROOT / "source"
GENERATED_FOLDERS = ("definitions", "solutions", "workloads", "blob")
LANGUAGE_OF_SUFFIX = {".py": "python", ".cpp": "cpp", ".cu": "cuda"}
DEPENDENCIES = {"python": ["torch"], "triton": ["torch", "triton"], "cpp": ["apache-tvm-ffi"],
                "cuda": ["apache-tvm-ffi"]}
HARDWARE = {"python": ["cpu", "cuda"], "triton": ["cuda"], "cpp": ["cpu"], "cuda": ["cuda"]}


def object_file(value):
    """Text of a definition or solution file."""
    return json.dumps(value, indent=2, ensure_ascii=False).encode()


def record(value):
    """One line of a workloads file."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def safetensors(tensors):
    """Bytes of a safetensors file with 32-bit integer tensors; `tensors` maps a name to a list of numbers."""
    header, data = {}, b""
    for name in sorted(tensors):
        values = array.array("i", tensors[name])
        if sys.byteorder == "big":
            values.byteswap()
        begin = len(data)
        data += values.tobytes()
        header[name] = {"dtype": "I32", "shape": [len(values)], "data_offsets": [begin, len(data)]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def random_uuid4(text):
    """A UUID in the form of version 4, always the same for the same text."""
    return str(uuid.UUID(bytes=hashlib.sha256(text.encode()).digest()[:16], version=4))


def split_lengths(total, parts, kind, dice):
    """Splits `total` into `parts` positive lengths: even, skewed (one long, the rest short) or random."""
    if kind == "even":
        return [total // parts + (1 if i < total % parts else 0) for i in range(parts)]
    if kind == "skewed":
        short = max(1, total // (8 * parts))
        return [total - short * (parts - 1)] + [short] * (parts - 1)
    if kind != "random":
        raise ValueError(f"lengths must be even, skewed or random, not {kind!r}")
    cuts = sorted(dice.sample(range(1, total), parts - 1))
    return [end - begin for begin, end in zip([0] + cuts, cuts + [total])]


def gqa_paged_workload(rule, dice):
    """Axes, blob tensors and scalars of a paged attention workload."""
    lengths = split_lengths(rule["total"], rule["batch_size"], rule["lengths"], dice)
    bounds = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    axes = {"batch_size": rule["batch_size"], "num_pages": rule["pages"], "len_indptr": len(bounds),
            "num_kv_indices": rule["total"]}
    pages = dice.sample(range(rule["pages"]), rule["total"])
    return axes, {"kv_indptr": bounds, "kv_indices": pages}, {"sm_scale": 1.0 / math.sqrt(64)}


def rope_workload(rule, dice):
    """Axes, blob tensors and scalars of a rotary embedding workload: short runs of successive positions."""
    positions = []
    while len(positions) < rule["num_tokens"]:
        start = dice.randrange(0, 2016)
        positions.extend(range(start, start + dice.randrange(1, 32)))
    return dict(rule), {"positions": positions[:rule["num_tokens"]]}, {}


def plain_workload(rule, dice):
    """A workload whose inputs are all random."""
    return dict(rule), {}, {}


WORKLOAD_MAKERS = {"gqa_paged": gqa_paged_workload, "rope": rope_workload}


def definition_files(name, about):
    definition = {"name": name, "op_type": about["op_type"], "axes": about["axes"], "inputs": about["inputs"],
                  "outputs": about["outputs"], "reference": (SOURCE / name / "reference.py").read_text(),
                  "tags": about["tags"], "description": about["description"]}
    if "constraints" in about:
        definition["constraints"] = about["constraints"]
    yield f"definitions/{about['op_type']}/{name}.json", object_file(definition)


def workload_files(name, about):
    op_type = about["op_type"]
    lines = b""
    for number, rule in enumerate(about["workloads"]):
        dice = random.Random(f"{name} {number}")
        axes, tensors, scalars = WORKLOAD_MAKERS.get(op_type, plain_workload)(rule, dice)
        identity = random_uuid4(f"{name} {number}")
        blob = f"blob/workloads/{op_type}/{name}/{name}_{identity}.safetensors"
        inputs = {}
        for input_name in about["inputs"]:
            if input_name in tensors:
                inputs[input_name] = {"type": "safetensors", "path": "./" + blob, "tensor_key": input_name}
            elif input_name in scalars:
                inputs[input_name] = {"type": "scalar", "value": scalars[input_name]}
            else:
                inputs[input_name] = {"type": "random"}
        if tensors:
            yield blob, safetensors(tensors)
        workload = {"axes": axes, "inputs": inputs, "uuid": identity}
        lines += record({"definition": name, "workload": workload, "solution": None, "evaluation": None})
    yield f"workloads/{op_type}/{name}.jsonl", lines


def solution_files(name, about):
    for item in about["solutions"]:
        entry = SOURCE / name / item["entry"]
        language = item.get("language", LANGUAGE_OF_SUFFIX[entry.suffix])
        main = "main" + entry.suffix
        spec = {"language": language, "target_hardware": HARDWARE[language], "entry_point": f"{main}::run",
                "dependencies": DEPENDENCIES[language], "destination_passing_style": not item.get("returns", False)}
        if language in ("cpp", "cuda"):
            spec["binding"] = "tvm-ffi"
        sources = [{"path": main, "content": entry.read_text()}]
        sources += [{"path": file, "content": (SOURCE / "common" / file).read_text()} for file in item.get("files", [])]
        solution = f"{item['author']}_{name}_{item['variant']}"
        yield (f"solutions/{item['author']}/{about['op_type']}/{name}/{solution}.json",
               object_file({"name": solution, "definition": name, "author": item["author"], "spec": spec,
                            "sources": sources, "description": item["description"]}))


def sample_files():
    """Every generated file: path relative to the sample → bytes."""
    files = {}
    for path in sorted(SOURCE.glob("*/definition.json")):
        name, about = path.parent.name, json.loads(path.read_text())
        for maker in (definition_files, workload_files, solution_files):
            for file, content in maker(name, about):
                if file in files:
                    raise ValueError(f"{path}: {file} would be written twice")
                files[file] = content
    return files


def check(files):
    present = {str(path.relative_to(ROOT)) for folder in GENERATED_FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()}
    wrong = [f"{file}: not made from source/" for file in sorted(present - files.keys())]
    wrong += [f"{file}: missing" for file in sorted(files.keys() - present)]
    wrong += [f"{file}: differs from source/" for file in sorted(files.keys() & present) if (ROOT / file).read_bytes() != files[file]]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        print("run make_sample.py to write them anew", file=sys.stderr)
    else:
        print(f"{len(files)} files are as source/ says")
    return 1 if wrong else 0


def write(files):
    for folder in GENERATED_FOLDERS:
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    for file, content in files.items():
        (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / file).write_bytes(content)
    print(f"wrote {len(files)} files, {sum(map(len, files.values()))} bytes")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is not as it would be written")
    arguments = parser.parse_args()
    files = sample_files()
    return check(files) if arguments.check else write(files)


if __name__ == "__main__":
    sys.exit(main())
