#!/bin/bash
# `stormwipe stream` never writes to a drive.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

old_data image 1M
before=$(sha256sum <"$TMP/image")
make_loop "$TMP/image"
for options in '' --to-terminal '--bytes 1'; do
    # shellcheck disable=SC2086 # words
    run bash -c '"$STORMWIPE" stream $1 >"$2"' bash "$options" "$LOOP"
    is "a drive${options:+, $options}: refused" "$RC" 3
    is "a drive${options:+, $options}: one line" "$(wc -l <<<"$ERR")" 1
    like "a drive${options:+, $options}: the right way" "$ERR" '^stormwipe: standard output is a drive\. Use stormwipe wipe'
done
run bash -c '"$STORMWIPE" stream >>"$1"' bash "$LOOP"
is "a drive, appending: refused" "$RC" 3
sync "$LOOP"
is "nothing was written" "$(sha256sum <"$LOOP"),$(sha256sum <"$TMP/image")" "$before,$before"

done_testing
