#!/bin/bash
# SPDX-License-Identifier: MIT
# --all: only dry runs here, for this machine may have a drive that would be taken. tests/vm does it in earnest.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

dry() { run "$STORMWIPE" wipe --dry-run --all "$@"; }

dry --exclude 'no-such-drive-*'
is "an exclusion that fits nothing: status" "$RC" 2
like "an exclusion that fits nothing: named" "$ERR" "--exclude no-such-drive-\*: no drive of this machine fits it"
is "an exclusion that fits nothing: one line" "$(wc -l <<<"$ERR")" 1

mapfile -t listed < <("$STORMWIPE" list --noheadings --output DEVICE 2>/dev/null)
if [ "${#listed[@]}" -gt 0 ]; then
    dry --exclude '*'
    is "everything excluded: status" "$RC" 3
    like "everything excluded: said" "$ERR" 'no drive left to wipe'
    for drive in "${listed[@]}"; do
        like "everything excluded: $drive is among what was left out" "$ERR" "$drive: left out: --exclude"
    done
    dry --exclude '*' --quiet
    is "quietly: only what went wrong is said" "$(wc -l <<<"$ERR")" 1
else
    skip "everything excluded" "this machine has no drives"
fi

root=$(findmnt -no MAJ:MIN / 2>/dev/null)
if disk=$(readlink -f "/sys/dev/block/${root// /}") && [ -b "/dev/${disk##*/}" ]; then
    [ -e "$disk/partition" ] && disk=${disk%/*}
    dry
    like "the system's drive is left out, and that is said" "$ERR" "${disk##*/}: left out: this is the drive the system runs from"
    unlike "the system's drive is not among them" "$OUT" "/dev/${disk##*/}( |$)"
else
    skip "the system's drive" "/ is on no drive of its own here"
fi

run "$STORMWIPE" wipe --yes --dry-run --all
is "--yes alone is not enough" "$RC" 3
is "nothing on standard output" "$OUT" ""

if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    run unshare -m sh -c 'mount -t tmpfs none /sys && exec "$0" wipe --dry-run --all' "$STORMWIPE"
    is "without /sys: status" "$RC" 5
    like "without /sys: said" "$ERR" 'cannot list the drives'
else
    skip "without /sys" "needs root"
fi

done_testing
