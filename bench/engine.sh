# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The engine with other settings: bench/sweep.c runs and names them.

bench_engine() {
    local size cache
    size=$(pick $((512 << 20)) $((16 << 20)))
    make_room "$size"
    make_drive one "$size"
    fact size "$size"
    cache=$(getconf LEVEL2_CACHE_SIZE || true)
    fact l2 "${cache:-0}"
    must_be_ours "$LOOP"
    build/bench/sweep "$LOOP" "$runs" >>"$results"
}
