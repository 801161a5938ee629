#!/bin/bash
# SPDX-License-Identifier: MIT
# Shows on a practice drive what stormwipe does, with ordinary tools as witnesses.
#
# usage: ./demo.sh     as root: a loop device; as an ordinary user: an image file
#
# Touches nothing but its own temporary files. Exit status 0 only if everything it shows was true.
set -eu
cd "$(dirname "$0")"
export LC_ALL=C

size=524288000
line='OLD SECRET 0123456789 of a drive that somebody wants to sell...' # 63 bytes and a newline: 8 in a sector
marker='OLD SECRET'
tmp='' loop='' drive=''

step() { printf '\n== %s\n' "$*"; }
run() { printf '$ %s\n' "$*" && "$@"; }
fail() {
    printf '\nDemo FAILED: %s\n' "$*" >&2
    exit 1
}

cleanup() {
    local status=$?
    trap '' INT TERM HUP
    if [ -n "$loop" ]; then losetup -d "$loop" || status=1; fi
    if [ -n "$tmp" ]; then rm -rf "$tmp" || status=1; fi
    exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

room() { df --output=avail -B1 "$1" 2>/dev/null | tail -n 1; }
choose_folder() { # the first with room for the practice drive; sets tmp
    local folder
    for folder in "${TMPDIR:-/tmp}" /var/tmp /dev/shm .; do
        if [ -w "$folder" ] && [ "$(room "$folder")" -gt $((size + (64 << 20))) ]; then
            tmp=$(mktemp -d "$folder/stormwipe-demo.XXXXXX")
            return
        fi
    done
    fail "no folder with room for $size bytes; choose one with TMPDIR"
}

make_drive() { # sets drive, and loop where there is one
    yes "$line" | head -c "$size" >"$tmp/drive.img"
    drive=$tmp/drive.img
    [ "$(id -u)" = 0 ] || return 0
    if loop=$(losetup -f --show "$tmp/drive.img" 2>"$tmp/losetup.err"); then
        drive=$loop
    else
        loop=''
        echo "No loop device here ($(<"$tmp/losetup.err")): an image file has to do."
    fi
}

# Ordinary tools shall read the drive, not what the kernel remembers of it.
forget_cache() { if [ -n "$loop" ]; then blockdev --flushbufs "$loop"; fi; }
count_marker() { grep -acF "$marker" "$drive" || true; }
show_bytes() { # at the start, in the middle and at the end
    local at
    for at in 0 $((size / 2)) $((size - 64)); do
        xxd -s "$at" -l 64 "$drive"
        echo ...
    done
}

tools/install-packages build demo

step "Building build/stormwipe"
build=build
if [ -e build ] && [ ! -w build/build.ninja ]; then build=$(mktemp -d)/build; fi
[ -e "$build/build.ninja" ] || run meson setup "$build" >/dev/null
run ninja -C "$build" stormwipe
program=$build/stormwipe
