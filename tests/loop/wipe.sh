#!/bin/bash
# Whole runs on loop devices: sector sizes, odd sizes, several at once.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
need_loop

for io in uring sync; do
    for how in "512 512" "512 $((512 * 7))" "512 $((64 * 1024 * 1024 + 512 * 7))" "4096 4096" \
        "4096 $((4096 * 1001))"; do
        read -r sector size <<<"$how"
        old_data image "$size"
        make_loop "$TMP/image" --sector-size "$sector"
        run wipe --io $io --keep-key "$LOOP"
        name="$io, $sector-byte sectors, $size bytes"
        is "$name: status" "$RC" 0
        is "$name: no old data" "$(grep -ac LEFTOVER "$TMP/image")" 0
        check "$name: what openssl prints for the key" \
            same_as_openssl "$TMP/image" "$size" "$(record .passes[0].key)"
        is "$name: record" "$(record '.passes[0].io.backend + " " + (.drive.size_bytes | tostring)')" \
            "$([ $io = uring ] && echo io_uring || echo sync) $size"
        drop_loop
    done
done

# No request can reach half a sector: that is said, and the rest is wiped.
old_data image $((4096 * 3 + 512))
make_loop "$TMP/image" --sector-size 4096
run wipe "$LOOP"
is "size ends within a sector: status" "$RC" 1
is "size ends within a sector: the record names it" \
    "$(record '.passes[0].bad_ranges[] | "\(.offset) \(.length)"')" "12288 512"
is "size ends within a sector: the rest is wiped" "$(head -c 12288 "$TMP/image" | grep -ac LEFTOVER)" 0
drop_loop

truncate -s 10000123 "$TMP/image"
make_loop "$TMP/image"
run wipe "$LOOP"
is "a file whose tail is not part of the device" "$RC,$(record .drive.size_bytes)" "0,9999872"
drop_loop

for count in 1 2 8; do
    targets=()
    for i in $(seq "$count"); do
        old_data "many-$i" 16M
        make_loop "$TMP/many-$i"
        targets+=("$LOOP")
    done
    run wipe "${targets[@]}"
    is "$count at once: status" "$RC" 0
    is "$count at once: all wiped" "$(cat "$TMP"/many-* | grep -ac LEFTOVER)" 0
    is "$count at once: a verdict each" "$(grep -c 'wiped and verified' <<<"$ERR")" "$count"
    drop_loop
done

for size in 5T 20T; do
    truncate -s $size "$TMP/huge"
    make_loop "$TMP/huge"
    run wipe --dry-run "$LOOP"
    is "$size dry run: status" "$RC" 0
    like "$size dry run: the size in full" "$OUT" "$(numfmt --from=iec --grouping $size | sed 's/\([0-9]\)\([0-9]\{3\}\)/\1,\2/g')|$([ $size = 5T ] && echo 5,497,558,138,880 || echo 21,990,232,555,520)"
    is "$size dry run: nothing was written" "$(stat -c %b "$TMP/huge")" 0
    drop_loop
    rm "$TMP/huge"
done

for size in $((2 ** 31 - 512)) $((2 ** 31)) $((2 ** 32 - 512)) $((2 ** 32)) $((2 ** 32 + 512)); do
    truncate -s $size "$TMP/edge"
    make_loop "$TMP/edge"
    run wipe --dry-run --json "$LOOP"
    is "$size bytes: not cut" "$(jq .drive.size_bytes <<<"$OUT")" "$size"
    drop_loop
done
rm -f "$TMP/edge"

# A node under another name, and no udev, no PATH, no /sys: everything needed comes from the descriptor.
old_data image 4M
make_loop "$TMP/image"
mknod "$TMP/mydisk" b $((0x$(stat -c %t "$LOOP"))) $((0x$(stat -c %T "$LOOP")))
run wipe "$TMP/mydisk"
is "a node of another name" "$RC,$(grep -ac LEFTOVER "$TMP/image")" 0,0
ln -s "$LOOP" "$TMP/by-id-link"
run wipe "$TMP/by-id-link"
is "a link to a node" "$RC" 0
run env -i PATH= "$STORMWIPE" wipe --yes --no-record "$LOOP"
is "no environment" "$RC" 0
old_data image 4M
without_sys() { unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh "$STORMWIPE" wipe --yes --no-record "$@"; }
run without_sys "$LOOP"
is "no /sys and --yes alone: refused" "$RC" 3
like "no /sys: says what could not be checked" "$ERR" 'in use.*missing'
run without_sys --expect size=4M "$LOOP"
is "no /sys, but named by --expect" "$RC,$(grep -ac LEFTOVER "$TMP/image")" 0,0
drop_loop

done_testing
