#!/bin/bash
# What is said about the command line, and that nothing is opened when it is wrong.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

run "$STORMWIPE" --help
is "--help: status" "$RC" 0
is "--help: nothing on standard error" "$ERR" ""
check "--help fits a screen" test "$(wc -l <<<"$OUT")" -lt 24
check "--help fits 80 columns" test "$(wc -L <<<"$OUT")" -le 80
run "$STORMWIPE" wipe --help
is "wipe --help: status" "$RC" 0
check "wipe --help fits 80 columns" test "$(wc -L <<<"$OUT")" -le 80
check "wipe --help fits a screen or a little more" test "$(wc -l <<<"$OUT")" -le 45
run "$STORMWIPE" --version
is "--version: status" "$RC" 0
like "--version" "$OUT" '^stormwipe [0-9]+\.[0-9]+\.[0-9]+$'
run sh -c '"$0" --help >/dev/full' "$STORMWIPE"
is "--help that cannot be printed" "$RC" 5

old_data image 4096
before=$(sha256sum <"$TMP/image")
while IFS= read -r words; do
    # shellcheck disable=SC2086
    run "$STORMWIPE" $words
    is "usage: $words: status" "$RC" 2
    is "usage: $words: nothing on standard output" "$OUT" ""
    is "usage: $words: one line" "$(wc -l <<<"$ERR")" 1
    like "usage: $words: names the program and the way out" "$ERR" '^stormwipe: .*--help\.$'
done <<EOF

frobnicate
--frobnicate
wipe
wipe --
wipe --ye $TMP/image
wipe --dry $TMP/image
wipe --yes --al $TMP/image
wipe --yes --frobnicate $TMP/image
wipe --yes -a $TMP/image
wipe --yes --all=no
wipe --yes --all $TMP/image
wipe --yes --excl=x --all
wipe --yes --exclude x $TMP/image
wipe --yes --all --exclude
wipe --yes --all --exclude=
wipe --yes --fo $TMP/image
wipe --yes --force $TMP/image
wipe --yes --sani $TMP/image
wipe --yes --verify=half $TMP/image
wipe --yes --verify half $TMP/image
wipe --yes --yes=1 $TMP/image
wipe --yes --io=fast $TMP/image
wipe --yes --limit-rate 1,5M $TMP/image
wipe --yes --expect serial $TMP/image
wipe --yes --expect colour=red $TMP/image
wipe --yes -x $TMP/image
wipe --yes $TMP/image --verify
wipe --yes $TMP/image --record-dir
stream --frobnicate
stream --byte 5
stream -n
stream $TMP/image
stream --bytes
stream --bytes -1
stream --bytes 1,5M
stream --bytes 16E
stream --seek x
stream --seek 18446744073709551616
stream --seek 1 --bytes 18446744073709551615 --bytes 0x5
stream --seek 2 --bytes 18446744073709551615
stream --key-file
stream --cipher aes
stream --cipher AES-256-CTR
stream --to-terminal=yes
EOF
run "$STORMWIPE" wipe --yes ''
is "an empty name" "$RC" 2
is "nothing was written by any of them" "$(sha256sum <"$TMP/image")" "$before"

run "$STORMWIPE" wipe --yes "$TMP/image" --frob
like "the mistake is named" "$ERR" 'unknown option --frob'
run "$STORMWIPE" wipe --yes $'\e[31mred\a' --verify=no
unlike "no control characters from the command line" "$ERR" $'[\e\a]'

done_testing
