# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The post's experiment: how long does it take to fill 524,288,000 bytes with random data? And what of that is the
# random data, what the careful look at the drive, what the drive itself?

# A marker in the first and the last sector shows that the whole drive was overwritten.
mark() { # DRIVE BYTES
    local seek
    must_be_ours "$1"
    for seek in 0 $(($2 / 512 - 1)); do
        printf BENCH-MARK | dd of="$1" bs=512 seek="$seek" conv=sync,notrunc,fsync status=none
    done
}
is_marked() { { head -c 512 "$1" && tail -c 512 "$1"; } | grep -qa BENCH-MARK; }

fill() { # KIND NAME DRIVE BYTES COMMAND
    mark "$3" "$4"
    run_on "$3" -- "$5"
    if is_marked "$3"; then
        say "$2: did not fill the drive, left out"
    else
        note "$1" "$2" "$WALL" "$USER" "$SYS"
    fi
}

# All that fills with nothing, and stormwipe, one after the other: close to each other, so often.
race() { # KIND DRIVE BYTES
    fill "$1" limit "$2" "$3" "build/bench/limit write $2"
    fill "$1" constant "$2" "$3" "build/bench/stormwipe-constant ${wipe#* } --verify none $2"
    fill "$1" stormwipe "$2" "$3" "$wipe --verify none $2"
}

verify() { # DRIVE: the pass alone, and reading alone
    run_on "$1" -- "$wipe --json $1"
    note verify stormwipe "$(jq '.passes[1].bytes_per_s' "$tmp/out")"
    run_on "$1" -- "build/bench/limit read $1"
    note verify limit "$(cat "$tmp/out")"
}

bench_fill() {
    local size large dev pass enc i run names=() commands=()
    size=$(pick 524288000 $((32 << 20)))
    large=$(pick "$(largest 1 $((4 << 30)) $((2 << 30)) $((1 << 30)))" $((64 << 20)))
    make_room $((large > size ? large : size))
    make_drive post "$size"
    dev=$LOOP
    fact size "$size"
    fact large "$large"

    contender() {
        names+=("$1")
        commands+=("$2")
    }
    # Expanded when it runs: a new pass phrase each time.
    pass='pass:"$(dd if=/dev/urandom bs=128 count=1 2>/dev/null | base64)"'
    enc="openssl enc -aes-256-ctr -pass $pass -nosalt </dev/zero"
    contender limit "build/bench/limit write $dev"
    contender constant "build/bench/stormwipe-constant ${wipe#* } --verify none $dev"
    contender stormwipe "$wipe --verify none $dev"
    contender shred "shred -n1 $dev"
    contender openssl-pv "$enc | pv -bartpes $size >$dev"
    contender openssl "$enc >$dev"
    contender dd-1m "dd if=/dev/urandom of=$dev bs=1M"
    contender cp "cp /dev/urandom $dev"
    contender scrub "scrub -f -p random $dev"
    # Given a device, --autonuke starts on that device only (nwipe(1)).
    contender nwipe "nwipe --autonuke --nogui --method=prng --verify=off --noblank --rounds=1 $dev"
    contender dd "dd if=/dev/urandom >$dev"
    for ((run = 1; run <= runs; run++)); do
        say "run $run of $runs"
        for i in "${!names[@]}"; do fill time "${names[i]}" "$dev" "$size" "${commands[i]}"; done
    done

    say "limits"
    for ((run = 1; run <= 3 * runs; run++)); do
        race close "$dev" "$size"
        verify "$dev"
    done
    drop_drives
    make_drive large "$large"
    for ((run = 1; run <= runs; run++)); do race large "$LOOP" "$large"; done
}
