#!/bin/bash
# The figures of a machine and of image files: whole, true in their kind, and nothing changed by reading.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

bench() { "$STORMWIPE" bench "$@"; }
sum() { sha256sum <"$1"; }

# ---- ciphers ----

run bench
is "ciphers: status" "$RC" 0
is "ciphers: nothing on standard error" "$ERR" ""
like "ciphers: a heading" "$OUT" '^CIPHER +MADE BY +1 THREAD .*ENOUGH FOR +USED BY'
like "ciphers: AES by OpenSSL" "$OUT" 'AES-256-CTR +openssl +[0-9.]+ [KMG]iB/s'
like "ciphers: ChaCha20 by OpenSSL" "$OUT" 'ChaCha20 +openssl +[0-9.]+ [KMG]iB/s'
is "ciphers: one is marked" "$(grep -cE ' wipe$' <<<"$OUT")" 1
like "ciphers: said in a sentence" "$OUT" 'wipe would use [A-Za-z0-9-]+ by [a-z-]+: one core is (not )?enough for '
check "ciphers: 80 columns" test "$(wc -L <<<"$OUT")" -le 80
unlike "ciphers: no control codes, no spaces at line ends" "$OUT" $'[\e\r\t]| (\n|$)'

run bench --json
is "ciphers, --json: status and no words" "$RC,$ERR" 0,
is "ciphers, --json: one object on one line" "$(jq -cs length <<<"$OUT"),$(wc -l <<<"$OUT")" 1,1
check "ciphers, --json: types" jq -e '
    (.bench_version == 1) and (.tool.version | type == "string") and (.cpus >= 1) and (.drives == []) and
    (.ciphers | length >= 2) and
    (.ciphers | all(if .works then (.bytes_per_s | . > 0 and . == floor) else .bytes_per_s == null end)) and
    (.chosen.why | length > 0)' <<<"$OUT"
is "ciphers, --json: the chosen one is the fastest of its cipher" "$(jq -c '
    .chosen as $c | [.ciphers[] | select(.cipher == $c.cipher)] | max_by(.bytes_per_s) |
    [.chosen, .implementation == $c.implementation, .bytes_per_s == $c.bytes_per_s]' <<<"$OUT")" '[true,true,true]'
is "ciphers, --json: one is chosen" "$(jq '[.ciphers[] | select(.chosen)] | length' <<<"$OUT")" 1
is "ciphers, --json: several threads are measured where there are several" \
    "$(jq '(.threads > 1) == (.ciphers[] | select(.chosen) | .threads_bytes_per_s != null)' <<<"$OUT")" true
chosen=$(jq -r .chosen.cipher <<<"$OUT")
old_data image 64K
run wipe "$TMP/image"
is "wipe uses the cipher that is chosen" "$(record .passes[0].cipher)" "$chosen"
run taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$STORMWIPE" bench --json
is "on one CPU there is one thread" "$(jq -c '[.cpus, .threads]' <<<"$OUT")" '[1,1]'
is "on one CPU there are no others to measure" "$(jq -c '[.ciphers[].threads_bytes_per_s] | unique' <<<"$OUT")" '[null]'

cat >"$TMP/openssl.cnf" <<'END'
openssl_conf = a
[a]
providers = b
[b]
null = c
[c]
activate = 1
END
run env OPENSSL_CONF="$TMP/openssl.cnf" "$STORMWIPE" bench
if [ "$RC" = 0 ]; then
    like "OpenSSL without ciphers: said" "$OUT" 'ChaCha20 +openssl +- .* not in this OpenSSL'
    is "OpenSSL without ciphers: not chosen" "$(grep -cE '^[^ ]+ +openssl .* wipe$' <<<"$OUT")" 0
else
    is "no cipher at all: status" "$RC" 5
    like "no cipher at all: said" "$ERR" 'self-test'
fi

"$STORMWIPE" bench >"$TMP/out" 2>"$TMP/err" &
pid=$!
cleanup_add "kill -9 $pid 2>/dev/null"
wait_for grep -q '^SigBlk:.*7$' /proc/$pid/status # from here on it answers signals itself
kill -INT $pid
wait $pid
is "SIGINT: status" "$?" 4
is "SIGINT: no figures, and what was written" "$(cat "$TMP/out" "$TMP/err")" \
    "stormwipe: stopped. Nothing was written to any drive."

# As nohup starts a program: SIGHUP is ignored, and stays so.
(trap '' HUP && exec "$STORMWIPE" bench) >"$TMP/out" 2>"$TMP/err" &
pid=$!
cleanup_add "kill -9 $pid 2>/dev/null"
wait_for grep -q '^SigBlk:.*6$' /proc/$pid/status # all but SIGHUP
kill -HUP $pid
wait $pid
is "SIGHUP under nohup: status" "$?" 0
like "SIGHUP under nohup: the figures" "$(cat "$TMP/out")" 'wipe would use '

