# shellcheck shell=bash disable=SC2153
# SPDX-License-Identifier: MIT
# One medium under several names, and several media that look like one.

stage "the same drive twice"

drives_of() { # MIB: sets DRIVES to all of that size
    local file
    DRIVES=()
    for file in /sys/block/sd*/size; do
        file=${file%/size}
        [ "$(<"$file/size")" != $(($1 * 2048)) ] || DRIVES+=("/dev/${file##*/}")
    done
    [ "${#DRIVES[@]}" = 2 ] && [ -b "${DRIVES[0]}" ] && [ -b "${DRIVES[1]}" ]
}
twice() { # NAME PATTERN TARGET...
    run wipe "${@:3}"
    is "$1: refused" "$RC" 3
    like "$1: says why" "$ERR" "$2"
}

wait_for drives_of 16
PATHS=("${DRIVES[@]}")
mark "${PATHS[0]}"
is "two paths: one serial number" "$(for drive in "${PATHS[@]}"; do
    "$STORMWIPE" wipe --dry-run --json "$drive" | jq -r '.drive | "\(.serial) \(.wwn)"'
done | sort | uniq -c | sed 's/^ *//; s/ 0x/ /; s/naa[.]//')" "2 VM-PATHS-16 5000c50000000016"
before=$(written "${PATHS[0]}")
twice "two paths" "the same drive" "${PATHS[@]}"
is "two paths: nothing was written" "$(written "${PATHS[0]}") $(written "${PATHS[1]}")" "$before 0"

mkfs.ext4 -q -F "${PATHS[0]}"
mkdir -p /m/path
mount "${PATHS[0]}" /m/path
for i in 0 1; do refused "mounted by one path, path $i" ".*in use: .*/m/path" "${PATHS[i]}"; done
umount /m/path

modprobe -a dm_multipath dm_service_time
dmsetup create mp --table "0 32768 multipath 0 0 1 1 service-time 0 2 1 $(<"/sys/block/${PATHS[0]##*/}/dev") 1 \
$(<"/sys/block/${PATHS[1]##*/}/dev") 1"
for i in 0 1; do refused "multipath, path $i" ".*in use: .*${PATHS[i]##*/} .*dm-[0-9]+ .mp" "${PATHS[i]}"; done
before=$(written "${PATHS[0]}")
twice "multipath and a path of it" "the same drive" /dev/mapper/mp "${PATHS[1]}"
is "multipath and a path of it: nothing was written" "$(written "${PATHS[0]}")" "$before"
run wipe --keep-key --json /dev/mapper/mp
is "multipath by its own name: wiped" "$RC" 0
keystream $((16 * MIB)) "$(jq -r .passes[0].key <<<"$OUT")"
dmsetup remove mp
for i in 0 1; do
    medium "${PATHS[i]}"
    check "multipath by its own name: wiped, says path $i" cmp "$TMP/keystream" "$TMP/medium"
done

drive_of 12
printf ',4M\n,\n' | sfdisk -q "$DRIVE"
wait_for test -b "${DRIVE}1"
ln -sf "$DRIVE" "$TMP/link"
twice "a link and the node" "the same|twice" "$TMP/link" "$DRIVE"
twice "a drive and a partition of it" "the same|part of" "$DRIVE" "${DRIVE}1"
losetup /dev/loop0 "$DRIVE"
twice "a drive and a loop device on it" "the same drive|in use: " "$DRIVE" /dev/loop0
losetup -d /dev/loop0

different() { # NAME DRIVE...: are not refused
    run wipe --dry-run "${@:2}"
    is "$1: not the same" "$RC" 0
    unlike "$1: not called the same" "$OUT$ERR" "the same drive"
}
drive_of 17
space=$DRIVE
drive_of 18
different "two namespaces of one NVMe controller" "$space" "$DRIVE"
drive_of 19
box=$DRIVE
drive_of 20
different "two USB boxes with the same serial number" "$box" "$DRIVE"
run wipe --dry-run --expect serial=VM-SAME --expect "size=$((20 * MIB))" "$box"
is "the size tells them apart" "$RC" 3
