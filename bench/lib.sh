# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the sections of bench.sh share: drives in memory, timing, notes for bench/report, leaving nothing behind.
#
#   begin SECTION            a results file; finish: takes away everything that was made since
#   pick FULL TRY            the second with --try
#   largest COUNT SIZE...    the first SIZE of which memory holds COUNT drives
#   make_room BYTES          the tmpfs for them, at $tmp
#   make_drive NAME BYTES    sets LOOP: a loop device on a file there; all of them: drives
#   run_on DRIVE... -- COMMAND    by a shell, while each DRIVE is ours; sets WALL (microseconds), USER and SYS
#                            (milliseconds) of the whole of it; what it prints: $tmp/out
#   note KIND NAME NUMBER... a measurement; fact NAME TEXT
#   say TEXT                 to whom is waiting
#
# From bench.sh: runs, try.

tmp=$(mktemp -d)
results='' WALL=0 USER=0 SYS=0 LOOP=''
drives=() mounts=() jobs=() servers=()
stormwipe=build/stormwipe
wipe="$stormwipe wipe --yes --no-record --progress none --quiet"

say() { printf '%s\n' "$*" >&2; }
note() { (IFS=$'\t' && echo "$*") >>"$results"; }
fact() { note fact "$1" "$2"; }
pick() { if [ -n "$try" ]; then echo "$2"; else echo "$1"; fi; }

# ---- making and taking away ----

# Whoever had a drive open lets go of it a moment after it ended.
unmount() {
    local i
    for ((i = 0; i < 50; i++)); do
        grep -qF " $1 " /proc/self/mounts || return 0
        umount "$1" 2>/dev/null && return
        read -r -t 0.1 <> <(:) || true
    done
    umount -l "$1"
}

# By the time its name can be somebody else's, if anybody took ours away.
drop_drives() {
    local drive
    for drive in "${drives[@]}"; do
        if is_ours "$drive"; then losetup -d "$drive" || true; fi
    done
    drives=()
    rm -f "$tmp"/drive-*
}

# First what uses the drives, then the drives, then what is below them; a server ends when nobody uses it any more.
finish() {
    local pid i
    for pid in "${jobs[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    drop_drives
    for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do unmount "${mounts[i]}" || true; done
    for pid in "${servers[@]}"; do
        kill "$pid" 2>/dev/null || true # one that did not come up has not noticed
        wait "$pid" 2>/dev/null || true
    done
    jobs=() servers=() mounts=()
}
leave() {
    local status=$?
    trap '' INT TERM HUP
    finish
    rmdir "$tmp"
    exit "$status"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

begin() {
    mkdir -p build/bench/results
    results=build/bench/results/$1$(pick '' -try).tsv
    : >"$results"
    fact section "$1"
    fact runs "$runs"
    fact date "$(date +%F)"
    fact load "$(cut -d ' ' -f 1 /proc/loadavg)"
    say "== $1"
}

largest() {
    local count=$1 size available
    shift
    available=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))
    for size in "$@"; do
        # A quarter for the page cache of tools that write through it, and something to live on.
        if ((count * size * 5 / 4 + (1 << 30) < available)); then break; fi
    done
    echo "$size" # the smallest, if none fits: the system will say so
}

make_room() {
    mount -t tmpfs -o size=$(($1 + (16 << 20))) none "$tmp"
    mounts+=("$tmp")
}

attach() { # FILE: a loop device, with direct I/O where that goes
    LOOP=$(losetup -f --show --direct-io=on "$1" 2>/dev/null) || LOOP=$(losetup -f --show "$1")
    drives+=("$LOOP")
}

# Every page is there before the first run, so that the first one is not slower than the others.
make_drive() {
    head -c "$2" /dev/zero >"$tmp/drive-$1"
    attach "$tmp/drive-$1"
    fact direct "$(losetup -nO DIO "$LOOP" | tr -d ' ')"
}

# ---- running ----

# What runs as root is given a device by name, and only while it is ours.
is_ours() { [[ $1 == /dev/loop* && $(losetup -nO BACK-FILE "$1" 2>/dev/null) == "$tmp"/* ]]; }
must_be_ours() {
    local drive
    for drive in "$@"; do
        is_ours "$drive" || { say "bench.sh: $drive is not ours (any more): not touched" && exit 1; }
    done
}

milliseconds() { # 1.234
    local digits=${1/./}
    echo $((10#$digits))
}

# Many commands end with "no space left on device", so their status says nothing.
timed() { # COMMAND
    local TIMEFORMAT='%3U %3S' began ended user system
    began=${EPOCHREALTIME/./}
    { time bash -c "$1" >"$tmp/out" 2>/dev/null </dev/null || true; } 2>"$tmp/time"
    ended=${EPOCHREALTIME/./}
    read -r user system <"$tmp/time"
    rm "$tmp/time"
    WALL=$((ended - began)) USER=$(milliseconds "$user") SYS=$(milliseconds "$system")
}
run_on() {
    while [ "$1" != -- ]; do
        must_be_ours "$1"
        shift
    done
    timed "$2"
}
