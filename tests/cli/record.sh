#!/bin/bash
# The record: true, complete, valid, never lost, never in the way.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

schema() { "$ROOT/tools/check-record" "$@"; }

old_data image 1000123
run wipe --verify none "$TMP/image"
run wipe --keep-key "$TMP/image"
run wipe --io sync "$TMP/image"
run wipe --json "$TMP/image" "$TMP/nosuch" /dev/null
jq -c . <<<"$OUT" | split -l1 - "$TMP/json-"
run wipe --json --dry-run "$TMP/image"
echo "$OUT" >"$TMP/json-dry"
check "records follow the schema" schema "$STATE"/*.json
check "--json documents follow the schema" schema "$TMP"/json-*
is "status of a dry run" "$(jq -r .status "$TMP/json-dry")" planned

run wipe "$TMP/image"
is "size" "$(record .drive.size_bytes)" 1000123
is "kind" "$(record .drive.kind)" file
is "bytes written" "$(record '.passes[0].bytes_done')" 1000123
is "bytes verified" "$(record .verification.bytes_read)" 1000123
is "cipher" "$(record .passes[0].cipher)" aes-256-ctr
is "verdict and status" "$(record '.verdict + " " + (.exit_status | tostring)')" "verified 0"
is "the key is not kept" "$(record '.passes[0].key')" null
is "old data" "$(record .old_data_bytes)" 0
check "mode 0600" test "$(stat -c %a "$(newest_record)")" = 600
check "durations are not negative" test "$(record '.duration_s >= 0')" = true

record_second() { date -d "$(record "$1")" +%s; }
name_second() {
    local stamp
    stamp=$(grep -oE '[0-9]{8}T[0-9]{6}Z' <<<"$(newest_record)")
    date -u -d "${stamp:0:8} ${stamp:9:2}:${stamp:11:2}:${stamp:13:2}" +%s
}

for zone in UTC America/St_Johns Asia/Kathmandu Pacific/Apia :/nosuch ''; do
    run env TZ="$zone" "$STORMWIPE" wipe --yes --record-dir "$STATE" "$TMP/image"
    like "zone '$zone': start with an offset" "$(record .start)" '^[0-9-]{10}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2}$'
    like "zone '$zone': and in UTC" "$(record .start_utc)" '^[0-9-]{10}T[0-9:]{8}Z$'
    is "zone '$zone': both are the same moment" "$(date -d "$(record .start)" +%s)" "$(date -d "$(record .start_utc)" +%s)"
    # Made a moment before the wipe begins.
    check "zone '$zone': the file's name is in UTC" test $(($(record_second .start_utc) - $(name_second))) -ge 0 \
        -a $(($(record_second .start_utc) - $(name_second))) -lt 60
done

count=$(find "$STATE" -name '*.json' | wc -l)
for _ in 1 2 3; do
    run wipe --verify none "$TMP/image"
done
is "runs within a second have files of their own" "$(find "$STATE" -name '*.json' | wc -l)" $((count + 3))
old_data 'a b;$(x)' 4097
run wipe "$TMP/a b;\$(x)"
is "a strange name: status" "$RC" 0
check "a strange name: a plain file name" test -z "$(find "$STATE" -name '*[ ;$()]*')"

before=$(sha256sum <"$TMP/image")
run "$STORMWIPE" wipe --yes --record-dir "$TMP/image/x" "$TMP/image"
is "a folder that cannot be: status" "$RC" 5
like "a folder that cannot be: said" "$ERR" 'cannot keep records'
run "$STORMWIPE" wipe --yes --record-dir /proc/stormwipe "$TMP/image"
is "a folder that cannot be made: status" "$RC" 5
is "nothing was written before that" "$(sha256sum <"$TMP/image")" "$before"
if as_root_with_mounts; then
    mkdir "$TMP/full"
    mount -t tmpfs -o size=16k none "$TMP/full"
    cleanup_add "umount '$TMP/full'"
    run "$STORMWIPE" wipe --yes --record-dir "$TMP/full" "$TMP/image"
    is "a full disk for the record: status" "$RC" 5
    like "a full disk for the record: said" "$ERR" 'No space left'
    is "a full disk for the record: nothing was written" "$(sha256sum <"$TMP/image")" "$before"
else
    skip "a full disk for the record" "needs root and mount"
fi
run "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "--no-record: wiped" "$RC,$(grep -ac LEFTOVER "$TMP/image")" 0,0
mkdir "$TMP/home"
chmod 777 "$TMP" "$TMP/home" "$TMP/image"
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
run "${as_nobody[@]}" env HOME="$TMP/home" XDG_STATE_HOME="$TMP/home/state" "$STORMWIPE" wipe --yes "$TMP/image"
check "the default folder of an ordinary user" test -n "$(ls "$TMP/home/state/stormwipe")"

# While it runs the record says so.
old_data image 8M
"$STORMWIPE" wipe --yes --quiet --limit-rate 4M --record-dir "$TMP/running" "$TMP/image" &
pid=$!
cleanup_add "kill $pid 2>/dev/null"
wait_for sh -c "ls '$TMP/running'/*.json"
is "while it runs: status" "$(jq -r .status "$TMP"/running/*.json)" running
is "while it runs: no verdict yet" "$(jq -r .verdict "$TMP"/running/*.json)" null
check "while it runs: valid" schema "$TMP"/running/*.json
kill -9 $pid
wait $pid 2>/dev/null
is "after it was killed it still says running, never verified" "$(jq -r .status "$TMP"/running/*.json)" running

done_testing
