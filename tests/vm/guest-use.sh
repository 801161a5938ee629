# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Direct users of a drive: mounts, swap, RAID, device mapper, another wipe; partitions that are gone.

stage "in use"

scsi_debug dev_size_mb=32
printf ',8M\n,8M\n,8M\n,\n' | sfdisk -q "$DRIVE"
name=${DRIVE##*/}
mount_new() { # DEVICE FOLDER: ext4 with a file, read-only, so that nothing but a wipe changes the medium from here on
    mkdir -p "$2"
    mkfs.ext4 -q "$1" && mount "$1" "$2" && head -c 2M "$TMP/old" >"$2/file" && mount -o remount,ro "$2"
}
dmsetup create hold --table "0 16384 linear ${DRIVE}1 0"
dm=$(cd "/sys/block/$name/${name}1/holders" && echo *)
mount_new /dev/mapper/hold /m/hold
refused "ext4 on dm on a partition, the drive" "in use: .*${name}1 -> $dm .hold.*/m/hold" "$DRIVE"
refused "ext4 on dm on a partition" "in use: .*${name}1 -> $dm .hold.*/m/hold" "${DRIVE}1"
refused "ext4 on dm" "in use: .*/m/hold" /dev/mapper/hold
mount_new "${DRIVE}2" /m/direct
run mdadm --create /dev/md0 --run --force --level=1 --raid-devices=1 --metadata=1.0 "${DRIVE}3"
mark /dev/md0
mdadm -q --readonly /dev/md0 # it would still note in its superblock that it is clean
mkswap -q "${DRIVE}4"
swapon "${DRIVE}4"
medium "$DRIVE"
mv "$TMP/medium" "$TMP/before"

refused "four users" "in use: .*and 3 more reasons" "$DRIVE"
refused "mounted partition" "in use: .*${name}2 .*/m/direct" "${DRIVE}2"
refused "RAID member" "in use: .*${name}3 .*md0" "${DRIVE}3"
refused "swap" "in use: .*${name}4 .*swap" "${DRIVE}4"
medium "$DRIVE"
check "all this time nothing was written" cmp "$TMP/before" "$TMP/medium"
umount /m/direct
umount /m/hold
refused "dm without a mount" "in use: .*${name}1 .*$dm" "${DRIVE}1"
dmsetup remove hold
refused "only RAID and swap are left" "in use: .*(md0|swap)" "$DRIVE"
mdadm -q --stop /dev/md0
refused "only swap is left" "in use: .*${name}4 .*swap" "$DRIVE"
swapoff "${DRIVE}4"
unshare -m sh -c 'mount "$1" /m && : >"$2" && exec sleep 60' sh "${DRIVE}2" "$TMP/mounted" &
PID=$!
wait_for test -e "$TMP/mounted"
refused "mounted where only another mount namespace sees it, the drive" "in use: " "$DRIVE"
refused "mounted where only another mount namespace sees it" "in use: " "${DRIVE}2"
kill "$PID"
wait "$PID"
in_background "$STORMWIPE" wipe --yes --no-record --progress none --limit-rate 2M "${DRIVE}4"
refused "another stormwipe is at a partition" "in use: " "$DRIVE"
kill "$PID"
wait "$PID"
is "and stops on request" $? 4
run wipe --dry-run "$DRIVE"
is "nobody uses it any more: not refused" "$RC" 0

stage "old partitions"

scsi_debug dev_size_mb=8
printf ',2M\n,\n' | sfdisk -q "$DRIVE"
is "two partitions" "$(partitions "$DRIVE")" "1 2 "
run wipe "$DRIVE"
is "after a wipe there are none" "$RC $(partitions "$DRIVE")" "0 "
printf ',2M\n,\n' | sfdisk -q "$DRIVE"
exec 9<"${DRIVE}1"
run wipe "$DRIVE"
is "a partition is held open: status" "$RC" 0
if [ -n "$(partitions "$DRIVE")" ]; then
    like "a partition is held open: said" "$ERR" "still lists its old partitions"
else
    ok "a partition is held open: gone nevertheless"
fi
exec 9<&-
