# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The drive that this system runs from: no way leads to wiping it.

stage "the system's own drive"

# The name that by-id links have; the real ones need udev.
mkdir -p "$TMP/by-id"
ln -s "$SYSTEM" "$TMP/by-id/virtio-VM-SYSTEM"
ln -s "${SYSTEM}3" "$TMP/by-id/virtio-VM-SYSTEM-part3"
is "the system runs from a drive with three partitions" "$(partitions "$SYSTEM")" "1 2 3 "
find /usr/bin /usr/lib/x86_64-linux-gnu -type f -exec stat -c '%n %s' {} + >"$TMP/files"
sync
medium "$SYSTEM"
mv "$TMP/medium" "$TMP/system-before"

protected() { # NAME TARGET OPTION...: refused, as what it is
    run wipe "${@:3}" -- "$2"
    is "$1: refused" "$RC" 3
    like "$1: says why" "$ERR" "the drive the system runs from.*It cannot be wiped from here"
}
protected "the system's drive" "$SYSTEM"
protected "the system's drive, expected" "$SYSTEM" --expect serial=VM-SYSTEM --expect "size=$((160 * MIB))"
protected "the system's drive by another name" "$TMP/by-id/virtio-VM-SYSTEM"
protected "the root partition" "${SYSTEM}3"
protected "the root partition by another name" "$TMP/by-id/virtio-VM-SYSTEM-part3" --expect serial=VM-SYSTEM
protected "the ESP" "${SYSTEM}1"
protected "the swap partition" "${SYSTEM}2"
umount /boot/efi
swapoff "${SYSTEM}2"
protected "the ESP, when it is not mounted" "${SYSTEM}1"
protected "the swap partition, when it is off" "${SYSTEM}2"
swapon "${SYSTEM}2"
mount "${SYSTEM}1" /boot/efi
for options in "" "--expect serial=VM-SYSTEM" "--quiet" "--no-record"; do
    # shellcheck disable=SC2086
    run "$STORMWIPE" wipe --all --yes $options
    is "--all --yes $options: refused" "$RC" 3
done
drive_of 12
run wipe "$DRIVE" "$SYSTEM"
is "together with a drive that may be wiped: refused" "$RC" 3

medium "$SYSTEM"
check "the system's drive is as it was, all of it" cmp "$TMP/system-before" "$TMP/medium"
rm "$TMP/system-before" "$TMP/medium"
echo 3 >/proc/sys/vm/drop_caches
find /usr/bin /usr/lib/x86_64-linux-gnu -type f -exec stat -c '%n %s' {} + >"$TMP/files-after"
check "its files are there" cmp "$TMP/files" "$TMP/files-after"
check "and can be read" sh -c 'cat /usr/bin/bash /usr/bin/stormwipe /tree/tests/vm/* >/dev/null'
run e2fsck -fn "${SYSTEM}3"
unlike "its file system has no faults but being mounted" "$OUT" "[Ii]llegal|corrupt|differ|bitmap"
