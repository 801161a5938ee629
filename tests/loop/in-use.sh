#!/bin/bash
# A drive that somebody uses: refused, the user named, nothing written.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

refused() { # NAME PATTERN TARGET...
    local name=$1 pattern=$2
    shift 2
    run wipe "$@"
    is "$name: refused" "$RC" 3
    like "$name: says who" "$ERR" "$pattern"
    run wipe --dry-run "$@"
    is "$name: a dry run says the same" "$RC" 3
}

truncate -s 64M "$TMP/fs"
make_loop "$TMP/fs"
fs=$LOOP
mkfs.ext4 -qF "$fs"
mkdir "$TMP/m" "$TMP/m2"
mount "$fs" "$TMP/m"
cleanup_add "umount '$TMP/m'"
echo keep >"$TMP/m/file"
sync -f "$TMP/m"
refused "mounted" "$fs: in use: .*is mounted on $TMP/m" "$fs"
is "mounted: the file is intact" "$(cat "$TMP/m/file")" keep
refused "an image behind a mounted loop device" "in use: .*${fs##*/}" "$TMP/fs"
truncate -s 1M "$TMP/m/inner"
make_loop "$TMP/m/inner"
inner=$LOOP
old_data image 4M
run wipe "$inner"
is "a loop device whose file lies on the mounted one is a drive of its own" "$RC" 0
losetup -d "$inner"
umount "$TMP/m"
run fsck.ext4 -fn "$fs"
is "the file system is whole" "$RC" 0

make_loop "$fs"
top=$LOOP
refused "below a loop device" "in use: .*${top##*/}" "$fs"
mount "$top" "$TMP/m"
refused "below a loop device that is mounted" "in use: .*$TMP/m" "$fs"
umount "$TMP/m"
losetup -d "$top"

# What lies below a loop device counts as well.
mount "$fs" "$TMP/m"
make_loop "$TMP/fs"
refused "another loop device over the file of a mounted one" "in use: .*$TMP/m" "$LOOP"
losetup -d "$LOOP"
make_loop "$fs"
refused "a loop device over a mounted one" "in use: .*$TMP/m" "$LOOP"
losetup -d "$LOOP"
is "the mounted one is intact" "$(cat "$TMP/m/file")" keep
umount "$TMP/m"
make_loop "$TMP/fs"
refused "two loop devices over one file" 'the same drive' "$fs" "$LOOP"
refused "one of two loop devices over one file" "in use: .*behind the loop device" "$LOOP"
losetup -d "$LOOP"

mkswap -q "$fs"
if swapon "$fs" 2>/dev/null; then
    cleanup_add "swapoff '$fs'"
    refused "active swap" "$fs: in use: .*swap" "$fs"
    swapoff "$fs"
    run swaplabel "$fs"
    is "active swap: intact" "$RC" 0
else
    skip "active swap" "swapon does not work here"
fi

truncate -s 16M "$TMP/ro"
make_loop "$TMP/ro" -r
before=$(sha256sum <"$TMP/ro")
refused "read-only" "$LOOP: is write-protected" "$LOOP"
make_loop "$TMP/image"
blockdev --setro "$LOOP"
refused "set read-only" "$LOOP: is write-protected" "$LOOP"
is "read-only: intact" "$(sha256sum <"$TMP/ro")" "$before"
: >"$TMP/zero"
make_loop "$TMP/zero"
refused "size 0" "$LOOP: has size 0" "$LOOP"
zero=$LOOP
old_data good 4M
make_loop "$TMP/good"
run wipe "$zero" "$LOOP"
is "size 0 next to a good one: the good one is wiped, the status is not OK" \
    "$RC,$(grep -ac LEFTOVER "$TMP/good")" 3,0

old_data good 4M
mknod "$TMP/same" b $((0x$(stat -c %t "$LOOP"))) $((0x$(stat -c %T "$LOOP")))
refused "twice under two names" 'the same drive' "$LOOP" "$TMP/same"
check "twice: nothing was written" test "$(grep -ac LEFTOVER "$TMP/good")" -gt 0

# Partitions: one mounted keeps the whole drive, and the drive and its partition are the same medium.
truncate -s 64M "$TMP/disk"
make_loop "$TMP/disk"
disk=$LOOP
if addpart "$disk" 1 2048 65536 2>/dev/null && addpart "$disk" 2 67584 32768; then
    mkfs.ext4 -qF "${disk}p1"
    mount "${disk}p1" "$TMP/m2"
    cleanup_add "umount '$TMP/m2'"
    refused "a partition is mounted" "$disk: in use: ${disk##*/}p1 is mounted on $TMP/m2" "$disk"
    refused "the partition itself" "${disk}p1: in use: ${disk##*/}p1 is mounted" "${disk}p1"
    refused "drive and partition" 'the same drive' "$disk" "${disk}p2"
    run wipe "${disk}p2"
    is "the partition next to it is free" "$RC" 0
    echo keep >"$TMP/m2/file"
    umount "$TMP/m2"
    run fsck.ext4 -fn "${disk}p1"
    is "and its neighbour is whole" "$RC" 0

    exec 9<"${disk}p1"
    run wipe --verbose "$disk"
    exec 9<&-
    is "wiped with a partition held open by a reader" "$RC" 0
    is "old partitions are gone afterwards, or said to be held" \
        "$([ -e "/sys/block/${disk##*/}/${disk##*/}p2" ] && echo there || echo gone)" gone
else
    skip "partitions" "no addpart here"
fi

# Somebody else's claim.
drop_loop
old_data good 32M
make_loop "$TMP/good"
"$STORMWIPE" wipe --yes --quiet --no-record --limit-rate 16M "$LOOP" &
pid=$!
cleanup_add "kill $pid 2>/dev/null"
wait_for sh -c "! head -c 16 '$TMP/good' | grep -q LEFTOVER"
refused "another stormwipe is at it" "$LOOP: in use" "$LOOP"
run mount "$LOOP" "$TMP/m"
check "nobody can mount it meanwhile" test "$RC" -ne 0
run flock -n "$LOOP" true
is "nobody can lock it meanwhile" "$RC" 1
wait $pid
is "and the first one ends well" "$?" 0
run flock "$LOOP" "$STORMWIPE" wipe --yes --no-record "$LOOP"
is "locked by another program" "$RC" 3
old_data good 32M
run wipe "$LOOP"
is "free again right after a run: status" "$RC" 0
run wipe "$LOOP"
is "and again" "$RC" 0

done_testing
