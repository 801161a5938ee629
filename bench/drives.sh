# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Several drives at once in one stormwipe: the rate of all together, the memory, and whether a slow one slows the
# others.

together() { # KIND COUNT OPTION...
    local kind=$1 count=$2 some=("${drives[@]:0:$2}")
    shift 2
    run_on "${some[@]}" -- "/usr/bin/time -f %M -o $tmp/memory $wipe $* ${some[*]}"
    note "$kind" "$count" "$WALL" "$(tail -n 1 "$tmp/memory")" "$USER" "$SYS"
    rm "$tmp/memory"
}

# A drive at 10 MB/s (80 Mbit/s), behind nbdkit's rate filter; what it saves up while idle is little, or a short run
# would not be throttled. Fails where there is no FUSE.
slow_drive() { # BYTES
    local i
    [ -e /dev/fuse ] || return 1
    : >"$tmp/slow"
    nbdfuse "$tmp/slow" --command nbdkit -s --filter=rate memory "size=$1" \
        rate=80M burstiness=0.2 >/dev/null 2>&1 &
    servers+=($!)
    mounts+=("$tmp/slow")
    for ((i = 0; i < 100; i++)); do
        if [ "$(stat -c %s "$tmp/slow")" = "$1" ]; then
            attach "$tmp/slow"
            return
        fi
        read -r -t 0.1 <> <(:) || true
    done
    return 1
}

# Wipes all drives named: how long the slowest of the first three took, in milliseconds, and how fast the last one was,
# in bytes a second. What is still at work when the three have ended is stopped.
company() { # NAME DRIVE...
    local name=$1 ended=0 slowest=0 rate=0 pid device ms bytes
    shift
    must_be_ours "$@"
    mkfifo "$tmp/progress"
    # Not through $wipe: it is quiet. In the background SIGINT would be ignored, so SIGTERM stops it.
    "$stormwipe" wipe --yes --no-record --progress json --verify none "$@" 2>"$tmp/progress" >/dev/null &
    pid=$!
    jobs+=("$pid")
    while read -r device ms bytes; do
        if [[ " ${*:1:3} " == *" /dev/$device "* ]]; then
            ended=$((ended + 1)) slowest=$((ms > slowest ? ms : slowest))
            [ "$ended" != 3 ] || kill "$pid" 2>/dev/null || true
        fi
        if [ "${*: -1}" = "/dev/$device" ]; then rate=$((bytes * 1000 / (ms ? ms : 1))); fi
    done < <(jq -Rr --unbuffered 'fromjson? | select(.phase == "finished")
        | "\(.device) \(.elapsed_s * 1000 | round) \(.work_bytes)"' "$tmp/progress")
    wait "$pid" || true
    jobs=()
    rm "$tmp/progress"
    [ "$ended" = 3 ] || { say "drives: $name: only $ended of the three ended" && exit 1; }
    note company "$name" "$slowest" "$rate"
}

bench_drives() {
    local size big counts=(1 2 4 8 16) count i run slow
    size=$(pick "$(largest 16 $((256 << 20)) $((128 << 20)) $((64 << 20)))" $((16 << 20)))
    big=$(pick "$(largest 4 $((1 << 30)) $((512 << 20)) $((256 << 20)))" $((64 << 20)))
    make_room $((16 * size > 3 * big ? 16 * size : 3 * big))
    fact size "$size"
    fact big "$big"
    for ((i = 1; i <= 16; i++)); do make_drive "$i" "$size"; done
    for ((run = 1; run <= runs; run++)); do
        say "run $run of $runs"
        for count in "${counts[@]}"; do
            together written "$count" --verify none
            together verified "$count"
        done
    done
    drop_drives

    say "a slow drive among fast ones"
    for i in 1 2 3; do make_drive "$i" "$big"; done
    if slow_drive "$big"; then
        slow=$LOOP
        for ((run = 1; run <= runs; run++)); do
            company alone "${drives[@]:0:3}"
            company slow "${drives[@]:0:3}" "$slow"
        done
    else
        say "no FUSE here (nbdfuse): left out"
    fi
}
