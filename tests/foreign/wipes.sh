# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Wiping image files by an emulator, which has no io_uring; for use after tests/lib.sh.
#
#   emulator                 an array: the command that runs a program of the other machine
#   wipes NAME SIZE...       images of these sizes: status, length, verdict, content, what the record says
#   statuses NAME            how it ends when it does not wipe

# A program that a signal ends (132: an illegal instruction) has none of the statuses that are wanted here.
foreign() { run "${emulator[@]}" "$STORMWIPE" "$@"; }
wipe_image() { foreign wipe --yes --keep-key --verbose --progress none --record-dir "$STATE" "$@" "$TMP/image"; }

wipes() {
    local name=$1 size cipher
    shift
    for size in "$@"; do
        old_data image "$size"
        wipe_image --verify full
        is "$name, $size bytes: status, length" "$RC $(stat -c %s "$TMP/image")" "0 $size"
        is "$name, $size bytes: verified" "$(record '"\(.verdict) \(.verification.bytes_equal)"')" "verified $size"
        cipher=$(record .passes[0].cipher)
        check "$name, $size bytes: what openssl prints for the key ($cipher)" \
            same_as_openssl "$TMP/image" "$size" "$(record .passes[0].key)" "$cipher"
    done
    is "$name: plain calls, and why" \
        "$(record '[.passes[].io | "\(.backend) \(.io_uring_error)"] | unique | join(",")')" "sync ENOSYS"
    like "$name: said" "$ERR" 'io_uring cannot be used here \(Function not implemented\)'
}

statuses() {
    local before
    old_data image 1M
    before=$(sha256sum <"$TMP/image")
    foreign wipe --no-such-option "$TMP/image"
    is "$1, wrong option: status" "$RC" 2
    foreign wipe --yes --no-record "$TMP/missing"
    is "$1, missing target: status" "$RC" 5
    foreign wipe --no-record "$TMP/image" </dev/null
    is "$1, nobody to ask: status" "$RC" 3
    foreign wipe --yes --no-record --io uring "$TMP/image"
    is "$1, io_uring demanded: status" "$RC" 5
    is "$1: nothing was written" "$(sha256sum <"$TMP/image")" "$before"
}
