#!/bin/bash
# What comes out, where, and that losing it never changes a wipe.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

old_data image 3M
run wipe "$TMP/image"
is "no terminal: nothing on standard output" "$OUT" ""
unlike "no terminal: no control codes" "$ERR" $'[\e\r]'
like "a plain line at the start" "$ERR" '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}[+-][0-9]{2}:[0-9]{2} image (write|verify) +[0-9]+%'
like "and one at the end" "$ERR" 'image (done|verify) +100%'
like "the verdict" "$ERR" 'image: file content replaced and verified'

run wipe --quiet "$TMP/image"
is "--quiet says nothing about success" "$RC,$ERR,$OUT" "0,,"
run wipe --progress none "$TMP/image"
unlike "--progress none" "$ERR" 'image write'

run wipe --json --quiet "$TMP/image" "$TMP/nosuch"
is "--json: status of the worst" "$RC" 5
is "--json: one document a drive" "$(jq -rs 'map(.verdict) | join(" ")' <<<"$OUT")" "verified failed"
run sh -c '"$@" --json >/dev/full' sh "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "--json that cannot be printed" "$RC" 5
run sh -c '"$@" --json >&-' sh "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "--json to a closed descriptor" "$RC" 5

old_data image 3M
run sh -c '"$@" >&- 2>&- <&-' sh "$STORMWIPE" wipe --yes --keep-key --record-dir "$STATE" "$TMP/image"
is "all descriptors closed: status" "$RC" 0
check "all descriptors closed: no message on the drive" \
    same_as_openssl "$TMP/image" $((3 << 20)) "$(record .passes[0].key)"
run sh -c '"$@" >/dev/full 2>/dev/full' sh "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "messages that cannot be printed" "$RC" 0
run bash -c '"$@" 2>&1 | head -1; exit ${PIPESTATUS[0]}' bash "$STORMWIPE" wipe --yes --no-record --limit-rate 8M "$TMP/image"
is "a reader that goes away" "$RC" 0
run setsid -w "$STORMWIPE" wipe --yes --no-record "$TMP/image" </dev/null
is "without a session's terminal" "$RC" 0

for locale in C C.UTF-8 de_DE.UTF-8 fr_FR.UTF-8 tr_TR.UTF-8 ar_EG.UTF-8; do
    run env LC_ALL=$locale "$STORMWIPE" wipe --yes --json --progress json --record-dir "$STATE" "$TMP/image"
    check "$locale: every progress line is JSON" jq -es 'length > 1' <<<"$(grep '^{' <<<"$ERR")"
    check "$locale: the record is JSON with a point in its numbers" \
        jq -e '.passes[0].duration_s | type == "number"' <<<"$OUT"
done

for size in 1 512 4096 1M 30M; do
    for verify in full none; do
        old_data image $size
        run wipe --progress json --verify $verify "$TMP/image"
        is "$size, verify $verify: percent from 0 on, never falling, 100 at the end" \
            "$(grep '^{' <<<"$ERR" | jq -cs 'map(.percent) | [min >= 0, . == sort, .[-1]]')" "[true,true,100]"
        is "$size, verify $verify: bytes are numbers and add up" \
            "$(grep '^{' <<<"$ERR" | jq -cs '.[-1] | .work_bytes == .work_total and (.rate | type) == "number"')" true
    done
done

done_testing
