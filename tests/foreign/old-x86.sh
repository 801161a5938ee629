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

# CPU, and the cipher that is chosen there.
models=(
    "core2duo chacha20"    # SSSE3
    "qemu64 chacha20"      # SSE3
    "Nehalem chacha20"     # SSE4.2
    "Westmere aes-256-ctr" # AES
    "Haswell aes-256-ctr"  # AES, AVX2
    "Haswell,-aes,-avx,-avx2 chacha20"
    "max,-xsave aes-256-ctr" # wide registers, and a system that does not save them
    "max aes-256-ctr"      # all that QEMU can do; newer ones have VAES
)

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
        old_data image 70001
        wipe_image --cipher $cipher
        is "$QEMU_CPU, --cipher $cipher" "$RC $(record .passes[0].cipher)" "0 $cipher"
        check "$QEMU_CPU, --cipher $cipher: what openssl prints for the key" \
            same_as_openssl "$TMP/image" 70001 "$(record .passes[0].key)" $cipher
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
    is "$QEMU_CPU: cipher" "$(record .passes[0].cipher)" "${model#* }"
done
QEMU_CPU=core2duo
statuses $QEMU_CPU

done_testing
