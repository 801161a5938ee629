#!/bin/bash
# Image files on file systems that keep old data elsewhere: said before and after, never called erased.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

for type in btrfs xfs ext4; do
    command -v mkfs.$type >/dev/null || { skip "$type" "no mkfs.$type" && continue; }
    rm -f "$TMP/fs"
    truncate -s 400M "$TMP/fs"
    mkfs.$type -q "$TMP/fs" >/dev/null 2>&1
    make_loop "$TMP/fs"
    mkdir -p "$TMP/m"
    mount "$LOOP" "$TMP/m" 2>/dev/null || { skip "$type" "this kernel cannot mount it" && drop_loop && continue; }
    cleanup_add "umount '$TMP/m'"
    old_data m/image 8M
    sync -f "$TMP/m"
    [ $type = ext4 ] || cp --reflink=always "$TMP/m/image" "$TMP/m/copy"
    run wipe "$TMP/m/image"
    is "$type: the file's content is replaced" "$RC,$(grep -ac LEFTOVER "$TMP/m/image")" 0,0
    like "$type: called that, not erased" "$ERR" 'file content replaced and verified'
    is "$type: no level is claimed" "$(record .sanitization)" null
    if [ $type = ext4 ]; then
        unlike "$type: no reflinks here" "$ERR" 'may still be on the drive below'
    else
        like "$type: a shared block is noticed before" "$ERR" 'share its blocks'
        like "$type: and after" "$ERR" 'may still be on the drive below'
        check "$type: the copy is untouched" test "$(grep -ac LEFTOVER "$TMP/m/copy")" -gt 0
    fi
    truncate -s 64M "$TMP/m/sparse"
    run wipe "$TMP/m/sparse"
    like "$type: holes are named with the room they will take" "$ERR" 'takes up to 64.0 MiB more room'
    umount "$TMP/m"
    drop_loop
done

done_testing
