#!/bin/bash
# SPDX-License-Identifier: MIT
# Users of a drive that are seldom thought of: other namespaces, lazy unmounts, processes, files with loop devices on them.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop
unshare -m true 2>/dev/null || skip_all "needs mount namespaces"

refused() { # NAME PATTERN TARGET...
    run wipe "${@:3}"
    is "$1: refused" "$RC" 3
    like "$1: says who" "$ERR" "$2"
}
background() { # COMMAND...: sets PID
    "$@" &
    PID=$!
    cleanup_add "kill $PID 2>/dev/null"
}
ended() { kill "$PID" && wait "$PID" 2>/dev/null; }

old_data disk 64M
make_loop "$TMP/disk"
disk=$LOOP name=${LOOP##*/}
mkdir "$TMP/m" "$TMP/lower" "$TMP/upper" "$TMP/work" "$TMP/merged"

# ---- processes ----

background sh -c 'exec 9<>"$1" && : >"$2" && exec sleep 60' sh "$disk" "$TMP/ready"
wait_for test -e "$TMP/ready"
refused "open for writing" "in use: $name is open for writing by sleep \(pid $PID\)" "$disk"
ended
rm "$TMP/ready"
background sh -c 'exec 9<"$1" && : >"$2" && exec sleep 60' sh "$disk" "$TMP/ready"
wait_for test -e "$TMP/ready"
run wipe --dry-run "$disk"
is "open for reading: not refused" "$RC" 0
like "open for reading: said" "$(tr -s '\n ' ' ' <<<"$OUT")" "$name is open for reading by sleep \(pid $PID\)"
ended
rm "$TMP/ready"
background sh -c 'exec 9>>"$1" && : >"$2" && exec sleep 60' sh "$TMP/disk" "$TMP/ready"
wait_for test -e "$TMP/ready"
refused "the file below it is open for writing" "open for writing by sleep \(pid $PID\)" "$disk"
losetup -d "$disk"
refused "an image that is open for writing" "in use: it is open for writing by sleep \(pid $PID\)" "$TMP/disk"
ended
rm "$TMP/ready"
is "nothing was written so far" "$(head -c 13 "$TMP/disk")" LEFTOVER-MARK

# ---- mounts ----

make_loop "$TMP/disk"
disk=$LOOP name=${LOOP##*/}
mkfs.ext4 -qF "$disk"
background unshare -m sh -c 'mount "$1" "$2" && : >"$3" && exec sleep 60' sh "$disk" "$TMP/m" "$TMP/ready"
wait_for test -e "$TMP/ready"
refused "mounted in another namespace" "in use: $name is mounted on $TMP/m, as sleep \(pid $PID\) sees it" "$disk"
ended
rm "$TMP/ready"

mount "$disk" "$TMP/m"
echo keep >"$TMP/m/file"
exec 9<"$TMP/m/file"
umount -l "$TMP/m"
refused "unmounted lazily" "in use: $name holds a file system \(ext4\) that is still active.*unmounted lazily" "$disk"
like "unmounted lazily: who works in it" "$ERR" '[a-z.]+ \(pid [0-9]+\) works in it'
exec 9<&-
run wait_for "$STORMWIPE" wipe --dry-run --no-record "$disk"
is "unmounted lazily, and let go" "$RC" 0

mount "$disk" "$TMP/m"
truncate -s 8M "$TMP/m/inner"
make_loop "$TMP/m/inner"
inner=$LOOP
mkfs.ext4 -qF "$inner"
run list --output use,reason --noheadings "$disk"
refused "a loop device on a file of its file system" "in use: $name is mounted on $TMP/m" "$disk"
umount -l "$TMP/m"
refused "and unmounted lazily: the loop device is named" "in use: .*${inner##*/}|still active" "$disk"
losetup -d "$inner"
run wait_for "$STORMWIPE" wipe --dry-run --no-record "$disk"
is "the loop device is gone: free" "$RC" 0

mount "$disk" "$TMP/m"
if mount -t overlay overlay -o "lowerdir=$TMP/m,upperdir=$TMP/upper,workdir=$TMP/work" "$TMP/merged" 2>/dev/null; then
    run "$STORMWIPE" list --json "$disk"
    like "below an overlay" "$(jq -c '[.drives[0].usage.uses[].what]' <<<"$OUT")" "$TMP/merged"
    umount -l "$TMP/m"
    refused "below an overlay, unmounted lazily" "in use: .*(merged|still active)" "$disk"
    umount "$TMP/merged"
else
    umount "$TMP/m"
    skip "below an overlay" "no overlay file system here"
fi

# ---- several drives, one file system ----

old_data second 128M
make_loop "$TMP/second"
two=$LOOP
old_data third 128M
make_loop "$TMP/third"
three=$LOOP
if mkfs.btrfs -qf -d raid1 -m raid1 "$two" "$three" 2>/dev/null && mount "$two" "$TMP/m" 2>/dev/null; then
    refused "the first member of a btrfs" "in use: ${two##*/} is mounted on $TMP/m" "$two"
    refused "the second member of a btrfs" "in use: ${three##*/} is mounted on $TMP/m" "$three"
    truncate -s 4M "$TMP/m/inner"
    make_loop "$TMP/m/inner"
    run "$STORMWIPE" list --json "$three"
    like "a loop device on a file of it" "$(jq -c '[.drives[0].usage.uses[] | .kind + " " + .what]' <<<"$OUT")" "${LOOP##*/}"
    losetup -d "$LOOP"
    umount "$TMP/m"
else
    skip "members of a btrfs" "no btrfs here"
fi

# ---- somebody of whom nothing but the claim is known ----

mkfs.ext4 -qF -L tank "$disk"
background python3 -c 'import os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL)
open(sys.argv[2], "w").close()
time.sleep(60)' "$disk" "$TMP/ready"
wait_for test -e "$TMP/ready"
refused "held exclusively" 'in use: somebody else holds it exclusively.*On it: ext4 "tank"' "$disk"
ended
rm "$TMP/ready"

# ---- who reads what is built on a drive does not hide it ----

make_loop "$disk"
top=$LOOP
background sh -c 'exec 9<"$1" && : >"$2" && exec sleep 60' sh "$top" "$TMP/ready"
wait_for test -e "$TMP/ready"
refused "below a loop device that somebody reads" "in use: $name is behind the loop device ${top##*/}" "$disk"
ended
losetup -d "$top"

# ---- ourselves ----

run unshare -p -f "$STORMWIPE" wipe --yes --no-record --quiet "$disk"
is "a process namespace of its own, with the /proc of another: we are not in our own way" "$RC,$ERR" "0,"

# ---- one medium, two names ----

ln -s "$disk" "$TMP/by-id-link"
refused "a link and its node" "$disk and $TMP/by-id-link are the same drive" "$disk" "$TMP/by-id-link"
is "a link and its node: one line" "$(wc -l <<<"$ERR")" 1
make_loop "$disk"
top=$LOOP
refused "a loop device and the drive below it" "the same drive" "$top" "$disk"
refused "a loop device and the file below the drive below it" "the same drive|in use" "$top" "$TMP/disk"
losetup -d "$top"

done_testing
