#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The post's experiment and its competitors, interleaved, on one loop device over memory.

usage: bench/compare.py STORMWIPE LIMIT RUNS
Makes and removes its own loop devices. Prints Markdown: the table of whole processes, verification against
reading alone, peak memory for 1 to 8 drives.
"""
import datetime
import os
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

SIZE = 524_288_000
STORMWIPE, LIMIT, RUNS = sys.argv[1], sys.argv[2], int(sys.argv[3])
OPENSSL = ('openssl enc -aes-256-ctr -pass pass:"$(dd if=/dev/urandom bs=128 count=1 2>/dev/null | base64)" '
           '-nosalt </dev/zero 2>/dev/null')


def commands(dev):
    """(name in the table, shell command, exit statuses that are right)"""
    wipe = f'{STORMWIPE} wipe --yes --quiet --no-record'
    return [
        ('the limit: the same writes, nothing generated', f'{LIMIT} write {dev}', (0,)),
        ('**stormwipe** (`--verify none`)', f'{wipe} --verify none {dev}', (0,)),
        ('`shred -n1`', f'shred -n1 {dev}', (0,)),
        ('`openssl enc … \\| pv` (the post, with progress)', f'{OPENSSL} | pv -qbartpes {SIZE} >{dev}', (0, 1)),
        ('`cp /dev/urandom` (the post)', f'cp /dev/urandom {dev} 2>/dev/null', (1,)),
        ('`dd if=/dev/urandom bs=1M`', f'dd if=/dev/urandom of={dev} bs=1M 2>/dev/null', (1,)),
        ('`openssl enc …` (the post)', f'{OPENSSL} >{dev}', (1,)),
        ('`scrub -p random`', f'scrub -f -p random {dev} >/dev/null 2>&1', (0,)),
        ('`nwipe` (one ISAAC pass, no verify, no blanking)',
         f'nwipe --autonuke --nogui --nowait --noblank --method=random --prng=isaac --verify=off {dev} '
         '>/dev/null 2>&1', (0,)),
        ('`dd if=/dev/urandom` (the post)', f'dd if=/dev/urandom of={dev} 2>/dev/null', (1,)),
    ]


def run(command, statuses):
    """Seconds of the whole process, the flush of its writes included, and its peak memory in MiB."""
    began = time.monotonic()
    process = subprocess.Popen(['bash', '-c', f'{command}; status=$?; sync -d {DEVICE}; exit $status'])
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    if os.waitstatus_to_exitcode(status) not in statuses:
        sys.exit(f'bench: {command}: exit status {os.waitstatus_to_exitcode(status)}')
    return took, usage.ru_maxrss / 1024


def loop(path, size):
    with open(path, 'wb') as f:
        os.posix_fallocate(f.fileno(), 0, size)
    return subprocess.run(['losetup', '-f', '--show', '--direct-io=on', path], check=True, capture_output=True,
                          text=True).stdout.strip()


def table(results):
    rows = [(name, statistics.median(times)) for name, times in results.items()]
    limit = rows[0][1]
    own = rows[1][1]
    yield '| command | ms | MB/s | against the limit | stormwipe is faster by |'
    yield '|---|---|---|---|---|'
    for name, seconds in sorted(rows, key=lambda row: row[1]):
        yield (f'| {name} | {seconds * 1000:.0f} | {SIZE / seconds / 1e6:.0f} | {seconds / limit:.2f} | '
               f'{seconds / own:.1f} |')


def first(path, key):
    with open(path) as f:
        return next((line.split(':', 1)[1].strip() for line in f if line.startswith(key)), 'unknown')


def machine():
    openssl = subprocess.run(['openssl', 'version'], capture_output=True, text=True).stdout.strip()
    load = os.getloadavg()[0]
    return (f'{os.cpu_count()} cores of {first("/proc/cpuinfo", "model name")}, Linux {platform.release()}, '
            f'{openssl}, {datetime.date.today()}, load at the start {load:.2f}')


def verification(dev):
    """Median seconds of reading alone and of the verify pass that stormwipe reports."""
    import json
    reads, checks = [], []
    for _ in range(RUNS):
        reads.append(run(f'{LIMIT} read {dev}', (0,))[0])
        out = subprocess.run([STORMWIPE, 'wipe', '--yes', '--quiet', '--no-record', '--json', dev], check=True,
                             capture_output=True, text=True).stdout
        checks.append(json.loads(out)['passes'][1]['duration_s'])
    return statistics.median(reads), statistics.median(checks)


def memory(folder):
    """Peak resident memory in MiB for 1, 2, 4, 8 drives of 16 MiB."""
    devices = [loop(f'{folder}/small-{i}', 16 << 20) for i in range(8)]
    try:
        for n in (1, 2, 4, 8):
            process = subprocess.Popen([STORMWIPE, 'wipe', '--yes', '--quiet', '--no-record', *devices[:n]])
            _, status, usage = os.wait4(process.pid, 0)
            if status:
                sys.exit('bench: the run for the memory failed')
            yield n, usage.ru_maxrss / 1024
    finally:
        for device in devices:
            subprocess.run(['losetup', '-d', device])


with tempfile.TemporaryDirectory(dir='/dev/shm', prefix='stormwipe-bench.') as FOLDER:
    where = machine()
    DEVICE = loop(f'{FOLDER}/drive', SIZE)
    try:
        todo = commands(shlex.quote(DEVICE))
        results = {name: [] for name, _, _ in todo}
        for i in range(RUNS):
            for name, command, statuses in todo:
                results[name].append(run(command, statuses)[0])
            print(f'run {i + 1} of {RUNS} done', file=sys.stderr)
        read, check = verification(DEVICE)
    finally:
        subprocess.run(['losetup', '-d', DEVICE])
    peaks = list(memory(FOLDER))

print(f'Measured on {where}. {SIZE:,} bytes, a loop device with direct I/O over memory, whole processes with the\n'
      f'flush of their writes, median of {RUNS} interleaved runs.\n')
print('\n'.join(table(results)))
print(f'\nVerification: the verify pass took {check * 1000:.0f} ms, reading alone (a whole process) '
      f'{read * 1000:.0f} ms: {read / check:.2f} of its rate.')
print('Peak memory: ' + ', '.join(f'{mib:.1f} MiB for {n} drive{"s" * (n > 1)}' for n, mib in peaks) + '.')
