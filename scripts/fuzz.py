"""Runs the fuzz targets with sanitizers, each for a while. SPDX-License-Identifier: MIT

usage: fuzz.py [SECONDS] [--only TARGET]

Each target (fuzz/*_fuzz.cc) begins with its small inputs in fuzz/seeds/, that of packets also with the packets of the
sample capture, and goes on for SECONDS (20) with what libFuzzer makes of them. What it finds to be new is kept below
build-fuzz/. A line for each says how many inputs there were and how much of the program they reached: edges are jumps
from one run of instructions to the next. The last line counts the targets; an input that fails is kept and named.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / 'build-fuzz'
TARGETS = {'kernels': 5000, 'packet': 4096, 'reader': 4096}  # and the longest input


def quietly(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f'{done.stdout}\nonesum: this failed: {" ".join(command)}')


def build():
    if not (BUILD / 'build.ninja').exists():
        quietly('meson', 'setup', str(BUILD), '-Dfuzz=true', '-Db_sanitize=address,undefined', '-Db_lundef=false',
                '-Dbuildtype=debugoptimized', '-Dtests=disabled', '-Dbench=disabled', cwd=ROOT,
                env={**os.environ, 'CC': 'clang-19', 'CXX': 'clang++-19'})
    quietly('ninja', '-C', str(BUILD), 'fuzz/fuzz-seeds', *[f'fuzz/{name}-fuzz' for name in TARGETS])


def fuzz(name, seconds):
    """(whether nothing was found, the line to print)"""
    found = BUILD / 'found' / name
    found.mkdir(parents=True, exist_ok=True)
    inputs = [str(found), str(ROOT / 'fuzz' / 'seeds' / name)]
    if name == 'packet':
        sample = BUILD / 'sample'
        sample.mkdir(exist_ok=True)
        quietly(str(BUILD / 'fuzz/fuzz-seeds'), str(sample), str(ROOT / 'examples/sample.pcapng'))
        inputs.append(str(sample))
    done = subprocess.run(
        [str(BUILD / f'fuzz/{name}-fuzz'), f'-max_total_time={seconds}', f'-max_len={TARGETS[name]}', '-timeout=120',
         '-use_value_profile=1', '-print_final_stats=1', f'-artifact_prefix={BUILD}/{name}-', *inputs],
        env={**os.environ, 'UBSAN_OPTIONS': 'halt_on_error=1:print_stacktrace=1'},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace')
    edges = re.search(r'Loaded 1 modules +\((\d+) inline 8-bit counters\)', done.stdout)
    reached = re.findall(r'cov: (\d+)', done.stdout)
    runs = re.search(r'number_of_executed_units: (\d+)', done.stdout)
    kept = re.findall(r'corp: (\d+)', done.stdout)
    if done.returncode != 0 or not (edges and reached and runs and kept):
        return False, done.stdout[-6000:] + f'\nFAILED  {name}'
    return True, (f'{name}: {runs.group(1)} inputs in {seconds} s, {reached[-1]} of {edges.group(1)} edges, '
                  f'{kept[-1]} inputs kept')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('seconds', type=int, nargs='?', default=20)
    parser.add_argument('--only', default='')
    given = parser.parse_args()
    build()
    passed = failed = 0
    for name in TARGETS:
        if given.only in name:
            right, line = fuzz(name, given.seconds)
            passed, failed = passed + right, failed + (not right)
            print(line, flush=True)
    print(f'{passed} passed, {failed} failed, 0 skipped')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