old_data image 1M
before=$(sum "$TMP/image")
run bash -c '"$@" >&-' bash "$STORMWIPE" bench --write --yes "$TMP/image"
is "output closed: status" "$RC" 5
like "output closed: said at once" "$ERR" '^stormwipe: standard output is closed\. .* Nothing was written\.$'
is "output closed: nothing was written" "$(sum "$TMP/image")" "$before"
run bash -c '"$@" >/dev/full' bash "$STORMWIPE" bench "$TMP/image"
is "output full: status" "$RC" 5
like "output full: said" "$ERR" 'cannot write to standard output(: No space left on device)?\.$'

# ---- reading ----

for io in uring sync; do
    for size in 1 2 511 512 513 4095 4096 4097 12287 12288 1000003 8M; do
        old_data image $size
        before=$(sum "$TMP/image")
        run bench --io $io "$TMP/image"
        name="$io, $size bytes"
        is "$name: status" "$RC,$ERR" 0,
        like "$name: a table" "$OUT" $'\nPLACE +AT +READ\nstart +0 B +[0-9.]+ '
        is "$name: unchanged" "$(sum "$TMP/image")" "$before"
        run bench --io $io --json "$TMP/image"
        is "$name: places are apart, in order and within" "$(jq -c --argjson size "$(stat -c %s "$TMP/image")" '
            .drives[0].places | [.[0].offset == 0, .[0].length > 0, .[-1].offset + .[-1].length <= $size,
            ([.[] | .offset, .offset + .length] | . == sort)]' <<<"$OUT")" '[true,true,true,true]'
        is "$name: all of them were read, none written" "$(jq -c '.drives[0] | [.wrote, .exit_status] +
            (.places | [all(.read.bytes_done == .length), all(.read.bad_bytes == 0), all(.write == null)])' <<<"$OUT")" \
            '[false,0,true,true,true]'
    done
done
like "the whole wipe is estimated" "$(jq -c '.drives[0] | [(.wipe_s | type), .limit]' <<<"$OUT")" '^\["number","(drive|cpu)"\]$'

old_data image 1M
old_data other 1M
chmod 400 "$TMP/image" "$TMP/other"
before=$(cat "$TMP/image" "$TMP/other" | sha256sum)
run bench --yes "$TMP/image" "$TMP/other"
is "two of them, read-only: status" "$RC,$ERR" 0,
is "two of them: two tables" "$(grep -c '^PLACE' <<<"$OUT")" 2
like "two of them: named" "$OUT" "$TMP/image: image file, 1.0 MB.*$TMP/other: image file"
check "80 columns but for the name" test "$(grep -v "^$TMP" <<<"$OUT" | wc -L)" -le 80
run flock "$TMP/image" "$STORMWIPE" bench "$TMP/image" "$TMP/image"
is "locked, and named twice: read all the same" "$RC" 0
is "nothing was written to any" "$(cat "$TMP/image" "$TMP/other" | sha256sum)" "$before"
run "$HELPERS/seccomp-run" io_uring_setup EPERM "$STORMWIPE" bench --json "$TMP/image"
[ "$RC" = 77 ] || is "io_uring forbidden: plain calls" "$RC,$(jq -r '.drives[0].backend' <<<"$OUT")" 0,sync
for locale in C.UTF-8 de_DE.UTF-8 tr_TR.UTF-8; do
    run env LC_ALL=$locale "$STORMWIPE" bench --json "$TMP/image"
    check "$locale: a point in the numbers" jq -e '.drives[0].places[0].read.duration_s | type == "number"' <<<"$OUT"
done
run sh -c '"$@" >/dev/full' sh "$STORMWIPE" bench --json "$TMP/image"
is "--json that cannot be printed" "$RC" 5
run bash -c '"$@" | head -1; exit ${PIPESTATUS[0]}' bash "$STORMWIPE" bench "$TMP/image"
like "a reader that goes away" "$RC" '^[05]$'

# ---- what is not read ----

mkfifo "$TMP/fifo"
: >"$TMP/empty"
while read -r status pattern path; do
    run timeout 20 "$STORMWIPE" bench "$path"
    is "$path: status" "$RC" "$status"
    like "$path: said in one line" "$ERR" "^stormwipe: $path: .*${pattern//_/ }[^
]*$"
    is "$path: no figures" "$OUT" ""
done <<END
3 is_a_pipe $TMP/fifo
3 is_a_directory $TMP
3 character_device /dev/null
3 empty_file $TMP/empty
5 no_such_drive $TMP/nosuch
END
run bench --json "$TMP/nosuch" "$TMP/image" /dev/null
is "good ones among others: status of the worst" "$RC" 5
is "good ones among others: each has its own" "$(jq -c '[.drives[].exit_status]' <<<"$OUT")" '[5,0,3]'
is "good ones among others: reasons" "$(jq -c '[.drives[].reason | type]' <<<"$OUT")" '["string","null","string"]'
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$TMP"
    chmod 600 "$TMP/image"
    run setpriv --reuid 65534 --regid 65534 --clear-groups "$STORMWIPE" bench "$TMP/image"
else
    chmod 0 "$TMP/image"
    run bench "$TMP/image"
