"""Counts what the suites report of themselves, from Meson's logs. SPDX-License-Identifier: MIT

usage: count.py testlog.json...

A doctest suite counts its test cases, a unittest suite its tests, any other run itself. A run that ends without its
own report, that Meson calls failed though its report does not, or that tested nothing, counts as one failure; a run
that Meson calls skipped, as one skip. The last line is the sum; the exit status is 1 where anything failed.
"""
import json
import re
import sys

DOCTEST = re.compile(r'\[doctest\] test cases: *\d+ \| *(\d+) passed \| *(\d+) failed \| *(\d+) skipped')
UNITTEST = re.compile(r'^Ran (\d+) tests? in [^\n]*\n\n(?:OK|FAILED)(?: \(([^)]*)\))?', re.M)


def counts(run):
    """(passed, failed, skipped) of one run of one suite."""
    if run['result'] == 'SKIP':
        return 0, 0, 1
    text = re.sub(r'\x1b\[[0-9;]*m', '', run.get('stdout', '') + '\n' + run.get('stderr', ''))
    passed = failed = skipped = 0
    for p, f, s in DOCTEST.findall(text):
        passed, failed, skipped = passed + int(p), failed + int(f), skipped + int(s)
    for ran, details in UNITTEST.findall(text):
        said = dict(re.findall(r'(failures|errors|skipped)=(\d+)', details))
        bad, left = int(said.get('failures', 0)) + int(said.get('errors', 0)), int(said.get('skipped', 0))
        passed, failed, skipped = passed + max(int(ran) - bad - left, 0), failed + bad, skipped + left
    if passed + failed + skipped == 0 and run['result'] == 'OK' and not re.search(r'\[doctest\]|^Ran 0 tests', text, re.M):
        return 1, 0, 0
    if run['result'] != 'OK' and failed == 0 or passed + failed + skipped == 0:
        failed += 1
    return passed, failed, skipped


def main():
    total = [0, 0, 0]
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8') as log:
            for line in log:
                run = json.loads(line)
                one = counts(run)
                total = [a + b for a, b in zip(total, one)]
                if run['result'] == 'SKIP':
                    print('skipped:', run['name'])
    print('{} passed, {} failed, {} skipped'.format(*total))
    return 1 if total[1] or not total[0] else 0


if __name__ == '__main__':
    sys.exit(main())
