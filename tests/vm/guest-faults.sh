# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Drives that fail: bad sectors, lies, silence, going away. The last, as few drives are left.

stage "bad sectors"

# What the record says of the run: verdict, what the passes have done, bytes of old data; bad places of a pass.
account() {
    record '"\(.verdict) \(.passes[0].bytes_done) \(.verification.bytes_equal) \(.old_data_bytes)",
        (.passes['"$1"'].bad_ranges[] | "\(.offset)+\(.length) \(.error)")'
}

# The run left old data in the sectors 40000-40007 and nowhere else.
one_bad_place() { # NAME DRIVE
    local good=$((FAULTY - 4096))
    is "$1: status" "$RC" 1
    is "$1: record" "$(account 0)" "unwritten $good $good 4096"$'\n'"20480000+4096 EIO"
    keystream "$FAULTY" "$(record .passes[0].key)"
    dd if="$TMP/old" of="$TMP/keystream" bs=4096 skip=5000 seek=5000 count=1 conv=notrunc status=none
    medium "$2"
    check "$1: the medium is exactly so" cmp "$TMP/keystream" "$TMP/medium"
}

modprobe brd rd_nr=1 rd_size=$((FAULTY / 1024))
mark /dev/ram0
dmsetup create bad <<'END'
0 40000 linear /dev/ram0 0
40000 8 error
40008 9144 linear /dev/ram0 40008
END
run "$STORMWIPE" bench --json /dev/mapper/bad
is "bench, dm with an error target: status" "$RC" 1
is "bench, dm with an error target: the place is named" \
    "$(jq -r '.drives[0].places[] | select(.read.bad_bytes > 0) | "\(.place) \(.read.bad_first) \(.read.error)"' <<<"$OUT")" \
    "end 20480000 EIO"
run wipe --keep-key /dev/mapper/bad
dmsetup remove bad
one_bad_place "dm with an error target" /dev/ram0

modprobe null_blk nr_devices=0
null=/sys/kernel/config/nullb/nullb7
mkdir $null
for setting in size=24 memory_backed=1 power=1; do echo "${setting#*=}" >"$null/${setting%=*}"; done
wait_for test -b /dev/nullb7
mark /dev/nullb7
echo +40000-40007 >$null/badblocks
run wipe --keep-key /dev/nullb7
echo -40000-40007 >$null/badblocks
one_bad_place "null_blk with bad blocks" /dev/nullb7

for ((i = 0; i < 48000; i += 24)); do
    printf '%d 23 linear /dev/nullb7 %d\n%d 1 error\n' $i $i $((i + 23))
done >"$TMP/table"
echo "48000 1152 linear /dev/nullb7 48000" >>"$TMP/table"
dmsetup create bad "$TMP/table"
run timeout 120 "$STORMWIPE" wipe --yes --record-dir "$STATE" /dev/mapper/bad
is "2000 bad sectors: status" "$RC" 1
good=$((FAULTY - 2000 * 512))
{
    echo "unwritten $good $good $((2000 * 512))"
    for ((i = 23; i < 48000; i += 24)); do echo "$((i * 512))+512 EIO"; done
} >"$TMP/wanted"
account 0 >"$TMP/found"
check "2000 bad sectors: the record is exact" cmp "$TMP/found" "$TMP/wanted"
dmsetup remove bad

scsi_debug dev_size_mb=8 opts=2 medium_error_start=1000 medium_error_count=3
run wipe "$DRIVE"
is "sectors that cannot be read back: status" "$RC" 1
is "sectors that cannot be read back: record" "$(account 1)" \
    "unverified $((8 * MIB)) $((8 * MIB - 1536)) 0"$'\n'"512000+1536 ENODATA"

stage "a drive that says yes and writes nothing"

mark /dev/ram0
dmsetup create liar --table "0 49152 flakey /dev/ram0 0 0 180 1 drop_writes"
run wipe /dev/mapper/liar
is "writes are dropped: status" "$RC" 1
is "writes are dropped: record" "$(account 0)" "unverified $FAULTY 0 $FAULTY"
like "writes are dropped: said" "$ERR" "25,165,824 bytes read back different .* may be old data"
dmsetup remove liar

stage "a drive that does not answer"

dmsetup create silent --table "0 49152 linear /dev/ram0 0"
DRIVE=/dev/$(dmsetup info -c --noheadings -o blkdevname silent)
in_background "$STORMWIPE" wipe --yes --record-dir "$STATE" --progress none --limit-rate 4M "$DRIVE"
dmsetup suspend --noflush silent
pause 1 # eight requests of 512 KiB at 4 MiB/s: they are stuck now
kill "$PID"
pause 0.5
kill "$PID"
wait "$PID"
is "no answer, told twice to stop: status and verdict" "$? $(record '"\(.verdict) \(.abandoned)"')" \
    "4 interrupted true"
dmsetup resume silent
run wait_for free "$DRIVE"
is "free as soon as it has answered" "$RC" 0
dmsetup remove silent

stage "a drive that goes away"

unplug() { # DRIVE
    local device
    device=$(readlink -f "/sys/block/${1##*/}/device")
    case $device in
    */nvme/* | */virtio[0-9]) device=${device%/nvme/*} && echo 1 >"${device%/virtio*}/remove" ;;
    */usb*) echo 1 >"${device%/[0-9]*-[0-9]*:*}/remove" ;;
    *) echo 1 >"$device/delete" ;;
    esac
}

vanishes() { # MIB NAME: in the middle of writing
    drive_of "$1"
    in_background wipe --progress none --limit-rate 2M "$DRIVE"
    unplug "$DRIVE"
    wait "$PID"
    is "$2 unplugged: status, verdict, not all was written" \
        "$? $(record '"\(.verdict) \(.passes[0].bytes_done < .drive.size_bytes)"')" "4 gone true"
    like "$2 unplugged: said" "$(<"$TMP/background")" "STOPPED: the drive went away .* may still hold old data"
}

vanishes 9 NVMe
vanishes 10 SATA
vanishes 11 virtio
vanishes 12 SCSI
vanishes 14 USB
