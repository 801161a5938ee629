# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# `stormwipe stream` against openssl and /dev/urandom as the source of a pipe. All sources have the same reader, which
# ends after the same number of bytes in the same way:
#
#   cat    ends with its source: stormwipe has --bytes, openssl reads a file of so many zeros (a hole on tmpfs, which
#          is read as fast as /dev/zero), /dev/urandom comes by a dd with large blocks, for nothing else ends it
#   pv     ends the stream itself (-S), so openssl reads /dev/zero as in the post; it reads /dev/urandom without a pipe
#   head   the same; it reads in small pieces and is the slowest of the three

# Nobody's stream may be short, or its time would be too good: counted before it is measured.
declare -A flows=()
flow() { # NAME BYTES COMMAND
    if [ -z "${flows[$1]:-}" ]; then
        timed "$3 | wc -c"
        flows[$1]=$(cat "$tmp/out")
        [ "${flows[$1]}" = "$2" ] || say "$1: ${flows[$1]} bytes instead of $2, left out"
    fi
    [ "${flows[$1]}" = "$2" ] || return 0
    timed "$3 >/dev/null"
    note flow "$1" "$2" "$WALL" "$USER" "$SYS"
}

bench_stream() {
    local size less zeros enc run
    # Room for a hole, whose size counts for nothing, and for what is printed.
    make_room 0
    size=$(pick $((4 << 30)) $((64 << 20)))
    less=$((size / 8)) # of /dev/urandom, which is slow
    zeros=$tmp/drive-zeros
    truncate -s "$size" "$zeros"
    fact size "$size"
    fact less "$less"
    enc="openssl enc -aes-256-ctr -K $(openssl rand -hex 32) -iv 0"
    for ((run = 1; run <= runs; run++)); do
        say "run $run of $runs"
        flow "cat stormwipe" "$size" "$stormwipe stream --bytes $size | cat"
        flow "cat openssl" "$size" "$enc <$zeros | cat"
        flow "cat urandom" "$less" "dd if=/dev/urandom bs=128K count=$((less >> 17)) | cat"
        flow "pv stormwipe" "$size" "$stormwipe stream | pv -q -S -s $size"
        flow "pv openssl" "$size" "$enc </dev/zero | pv -q -S -s $size"
        flow "pv urandom" "$less" "pv -q -S -s $less </dev/urandom"
        flow "head stormwipe" "$size" "$stormwipe stream | head -c $size"
        flow "head openssl" "$size" "$enc </dev/zero | head -c $size"
        flow "head urandom" "$less" "head -c $less </dev/urandom"
    done
}
