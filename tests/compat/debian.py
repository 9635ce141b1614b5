"""Debian's packages, binary or source, unpacked into a folder and not installed. SPDX-License-Identifier: MIT

apt checks signatures and sums as always; the system's own lists of sources stay as they are. Each function returns a
path, or raises Unavailable with what apt said: without a network, or where apt is not.
"""
import pathlib
import re
import shutil
import subprocess


class Unavailable(Exception):
    pass


def run(*command, **options):
    try:
        return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, timeout=120,
                              **options).stdout
    except FileNotFoundError:
        raise Unavailable(f'there is no {command[0]} here') from None
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        said = (error.stderr or '').strip().split('\n')[-1] if isinstance(error.stderr, str) else str(error)
        raise Unavailable(f'{command[0]}: {said}') from None


def newest(pattern):
    """The package whose whole name the pattern matches, with the highest version in its name."""
    names = [name for name in run('apt-cache', 'pkgnames', re.match(r'[\w-]*', pattern).group()).split()
             if re.fullmatch(pattern, name)]
    if not names:
        raise Unavailable(f'apt knows no package like {pattern}')
    return max(names, key=lambda name: [int(number) for number in re.findall(r'\d+', name)])


def unpacked(name, folder):
    """The files of the binary package `name` below folder/name."""
    place = pathlib.Path(folder) / name
    if not place.exists():
        scratch = place.with_suffix('.new')
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        run('apt-get', 'download', name, cwd=scratch)
        archive, = scratch.glob('*.deb')
        run('dpkg-deb', '-x', archive, scratch)
        archive.unlink()
        scratch.rename(place)
    return place


def source(name, folder):
    """The upstream source of the source package `name` in folder/name. Reads the index of sources in a state of apt's
    own, beside the system's, as the system may have none."""
    place = pathlib.Path(folder) / name
    if place.exists():
        return place
    state = pathlib.Path(folder).resolve() / 'apt'
    shutil.rmtree(state, ignore_errors=True)
    (state / 'lists/partial').mkdir(parents=True)
    lines = run('apt-get', 'indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages')
    sources = {f'deb-src {line}' for line in lines.split('\n') if line.endswith((' main', ' universe'))}
    (state / 'sources.list').write_text('\n'.join(sorted(sources)) + '\n')
    options = ['-o', f'Dir::Etc::SourceList={state}/sources.list', '-o', 'Dir::Etc::SourceParts=/dev/null',
               '-o', f'Dir::State::Lists={state}/lists', '-o', 'Dir::Cache::pkgcache=', '-o', 'Dir::Cache::srcpkgcache=']
    run('apt-get', *options, 'update', '-o', 'Debug::NoLocking=1', '--error-on=any')
    run('apt-get', *options, 'source', '--download-only', name, cwd=state)
    archive, = state.glob('*.orig.tar.*[!c]')
    scratch = place.with_suffix('.new')
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    run('tar', '-x', '-f', archive, '-C', scratch, '--strip-components=1')
    scratch.rename(place)
    return place
