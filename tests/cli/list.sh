#!/bin/bash
# The list: as much as can be seen by whoever asks, whole, in one shape for people and one for programs, and read-only.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

list() { "$STORMWIPE" list "$@"; }
sum() { sha256sum <"$1"; }
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
cell() { list --noheadings --output "$@" 2>/dev/null; } # COLUMN DRIVE

# ---- everything ----

run list
is "status" "$RC" 0
like "a heading" "$OUT" '^DEVICE +SIZE +MODEL +SERIAL +BUS +MEDIA +WIPE +USE +ON IT'
unlike "no control codes, no spaces at line ends" "$OUT" $'[\e\r\t]| (\n|$)'
check "at most a line on standard error" test "$(wc -l <<<"$ERR")" -le 1
unlike "no loop, ram or zram devices, nor what is built on drives" "$OUT" $'\n/dev/(loop|ram|zram|sr|fd|dm-|md)'
run list --json
is "--json: status" "$RC" 0
is "--json: one object on one line" "$(jq -cs length <<<"$OUT"),$(wc -l <<<"$OUT")" 1,1
echo "$OUT" >"$TMP/all.json"
check "--json follows the schema" "$ROOT/tools/check-record" --list "$TMP/all.json"
is "--json: the same drives as in the table" "$(jq -r '.drives[].drive.node' <<<"$OUT")" "$(cell device)"
is "--json: accepted as in the table" "$(jq -r '.drives[] | if .accepted then "yes" else "no" end' <<<"$OUT")" "$(cell wipe)"
for column in use reason; do
    is "not accepted without a $column: none" "$(list --noheadings --output wipe,$column 2>/dev/null | grep -cE '^no +-?$')" 0
