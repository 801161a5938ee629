#!/bin/bash
# The list of real devices: what is on them, who uses them, and nothing disturbed by it.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

list() { "$STORMWIPE" list "$@"; }
row() { list --all --noheadings --output "$1" 2>/dev/null | grep -E "^$LOOP +"; }
cell() { list --noheadings --output "$1" "$LOOP" 2>/dev/null; }
fact() { list --json "$LOOP" 2>/dev/null | jq -c ".drives[0] | $1"; }
listed() { # NAME COLUMNS WANTED: the same in the list of all as when it is named, but for the columns' width
    is "$1: in the list of all" "$(row "device,$2" | sed -E "s,^$LOOP +,,; s,  +, | ,g")" "$3"
    is "$1: named" "$(cell "$2" | sed -E 's,  +, | ,g')" "$3"
}

truncate -s 64M "$TMP/disk"
sfdisk -q "$TMP/disk" <<'END'
label: gpt
size=16M, type=L
size=16M, type=S
END
mke2fs -q -F -t ext4 -L backup -E offset=$((1 << 20)) "$TMP/disk" 16M
make_loop "$TMP/disk"
disk=$LOOP
listed "a partition table" wipe,on-it 'yes | gpt: ext4 "backup", 1 unknown'
is "its sectors" "$(cell sectors,type,bus,media)" "512/512  disk  loop  memory"
is "its file" "$(cell backing)" "$TMP/disk"
is "in bytes" "$(cell size-bytes)" $((64 << 20))
is "its number" "$(cell devno)" "$(lsblk -ndo MAJ:MIN "$LOOP" | xargs)"
is "hidden by default" "$(list 2>/dev/null | grep -c "^$LOOP ")" 0
is "and shown if it is named" "$(list "$LOOP" 2>/dev/null | grep -c "^$LOOP ")" 1

# Partitions, where the kernel has them.
if addpart "$disk" 1 2048 32768 2>/dev/null; then
    is "a partition is not listed by itself" "$(list --all 2>/dev/null | grep -c "^${disk}p1 ")" 0
    LOOP=${disk}p1
    is "named, it is" "$(cell wipe,type,on-it)" 'yes  partition  ext4 "backup"'
    LOOP=$disk
    mkdir "$TMP/p"
    mount "${disk}p1" "$TMP/p"
    cleanup_add "umount '$TMP/p'"
    listed "a partition is mounted" wipe,use "no | mounted: $TMP/p"
    is "a partition is mounted: the way there" "$(fact '.usage.uses[0] | [.kind, (.chain | sub(".* -> "; ""))]')" \
        "[\"mount\",\"${disk##*/}p1\"]"
    umount "$TMP/p"
    delpart "$disk" 1
else
    skip "partitions" "no addpart here"
fi

# In use.
truncate -s 64M "$TMP/fs"
make_loop "$TMP/fs"
mkfs.ext4 -qF -L photos "$LOOP"
mkdir "$TMP/m m"
mount "$LOOP" "$TMP/m m"
cleanup_add "umount '$TMP/m m'"
listed "mounted" wipe,use "no | mounted: $TMP/m m"
is "mounted: what is on it" "$(cell on-it)" 'ext4 "photos"'
is "mounted: a reason" "$(fact '[.accepted, (.refusals | length), .usage.uses[0].what]')" "[false,1,\"$TMP/m m\"]"
is "a file that a loop device has" "$(list --noheadings --output wipe "$TMP/fs" 2>/dev/null)" no
umount "$TMP/m m"
run fsck.ext4 -fn "$LOOP"
is "mounted: the file system is whole" "$RC" 0
make_loop "$LOOP"
top=$LOOP LOOP=${loops[-2]}
listed "below a loop device" wipe,use "no | behind ${top##*/}"
losetup -d "$top"
mkswap -q "$LOOP"
if swapon "$LOOP" 2>/dev/null; then
    cleanup_add "swapoff '$LOOP'"
    listed "active swap" wipe,use "no | swap: $LOOP"
    swapoff "$LOOP"
else
    skip "active swap" "swapon does not work here"
fi
listed "free" wipe,on-it "yes | swap"
if [ "$(fact .usage.openers_known)" = true ]; then
    exec 9<>"$LOOP"
    listed "open for writing" wipe,use "no | open: bash ($$)"
    is "open for writing: by whom" "$(fact '.usage.uses[0] | [.kind, .pid, .command]')" "[\"writer\",$$,\"bash\"]"
    exec 9<&- 9<"$LOOP"
    listed "open for reading" wipe,use "yes | read by bash ($$)"
    exec 9<&-
    [ "$(fact .usage.namespaces_known)" = false ] || listed "let go" wipe,use "yes | free"
else
    skip "open for writing" "not all processes can be looked at"
fi

# What it is refused for besides.
blockdev --setro "$LOOP"
listed "read-only" wipe,ro "no | yes"
like "read-only: said" "$(cell use)" '^write-protected'
blockdev --setrw "$LOOP"
: >"$TMP/zero"
make_loop "$TMP/zero" 2>/dev/null
listed "size 0" wipe,use,size,on-it "no | has size 0 | - | -"

# Nobody is disturbed: neither who has it exclusively, nor who waits for news of it.
drop_loop
old_data image 32M
make_loop "$TMP/image"
"$STORMWIPE" wipe --yes --quiet --no-record --limit-rate 32M "$LOOP" &
pid=$!
cleanup_add "kill $pid 2>/dev/null"
wait_for sh -c "! head -c 16 '$TMP/image' | grep -q LEFTOVER"
run list --all
is "while it is wiped" "$RC,$(grep -c "^$LOOP " <<<"$OUT")" 0,1
wait $pid
is "and the wipe ends well" "$?" 0
before=$(sha256sum <"$TMP/image")
written=$(awk '{print $5, $7}' "/sys/block/${LOOP##*/}/stat")
run list --all
is "nothing was written" "$(sha256sum <"$TMP/image"),$(awk '{print $5, $7}' "/sys/block/${LOOP##*/}/stat")" "$before,$written"

# Without the right to open it.
if setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    run setpriv --reuid 65534 --regid 65534 --clear-groups "$STORMWIPE" list --all --output device,size,on-it
    is "without rights: status" "$RC" 0
    like "without rights: shown" "$OUT" "$LOOP +34 MB +not readable"
    like "without rights: said" "$ERR" '^stormwipe: not seen: what is on .* Root sees more\.$'
fi
# A node under another name, and no udev, no by-id links: all the same.
mknod "$TMP/node" b $((0x$(stat -c %t "$LOOP"))) $((0x$(stat -c %T "$LOOP")))
is "a node of another name" "$(list --noheadings --output device,path,size "$TMP/node" 2>/dev/null)" "$LOOP  $TMP/node  34 MB"
if unshare -m true 2>/dev/null; then
    without_sys() { unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$@"; }
    truncate -s 16M "$TMP/small"
    mkswap -q -L keep "$TMP/small"
    make_loop "$TMP/small"
    is "without /sys" "$(without_sys "$STORMWIPE" list --noheadings --output size,sectors,on-it "$LOOP" 2>/dev/null)" \
        '17 MB  512/512  swap "keep"'
    is "without /sys: nobody can tell" "$(without_sys "$STORMWIPE" list --noheadings --output use "$LOOP" 2>/dev/null)" unknown
fi

done_testing
