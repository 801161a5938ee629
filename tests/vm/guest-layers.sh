# shellcheck shell=bash disable=SC2153
# SPDX-License-Identifier: MIT
# Users that are not on the drive itself, but on what is built on it; and users without a name.

stage "in use through layers"

# Two drives for whatever is built here. Every situation starts from them as they come from the factory.
drive_of 40 && FIRST=$DRIVE
drive_of 41 && SECOND=$DRIVE
first=${FIRST##*/} second=${SECOND##*/}
helpers=() # processes of a situation

fresh() { # what was built before is taken down, as far as it had come
    local pid folder device
    for pid in "${helpers[@]}"; do kill "$pid" && wait "$pid"; done
    helpers=()
    exec 9<&-
    for folder in /m/*/*/ /m/*/; do umount "$folder"; done
    losetup -D
    lvm vgchange -an
    [ -e /dev/mapper/secret ] && cryptsetup close secret
    for device in /sys/block/bcache*/bcache/stop /sys/block/sd*/bcache/stop /sys/block/sd*/sd*/bcache/stop; do
        [ -e "$device" ] && echo 1 >"$device"
    done
    dmsetup remove_all
    [ -e /proc/mdstat ] && mdadm --stop --scan
    rm -rf /m/*
    for device in "$FIRST" "$SECOND"; do
        wait_for free "$device"
        dd if=/dev/zero of="$device" bs=1M count=16 conv=fsync status=none
        dd if=/dev/zero of="$device" bs=1M seek=38 conv=fsync status=none
        blockdev --rereadpt "$device"
    done
} >/dev/null 2>&1
two_partitions() { printf ',8M\n,\n' | sfdisk -q "$FIRST" && wait_for test -b "${FIRST}2"; }
ready() { # NAME COMMAND...: what a situation stands on
    "${@:2}" >"$TMP/log" 2>&1 </dev/null || fail "$1: is ready" "failed: ${*:2}" "$(<"$TMP/log")"
}
ext4_on() { mkdir -p "$2" && mkfs.ext4 -q "$1" && mount "$1" "$2"; } # DEVICE FOLDER
beside() { # COMMAND...: runs it until the next situation; sets PID
    "$@" &
    PID=$!
    helpers+=("$PID")
}
dry_run() { # NAME PATTERN DRIVE...: not refused, but what is there is said
    run wipe --dry-run "${@:3}"
    is "$1: not refused" "$RC" 0
    [ -z "$2" ] || like "$1: said" "$OUT$ERR" "$2"
}

fresh
two_partitions
ready "LVM" lvm vgcreate vg "${FIRST}2"
ready "LVM" lvm lvcreate -y -Zn -l 100%FREE -n home vg
ext4_on /dev/mapper/vg-home /m/home
for drive in "$FIRST" "${FIRST}2"; do
    refused "LVM, $drive" "in use: .*${first}2 -> dm-[0-9]+ .vg-home.*/m/home" "$drive"
done
refused "LVM, the volume" "in use: .*/m/home" /dev/mapper/vg-home
umount /m/home
refused "LVM, not mounted" "in use: .*${first}2 .*dm-[0-9]+ .vg-home" "$FIRST"
lvm vgchange -qq -an vg
dry_run "LVM, not active" "LVM2_member" "${FIRST}2"

fresh
two_partitions
echo secret >"$TMP/secret"
ready "LUKS" cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 --luks2-metadata-size 16k \
    --luks2-keyslots-size 256k "${FIRST}2" "$TMP/secret"
ready "LUKS" cryptsetup open --key-file "$TMP/secret" "${FIRST}2" secret
ext4_on /dev/mapper/secret /m/secret
refused "LUKS, open" "in use: .*${first}2 -> dm-[0-9]+ .secret.*/m/secret" "$FIRST"
umount /m/secret
refused "LUKS, not mounted" "in use: .*${first}2 .*dm-[0-9]+ .secret" "$FIRST"
cryptsetup close secret
dry_run "LUKS, closed, the partition" "LUKS" "${FIRST}2"
dry_run "LUKS, closed, the drive" "LUKS" "$FIRST"

fresh
ready "RAID" mdadm --create /dev/md1 --run --level=1 --raid-devices=2 --metadata=1.2 --assume-clean "$FIRST" "$SECOND"
ext4_on /dev/md1 /m/raid
refused "RAID, one half" "in use: .*${first} -> md1 .*/m/raid" "$FIRST"
refused "RAID, the other half" "in use: .*${second} -> md1 .*/m/raid" "$SECOND"
umount /m/raid
refused "RAID, not mounted" "in use: .*${first} .*md1" "$FIRST"
mdadm -q --stop /dev/md1
dry_run "RAID, stopped" "linux_raid_member" "$FIRST"

fresh
modprobe bcache
ready "bcache" make-bcache -B "$FIRST"
echo "$FIRST" >/sys/fs/bcache/register
wait_for test -b /dev/bcache0
ext4_on /dev/bcache0 /m/cached
refused "bcache" "in use: .*${first} -> bcache0 .*/m/cached" "$FIRST"
umount /m/cached
refused "bcache, not mounted" "in use: .*${first} .*bcache0" "$FIRST"

fresh
modprobe btrfs
ready "btrfs" mkfs.btrfs -M -d single -m single "$FIRST" "$SECOND"
ready "btrfs" btrfs device scan
mkdir -p /m/both
ready "btrfs" mount -t btrfs "$FIRST" /m/both
refused "btrfs, the drive that was mounted" "in use: .*/m/both" "$FIRST"
refused "btrfs, the other drive" "in use: .*/m/both" "$SECOND"
umount /m/both
dry_run "btrfs, not mounted" "btrfs" "$SECOND"

fresh
two_partitions
ext4_on "${FIRST}2" /m/image
truncate -s 4M /m/image/file
losetup /dev/loop0 /m/image/file
umount -l /m/image
refused "a loop device on a file of it" "in use: .*(loop0|unmounted lazily|file system)" "$FIRST"

fresh
ext4_on "$FIRST" /m/live
mkdir -p /m/live/{system,more} /m/overlay
ready "overlay" mount -t overlay -o lowerdir=/m/live/system:/m/live/more none /m/overlay
umount -l /m/live
refused "the lower layer of an overlay" "in use: .*(/m/overlay|unmounted lazily|file system)" "$FIRST"

fresh
two_partitions
ext4_on "${FIRST}2" /m/lazy
exec 9>/m/lazy/open
umount -l /m/lazy
refused "lazily unmounted, a file is open" "in use: .*(unmounted lazily|file system)" "$FIRST"

fresh
two_partitions
mkfs.ext4 -q "${FIRST}2"
rm -f "$TMP/mounted"
beside unshare -m sh -c 'mkdir -p /m/private && mount "$1" /m/private && : >"$2" && exec sleep 600' sh "${FIRST}2" \
    "$TMP/mounted"
wait_for test -e "$TMP/mounted"
refused "mounted in another mount namespace" "in use: .*(/m/private|\(pid $PID\))" "$FIRST"
like "mounted in another mount namespace: by whom" "$ERR" "sleep.*$PID"

fresh
two_partitions
mkswap -q "${FIRST}2"
resume=$(</sys/power/resume)
[ "$resume" != 0:0 ] || resume=$(</sys/class/block/"${SYSTEM##*/}2"/dev) # none cannot be said
cat "/sys/class/block/${first}2/dev" >/sys/power/resume
refused "the hibernation device" "[Hh]ibernat|/sys/power/resume" "$FIRST"
refused "the hibernation partition" "[Hh]ibernat|/sys/power/resume" "${FIRST}2"
echo "$resume" >/sys/power/resume

stage "open somewhere else"

fresh
beside sleep 600 8<>"$FIRST"
refused "somebody writes" "in use: .*open for writing by sleep \(pid $PID\)" "$FIRST"
fresh
two_partitions
beside sleep 600 8>"${FIRST}2"
refused "somebody writes to a partition" "in use: .*open for writing by sleep \(pid $PID\)" "$FIRST"
fresh
two_partitions
beside sleep 600 8<"${FIRST}2"
dry_run "somebody reads" "open for reading by sleep \(pid $PID\)" "$FIRST"
run wipe --keep-key --json "$FIRST"
proved "somebody reads: wiped all the same"

# The page cache of a partition lives on with a reader of it; written back after the wipe it would bring old data back.
fresh
two_partitions
interval=$(</proc/sys/vm/dirty_writeback_centisecs)
echo 0 >/proc/sys/vm/dirty_writeback_centisecs
beside sleep 600 8<"${FIRST}2"
dd if="$TMP/old" of="${FIRST}2" bs=1M count=8 conv=notrunc status=none
run wipe --keep-key --json "$FIRST"
sync
echo "$interval" >/proc/sys/vm/dirty_writeback_centisecs
proved "a dirty page cache, written after the wipe"
fresh
