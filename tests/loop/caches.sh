#!/bin/bash
# SPDX-License-Identifier: MIT
# Nothing that was there before comes back: caches of partitions, labels after a wipe that was broken off.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

# ---- what is in the cache of a partition is not written back over the random data ----

old_data disk 64M
make_loop "$TMP/disk"
disk=$LOOP
if addpart "$disk" 1 2048 65536 2>/dev/null; then
    part=${disk}p1
    wait_for test -b "$part"
    exec 9<"$part" # while somebody reads, closing what wrote writes nothing back
    yes DIRTY-PAGE | head -c 4M >"$part"
    run wipe --keep-key "$disk"
    is "dirty pages of a partition: status" "$RC" 0
    sync
    exec 9<&-
    sync
    check "dirty pages of a partition: the medium is exactly the keystream" \
        same_as_openssl "$TMP/disk" $((64 << 20)) "$(record .passes[0].key)"
    is "dirty pages of a partition: none of them" "$(grep -ac DIRTY-PAGE "$TMP/disk")" 0
else
    skip "dirty pages of a partition" "no addpart here"
fi

# The other way round: a partition is wiped, and the whole drive's cache is dirty.
delpart "$disk" 1 2>/dev/null
if addpart "$disk" 2 4096 32768 2>/dev/null; then
    part=${disk}p2
    wait_for test -b "$part"
    exec 9<"$disk"
    yes DIRTY-PAGE | head -c 16M >"$disk"
    run wipe --keep-key "$part"
    is "dirty pages of the drive: status" "$RC" 0
    exec 9<&-
    sync
    dd if="$TMP/disk" of="$TMP/part" bs=512 skip=4096 count=32768 status=none
    check "dirty pages of the drive: the partition is exactly the keystream" \
        same_as_openssl "$TMP/part" $((16 << 20)) "$(record .passes[0].key)"
    delpart "$disk" 2
else
    skip "dirty pages of the drive" "no addpart here"
fi
drop_loop

# ---- labels ----

make_image() { # KIND
    rm -f "$TMP/labelled"
    truncate -s 256M "$TMP/labelled"
    case $1 in
    gpt) printf 'label: gpt\n,64M\n,64M\n' | sfdisk -q "$TMP/labelled" ;;
    ext4) mkfs.ext4 -qF "$TMP/labelled" ;;
    btrfs) mkfs.btrfs -q "$TMP/labelled" ;;
    swap) mkswap -q "$TMP/labelled" ;;
    md1.0) # a RAID superblock at the end: magic, version 1, and where it lies
        printf '\xfc\x4e\x2b\xa9\x01\0\0\0' | at $(((256 << 20) - 8192))
        printf '\xf0\xff\x07\0' | at $(((256 << 20) - 8192 + 144))
        ;;
    vmfs) printf '\x0d\xd0\x01\xc0' | at $((1 << 20)) ;;
    esac >/dev/null 2>&1
}
at() { dd of="$TMP/labelled" bs=1 seek="$1" conv=notrunc status=none; }
begun() { [ "$(head -c 64K "$TMP/labelled" | tr -d '\0' | wc -c)" -gt 60000 ] && [ "$(tail -c 64K "$TMP/labelled" | tr -d '\0' | wc -c)" -gt 60000 ]; }

for kind in gpt ext4 btrfs swap md1.0 vmfs; do
    make_image $kind || continue
    make_loop "$TMP/labelled"
    run blkid -p "$LOOP"
    if [ "$RC" != 0 ]; then
        skip "$kind: labels" "blkid does not know it here"
        losetup -d "$LOOP"
        continue
    fi
    "$STORMWIPE" wipe --yes --expect "size=256M" --record-dir "$STATE" --progress none --limit-rate 8M "$LOOP" 2>"$TMP/err" &
    pid=$!
    cleanup_add "kill $pid 2>/dev/null"
    if [ $kind = vmfs ]; then # another machine may use it: a size does not name it
        wait $pid
        is "$kind: refused without a person or its name" "$?" 3
        like "$kind: named" "$(cat "$TMP/err")" 'VMFS'
        is "$kind: untouched" "$(blkid -p -o value -s TYPE "$LOOP")" VMFS_volume_member
        losetup -d "$LOOP"
        continue
    fi
    wait_for begun
    kill -INT $pid
    wait $pid
    is "$kind: stopped" "$?" 4
    like "$kind: said" "$(cat "$TMP/err")" 'PARTLY WIPED'
    is "$kind: nothing to recognise is left" "$(wipefs -n "$LOOP"; blkid -p "$LOOP")" ""
    losetup -d "$LOOP"
done

done_testing
