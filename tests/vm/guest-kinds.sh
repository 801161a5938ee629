# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Drives of every kind: who they are; whole runs on them.

stage "who a drive is"

while read -r size serial bus model; do
    wait_for drive_of "$size"
    run stormwipe wipe --dry-run --json "$DRIVE"
    is "$bus: a dry run" "$RC" 0
    is "$bus: identity" "$(jq -r '.drive | "\(.serial) \(.bus) \(.model) \(.size_bytes)"' <<<"$OUT")" \
        "$serial $bus $model $((size * MIB))"
done <<'END'
9 VM-NVME-9 NVMe QEMU NVMe Ctrl
10 VM-SATA-10 SATA QEMU HARDDISK
11 VM-VIRTIO-11 virtio null
12 VM-SCSI-12 SCSI QEMU HARDDISK
14 VM-USB-14 USB QEMU HARDDISK
END
wait_for test -b /dev/sr0
refused "CD" "is an optical drive" /dev/sr0
wait_for drive_of 13
refused "read-only SCSI drive" "is write-protected" "$DRIVE"
scsi_debug dev_size_mb=8 wp=1
refused "write-protected SCSI drive" "is write-protected" "$DRIVE"

stage "whole runs"

drives=()
for size in 9 10 11 12 14; do
    drive_of "$size"
    mark "$DRIVE"
    drives+=("$DRIVE")
done
run wipe --keep-key --json "${drives[@]}"
proved "five at once, each"
is "five at once: five records" "$(wc -l <<<"$OUT")" 5
for options in sector_size=4096 physblk_exp=3; do
    scsi_debug dev_size_mb=8 "$options"
    mark "$DRIVE"
    run wipe --keep-key --json "$DRIVE"
    proved "$options"
    is "$options: sectors" "$(jq -r '.drive | "\(.logical_sector_bytes) \(.physical_sector_bytes)"' <<<"$OUT")" \
        "$([ $options = physblk_exp=3 ] && echo 512 || echo 4096) 4096"
done
scsi_debug dev_size_mb=64 zbc=managed zone_size_mb=4 zone_nr_conv=1 sector_size=4096
refused "zoned drive" "is a zoned drive" "$DRIVE"
