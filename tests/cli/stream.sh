#!/bin/bash
# The random stream on standard output: its bytes, where it may go, how it ends.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

KEY=c47b0294dbbbee0fec4757f22ffeee3587ca4730c3d33b691df38bab076bc558
echo $KEY >"$TMP/key"
G=$((1 << 30))
export ROOT STORMWIPE TMP

# Sets RC and ERR like run; what comes out is not text and stays in $TMP/out.
capture() {
    "$@" >"$TMP/out" 2>"$TMP/.err"
    RC=$? ERR=$(<"$TMP/.err")
}
stream() { "$STORMWIPE" stream "$@"; }
keyed() { "$STORMWIPE" stream --key-file "$TMP/key" "$@"; }
export -f keyed

# The same bytes by the openssl program: it is told the number of the first block, and the rest of it is cut off.
reference() { # CIPHER SEEK BYTES
    local block iv='' i
    if [ "$1" = chacha20 ]; then
        block=64
        for ((i = 0; i < 8; i++)); do iv+=$(printf %02x $((($2 / block) >> (8 * i) & 255))); done
        iv+=0000000000000000
    else
        block=16
        iv=$(printf %032x $(($2 / block)))
    fi
    openssl enc "-$1" -K $KEY -iv "$iv" -in /dev/zero 2>/dev/null | tail -c +$(($2 % block + 1)) | head -c "$3"
}
as_reference() { reference "$@" | cmp - "$TMP/out"; } # CIPHER SEEK BYTES

run stream --help
is "--help: status" "$RC" 0
check "--help fits 80 columns" test "$(wc -L <<<"$OUT")" -le 80
check "--help fits a screen" test "$(wc -l <<<"$OUT")" -le 24

for cipher in aes-256-ctr chacha20; do
    for seek in 0 1 15 16 17 63 65 4095 $((64 * G - 3)) $((1024 * G + 5)) 9223372036854775807; do
        reference $cipher $seek 300001 >"$TMP/reference"
        for bytes in 0 1 15 17 63 65 300001; do
            keyed --cipher $cipher --seek $seek --bytes $bytes >"$TMP/out"
            is "$cipher, $bytes bytes from $seek on: status" "$?" 0
            check "$cipher, $bytes bytes from $seek on: as openssl" \
                cmp "$TMP/out" <(head -c $bytes "$TMP/reference")
        done
    done
done
keyed --bytes 20M | cat >"$TMP/out"
check "through a pipe" as_reference aes-256-ctr 0 $((20 << 20))
keyed --bytes 20M --seek 1.5K >"$TMP/out"
check "a size with a unit, to a file" as_reference aes-256-ctr 1536 $((20 << 20))
keyed --bytes 20M >/dev/null
is "to /dev/null" "$?" 0
keyed --cipher auto --bytes 99 >"$TMP/out"
check "auto with a key is AES on every CPU" as_reference aes-256-ctr 0 99
is "without a key every stream is another one" \
    "$(for i in 1 2 3; do stream --bytes 64 | sha256sum; done | sort -u | wc -l)" 3
keyed | head -c 3000000 >"$TMP/out"
check "endless" as_reference aes-256-ctr 0 3000000

# Block 2^60 - 2 of AES begins 32 bytes before the end.
last() { openssl enc -aes-256-ctr -K $KEY -iv 00000000000000000ffffffffffffffe -in /dev/zero 2>/dev/null | head -c 32; }
for bytes in 32 17 16 1; do
    capture keyed --seek 1844674407370955$((1616 - bytes))
    is "an endless stream ends at 2^64: $bytes bytes, status" "$RC" 0
    check "an endless stream ends at 2^64: $bytes bytes" cmp "$TMP/out" <(last | tail -c $bytes)
    capture keyed --seek 1844674407370955$((1616 - bytes)) --bytes $bytes
    check "the last $bytes bytes" cmp "$TMP/out" <(last | tail -c $bytes)
    run keyed --seek 1844674407370955$((1616 - bytes)) --bytes $((bytes + 1))
    is "one byte more" "$RC,$OUT" 2,
done

# Descriptors that take little at a time, whatever they are.
cat >"$TMP/slow-reader" <<'PY'
import os, socket, subprocess, sys
kind, nonblocking = sys.argv[1:3]
if kind == 'pipe':
    ours, theirs = os.pipe()
