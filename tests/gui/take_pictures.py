#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes a picture of every page in both themes and both languages, to be looked at:

    tests/gui/take_pictures.py build/release/bin/tracedeck-gui pictures [DATASET]

The dataset is the sample unless another one is named. `TRACEDECK_WALK_PICTURES=FOLDER gui_test_walk` takes those of all datasets at hand, at both sizes. Chinese needs a font that has it (Debian: fonts-noto-cjk)."""
import argparse
import pathlib
import subprocess
import sys

PAGES = ["overview", "code", "workloads", "traces", "charts", "heatmap", "leaderboard", "run", "compare", "results", "fastp", "history", "failures", "tensors", "diagnose", "duel", "pastruns"]
THEMES = ["light", "dark"]
LANGUAGES = ["en", "zh_CN"]
SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "sample"


def take(program, picture, theme, language, size, page=None, dataset=None):
    """One picture; False when the program says that it could not."""
    command = [program, "--grab", str(picture), "--theme", theme, "--language", language, "--size", size]
    if page:
        command += ["--page", page]
    if dataset:
        command.append(str(dataset))
    done = subprocess.run(command, capture_output=True, text=True, timeout=330)
    if done.returncode != 0 or not picture.exists():
        print(f"{picture.name}: {done.stderr.strip() or 'no picture'}", file=sys.stderr)
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="tracedeck-gui")
    parser.add_argument("folder", type=pathlib.Path, help="where the pictures go")
    parser.add_argument("dataset", nargs="?", type=pathlib.Path, default=SAMPLE)
    parser.add_argument("--size", default="1280x800")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for theme in THEMES:
        for language in LANGUAGES:
            for page in ["start", *PAGES]:
                picture = options.folder / f"{page}-{theme}-{language}.png"
                picture.unlink(missing_ok=True)
                is_start = page == "start"
                failed += not take(options.program, picture, theme, language, options.size, None if is_start else page, None if is_start else options.dataset)
    count = len(THEMES) * len(LANGUAGES) * (len(PAGES) + 1)
    print(f"{count - failed} of {count} pictures in {options.folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
