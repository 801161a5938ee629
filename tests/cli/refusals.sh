#!/bin/bash
# What is not wiped: said at once, in one line, and nothing is touched.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

refused() { # NAME PATTERN TARGET...
    local name=$1 pattern=$2
    shift 2
    run timeout 5 "$STORMWIPE" wipe --yes --record-dir "$STATE" "$@"
    is "$name: refused" "$RC" 3
    like "$name: says why" "$ERR" "$pattern"
}

mkfifo "$TMP/fifo"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$TMP/socket"
: >"$TMP/empty"
old_data image 64K
old_data other 64K
ln -s image "$TMP/link"
ln "$TMP/image" "$TMP/hard"
before=$(cat "$TMP/image" "$TMP/other" | sha256sum)

refused "FIFO" 'is a pipe' "$TMP/fifo"
refused "directory" 'is a directory' "$TMP"
refused "/dev/null" 'character device' /dev/null
refused "/dev/zero" 'character device' /dev/zero
refused "/dev/tty" 'character device' /dev/tty
refused "socket" 'is a socket' "$TMP/socket"
refused "empty file" 'empty file' "$TMP/empty"
refused "the same file twice" 'the same drive' "$TMP/image" "$TMP/image"
refused "the same file by a link" 'the same drive' "$TMP/image" "$TMP/link"
refused "the same file by a hard link" 'the same drive' "$TMP/other" "$TMP/image" "$TMP/hard"
refused "another size" 'expected a size of 4K' --expect size=4K "$TMP/image"
refused "another serial" 'expected serial ABC' --expect serial=ABC "$TMP/image"
refused "an expectation that only one meets" 'expect' --expect size=64K --expect serial=X "$TMP/image" "$TMP/other"

run wipe /dev/nosuch
is "a node that is not there: status" "$RC" 5
like "a node that is not there: said" "$ERR" '^stormwipe: /dev/nosuch: there is no such'
check "it was not created" test ! -e /dev/nosuch
run wipe "$TMP/nosuch" --dry-run
is "no such file, dry run" "$RC" 5

run "$STORMWIPE" wipe --record-dir "$STATE" "$TMP/image" </dev/null
is "no terminal and no --yes: refused" "$RC" 3
like "no terminal and no --yes: said" "$ERR" 'no terminal to ask on'
is "none of them was touched" "$(cat "$TMP/image" "$TMP/other" | sha256sum)" "$before"
is "no record of a run that never began" "$(find "$STATE" -type f | wc -l)" 0

if [ "$(id -u)" = 0 ]; then
    chmod 755 "$TMP"
    chmod 600 "$TMP/image"
    run setpriv --reuid 65534 --regid 65534 --clear-groups "$STORMWIPE" wipe --yes --no-record "$TMP/image"
else
    chmod 400 "$TMP/image"
    run wipe "$TMP/image"
fi
is "no right to write: refused" "$RC" 3
like "no right to write: said" "$ERR" 'permission denied'

chmod 600 "$TMP/image"
run flock "$TMP/image" "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "locked by another program: refused" "$RC" 3
like "locked by another program: said" "$ERR" 'locked'

python3 - "$TMP/image" "$TMP/locked" <<'PY' &
import fcntl, pathlib, sys, time
f = open(sys.argv[1], 'r+b')
fcntl.lockf(f, fcntl.LOCK_EX)
pathlib.Path(sys.argv[2]).touch()
time.sleep(60)
PY
locker=$!
cleanup_add "kill $locker"
wait_for test -e "$TMP/locked"
run wipe "$TMP/image"
is "locked by fcntl, as virtual machines do: refused" "$RC" 3
like "locked by fcntl: said" "$ERR" 'locked|open for writing by'
kill $locker
wait $locker 2>/dev/null

# One that is refused does not hide the others, and the worst decides.
old_data image 64K
old_data other 64K
run wipe "$TMP/fifo" "$TMP/image" "$TMP/empty" "$TMP/other"
is "good ones among refused ones: status" "$RC" 3
is "good ones among refused ones: wiped" "$(cat "$TMP/image" "$TMP/other" | grep -ac LEFTOVER)" 0
run wipe --expect size=64K "$TMP/image" "$TMP/other"
is "the right expectation" "$RC" 0

# What other machines may be using: a name of today is not enough, somebody who was asked or an exact name is.
while read -r kind offset bytes; do
    old_data shared 4M
    truncate -s 0 "$TMP/shared"
    truncate -s 4M "$TMP/shared"
    printf '%b' "$bytes" | dd of="$TMP/shared" bs=1 seek="$offset" conv=notrunc status=none
    before=$(sha256sum <"$TMP/shared")
    run wipe "$TMP/shared"
    is "$kind: refused" "$RC" 3
    like "$kind: named, and what to do" "$ERR" "holds $kind, which other machines may be using.*--expect"
    run wipe --expect size=4M "$TMP/shared"
    is "$kind: a size is no name" "$RC" 3
    is "$kind: untouched" "$(sha256sum <"$TMP/shared")" "$before"
    run "$STORMWIPE" wipe --dry-run "$TMP/shared"
    is "$kind: a person would be asked" "$RC" 0
    like "$kind: and is told" "$(tr -s ' \n' ' ' <<<"$OUT")" "note it holds $kind, which other machines may be using"
done <<'END'
VMFS_volume_member 1048576 \x0d\xd0\x01\xc0
gfs2 65536 \x01\x16\x19\x70
END

done_testing