fi
is "no right to read: refused" "$RC" 3
like "no right to read: said" "$ERR" 'permission denied'

# ---- the command line ----

while IFS='|' read -r words pattern; do
    # shellcheck disable=SC2086
    run bench $words
    is "bench $words: status" "$RC" 2
    like "bench $words: said" "$ERR" "$pattern.*stormwipe bench --help"
done <<END
--write|needs a drive
--write $TMP/image $TMP/other|one drive
--expect size=1M $TMP/image|goes with --write
--expect colour=red --write $TMP/image|does not take
--io fast|does not take
--frobnicate|unknown option
END
run bench --help
is "--help" "$RC" 0
check "--help fits 80 columns" test "$(wc -L <<<"$OUT")" -le 80

# ---- writing ----

# Bytes that differ within the places, and outside of them.
changed() { # JSON FILE
    python3 - "$1" "$2" <<'PY'
import json, sys
places = json.loads(sys.argv[1])['drives'][0]['places']
now = bytearray(open(sys.argv[2], 'rb').read())
old = (b'LEFTOVER-MARK\n' * (len(now) // 14 + 1))[:len(now)]
inside = 0
for p in places:
    end = p['offset'] + p['length']
    inside += sum(a != b for a, b in zip(now[p['offset']:end], old[p['offset']:end]))
    now[p['offset']:end] = old[p['offset']:end]
total = sum(p['length'] for p in places)
print('most' if inside >= total * 0.9 else inside, 'none' if now == old else 'some')
PY
}
for io in uring sync; do
    for size in 4096 20000 1000003 8M; do
        old_data image $size
        run bench --write --yes --io $io --json "$TMP/image"
        name="--write, $io, $size bytes"
        is "$name: status" "$RC" 0
        is "$name: length kept" "$(stat -c %s "$TMP/image")" "$(numfmt --from=iec $size)"
        is "$name: changed within the places and nowhere else" "$(changed "$OUT" "$TMP/image")" "most none"
        is "$name: all of them were written and read" "$(jq -c '.drives[0] | [.wrote] +
            (.places | [all(.write.bytes_done == .length), all(.read.bytes_done == .length)])' <<<"$OUT")" '[true,true,true]'
    done
done
old_data image 64K
cp "$TMP/image" "$TMP/other"
run bench --write --yes "$TMP/image"
like "--write: a column more" "$OUT" 'PLACE +AT +READ +WRITE'
like "--write: says what it does" "$ERR" 'up to 3 x 20.0 KiB of it \(start, middle, end\) are overwritten'
like "--write: says what it is not" "$ERR" 'This is not a wipe'
unlike "--write: never a verdict" "$OUT$ERR" '(wiped and|verified|replaced)'
is "--write: no record" "$(find "$STATE" -newer "$TMP/other" -type f | wc -l)" 0
cp "$TMP/image" "$TMP/first"
cp "$TMP/other" "$TMP/image"
run bench --write --yes --quiet "$TMP/image"
is "--write --quiet: no words" "$RC,$ERR" 0,
check "--write: never the same twice" test "$(cmp -l -n 20000 "$TMP/image" "$TMP/first" | wc -l)" -gt 15000

chmod 600 "$TMP/image"
old_data image 64K
before=$(sum "$TMP/image")
not_written() { # NAME STATUS PATTERN COMMAND...
    run "${@:4}"
    is "$1: status" "$RC" "$2"
    like "$1: said" "$OUT$ERR" "$3"
    is "$1: unchanged" "$(sum "$TMP/image")" "$before"
}
no_terminal() { "$@" </dev/null; }
typed() { # ANSWER COMMAND...: gives it at each of three tries
    local on="leave it alone: =type:$1\n"
    "$ROOT/tests/pty" --on "$on" --on "$on" --on "$on" -- "${@:2}"
}
not_written "no terminal and no --yes" 3 'no terminal to ask on' no_terminal "$STORMWIPE" bench --write "$TMP/image"
not_written "another size" 3 'expected a size of 4K' "$STORMWIPE" bench --write --yes --expect size=4K "$TMP/image"
not_written "locked" 3 'locked' flock "$TMP/image" "$STORMWIPE" bench --write --yes "$TMP/image"
not_written "the wrong answer" 3 'not confirmed' typed imag "$STORMWIPE" bench --write "$TMP/image"
not_written "the right answer, but only to read" 0 'PLACE' "$STORMWIPE" bench --yes "$TMP/image"
not_written "a pipe" 3 'is a pipe' "$STORMWIPE" bench --write --yes "$TMP/fifo"
run "$ROOT/tests/pty" --on 'leave it alone: =type:image\n' -- "$STORMWIPE" bench --write "$TMP/image"
is "the right answer: status" "$RC" 0
like "the right answer: what was asked" "$OUT" 'What is at these places of image \(.*\) will be destroyed for ever'
check "the right answer: written" test "$(sum "$TMP/image")" != "$before"
old_data image 64K
run bench --write --yes --expect size=64K "$TMP/image"
check "the right size: written" test "$RC" = 0 -a "$(sum "$TMP/image")" != "$before"

done_testing
