#!/bin/bash
# The program as it is built here, on older x86-64 CPUs: no instruction that they do not have, and the same content.
#
# Debian packages: qemu-user openssl jq diffutils
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=wipes.sh
. "$ROOT/tests/foreign/wipes.sh"

[ "$(uname -m)" = x86_64 ] || skip_all "the program is for $(uname -m)"
type -P qemu-x86_64 >/dev/null || skip_all "needs qemu-x86_64"
emulator=(qemu-x86_64)

# CPU, and the cipher that is chosen there. "any": OpenSSL has an AES for SSSE3, and ChaCha20 is twice as fast by
# emulation, which is near the limit: the measurement decides now so, now so.
models=(
    "core2duo any"         # SSSE3
    "qemu64 chacha20"      # SSE3
    "Nehalem any"          # SSE4.2
    "Westmere aes-256-ctr" # AES
    "Haswell aes-256-ctr"  # AES, AVX2
    "max aes-256-ctr"      # all that QEMU can do; newer ones have VAES
)

has_choice() { "$STORMWIPE" wipe --help | grep -q -e --cipher; }
no_choice="this version has no --cipher"

chosen() { # CIPHER
    if [ "$1" = any ]; then
        return
    elif has_choice; then
        is "$QEMU_CPU: cipher" "$(record .passes[0].cipher)" "$1"
    else
        skip "$QEMU_CPU: cipher" "$no_choice"
    fi
}

# Only with VAES is ipsec-mb looked at, and then the measurement decides.
implementation() {
    local wanted=openssl
    [ "$QEMU_CPU" != max ] || wanted='(openssl|ipsec-mb)'
    like "$QEMU_CPU: implementation" "$(record .passes[0].keystream)" "^$wanted\$"
}

# What is not the CPU's choice works as well.
forced() {
    local cipher
    for cipher in aes-256-ctr chacha20; do
        if has_choice; then
            old_data image 70001
            wipe_image --cipher $cipher
            is "$QEMU_CPU, --cipher $cipher" "$RC $(record .passes[0].cipher)" "0 $cipher"
            check "$QEMU_CPU, --cipher $cipher: what openssl prints for the key" \
                same_as_openssl "$TMP/image" 70001 "$(record .passes[0].key)" $cipher
        else
            skip "$QEMU_CPU, --cipher $cipher" "$no_choice"
        fi
    done
}

for model in "${models[@]}"; do
    export QEMU_CPU=${model% *}
    case $QEMU_CPU in
    core2duo | qemu64)
        check "$QEMU_CPU: the keystream's own tests" "${emulator[@]}" "${HELPERS%/*}/unit/test-keystream"
        forced
        wipes "$QEMU_CPU" 1 511 4096 3145733
        ;;
    *) wipes "$QEMU_CPU" 511 3145733 ;;
    esac
    implementation
    chosen "${model#* }"
done
QEMU_CPU=core2duo
statuses $QEMU_CPU

done_testing
