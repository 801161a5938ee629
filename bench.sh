#!/bin/bash
# SPDX-License-Identifier: MIT
# The post's experiment on this machine: how long does it take to fill 524,288,000 bytes with random data?
# Prints a table and writes it to docs/PERFORMANCE.md (with --readme to README.md too).
#
# usage: ./bench.sh [--readme] [RUNS]     as root; 5 runs when no number is given, about half a minute each
set -eu
cd "$(dirname "$0")"

pages=(docs/PERFORMANCE.md)
if [ "${1:-}" = --readme ]; then
    pages+=(README.md)
    shift
fi
runs=${1:-5}
size=524288000
small=$((32 << 20)) # the drives of the memory test
[ "$(id -u)" = 0 ] || { echo "bench.sh needs root, for loop devices" >&2 && exit 1; }
tools/install-packages build bench
[ -e build/build.ninja ] || meson setup build >/dev/null
ninja -C build stormwipe bench/limit >/dev/null

tmp=$(mktemp -d)
results=$(mktemp)
loops=()
cleanup() {
    local loop
    for loop in "${loops[@]}"; do losetup -d "$loop"; done
    rm -f "$results" "$tmp"/*
    if mountpoint -q "$tmp"; then umount "$tmp"; fi
    rmdir "$tmp"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
mount -t tmpfs -o size=$((size + 8 * small + (1 << 20))) none "$tmp"

# Every page is there before the first run, so that the first one is not slower than the others.
make_loop() { # NAME BYTES
    local loop
    head -c "$2" /dev/zero >"$tmp/$1"
    loop=$(losetup -f --show --direct-io=on "$tmp/$1" 2>/dev/null) || loop=$(losetup -f --show "$tmp/$1")
    loops+=("$loop")
}
make_loop drive $size
dev=${loops[0]}

# What runs below as root is given this device by name, and only while it is ours.
is_ours() { [[ $1 == /dev/loop* && $(losetup -nO BACK-FILE "$1") == "$tmp"/* ]]; }
say() { printf '%s\n' "$*" >&2; }
note() { (IFS=$'\t' && echo "$*") >>"$results"; }

names=() commands=()
contender() {
    names+=("$1")
    commands+=("$2")
}
# shellcheck disable=SC2016 # expanded when it runs: a new pass phrase each time
pass='pass:"$(dd if=/dev/urandom bs=128 count=1 2>/dev/null | base64)"'
enc="openssl enc -aes-256-ctr -pass $pass -nosalt </dev/zero"
wipe='build/stormwipe wipe --yes --no-record --progress none'
contender limit "build/bench/limit write $dev"
contender stormwipe "$wipe --verify none $dev"
contender shred "shred -n1 $dev"
contender openssl-pv "$enc | pv -bartpes $size >$dev"
contender openssl "$enc >$dev"
contender dd-1m "dd if=/dev/urandom of=$dev bs=1M"
contender cp "cp /dev/urandom $dev"
contender scrub "scrub -f -p random $dev"
# Given a device, --autonuke starts on that device only (nwipe(1)).
contender nwipe "nwipe --autonuke --nogui --method=prng --verify=off --noblank --rounds=1 $dev"
contender dd "dd if=/dev/urandom >$dev"

# A marker in the first and the last sector shows that the whole drive was overwritten.
mark() {
    local seek
    for seek in 0 $((size / 512 - 1)); do
        printf BENCH-MARK | dd of="$dev" bs=512 seek="$seek" conv=sync,notrunc,fsync status=none
    done
}
is_marked() { { head -c 512 "$dev" && tail -c 512 "$dev"; } | grep -qa BENCH-MARK; }

measure() { # NAME COMMAND: the whole process, in microseconds
    local began ended
    is_ours "$dev"
    mark
    began=${EPOCHREALTIME/[.,]/}
    bash -c "$2" >/dev/null 2>&1 </dev/null || true # many end with "no space left on device"
    ended=${EPOCHREALTIME/[.,]/}
    if is_marked; then
        say "$1: did not fill the drive, left out"
    else
        note time "$1" $((ended - began))
    fi
}

note load "$(cut -d ' ' -f 1 /proc/loadavg)"
note direct "$(losetup -nO DIO "$dev" | tr -d ' ')"
for ((run = 1; run <= runs; run++)); do
    say "run $run of $runs"
    for i in "${!names[@]}"; do measure "${names[i]}" "${commands[i]}"; done
    is_ours "$dev"
    note verify stormwipe "$($wipe --quiet --json "$dev" | jq '.passes[1].bytes_per_s')"
    note verify limit "$(build/bench/limit read "$dev")"
done

say "memory"
for i in 1 2 3 4 5 6 7 8; do make_loop "small-$i" $small; done
for count in 1 2 4 8; do
    for loop in "${loops[@]:1:count}"; do is_ours "$loop"; done
    # shellcheck disable=SC2086 # words
    note memory "$count" "$({ /usr/bin/time -f %M $wipe --quiet "${loops[@]:1:count}" >/dev/null; } 2>&1)"
done

bench/report "$results" "${pages[@]}"
