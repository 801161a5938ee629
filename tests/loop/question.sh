#!/bin/bash
# SPDX-License-Identifier: MIT
# The question before a drive without a serial number is wiped, and before several are.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

on_terminal() { # PTY-OPTION... -- STORMWIPE-OPTION...
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    run "$ROOT/tests/pty" "${options[@]}" -- "$STORMWIPE" wipe --record-dir "$STATE" "${@:2}"
}
answer() { printf '%s' "leave it alone: =type:$1\\n"; }

# ext4 from long ago, last mounted at a day of its own.
old_data disk 64M
made=2011-03-04 used=2019-05-06
E2FSPROGS_FAKE_TIME=$(date -u -d "$used" +%s) # which the tools of ext4 take for now
export E2FSPROGS_FAKE_TIME
mkfs.ext4 -qF -L backup "$TMP/disk"
debugfs -w -R "set_super_value mkfs_time ${made//-/}000000" "$TMP/disk" 2>/dev/null
debugfs -w -R "set_super_value mtime ${used//-/}000000" "$TMP/disk" 2>/dev/null
unset E2FSPROGS_FAKE_TIME
make_loop "$TMP/disk"
one=$LOOP name=${LOOP##*/}
before=$(sha256sum <"$TMP/disk")

run wipe --dry-run "$one"
like "what is on it" "$OUT" 'ext4 "backup"'
like "when it was last used" "$OUT" "$used"
like "since when" "$OUT" "$made"
like "years of file systems are pointed out" "$OUT" 'years of file systems on it'
on_terminal --on "$(answer "$name")" --on "$(answer "$name 64")" --on "$(answer "$name 0.0")" -- "$one"
is "three wrong answers: refused" "$RC" 3
like "three wrong answers: said" "$OUT" 'not confirmed'
on_terminal --on "$(answer '')" -- "$one"
is "nothing: refused at once" "$RC" 3
is "unchanged so far" "$(sha256sum <"$TMP/disk")" "$before"
on_terminal --on "$(answer 'no')" --on "$(answer "$name 0.07")" -- "$one"
is "its name and its size in GB: wiped" "$RC" 0
run blkid -p "$one"
is "and nothing of it is left" "$RC" 2

old_data second 4M
make_loop "$TMP/second"
two=$LOOP
old_data disk 4M
losetup -c "$one"
on_terminal --on "DEVICE(.|\n)*${name}(.|\n)*${two##*/}(.|\n)*$(answer "$name 0.00")" --on "$(answer '')" -- "$one" "$two"
is "two drives: a table, and an answer each" "$RC,$(grep -ac LEFTOVER "$TMP/disk")" 3,0
check "the one without an answer is left alone" test "$(grep -ac LEFTOVER "$TMP/second")" -gt 0

done_testing
