#!/bin/bash
# Several drives at once under a data race detector: writing, verifying, stopping, reporting.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

for io in uring sync; do
    targets=()
    for i in 1 2 3; do
        old_data "$i" 16M
        targets+=("$TMP/$i")
    done
    run wipe --io $io --progress json "${targets[@]}"
    is "$io, three at once: status" "$RC" 0
    unlike "$io, three at once: no race" "$ERR" 'ThreadSanitizer'
    is "$io, three at once: wiped" "$(cat "${targets[@]}" | grep -ac LEFTOVER)" 0

    "$STORMWIPE" wipe --yes --io $io --limit-rate 4M --record-dir "$TMP/run" "${targets[@]}" 2>"$TMP/err" &
    pid=$!
    cleanup_add "kill -9 $pid 2>/dev/null"
    wait_for sh -c "[ \$(ls '$TMP/run'/*.json | wc -l) = 3 ]"
    kill -USR1 $pid
    kill -TERM $pid
    wait $pid
    is "$io, three stopped: status" "$?" 4
    unlike "$io, three stopped: no race" "$(cat "$TMP/err")" 'ThreadSanitizer'
    rm -r "$TMP/run"
done

done_testing
