#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails when two headers define types of the same name in the same namespace: each part of the program would then be built with
its own idea of the type, which the linker does not notice (usage: type_names.py SOURCE_DIR)."""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:struct|class|enum class|enum|union) (\w+)(?!.*;\s*$)")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)

source = pathlib.Path(sys.argv[1])
places = collections.defaultdict(set)
for part in ("core", "ui", "app"):
    for header in sorted((source / part).rglob("*.h")):
        text = header.read_text(encoding="utf-8")
        namespace = NAMESPACE.search(text)
        for line in text.splitlines():
            if found := TYPE.match(line):
                places[(namespace.group(1) if namespace else "", found.group(1))].add(header.relative_to(source))
twice = {name: headers for name, headers in places.items() if len(headers) > 1}
for (namespace, name), headers in sorted(twice.items()):
    print(f"{namespace}::{name} is defined in " + " and ".join(map(str, sorted(headers))) + ": give one of them another name")
if len(places) < 50:
    sys.exit("only %d types found: is %s the source folder?" % (len(places), source))
sys.exit(1 if twice else 0)
