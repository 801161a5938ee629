# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: MIT
# What the shell suites share: TAP output, running a command, loop devices, cleaning up.
#
#   run COMMAND...           runs it; sets OUT, ERR (without the last newline) and RC
#   wipe OPTION... TARGET... `stormwipe wipe --yes --record-dir $STATE`; for use after `run`
#   is NAME GOT WANTED       equal
#   like NAME TEXT REGEX     TEXT matches (extended regular expression); unlike: does not
#   check NAME COMMAND...    the command succeeds
#   skip NAME REASON         counts as skipped; skip_all REASON: the whole file
#   done_testing             at the end of every file
#   old_data NAME SIZE       makes $TMP/NAME, full of LEFTOVER-MARK
#   make_loop FILE [OPTION]  sets LOOP; drop_loop detaches all that were made
#   record FILTER            jq filter on the newest record in $STATE
#   same_as_openssl FILE BYTES KEY [CIPHER]    the public format, judged by the openssl program
#   wait_for COMMAND...      until it succeeds, at most 20 s
#   cleanup_add COMMAND      to be run at the end, last first
#
# From the environment: STORMWIPE (the program), HELPERS (folder of the test programs), ROOT (the tree).
set -u
: "${STORMWIPE:?}" "${HELPERS:?}" "${ROOT:?}"

TMP=$(mktemp -d "${TEST_TMP:-/dev/shm}/stormwipe-test.XXXXXX")
STATE=$TMP/state
mkdir "$STATE"
OUT='' ERR='' RC=0 LOOP=''
tests=0 loops=() cleanups=()

cleanup_add() { cleanups+=("$1"); }
cleanup() {
    local i
    for ((i = ${#cleanups[@]} - 1; i >= 0; i--)); do
        eval "${cleanups[i]}" >/dev/null 2>&1
    done
    drop_loop
    rm -rf "$TMP"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

ok() { echo "ok $((++tests)) - $1"; }
fail() {
    echo "not ok $((++tests)) - $1"
    shift
    printf '%s\n' "$@" | sed 's/^/# /'
}
skip() { echo "ok $((++tests)) - $1 # SKIP $2"; }
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}
done_testing() { echo "1..$tests"; }

is() { if [ "$2" = "$3" ]; then ok "$1"; else fail "$1" "got:    $2" "wanted: $3" "errors: $ERR"; fi; }
like() { if [[ $2 =~ $3 ]]; then ok "$1"; else fail "$1" "got: $2" "does not match: $3"; fi; }
unlike() { if [[ $2 =~ $3 ]]; then fail "$1" "got: $2" "matches: $3"; else ok "$1"; fi; }
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then ok "$name"; else fail "$name" "failed: $*" "$output" "errors: $ERR"; fi
}

run() {
    "$@" >"$TMP/.out" 2>"$TMP/.err"
    RC=$?
    OUT=$(<"$TMP/.out") ERR=$(<"$TMP/.err")
}
wipe() { "$STORMWIPE" wipe --yes --record-dir "$STATE" "$@"; }

old_data() { yes LEFTOVER-MARK | head -c "$2" >"$TMP/$1"; }

make_loop() {
    LOOP=$(losetup -f --show "${@:2}" "$1") || exit 1
    loops+=("$LOOP")
}
drop_loop() {
    local device partition
    for device in "${loops[@]}"; do
        for partition in "/sys/block/${device##*/}/${device##*/}p"*; do
            [ -e "$partition" ] && delpart "$device" "${partition##*p}"
        done
        blockdev --setrw "$device" 2>/dev/null # both would stay with the node for whoever comes next
        losetup -d "$device" 2>/dev/null
    done
    loops=()
}
need_loop() {
    [ "$(id -u)" = 0 ] || skip_all "needs root"
    : >"$TMP/.try"
    truncate -s 1M "$TMP/.try"
    LOOP=$(losetup -f --show "$TMP/.try" 2>/dev/null) || skip_all "no loop devices here"
    losetup -d "$LOOP"
}
as_root_with_mounts() {
    mkdir -p "$TMP/.mount"
    [ "$(id -u)" = 0 ] && mount -t tmpfs none "$TMP/.mount" 2>/dev/null && umount "$TMP/.mount"
}

newest_record() { find "$STATE" -name '*.json' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-; }
record() { jq -r "$1" "$(newest_record)"; }

same_as_openssl() {
    openssl enc "-${4:-aes-256-ctr}" -K "$3" -iv 0 -in /dev/zero 2>/dev/null | head -c "$2" | cmp -n "$2" - "$1"
}

wait_for() {
    local i
    for ((i = 0; i < 400; i++)); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        read -r -t 0.05 <> <(:) || true
    done
    return 1
}
