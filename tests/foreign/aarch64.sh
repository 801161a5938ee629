#!/bin/bash
# Built for aarch64, by emulation: images wiped as elsewhere, also where a page has 64 KiB.
#
# STORMWIPE is a script here, which hands the program to qemu-aarch64; EMULATED is the folder of what that runs. QEMU
# makes pages of QEMU_PAGESIZE bytes.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=wipes.sh
. "$ROOT/tests/foreign/wipes.sh"
: "${EMULATED:?}" "${QEMU_PAGESIZE:?}"
emulator=()

run qemu-aarch64 "$EMULATED/ld-linux-aarch64.so.1" --list-diagnostics
like "the program is told how long a page is" "$OUT" "dl_pagesize=0x$(printf %x "$QEMU_PAGESIZE")"$'\n'
wipes aarch64 1 511 4096 65537 3145733
is "machine, keystream" "$(record '"\(.host.machine) \(.passes[0].keystream)"')" "aarch64 openssl"
statuses aarch64

done_testing