done
run list --all --json
echo "$OUT" >"$TMP/all.json"
check "--all --json follows the schema" "$ROOT/tools/check-record" --list "$TMP/all.json"
spare() { # FOLDER: a node that waits for something to be put behind it
    [[ ${1##*/} =~ ^(loop|nbd|zram) && $(<"$1/size") = 0 && ! -e $1/loop/backing_file ]]
}
is "--all: every block device with something behind it" "$(jq -r '.drives[].drive.name' <<<"$OUT" | sort)" \
    "$(for d in /sys/block/*; do [ ! -e "$d" ] || spare "$d" || echo "${d##*/}"; done | sort)"
# What has come before this one in people's counting has a shorter name, or comes first in the alphabet.
is "--all: sorted as people count" "$(jq -r '.drives[].drive.name' <<<"$OUT" | grep -E '^(loop|sd|vd)' | sort -V -C && echo yes)" yes
check "--all: nothing empty is accepted" jq -e '.drives | all(.drive.size_bytes != null or (.accepted | not))' <<<"$OUT"

# ---- what is named ----

# A disk image with a partition table, and file systems in it.
truncate -s 32M "$TMP/disk"
sfdisk -q "$TMP/disk" <<'END'
label: gpt
size=8M, type=U
size=8M, type=L
size=8M, type=S
END
mke2fs -q -F -t ext4 -L "$(printf 'B\303\274ro')" -E offset=$((9 << 20)) "$TMP/disk" 4M
truncate -s 4M "$TMP/swap"
mkswap -q -L old "$TMP/swap" 2>/dev/null
truncate -s 1M "$TMP/zero"
: >"$TMP/empty"
chmod 400 "$TMP/disk"
before=$(sum "$TMP/disk")
run list "$TMP/disk" "$TMP/swap" "$TMP/zero"
is "image files: status" "$RC" 0
is "image files: one line each" "$(wc -l <<<"$OUT")" 4
like "image files: a partition table and what is in it" "$OUT" "$TMP/disk +34 MB .* file +image file +yes +free\?? +gpt: ext4 \"Büro\", 2 unknown"$'\n'
like "image files: a signature" "$OUT" "$TMP/swap +4.2 MB .* swap \"old\""
like "image files: nothing" "$OUT" "$TMP/zero +1.0 MB .* nothing recognised"
unlike "image files: no control codes, no spaces at line ends" "$OUT" $'[\e\r\t]| (\n|$)'
table=$OUT
is "in any locale" "$(LC_ALL=de_DE.UTF-8 list "$TMP/disk" "$TMP/swap" "$TMP/zero" 2>/dev/null)" "$table"
is "on a terminal the same" \
    "$("$ROOT/tests/pty" -- sh -c '"$@" 2>/dev/null' sh "$STORMWIPE" list "$TMP/disk" "$TMP/swap" "$TMP/zero" | tr -d '\r')" "$table"
is "in a narrow one, too" "$(COLUMNS=20 list "$TMP/disk" "$TMP/swap" "$TMP/zero" 2>/dev/null)" "$table"
run list --json "$TMP/disk" "$TMP/empty" "$TMP"
echo "$OUT" >"$TMP/named.json"
check "named, --json follows the schema" "$ROOT/tools/check-record" --list "$TMP/named.json"
is "named, --json: contents" "$(jq -c '.drives[0].contents | [.partition_table, .signatures[1].type, .signatures[1].label]' <<<"$OUT")" \
    '["gpt","ext4","Büro"]'
is "named, --json: not looked at" "$(jq -c '.drives[1:] | map([.contents, .error, .accepted])' <<<"$OUT")" \
    '[[null,null,false],[null,null,false]]'
is "named, --json: accepted" "$(jq -c '.drives[0] | [.accepted, .refusals]' <<<"$OUT")" '[true,[]]'
check "named, --json: a reason" jq -e '.drives[1:] | all(.refusals | length == 1)' <<<"$OUT"
run flock "$TMP/disk" "$STORMWIPE" list "$TMP/disk" "$TMP/disk"
is "locked, and named twice: shown twice" "$RC,$(wc -l <<<"$OUT")" 0,3
is "nothing was written" "$(sum "$TMP/disk")" "$before"

mkfifo "$TMP/fifo"
run timeout 20 "$STORMWIPE" list "$TMP/fifo" "$TMP" /dev/null "$TMP/empty"
is "what is no drive: status" "$RC" 0
is "what is no drive: not accepted" "$(grep -cE ' no +(a|an) [^ ]+' <<<"$OUT")" 4
run list "$TMP/nosuch" "$TMP/zero" $'nosuch\e[2J'
is "what does not exist: status" "$RC" 5
is "what does not exist: a line each, and no control codes" "$(grep 'no such' <<<"$ERR")" \
    "stormwipe: $TMP/nosuch: there is no such drive or file.
stormwipe: nosuch\\x1b[2J: there is no such drive or file."
like "what does not exist: the others are shown" "$OUT" "$TMP/zero"
cp "$TMP/zero" "$TMP/"$'\e[2Ja\nb'
run list "$TMP/"$'\e[2Ja\nb'
is "a name is cleaned" "$RC,$(wc -l <<<"$OUT"),$(grep -cF '\x1b[2Ja\x0ab ' <<<"$OUT")" 0,2,1

# ---- columns ----

run list --help
is "--help" "$RC" 0
check "--help fits 80 columns" test "$(wc -L <<<"$OUT")" -le 80
columns=$(sed -n '/^Columns/,/^$/p' <<<"$OUT" | sed 1d | xargs)
run list --output nothing
is "no such column: status" "$RC,$OUT" 2,
is "no such column: --help knows the same" "$ERR" \
    "stormwipe: --output: no column \"nothing\". There are $columns. See stormwipe list --help."
for column in $columns; do
    run list --output "${column,,}" "$TMP/zero"
    is "--output ${column,,}" "$RC,$(head -n 1 <<<"$OUT" | xargs | tr -- "- " __)" "0,${column//-/_}"
done
run list --output "${columns// /,}" "$TMP/disk" "$TMP/zero"
is "all columns" "$RC,$(wc -l <<<"$OUT")" 0,3
run list --noheadings --output size-bytes,ro,type "$TMP/zero"
is "--noheadings" "$RC,$OUT" "0,1048576  no  file"
run list --noheadings --output use,size "$TMP/nosuch"
is "--noheadings without a row" "$RC,$OUT" 5,
is "right-aligned" "$(list --output size,name "$TMP/disk" "$TMP/zero" 2>/dev/null)" "  SIZE  NAME
 34 MB  disk
1.0 MB  zero"

# ---- the command line, and output that goes nowhere ----

while IFS='|' read -r words pattern; do
    # shellcheck disable=SC2086
    run list $words
    is "list $words: status" "$RC,$OUT" 2,
    like "list $words: said" "$ERR" "^stormwipe: $pattern.*stormwipe list --help\.$"
done <<END
--al|unknown option --al
--outpu SIZE|unknown option --outpu
--json=yes|option --json takes no value
--output|option --output needs a value
--output SIZE,|--output: no column ""
--json --output SIZE|--output is for tables
--json --noheadings|--noheadings is for tables
--frobnicate $TMP/zero|unknown option
END
run list ''
is "an empty name" "$RC" 2
run bash -c '"$@" >&-' bash "$STORMWIPE" list "$TMP/zero"
is "output closed: status" "$RC" 5
like "output closed: said" "$ERR" '^stormwipe: standard output is closed\.'
for how in '' --json; do
    # shellcheck disable=SC2086
    run bash -c '"$@" >/dev/full' bash "$STORMWIPE" list $how "$TMP/zero"
    is "output full $how: status" "$RC" 5
    like "output full $how: said" "$ERR" 'cannot write to standard output(: No space left on device)?\.$'
done

# ---- who may see less ----

if [ "$(id -u)" = 0 ] && as_nobody true 2>/dev/null; then
    chmod 711 "$TMP"
    chmod 600 "$TMP/disk"
    chmod 644 "$TMP/zero"
    run as_nobody "$STORMWIPE" list "$TMP/disk" "$TMP/zero"
    is "without the right to read: status" "$RC" 0
    like "without the right to read: in the table" "$OUT" "$TMP/disk .* not readable"$'\n'
    like "without the right to read: others are" "$OUT" "$TMP/zero .* nothing recognised"
    like "without the right to read: said" "$ERR" "^stormwipe: not seen: what is on $TMP/disk[.;].* Root sees more\.$"
    is "without the right to read: once" "$(wc -l <<<"$ERR")" 1
    run as_nobody "$STORMWIPE" list --json "$TMP/disk"
    is "without the right to read, --json" "$(jq -c '.drives[0] | [.contents, .error, .error_code, .accepted]' <<<"$OUT")" \
        '[null,"EACCES",13,true]'
    run as_nobody "$STORMWIPE" list
    is "without rights: everything" "$RC,$(wc -l <<<"$OUT")" "0,$(list 2>/dev/null | wc -l)"
else
    skip "without the right to read" "needs root"
fi

if as_root_with_mounts && unshare -m true 2>/dev/null; then
    without() { # FOLDER COMMAND...
        unshare -m sh -c 'mount -t tmpfs none "$1" && shift && exec "$@"' sh "$@"
    }
    run without /sys "$STORMWIPE" list
    is "without /sys: status" "$RC,$OUT" 5,
    like "without /sys: said" "$ERR" '^stormwipe: cannot list drives: /sys is missing here\.'
    run without /sys "$STORMWIPE" list --json
    is "without /sys, --json: status" "$RC,$OUT" 5,
    run without /sys "$STORMWIPE" list "$TMP/zero"
    is "without /sys, named: status" "$RC" 0
    like "without /sys, named: shown" "$OUT" "$TMP/zero .* nothing recognised"
    # Not without all of /proc, which sanitizers cannot do without.
    no_mounts() { unshare -m sh -c 'mount --bind /dev/null /proc/$$/mountinfo && exec "$@"' sh "$@"; }
    run no_mounts "$STORMWIPE" list --output name,use "$TMP/zero"
    is "without a mount table: status" "$RC" 0
    like "without a mount table: who uses it is unknown" "$OUT" 'zero +unknown'
    like "without a mount table: said" "$ERR" '^stormwipe: not seen: who uses them, for /proc or /sys is missing here\.'
    no_drives() { unshare -m sh -c 'mount -t tmpfs none /sys && mkdir /sys/block && exec "$@"' sh "$@"; }
    run no_drives "$STORMWIPE" list
    is "no drives at all: status" "$RC" 0
    like "no drives at all: a heading" "$OUT" '^DEVICE [^
]* ON IT$'
    like "no drives at all: said" "$ERR" '^stormwipe: there is no drive to list \(--all shows loop devices and the like\)\.$'
    run no_drives "$STORMWIPE" list --all --noheadings
    is "no drives at all, --noheadings" "$RC,$OUT,$ERR" "0,,stormwipe: there is no drive to list."
    run no_drives "$STORMWIPE" list --json
    is "no drives at all, --json" "$RC,$(jq -c .drives <<<"$OUT")" '0,[]'
else
    skip "without /sys or /proc" "no mounting here"
fi

done_testing
