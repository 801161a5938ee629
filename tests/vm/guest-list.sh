# shellcheck shell=bash disable=SC2153
# SPDX-License-Identifier: MIT
# All drives: what is listed, and what --all takes. Exactly the drives that may be wiped, and nothing like them.

stage "all drives"

modprobe -r scsi_debug
modprobe -a brd zram loop
modprobe floppy # there is one, without a disk in it
losetup /dev/loop0 "$TMP/old"
drive_of 40
mkfs.ext4 -q -F "$DRIVE"
mkdir -p /m/used
mount "$DRIVE" /m/used
used=$DRIVE


# Neither the system's drive, nor the one that is mounted, nor the read-only one.
may=()
for size in 9 10 11 12 14 17 18 19 20 41; do
    drive_of "$size"
    may+=("$DRIVE")
done
drive_of 13
may_not=("$SYSTEM" "$used" "$DRIVE")
others=() # one drive with two paths, what was plugged in later: not looked at here
for drive in /sys/block/sd*/size; do
    case $(<"$drive") in $((16 * 2048)) | $((21 * 2048))) drive=${drive%/size} && others+=("/dev/${drive##*/}") ;; esac
done
without_others() { sort | grep -vxF -f <(printf '%s\n' "${others[@]:-none}"); }
wanted=$(printf '%s\n' "${may[@]}" | sort)

run "$STORMWIPE" list --noheadings --output DEVICE
is "list: status" "$RC" 0
is "list: the drives, and nothing that is none" "$(without_others <<<"$OUT")" \
    "$(printf '%s\n' "${may[@]}" "${may_not[@]}" | sort)"
run "$STORMWIPE" list --json
is "list --json: status" "$RC" 0
is "list --json: would be accepted" \
    "$(jq -r '.drives[] | select(.accepted) | .drive.path' <<<"$OUT" | without_others)" "$wanted"
run "$STORMWIPE" list --json --all
is "list --json --all: would be accepted and has a serial number" "$(jq -r '.drives[] |
    select(.accepted and .drive.serial != null and .drive.kind == "disk") | .drive.path' <<<"$OUT" | without_others)" "$wanted"
run "$STORMWIPE" wipe --all --dry-run --json
is "--all --dry-run: status" "$RC" 0
is "--all --dry-run: the drives that would be accepted" "$(jq -r .drive.path <<<"$OUT" | without_others)" "$wanted"
run "$STORMWIPE" wipe --all --dry-run --json --exclude "VM-SAME" --exclude "${may[0]}"
is "--all --exclude: without those" "$(jq -r .drive.serial <<<"$OUT" | grep -cE '^VM-(SAME|NVME-9)$')" 0
run "$STORMWIPE" wipe --all --dry-run --exclude no-such-drive
is "--all --exclude, of nothing: status" "$RC" 2
run "$STORMWIPE" wipe --all --yes --no-record
is "--all --yes: refused" "$RC" 3
umount /m/used
losetup -d /dev/loop0

# In earnest, and asked: all but the others are two.
mkfifo "$TMP/answers"
script -qec "$STORMWIPE wipe --record-dir $STATE --progress none --all --exclude 'VM-[!NS]*' --exclude 'VM-S[!A]*' \
    --exclude VM-SAME --exclude 'VM-*-21'" /dev/null <"$TMP/answers" >"$TMP/asked" 2>&1 &
PID=$!
exec 6<>"$TMP/answers"
prompts() { [ "$(grep -c 'alone: ' "$TMP/asked")" -ge "$1" ]; }
for answer in two ME-9 A-10; do
    prompted=$((${prompted:-0} + 1))
    wait_for prompts $prompted
    printf '%s\n' "$answer" >&6
done
wait "$PID"
is "--all, with the number of drives and an answer each: status" $? 0
like "--all: a table" "$(<"$TMP/asked")" 'DEVICE +SIZE'
is "--all: both are wiped and verified, and only they" "$(grep -c 'wiped and verified' "$TMP/asked")" 2
exec 6<&-
modprobe -r brd
