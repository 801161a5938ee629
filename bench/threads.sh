# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# A drive that is faster than one generator: ChaCha20 without the wide instructions of the CPU, by one thread, by two,
# and by as many as stormwipe finds right. And the opposite: how much of the cores a slow drive takes.

# What OpenSSL is told about the CPU (OPENSSL_ia32cap(3)): all of it; no leaf 7, so no AVX2 and AVX-512; no SSSE3 and
# AVX either, which leaves plain registers.
declare -A masks=([all]='' [no-avx2]=':~0xffffffffffffffff' [no-ssse3]='~0x1000020000000000:0')

generator() { # MASK: one core, in memory, bytes a second
    timed "OPENSSL_ia32cap=${masks[$1]} openssl speed -mr -evp chacha20 -bytes 16384 -seconds 1"
    note generator "$1" "$(awk -F: '/^\+F/ {printf "%.0f", $4}' "$tmp/out")"
}

share() { # MASK THREADS DRIVE
    run_on "$3" -- "OPENSSL_ia32cap=${masks[$1]} $wipe --json --cipher chacha20 --threads $2 $3"
    # shellcheck disable=SC2046 # four numbers
    note share "$1 $2" $(jq '.passes[] | .bytes_per_s, .threads' "$tmp/out")
}

slow() { # MASK RATE DRIVE: a limited rate stands for a slow drive
    local limit=''
    [ "$2" = all ] || limit="--limit-rate $2"
    run_on "$3" -- "OPENSSL_ia32cap=${masks[$1]} $wipe --json --verify none --cipher chacha20 $limit $3"
    note slow "$1 $2" "$WALL" "$USER" "$SYS" "$(jq '.passes[0].threads' "$tmp/out")"
}

bench_threads() {
    local size dev mask threads run names=(all)
    size=$(pick "$(largest 1 $((1 << 30)) $((512 << 20)) $((256 << 20)))" $((64 << 20)))
    make_room "$size"
    make_drive one "$size"
    dev=$LOOP
    fact size "$size"
    # Elsewhere the variable means nothing.
    [ "$(uname -m)" != x86_64 ] || names+=(no-avx2 no-ssse3)
    for ((run = 1; run <= runs; run++)); do
        say "run $run of $runs"
        run_on "$dev" -- "build/bench/limit write $dev"
        note limit write "$(cat "$tmp/out")"
        for mask in "${names[@]}"; do
            generator "$mask"
            for threads in 1 2 auto; do share "$mask" "$threads" "$dev"; done
        done
        for mask in "${names[@]}"; do
            slow "$mask" all "$dev"
            slow "$mask" "$(pick 200M 100M)" "$dev"
        done
    done
}
