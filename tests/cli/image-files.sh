#!/bin/bash
# Image files of any length: every byte replaced, the length kept, no holes left, content as published.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

for io in uring sync; do
    for size in 1 511 512 513 4095 4096 4097 524288 10000123 67108863; do
        old_data image "$size"
        run wipe --io $io --keep-key "$TMP/image"
        is "$io, $size bytes: status" "$RC" 0
        is "$io, $size bytes: length kept" "$(stat -c %s "$TMP/image")" "$size"
        is "$io, $size bytes: no old data" "$(grep -ac LEFTOVER "$TMP/image")" 0
        check "$io, $size bytes: what openssl prints for the key" \
            same_as_openssl "$TMP/image" "$size" "$(record .passes[0].key)"
    done
done

truncate -s 40M "$TMP/image"
: >"$TMP/image"
truncate -s 40M "$TMP/image"
run wipe "$TMP/image"
is "sparse file: status" "$RC" 0
check "sparse file: no holes left" test "$(stat -c '%b*%B' "$TMP/image" | tr '*' ' ' |
    { read -r blocks unit && echo $((blocks * unit)); })" -ge $((40 << 20))

old_data image 8M
ln -s image "$TMP/link"
run wipe "$TMP/link"
is "a link is followed" "$RC,$(grep -ac LEFTOVER "$TMP/image")" 0,0
check "the link is still a link" test -L "$TMP/link"

# Random means: every sector unique, flat statistics, and never the same twice.
old_data one 64M
old_data two 64M
run wipe --verify none "$TMP/one" "$TMP/two"
is "two images at once: status" "$RC" 0
for image in one two; do
    check "$image: unique sectors, chi-square, not compressible" python3 - "$TMP/$image" <<'PY'
import sys, collections, zlib
d = open(sys.argv[1], 'rb').read()
n = len(d)
unique = len({d[i:i + 512] for i in range(0, n, 512)})
chi = sum((v - n / 256) ** 2 / (n / 256) for v in collections.Counter(d).values())
ratio = len(zlib.compress(d[:8 << 20], 1)) / (8 << 20)
print(unique, chi, ratio, file=sys.stderr)
sys.exit(not (unique == n // 512 and 120 < chi < 450 and ratio > 0.999))
PY
done
cp "$TMP/one" "$TMP/before"
run wipe --verify none "$TMP/one"
is "no sector repeats between two runs or two drives" "$(python3 - "$TMP" <<'PY'
import sys
sectors = []
for name in ('before', 'one', 'two'):
    data = open(f'{sys.argv[1]}/{name}', 'rb').read(1 << 20)
    sectors.append({data[i:i + 512] for i in range(0, 1 << 20, 512)})
print(len(set.union(*sectors)))
PY
)" 6144

run wipe --dry-run "$TMP/one" "$TMP/two"
is "dry run: status" "$RC" 0
like "dry run: shows the size" "$OUT" '67,108,864 bytes'
like "dry run: shows the plan" "$OUT" '1 pass of random data'
cp "$TMP/one" "$TMP/before"
run wipe --dry-run "$TMP/one"
check "dry run: touches nothing" cmp "$TMP/one" "$TMP/before"
is "dry run: keeps no record" "$(find "$STATE" -newer "$TMP/before" -type f | wc -l)" 0

old_data big 96M
run wipe --limit-rate 64M --verify none "$TMP/big"
is "limited rate: status" "$RC" 0
check "limited rate: the pass took its time" test "$(record '.passes[0].duration_s * 10 | floor')" -ge 12

done_testing
