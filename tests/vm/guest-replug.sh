# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# A drive is pulled out and another one of the same size gets its name.

stage "another drive under the same name"

wait_for compgen -G "/sys/class/virtio-ports/*/name"
PORT=/dev/$(cd /sys/class/virtio-ports && grep -l '^monitor$' ./*/name | cut -d / -f 2)
exec 7<>"$PORT"
qemu() { printf '%s\n' "$*" >&7; } # COMMAND for QEMU's monitor
serial_of() { "$STORMWIPE" wipe --dry-run --json "$1" 2>/dev/null | jq -r .drive.serial; }
diskseq() { cat "/sys/block/${1##*/}/diskseq"; }

plugged() { # SERIAL: sets DRIVE to it
    local file
    for file in /sys/block/sd*/size; do
        file=${file%/size}
        DRIVE=/dev/${file##*/}
        if [ "$(<"$file/size")" = $((21 * 2048)) ] && [ "$(serial_of "$DRIVE")" = "$1" ]; then return 0; fi
    done
    false
}
plug() { # ID: a drive whose serial tells it
    qemu "device_add scsi-hd,bus=hba.0,id=$1,drive=$1,serial=VM-${1^^}-21"
    wait_for plugged "VM-${1^^}-21"
}
gone() { [ ! -e "/sys/block/${1##*/}" ]; }
pull() { # ID DRIVE
    qemu "device_del $1"
    wait_for gone "$2"
}
untouched() { # NAME DRIVE: still all old data
    medium "$2"
    check "$1: the other drive is untouched" cmp -n $((21 * MIB)) "$TMP/medium" "$TMP/old"
}

wait_for plugged VM-OLD-21
old=$DRIVE seen=$(diskseq "$DRIVE")
mark "$old"
pull old "$old"
plug new
is "the new drive has the old one's name" "$DRIVE" "$old"
mark "$DRIVE"
for expected in serial=VM-OLD-21 "diskseq=$seen"; do
    run wipe --expect "$expected" "$old"
    is "expected $expected: refused" "$RC" 3
    like "expected $expected: says why" "$ERR" "${expected%%=*}"
done
untouched "not the expected one" "$DRIVE"
dry=$(diskseq "$DRIVE")
run wipe --dry-run --expect "diskseq=$dry" --expect serial=VM-NEW-21 "$DRIVE"
is "what is there now is accepted" "$RC" 0

# While somebody thinks about the question. The answer is the right one for the drive that was asked about.
mkfifo "$TMP/keys"
script -qec "$STORMWIPE wipe --record-dir $STATE --progress none $DRIVE" /dev/null <"$TMP/keys" >"$TMP/question" 2>&1 &
PID=$!
exec 6<>"$TMP/keys" # for reading, too, so that nobody gets a signal when script has gone
wait_for grep -q "alone" "$TMP/question"
check "the question comes" grep "alone" "$TMP/question"
asked=$DRIVE
pull new "$asked"
plug newer
is "the next drive is there" "$(serial_of "$DRIVE")" VM-NEWER-21
mark "$DRIVE"
echo "W-21" >&6
wait "$PID"
status=$?
exec 6>&-
like "re-plugged during the question: status" "$status" "^[34]$"
untouched "re-plugged during the question" "$DRIVE"

victim=$DRIVE
in_background "$STORMWIPE" wipe --yes --record-dir "$STATE" --progress none --limit-rate 2M "$victim"
qemu "device_del newer"
qemu "device_add scsi-hd,bus=hba.0,id=newest,drive=newest,serial=VM-NEWEST-21"
wait "$PID"
is "re-plugged during the wipe: status and verdict" "$? $(record .verdict)" "4 gone"
run wait_for plugged VM-NEWEST-21
is "the last drive is there" "$RC" 0
medium "$DRIVE"
truncate -s 0 "$TMP/zeros"
truncate -s 21M "$TMP/zeros"
check "re-plugged during the wipe: nothing was written to the new drive" cmp "$TMP/zeros" "$TMP/medium"
exec 7>&-