else:
    pair = socket.socketpair()
    pair[1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    ours, theirs = (s.detach() for s in pair)
os.set_blocking(theirs, nonblocking == 'no')
p = subprocess.Popen(sys.argv[3:], stdout=theirs)
os.close(theirs)
while data := os.read(ours, 50021):
    sys.stdout.buffer.write(data)
sys.exit(p.wait())
PY
for kind in pipe socket; do
    for nonblocking in yes no; do
        capture python3 "$TMP/slow-reader" $kind $nonblocking "$STORMWIPE" stream --key-file "$TMP/key" --seek 5 --bytes 5000003
        is "$kind, non-blocking $nonblocking: status" "$RC,$ERR" 0,
        check "$kind, non-blocking $nonblocking: nothing lost" as_reference aes-256-ctr 5 5000003
    done
done

# ---- keys ----

printf %s $KEY >"$TMP/plain"
printf '%s\n' ${KEY^^} >"$TMP/upper"
for file in plain upper; do
    capture stream --key-file "$TMP/$file" --bytes 48
    check "a key, $file" as_reference aes-256-ctr 0 48
done
capture stream --key-file - --bytes 48 <"$TMP/key"
check "a key on standard input" as_reference aes-256-ctr 0 48
capture stream --key-file <(printf %s ${KEY:0:9} && cat <(printf '%s\n' ${KEY:9})) --bytes 48
check "a key in two pieces through a pipe" as_reference aes-256-ctr 0 48

bad_key() { # NAME
    run stream --key-file "$TMP/bad" --bytes 48
    is "$1: refused, nothing written" "$RC,$OUT" 2,
    is "$1: one line" "$(wc -l <<<"$ERR")" 1
    like "$1: says what a key is" "$ERR" '^stormwipe: .*/bad: not a key, which is 64 hexadecimal digits'
    unlike "$1: does not show it" "$ERR" ${KEY:1:20}
}
while read -r name text; do
    printf %b "$text" >"$TMP/bad"
    bad_key "a key file that is $name"
done <<LIST
empty
a-newline \n
too-short ${KEY:1}
too-long ${KEY}0
two-keys $KEY\n$KEY\n
two-newlines $KEY\n\n
DOS $KEY\r\n
not-hexadecimal ${KEY:1}g
with-a-prefix 0x${KEY}
with-a-prefix-instead 0x${KEY:2}
with-a-space ${KEY:1}\x20
with-a-space-before \x20$KEY
with-a-zero $KEY\x00
with-a-zero-inside ${KEY:0:32}\x00${KEY:33}
LIST
head -c 32 /dev/urandom >"$TMP/bad"
bad_key "a binary key"
run stream --key-file /dev/zero --bytes 48
is "a key file without end" "$RC,$OUT" 2,
run stream --key-file "$TMP/nosuch" --bytes 48
is "no key file" "$RC,$OUT" 5,
like "no key file: said" "$ERR" "^stormwipe: $TMP/nosuch: cannot read the key: No such file"
run stream --key-file "$TMP" --bytes 48
is "a directory as key file" "$RC,$OUT" 5,
like "a directory as key file: said" "$ERR" 'Is a directory'
run stream --key-file - --bytes 48 <&-
is "a key from standard input that is closed" "$RC,$OUT" 5,
is "a key from standard input that is closed: one line" "$(wc -l <<<"$ERR")" 1

# ---- where it goes ----

run "$ROOT/tests/pty" -- "$STORMWIPE" stream --bytes 100
is "a terminal: refused" "$RC" 3
like "a terminal: the way out" "$OUT" '^stormwipe: standard output is a terminal\..*--to-terminal\.'
is "a terminal: one line" "$(wc -l <<<"$OUT")" 1
capture "$ROOT/tests/pty" -- "$STORMWIPE" stream --bytes 3000 --to-terminal
is "a terminal, as wanted" "$RC" 0
check "a terminal, as wanted: it gets it" test "$(stat -c %s "$TMP/out")" -ge 3000

run bash -c 'keyed >&-'
is "standard output closed: status" "$RC" 5
like "standard output closed: said" "$ERR" '^stormwipe: standard output is closed'
is "standard output closed: one line" "$(wc -l <<<"$ERR")" 1
run bash -c 'keyed 1</dev/null'
is "standard output open for reading" "$RC" 5
run bash -c 'keyed >/dev/full'
is "no space: status" "$RC" 5
is "no space: one line" "$ERR" "stormwipe: cannot write to standard output: No space left on device."
capture bash -c 'trap "" XFSZ; ulimit -f 100; keyed'
is "a file that must not grow: status" "$RC" 5
check "a file that must not grow: full up to there" as_reference aes-256-ctr 0 $((100 << 10))

# ---- how it ends ----

ends() { # NAME SIGNAL-OPTION STATUS STREAM-OPTION...: the reader goes away
    local name=$1 option=$2 status=$3
    shift 3
    run bash -c 'env "$0" "$STORMWIPE" stream "$@" | head -c 100 >/dev/null; exit ${PIPESTATUS[0]}' "$option" "$@"
    is "$name: status" "$RC" "$status"
    is "$name: quietly" "$ERR" ""
}
ends "a reader that goes away" --default-signal=PIPE 141
ends "a reader that goes away before the last byte" --default-signal=PIPE 141 --bytes 1G
ends "SIGPIPE ignored, endless" --ignore-signal=PIPE 0
ends "SIGPIPE ignored, not all delivered" --ignore-signal=PIPE 4 --bytes 1G
ends "SIGPIPE ignored, all delivered" --ignore-signal=PIPE 0 --bytes 100

mkfifo "$TMP/fifo"
exec 7<>"$TMP/fifo"
for signal in INT TERM; do
    env --default-signal=$signal "$STORMWIPE" stream >"$TMP/fifo" 2>"$TMP/err" &
    head -c 1 <&7 >/dev/null
    kill -$signal $!
    wait $!
    is "SIG$signal ends it" "$?" $((128 + $(kill -l $signal)))
    is "SIG$signal: quietly" "$(cat "$TMP/err")" ""
done
exec 7>&-

done_testing
