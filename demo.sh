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
tmp='' loop='' drive='' build=''

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

# Ordinary tools shall read the drive, not what the kernel remembers of it (not everybody may ask for that).
forget_cache() { if [ -n "$loop" ]; then blockdev --flushbufs "$loop" 2>/dev/null || true; fi; }
count_marker() { grep -acF "$marker" "$drive" || true; }
show_bytes() { # at the start, in the middle and at the end
    local at
    for at in 0 $((size / 2)) $((size - 64)); do
        xxd -s "$at" -l 64 "$drive"
        echo ...
    done
}

choose_build() { # build/, unless it is somebody else's
    if [ -w build/build.ninja ] || { [ ! -e build ] && [ -w . ]; }; then
        build=build
    else
        build=$tmp/build
    fi
}

tools/install-packages build demo
choose_folder
choose_build

step "Building $build/stormwipe"
[ -e "$build/build.ninja" ] || meson setup "$build" >"$tmp/log" 2>&1 || { cat "$tmp/log" && fail "meson setup"; }
ninja -C "$build" stormwipe >"$tmp/log" 2>&1 || { cat "$tmp/log" && fail "the build"; }
"$build/stormwipe" --version

step "A practice drive of $size bytes, full of old data"
make_drive
old=$(count_marker)
show_bytes
echo "$drive: \"$marker\" is on it $old times"
[ "$old" = $((size / 64)) ] || fail "the old data is not what it should be"

step "Wiping it: random data over everything, then everything read back and compared"
run "$build/stormwipe" wipe --yes --keep-key --record-dir "$tmp/records" "$drive" ||
    fail "stormwipe ended with status $?"

step "What is left of the old data?"
forget_cache
show_bytes
left=$(count_marker)
echo "$drive: \"$marker\" is on it $left times"
[ "$left" = 0 ] || fail "old data is left"

step "The record"
record=$(find "$tmp/records" -name '*.json')
jq . "$record" || fail "the record cannot be read"
jq -e --argjson size "$size" '.verdict == "verified" and .exit_status == 0 and .old_data_bytes == 0 and
    .drive.size_bytes == $size' "$record" >/dev/null || fail "the record does not say that the drive was wiped"

step "The proof: every byte is what OpenSSL makes of the key in the record"
key=$(jq -r '.passes[0].key' "$record")
echo "\$ openssl enc -aes-256-ctr -K $key -iv 0 -in /dev/zero | head -c $size | cmp - $drive"
openssl enc -aes-256-ctr -K "$key" -iv 0 -in /dev/zero 2>/dev/null | head -c "$size" | cmp - "$drive" ||
    fail "the drive holds something else"
echo "$size bytes, no difference"

printf '\nDemo passed\n'
