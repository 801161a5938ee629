#!/bin/bash
# On a terminal: the question, the progress line, any size of window, Ctrl-C.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

on_terminal() { # PTY-OPTION... -- STORMWIPE-OPTION...
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    run "$ROOT/tests/pty" "${options[@]}" -- "$STORMWIPE" wipe --record-dir "$STATE" "${@:2}"
}

old_data my.img 4M
before=$(sha256sum <"$TMP/my.img")
# There are three tries; nothing at all ends it at once.
three_times() { # ANSWER: sets TRIES, options of pty
    local on="leave it alone: =type:$1\n"
    TRIES=(--on "$on")
    if [ -n "$1" ]; then TRIES+=(--on "$on" --on "$on"); fi
}
for answer in yes my.im 'my.img ' MY.IMG '' y; do
    three_times "$answer"
    on_terminal "${TRIES[@]}" -- "$TMP/my.img"
    is "the answer '$answer': refused" "$RC" 3
    like "the answer '$answer': said" "$OUT" 'not confirmed'
done
on_terminal --on 'leave it alone: =type:\x04' -- "$TMP/my.img"
is "end of file as answer: refused" "$RC" 3
# The right answer, typed before there is a question.
cat >"$TMP/typed-ahead" <<'EOF'
#!/bin/sh
echo ready
until python3 -c 'import fcntl, struct, sys, termios
sys.exit(struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, bytes(4)))[0] == 0)'; do :; done
exec "$@"
EOF
three_times no
run "$ROOT/tests/pty" --on 'ready=type:my.img\n' "${TRIES[@]}" -- \
    sh "$TMP/typed-ahead" "$STORMWIPE" wipe --record-dir "$STATE" "$TMP/my.img"
is "what was typed ahead does not count" "$RC" 3
is "nothing was written so far" "$(sha256sum <"$TMP/my.img")" "$before"
old_data my.img 4M
on_terminal --on 'leave it alone: =type:my.img\n' -- "$TMP/my.img"
is "the right answer: wiped" "$RC,$(grep -ac LEFTOVER "$TMP/my.img")" 0,0
old_data my.img 4M
on_terminal --on 'leave it alone: =type:no\n' --on 'not it; 2 more tries(.|\n)*leave it alone: =type:my.img\n' -- "$TMP/my.img"
is "the right answer at the second try: wiped" "$RC,$(grep -ac LEFTOVER "$TMP/my.img")" 0,0
like "it shows what will be destroyed" "$OUT" '4,194,304 bytes'
like "the bar" "$OUT" 'my.img (write|verify) .*\[[^]]*\] \[[^]]*\] \[=*>? *\] +[0-9]+% ETA'

old_data a.img 1M
old_data b.img 1M
three_times no
on_terminal --on 'leave it alone: =type:a.img\n' "${TRIES[@]}" -- "$TMP/a.img" "$TMP/b.img"
like "two drives: one table" "$OUT" 'DEVICE +SIZE'

is "two drives, one confirmed: status" "$RC" 3
is "two drives, one confirmed: only that one is wiped" \
    "$(grep -ac LEFTOVER "$TMP/a.img"),$(($(grep -ac LEFTOVER "$TMP/b.img") > 0))" 0,1

for size in '0 0' '1 1' '5 20' '24 40' '24 80' '60 300'; do
    read -r rows columns <<<"$size"
    on_terminal --rows "$rows" --columns "$columns" -- --yes --limit-rate 8M "$TMP/my.img"
    is "$rows rows, $columns columns: status" "$RC" 0
    [ "$columns" = 0 ] && columns=80
    check "$rows rows, $columns columns: the progress fits" python3 - "$TMP/.out" "$columns" <<'PY'
import re, sys
text = open(sys.argv[1], newline='').read()
frames = re.findall(r'([^\r\n]*)\x1b\[K', text)
widest = max(map(len, (re.sub(r'\x1b\[[0-9]*[A-Z]', '', f) for f in frames)), default=0)
sys.exit(not frames or widest > int(sys.argv[2]))
PY
done

for term in dumb nonexistent ''; do
    run env TERM="$term" "$ROOT/tests/pty" -- "$STORMWIPE" wipe --yes --no-record "$TMP/my.img"
    is "TERM='$term': status" "$RC" 0
    unlike "TERM='$term': no control codes" "$OUT" $'\e'
done

old_data my.img 64M
on_terminal --on 'write=size:10x40' --on 'write=size:30x120' --on 'write=size:1x1' --on 'K=size:24x80' \
    --on 'write=type:\x03' -- --yes --limit-rate 4M "$TMP/my.img"
is "resized, then Ctrl-C: status" "$RC" 4
like "resized, then Ctrl-C: said" "$OUT" 'PARTLY WIPED'
is "resized, then Ctrl-C: record" "$(record .verdict)" interrupted

old_data my.img 8M
on_terminal --on 'write=hangup' -- --yes --limit-rate 8M "$TMP/my.img"
wait_for sh -c "[ \"\$(jq -r .verdict '$(newest_record)')\" = verified ]"
is "the terminal goes away: the wipe goes on to its end" "$(record .verdict)" verified

done_testing
