#!/bin/bash
# Drives: read whoever uses them, written only when nobody does.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

bench() { "$STORMWIPE" bench "$@"; }
sum() { sha256sum <"$TMP/image"; }

for how in "512 512" "512 $((512 * 7))" "512 $((512 * 50001))" "4096 4096" "4096 $((4096 * 1001))" "4096 $((4096 * 3 + 512))"; do
    read -r sector size <<<"$how"
    name="$sector-byte sectors, $size bytes"
    old_data image "$size"
    before=$(sum)
    make_loop "$TMP/image" --sector-size "$sector" --direct-io=on
    run bench --json "$LOOP"
    is "$name: status" "$RC,$ERR" 0,
    is "$name: direct, and all places were read" \
        "$(jq -c '.drives[0] | [.direct, (.places | length > 0 and all(.read.bytes_done == .length))]' <<<"$OUT")" '[true,true]'
    is "$name: unchanged" "$(sum)" "$before"
    run bench --write --yes --json "$LOOP"
    is "$name, --write: status" "$RC" 0
    is "$name, --write: all places were written" "$(jq -c '.drives[0].places | all(.write.bytes_done == .length)' <<<"$OUT")" true
    check "$name, --write: changed" test "$(sum)" != "$before"
    drop_loop
done

old_data image 8M
make_loop "$TMP/image"
run bench "$LOOP"
like "the drive and its size" "$OUT" "^$LOOP: loop device, 8.4 MB"
drop_loop

# In use: read without a word, never written.
truncate -s 64M "$TMP/image"
make_loop "$TMP/image"
mkfs.ext4 -qF "$LOOP"
mkdir "$TMP/m"
mount "$LOOP" "$TMP/m"
cleanup_add "umount '$TMP/m'"
echo keep >"$TMP/m/file"
sync -f "$TMP/m"
run bench "$LOOP"
is "mounted: read" "$RC,$ERR" 0,
run bench "$TMP/image"
is "the image behind a mounted device: read" "$RC,$ERR" 0,
run bench --write --yes "$LOOP"
is "mounted, --write: refused" "$RC" 3
like "mounted, --write: says where" "$ERR" "$LOOP: in use: .*is mounted on $TMP/m"
run bench --write --yes "$TMP/image"
is "the image behind a mounted device, --write: refused" "$RC" 3
is "mounted: the file is intact" "$(cat "$TMP/m/file")" keep
umount "$TMP/m"
run fsck.ext4 -fn "$LOOP"
is "mounted: the file system is whole" "$RC" 0
blockdev --setro "$LOOP"
run bench "$LOOP"
is "read-only: read" "$RC" 0
run bench --write --yes "$LOOP"
is "read-only, --write: refused" "$RC" 3
blockdev --setrw "$LOOP"
"$STORMWIPE" wipe --yes --quiet --no-record --limit-rate 16M "$LOOP" &
pid=$!
cleanup_add "kill $pid 2>/dev/null"
wait_for sh -c "[ \"\$(head -c 16 '$TMP/image' | tr -d '\\0' | wc -c)\" -gt 0 ]"
run bench --write --yes "$LOOP"
is "while it is wiped, --write: refused" "$RC" 3
wait $pid
is "and the wipe ends well" "$?" 0
drop_loop
run setpriv --reuid 65534 --regid 65534 --clear-groups true
if [ "$RC" = 0 ]; then
    chmod 755 "$TMP"
    old_data image 1M
    make_loop "$TMP/image"
    mknod -m 600 "$TMP/node" b $((0x$(stat -c %t "$LOOP"))) $((0x$(stat -c %T "$LOOP")))
    run setpriv --reuid 65534 --regid 65534 --clear-groups "$STORMWIPE" bench "$TMP/node"
    is "without the right: refused" "$RC" 3
    like "without the right: said" "$ERR" 'permission denied'
    drop_loop
fi

# Old partitions vanish when their table was overwritten.
truncate -s 64M "$TMP/image"
make_loop "$TMP/image"
if addpart "$LOOP" 1 2048 65536 2>/dev/null; then
    run bench --write --yes "$LOOP"
    is "partitions, --write: status" "$RC" 0
    is "partitions, --write: gone" "$([ -e "/sys/block/${LOOP##*/}/${LOOP##*/}p1" ] && echo there || echo gone)" gone
else
    skip "partitions" "no addpart here"
fi
drop_loop

# What cannot be written, and what cannot be read.
mkdir "$TMP/small"
mount -t tmpfs -o size=8M none "$TMP/small"
cleanup_add "umount '$TMP/small'"
truncate -s 24M "$TMP/small/image"
make_loop "$TMP/small/image"
run bench --write --yes --json "$LOOP"
is "places that cannot be written: status" "$RC,$(jq .drives[0].exit_status <<<"$OUT")" 1,1
like "places that cannot be written: said" "$ERR" "$LOOP: [0-9,]+ bytes at its end could not be written \(.*\), first at byte"
is "places that cannot be written: the figures add up" \
    "$(jq -c '.drives[0].places | all(.write.bytes_done + .write.bad_bytes == .length)' <<<"$OUT")" true
drop_loop
if command -v nbdkit >/dev/null && command -v nbdfuse >/dev/null && [ -e /dev/fuse ]; then
    : >"$TMP/nbd"
    nbdfuse "$TMP/nbd" --command nbdkit -s --filter=error memory size=1M error-pread=EIO error-pread-rate=100% &
    pid=$!
    cleanup_add "umount '$TMP/nbd'; wait $pid"
    wait_for sh -c "[ \"\$(stat -c %s '$TMP/nbd')\" -gt 0 ]"
    run bench "$TMP/nbd"
    is "nothing can be read: status" "$RC" 1
    like "nothing can be read: said" "$ERR" 'bytes at its start could not be read \(Input/output error\), first at byte 0\.'
    like "nothing can be read: no rate" "$OUT" 'start +0 B +-'
    unlike "nothing can be read: no promise" "$OUT" 'would take'
else
    skip "nothing can be read" "needs nbdkit, nbdfuse and /dev/fuse"
fi

done_testing
