# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# With udev: the names that last, and a service that looks at every drive that somebody may have changed.

stage "udev"

mkdir -p /run/udev
/usr/bin/systemd-udevd --daemon >"$TMP/log" 2>&1
check "udev runs" udevadm control --ping --timeout=20
udevadm trigger --action=add --subsystem-match=block
check "udev has seen all drives" udevadm settle --timeout=60

while read -r size id; do
    drive_of "$size"
    is "$id leads to its drive" "$(readlink -f "/dev/disk/by-id/$id")" "$DRIVE"
    run wipe --dry-run "$DRIVE"
    like "$id is named" "$OUT$ERR" "/dev/disk/by-id/[^ ]*$id"
done <<'END'
10 ata-QEMU_HARDDISK_VM-SATA-10
11 virtio-VM-VIRTIO-11
40 scsi-0QEMU_QEMU_HARDDISK_VM-LAYERS-40
14 usb-QEMU_QEMU_HARDDISK_VM-USB-14-0:0
END
run wipe --expect serial=VM-SYSTEM /dev/disk/by-id/virtio-VM-SYSTEM
is "the system's drive by its by-id name: refused" "$RC" 3
run wipe --expect serial=VM-SYSTEM /dev/disk/by-id/virtio-VM-SYSTEM-part3
is "the system's root by its by-id name: refused" "$RC" 3

# While it looks at a drive it holds it, and it starts the RAID whose member it finds there.
drive_of 40
printf ',8M\n,\n' | sfdisk -q "$DRIVE"
udevadm settle --timeout=60
mdadm --create /dev/md2 --run --force --level=1 --raid-devices=1 --metadata=1.0 "${DRIVE}2" >"$TMP/log" 2>&1
udevadm settle --timeout=60
mdadm -q --stop /dev/md2
udevadm settle --timeout=60
in_background "$STORMWIPE" wipe --yes --record-dir "$STATE" --keep-key --progress none --limit-rate 16M "$DRIVE"
while [ -d "/proc/$PID" ]; do
    udevadm trigger --action=change --name-match="$DRIVE"
    udevadm trigger --action=change --subsystem-match=block
done >/dev/null 2>&1 &
noise=$!
wait "$PID"
is "udev looks at it all the time: status" $? 0
kill "$noise" 2>/dev/null
wait "$noise"
udevadm settle --timeout=60
is "udev looks at it all the time: verdict" "$(record .verdict)" verified
medium "$DRIVE"
keystream "$(bytes "$DRIVE")" "$(record .passes[0].key)"
check "udev looks at it all the time: what openssl prints for the key" cmp "$TMP/keystream" "$TMP/medium"
run wait_for test ! -e "/sys/block/${DRIVE##*/}/${DRIVE##*/}1"
is "its partitions are gone" "$RC" 0
udevadm control --exit --timeout=20
rm -rf /run/udev /dev/disk
