# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What the tests in the guest share. tests/lib.sh has what they share with the other suites.

MIB=$((1 << 20))
FAULTY=$((24 * MIB)) # the size of drives that get faults

stage() { echo "$(cut -d ' ' -f 1 /proc/uptime) s: $1" >&2; } # for the log, to see where it hung
SYSTEM=$(sed -n 's/^\(.*\)3 \/ .*/\1/p' /proc/mounts) # the drive that this runs from
bytes() { blockdev --getsize64 "$1"; }

drive_of() { # MIB: sets DRIVE to the only drive of that size
    local file
    for file in /sys/block/*/size; do
        if [ "$(<"$file")" = $(($1 * 2048)) ]; then
            file=${file%/size}
            DRIVE=/dev/${file##*/}
            [ -b "$DRIVE" ]
            return
        fi
    done
    false
}

in_background() { # COMMAND...: sets PID; goes on when DRIVE was written
    local before
    before=$(written "$DRIVE")
    "$@" >"$TMP/background" 2>&1 &
    PID=$!
    wait_for more_written "$before"
}
pause() { read -r -t "$1" <> <(:); }
written() { # DRIVE: sectors since it came
    local stat
    read -ra stat <"/sys/block/${1##*/}/stat"
    echo "${stat[6]}"
}
more_written() { [ "$(written "$DRIVE")" -gt $(($1 + 2048)) ]; }

# Pipes are what costs most without KVM, so these go through files.
yes LEFTOVER-MARK | head -c $((14 * 1024)) >"$TMP/old"
for ((i = 0; i < 11; i++)); do # 28 MiB
    cat "$TMP/old" "$TMP/old" >"$TMP/double"
    mv "$TMP/double" "$TMP/old"
done
mark() { # DRIVE: full of old data
    dd if="$TMP/old" of="$1" bs=1M count="$(bytes "$1")" iflag=count_bytes conv=fsync status=none
}
medium() { # DRIVE: what is on it, past the cache
    dd if="$1" of="$TMP/medium" bs=1M iflag=direct status=none
}
keystream() { # BYTES KEY: as openssl makes it
    truncate -s 0 "$TMP/zeros"
    truncate -s "$1" "$TMP/zeros"
    openssl enc -aes-256-ctr -K "$2" -iv 0 -in "$TMP/zeros" -out "$TMP/keystream" 2>/dev/null
}
newest_record() {
    local file newest=''
    for file in "$STATE"/*.json; do [ "$file" -nt "$newest" ] && newest=$file; done
    echo "$newest"
}

free() { # DRIVE: whether it can be opened exclusively, judged by the kernel's device mapper
    dmsetup create taken --table "0 8 linear $1 0" && dmsetup remove taken
}

# After `run wipe --keep-key --json DRIVE...`: all of each was wiped, says everybody who can know.
proved() { # NAME
    local name verdict key
    is "$1: status" "$RC" 0
    while read -r DRIVE name verdict key; do
        name="${1/each/$name}"
        is "$name: verdict" "$verdict" verified
        free "$DRIVE"
        is "$name: free right after the run" $? 0
        medium "$DRIVE"
        is "$name: no old data" "$(grep -ac LEFTOVER "$TMP/medium")" 0
        keystream "$(bytes "$DRIVE")" "$key"
        check "$name: what openssl prints for the key" cmp "$TMP/keystream" "$TMP/medium"
    done < <(jq -r '"\(.drive.path) \(.drive.bus) \(.verdict) \(.passes[0].key)"' <<<"$OUT")
}

refused() { # NAME PATTERN TARGET
    run wipe "$3"
    is "$1: refused" "$RC" 3
    like "$1: says why" "$ERR" "$3: $2"
}

scsi_debug() { # OPTION...: sets DRIVE to a new simulated SCSI drive
    local host=/sys/bus/pseudo/drivers/scsi_debug/adapter0
    modprobe -r scsi_debug
    modprobe scsi_debug delay=0 "$@"
    wait_for compgen -G "$host/host*/target*/*/block/*" || return
    DRIVE=$(compgen -G "$host/host*/target*/*/block/*")
    DRIVE=/dev/${DRIVE##*/}
    wait_for test -b "$DRIVE"
}
partitions() { compgen -G "/sys/block/${1##*/}/${1##*/}*[0-9]" | sed 's/.*[^0-9]//' | sort -n | tr '\n' ' '; }
