#!/bin/bash
# Which cipher makes the random data: as it is told, or as it suits the CPU; the content is the public format.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

SIZE=3145733
wipe_image() { run wipe --yes --keep-key --verbose --progress none --record-dir "$STATE" "$@" "$TMP/image"; }
made() { record '"\(.passes[0].cipher) \(.passes[0].keystream)"'; }

for cipher in aes-256-ctr chacha20; do
    for io in auto sync; do
        old_data image $SIZE
        wipe_image --cipher $cipher --io $io
        is "$cipher, $io: status, verdict" "$RC $(record .verdict)" "0 verified"
        is "$cipher, $io: the record names it, for both passes" \
            "$(record '[.passes[].cipher] | unique | join(",")')" $cipher
        check "$cipher, $io: what openssl prints for the key" \
            same_as_openssl "$TMP/image" $SIZE "$(record .passes[0].key)" $cipher
    done
done
like "with --verbose it is named" "$ERR" 'random data: ChaCha20 made by openssl'
like "and in the plan" "$ERR" '1 pass of random data \(ChaCha20\)'

wipe_image --cipher auto
chosen=$(made)
wipe_image
is "auto is the default" "$(made)" "$chosen"
if grep -qw aes /proc/cpuinfo; then
    like "a CPU with AES uses it" "$chosen" '^aes-256-ctr '
fi
# What OpenSSL does not use is not fast with OpenSSL; ipsec-mb asks the CPU itself.
export OPENSSL_ia32cap='~0x200000200000000'
wipe_image
if [[ $chosen == *ipsec-mb ]]; then
    is "AES masked off for OpenSSL: ipsec-mb has it" "$(made)" "aes-256-ctr ipsec-mb"
elif [ "$(uname -m)" = x86_64 ]; then
    is "AES masked off: ChaCha20" "$(made)" "chacha20 openssl"
fi
unset OPENSSL_ia32cap

run wipe -n --cipher aes-128-ctr "$TMP/image"
is "an unknown cipher: status" "$RC" 2
like "an unknown cipher: the words it takes" "$ERR" '^stormwipe: --cipher does not take "aes-128-ctr" \(auto\|aes-256-ctr\|chacha20\)'

# One thread or more: the same content.
for threads in 1 2 8 auto; do
    old_data image 24M
    OPENSSL_ia32cap='~0x1000020000000000:0' wipe_image --cipher chacha20 --threads $threads
    is "--threads $threads: status, verdict" "$RC $(record .verdict)" "0 verified"
    check "--threads $threads: not more than that" [ "$(record '[.passes[].threads] | max')" -le "${threads/auto/8}" ]
    check "--threads $threads: what openssl prints for the key" \
        same_as_openssl "$TMP/image" $((24 << 20)) "$(record .passes[0].key)" chacha20
done
wipe_image --limit-rate 64M
is "a limited rate needs one thread, and sets the pace" \
    "$(record '[.passes[] | "\(.threads) \(.paced_by)"] | unique | join(",")')" "1 rate_limit"
like "with --verbose it is said" "$ERR" 'written by [a-z_]+ in 1 thread; --limit-rate set the pace\.'

done_testing
