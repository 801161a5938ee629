#!/bin/bash
# Drives that fail: never a success, the failed ranges in the record, the rest wiped.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

begin_wipe() { # BYTES: starts a slow wipe of $LOOP over image in the background; returns when so many are written
    "$STORMWIPE" wipe --yes --record-dir "$STATE" --progress none --limit-rate 16M "$LOOP" 2>"$TMP/err" &
    pid=$!
    cleanup_add "kill $pid 2>/dev/null"
    wait_for sh -c "! head -c $1 '$TMP/image' | grep -q LEFTOVER"
}

# A drive whose backing store is full: writes beyond fail.
mkdir "$TMP/small"
mount -t tmpfs -o size=8M none "$TMP/small"
cleanup_add "umount '$TMP/small'"
truncate -s 24M "$TMP/small/image"
make_loop "$TMP/small/image"
for io in uring sync; do
    run wipe --io $io "$LOOP"
    is "$io, backing store full: status" "$RC" 1
    is "$io, backing store full: record" "$(record '.verdict + " " + (.exit_status | tostring)')" "unwritten 1"
    check "$io, backing store full: about 16 MiB are left" test "$(record .old_data_bytes)" -ge $((15 << 20))
    # A write that only fits in part fails or, by some kernels, is said to be done: then reading back finds it.
    is "$io, backing store full: the ranges add up" \
        "$(record '([.verification.mismatching_ranges[].length] | add) == .old_data_bytes and
            ([.passes[0].bad_ranges[].length] | add) <= .old_data_bytes')" true
    like "$io, backing store full: said" "$ERR" 'NOT completely wiped'
done
drop_loop

# Read-only in the middle of a run.
old_data image 64M
make_loop "$TMP/image"
begin_wipe 16
blockdev --setro "$LOOP"
wait $pid
rc=$?
if [ "$rc" -eq 0 ]; then
    check "this kernel let the claimed drive be written: then it is really wiped" \
        test "$(grep -ac LEFTOVER "$TMP/image")" -eq 0
else
    is "turned read-only in the middle: status and record" "$rc $(record .verdict)" "4 gone"
fi
drop_loop

# A drive that shrinks under the run.
old_data image 64M
make_loop "$TMP/image"
begin_wipe 16
truncate -s 8M "$TMP/image"
losetup -c "$LOOP"
wait $pid
is "a drive that shrinks: status" "$?" 4
is "a drive that shrinks: record" "$(record .verdict)" gone
drop_loop

# What is verified is the medium, not what the kernel remembers of the drive: somebody keeps the start of the drive
# in the page cache while the medium changes behind it.
old_data image 32M
make_loop "$TMP/image" --direct-io=on
begin_wipe 1M
exec 9<"$LOOP"
head -c 1M <&9 >/dev/null
printf XXXX | dd of="$TMP/image" bs=1 seek=8192 conv=notrunc,fsync status=none
wait $pid
is "medium changed behind the cache: status" "$?" 1
exec 9<&-
is "medium changed behind the cache: found where it is" \
    "$(record '.verification.mismatching_ranges[] | "\(.offset) \(.length)"')" "8192 512"
like "medium changed behind the cache: said" "$(cat "$TMP/err")" 'NOT verified: 512 bytes .* first at byte 8,192'
drop_loop

# A drive that grows has a new part that nobody wrote.
old_data image 32M
make_loop "$TMP/image"
begin_wipe 16
yes LEFTOVER-MARK | head -c 8M >>"$TMP/image"
losetup -c "$LOOP"
wait $pid
is "a drive that grows: status" "$?" 4
is "a drive that grows: record" "$(record .verdict)" gone
like "a drive that grows: said" "$(cat "$TMP/err")" 'another drive now, or changed its size'
drop_loop

if command -v nbdkit >/dev/null && command -v nbdfuse >/dev/null && [ -e /dev/fuse ]; then
    : >"$TMP/nbd"
    nbdfuse "$TMP/nbd" --command nbdkit -s --filter=error memory size=8M \
        error-pwrite=EIO error-pwrite-rate=10% &
    pid=$!
    cleanup_add "umount '$TMP/nbd'; wait $pid"
    wait_for sh -c "[ \"\$(stat -c %s '$TMP/nbd')\" -gt 0 ]"
    make_loop "$TMP/nbd"
    run wipe "$LOOP"
    check "writes that fail now and then: status 0 only if all was written and verified" \
        test "$RC" = "$(record 'if .verdict == "verified" then 0 else 1 end')"
    is "writes that fail now and then: the record adds up" \
        "$(record '.passes[0].bytes_done + ([.passes[0].bad_ranges[].length] | add // 0)')" $((8 << 20))
    drop_loop
else
    skip "writes that fail now and then" "needs nbdkit, nbdfuse and /dev/fuse"
fi

# A file system without direct I/O: through the page cache, and the record says so.
mkdir "$TMP/ramfs"
if mount -t ramfs none "$TMP/ramfs" 2>/dev/null; then
    cleanup_add "umount '$TMP/ramfs'"
    old_data ramfs/image 5000001
    run wipe --keep-key "$TMP/ramfs/image"
    is "no direct I/O: status" "$RC" 0
    is "no direct I/O: the record says so" "$(record .passes[0].io.direct)" false
    check "no direct I/O: content" same_as_openssl "$TMP/ramfs/image" 5000001 "$(record .passes[0].key)"
else
    skip "no direct I/O" "no ramfs here"
fi

done_testing
