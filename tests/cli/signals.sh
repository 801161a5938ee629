#!/bin/bash
# Stopping: soon, truthfully, with what was written flushed.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

begin() { # LIMIT SIZE [OPTION]...: starts a slow wipe in the background, waits until it writes; sets PID
    local limit=$1 size=$2
    shift 2
    old_data image "$size"
    rm -rf "$TMP/run"
    "$STORMWIPE" wipe --yes --record-dir "$TMP/run" --limit-rate "$limit" "$@" "$TMP/image" \
        2>"$TMP/err" >"$TMP/out" </dev/null &
    PID=$!
    cleanup_add "kill -9 $PID 2>/dev/null"
    wait_for sh -c "ls '$TMP/run'/*.json && ! head -c 16 '$TMP/image' | grep -q LEFTOVER"
}

for signal in INT TERM QUIT; do
    begin 2M 64M --keep-key
    kill -$signal $PID
    wait $PID
    is "SIG$signal: status" "$?" 4
    is "SIG$signal: record" "$(jq -r '.status + " " + .verdict' "$TMP"/run/*.json)" "interrupted interrupted"
    like "SIG$signal: says that the drive is partly wiped" "$(cat "$TMP/err")" 'PARTLY WIPED'
    check "SIG$signal: valid record" "$ROOT/tools/check-record" "$TMP"/run/*.json
    bytes_done=$(jq '.passes[0].bytes_done' "$TMP"/run/*.json)
    check "SIG$signal: some but not all was written" test "$bytes_done" -gt 0 -a "$bytes_done" -lt $((64 << 20))
    is "SIG$signal: the rest is counted as old data" "$(jq .old_data_bytes "$TMP"/run/*.json)" $(((64 << 20) - bytes_done))
    is "SIG$signal: nothing is missing below the place it reached" \
        "$(jq '.passes[0].bytes_reached' "$TMP"/run/*.json)" "$bytes_done"
    check "SIG$signal: what counts as written is there" \
        same_as_openssl "$TMP/image" "$bytes_done" "$(jq -r '.passes[0].key' "$TMP"/run/*.json)"
    check "SIG$signal: the rest was not touched" test "$(tail -c 1M "$TMP/image" | grep -ac LEFTOVER)" -gt 0
done

begin 8M 16M
kill -HUP $PID
wait $PID
is "SIGHUP: the wipe goes on to its end" "$?,$(jq -r .verdict "$TMP"/run/*.json)" 0,verified

begin 8M 16M --progress none
kill -USR1 $PID
wait $PID
is "SIGUSR1: the wipe goes on" "$?" 0
like "SIGUSR1: a status line, whatever the style" "$(cat "$TMP/err")" 'image (write|verify) +[0-9]+%'

begin 8M 16M
kill -STOP $PID
kill -CONT $PID
wait $PID
is "stopped and continued: status" "$?" 0

begin 1M 64M
kill -INT $PID
kill -INT $PID
wait $PID
is "two signals at once: status" "$?" 4
is "two signals at once: record" "$(jq -r .verdict "$TMP"/run/*.json)" interrupted

done_testing
