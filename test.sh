#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, runs all tests. The last line says how many passed.
#
# usage: ./test.sh [SUITE...]
#
#   checks      the house's rules (tools/check-*), a clean build by gcc and by clang, installing
#   unit fake   modules; the engine on a backend that fails on purpose
#   cli loop    the program on image files; on loop devices (root)
#   vm          the program in a guest kernel that has device-mapper, md, bad sectors, unplugging
#   foreign     old x86-64 CPUs; built for aarch64: unit, fake, some of cli; pages of 64 KiB
#   sanitized   unit, fake and cli again under ASan, UBSan and LeakSanitizer
#   threads     several drives at once under TSan
set -eu
cd "$(dirname "$0")"
ROOT=$PWD
export ROOT

suites=(checks unit fake cli loop vm foreign sanitized threads)
for suite in "$@"; do
    [[ " ${suites[*]} " == *" $suite "* ]] || { echo "test.sh: no suite $suite: ${suites[*]}" >&2 && exit 2; }
done
[ $# -eq 0 ] || suites=("$@")

tmp=$(mktemp -d)
chmod 755 "$tmp"
tally=$tmp/tally
echo 0 0 0 >"$tally"

count() { # PASSED FAILED SKIPPED
    local passed failed skipped
    read -r passed failed skipped <"$tally" || true # no newline at its end
    echo $((passed + $1)) $((failed + $2)) $((skipped + $3)) >"$tally"
}

finish() {
    local status=$? passed failed skipped
    trap '' INT TERM
    read -r passed failed skipped <"$tally" || true
    if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
        echo "test.sh itself ended with status $status"
        failed=1
    fi
    rm -rf "$tmp"
    [ "$skipped" = 0 ] && skipped='' || skipped=", $skipped skipped"
    echo "$passed passed, $failed failed$skipped"
    if [ "$failed" = 0 ] && [ "$passed" != 0 ]; then exit 0; fi
    exit 1 # said: without a number a trap keeps the status from before it
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# One command is one test: it passes if it succeeds.
attempt() { # SUITE NAME COMMAND...
    local suite=$1 name=$2 began=$SECONDS
    shift 2
    if "$@" >"$tmp/log" 2>&1; then
        printf '%-12s %-28s passed  (%d s)\n' "$suite" "$name" $((SECONDS - began))
        count 1 0 0
    else
        printf '%-12s %-28s FAILED  (%d s)\n' "$suite" "$name" $((SECONDS - began))
        tail -n 200 "$tmp/log" | sed 's/^/        /'
        count 0 1 0
        return 1
    fi
}
skip() { # SUITE NAME REASON
    printf '%-12s %-28s skipped: %s\n' "$@"
    count 0 0 1
}

build() { # FOLDER COMPILER TARGET [MESON OPTION]...: TARGET "all" for everything
    local folder=build-test/$1 compiler=$2 target=$3
    shift 3
    if [ ! -e "$folder/build.ninja" ]; then
        CC=$compiler meson setup "$folder" -Dwerror=true "$@" || return 1
    fi
    ninja -C "$folder" "$target"
}

compiled() { find "build-test/$1/tests/$2" -maxdepth 1 -type f -name 'test-*' -perm -u+x | sort; }

tap() { # SUITE NAME FOLDER-OF-THE-PROGRAM PROGRAM...
    local suite=$1 program=$tmp/$2/stormwipe
    # A copy, because tests also run it as nobody, who may not look into root's home.
    install -D "build-test/$2/stormwipe" "$program"
    shift 2
    STORMWIPE=$program HELPERS=$ROOT/build-test/gcc/tests/helpers \
        tests/run "$tally" "$suite" "$@" || true # the tally knows
}

in_place() {
    DESTDIR=$tmp/root meson install --no-rebuild -C build-test/gcc
    [ -x "$tmp/root/usr/local/sbin/stormwipe" ]
    [ -s "$tmp/root/usr/local/share/man/man8/stormwipe.8" ]
    MANROFFSEQ='' MANWIDTH=80 man --warnings -l "$tmp/root/usr/local/share/man/man8/stormwipe.8" 2>&1 >"$tmp/manual" |
        grep . && return 1
    grep -q 'EXIT STATUS' "$tmp/manual"
}

suite_checks() {
    attempt checks "build, clang" build clang clang all || true
    attempt checks layers tools/check-layers || true
    attempt checks size tools/check-size || true
    attempt checks words tools/check-words || true
    attempt checks format tools/check-format || true
    attempt checks shell tools/check-shell || true
    attempt checks options tools/check-options build-test/gcc/stormwipe || true
    attempt checks install in_place || true
    attempt checks analyze tools/check-analyze build-test/clang || true
}

suite_unit() { mapfile -t programs < <(compiled gcc unit) && tap unit gcc "${programs[@]}"; }
suite_fake() { mapfile -t programs < <(compiled gcc fake) && tap fake gcc "${programs[@]}"; }
suite_cli() { tap cli gcc tests/cli/*.sh; }
suite_loop() { tap loop gcc tests/loop/*.sh; }
suite_vm() { tap vm gcc tests/vm/vm.sh; }

# Programs for aarch64, and each as a script of its name that hands it to the emulator. Copies, as in tap.
build_aarch64() {
    local sysroot program folder=$tmp/aarch64
    sysroot=$(tests/foreign/sysroot) || return 1
    # What was built with another one would look for its headers where they were.
    grep -qsF "'$sysroot'" build-test/aarch64.ini || rm -rf build-test/aarch64
    echo "[constants]" >build-test/aarch64.ini
    echo "sysroot = '$sysroot'" >>build-test/aarch64.ini
    build aarch64 gcc all --cross-file build-test/aarch64.ini --cross-file tests/foreign/aarch64.ini || return 1
    mapfile -t programs < <(compiled aarch64 unit && compiled aarch64 fake)
    mkdir -p "$folder/own"
    cp -L "$sysroot"/{,usr/}lib/aarch64-linux-gnu/*.so.[0-9]* "$folder/own" || return 1
    for program in build-test/aarch64/stormwipe "${programs[@]}"; do
        cp "$program" "$folder/own" || return 1
        program=${program##*/}
        printf '#!/bin/sh\nexec qemu-aarch64 %q --library-path %q %q "$@"\n' \
            "$folder/own/ld-linux-aarch64.so.1" "$folder/own" "$folder/own/$program" >"$folder/$program"
        chmod 755 "$folder/$program"
    done
}

tap_aarch64() { # BYTES-A-PAGE PROGRAM...
    EMULATED=$tmp/aarch64/own STORMWIPE=$tmp/aarch64/stormwipe HELPERS=$ROOT/build-test/gcc/tests/helpers \
        QEMU_PAGESIZE=$1 tests/run "$tally" "aarch64, $(($1 / 1024))K" "${@:2}" || true # the tally knows
}

suite_foreign() {
    local name status=0 programs own=() pages=()
    tap foreign gcc tests/foreign/old-x86.sh
    tests/foreign/sysroot >/dev/null 2>"$tmp/reason" || status=$?
    if [ "$status" = 77 ]; then
        skip foreign aarch64 "$(<"$tmp/reason")"
        return
    fi
    attempt foreign "build, aarch64" build_aarch64 || return 0
    for name in "${programs[@]##*/}"; do own+=("$tmp/aarch64/$name"); done
    # What takes memory by the page, or tells the kernel of it.
    for name in backend keystream secret; do pages+=("$tmp/aarch64/test-$name"); done
    tap_aarch64 4096 "${own[@]}" tests/foreign/aarch64.sh tests/cli/{command-line,refusals}.sh
    tap_aarch64 65536 "${pages[@]}" tests/foreign/aarch64.sh
}

# What ASan, LeakSanitizer and TSan have to say goes to files, so that it is not lost with a program's output. UBSan
# ends the program with a status that no test expects.
no_reports() { ! cat "$tmp/reports"/* 2>/dev/null; }
new_reports() {
    rm -rf "$tmp/reports"
    mkdir -m 1777 "$tmp/reports"
    local common="exitcode=99:log_path=$tmp/reports/report"
    export ASAN_OPTIONS="detect_leaks=1:abort_on_error=0:$common"
    export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1:$common"
    # liburing maps its rings by system calls that TSan does not see. A ring at the address of one that is gone
    # looks to it like the same memory, used by two threads.
    echo race:liburing.h >"$tmp/suppressions"
    export TSAN_OPTIONS="halt_on_error=0:second_deadlock_stack=1:suppressions=$tmp/suppressions:$common"
}

suite_sanitized() {
    attempt sanitized "build, ASan and UBSan" build asan gcc all \
        -Db_sanitize=address,undefined -Db_lundef=false -Dipsec_mb=disabled || return 0
    new_reports
    mapfile -t programs < <(compiled asan unit && compiled asan fake)
    tap sanitized asan "${programs[@]}" tests/cli/*.sh
    attempt sanitized "no reports" no_reports || true
}

several_drives() { # SIGNAL-OR-NOTHING STATUS OPTION...
    local signal=$1 wanted=$2 status=0 pid image images=("$tmp/1" "$tmp/2" "$tmp/3")
    shift 2
    for image in "${images[@]}"; do head -c 24M /dev/zero >"$image"; done
    "${tsan[@]}" build-test/tsan/stormwipe wipe --yes --progress json --record-dir "$tmp/records" "$@" "${images[@]}" &
    pid=$!
    while [ -n "$signal" ] && kill -0 $pid; do
        if [ "$(cat "$tmp"/records/*.json 2>/dev/null | grep -c '"status": "running"')" -ge 3 ]; then
            kill -s "$signal" $pid
            break
        fi
        read -r -t 0.05 <> <(:) || true
    done
    wait $pid || status=$?
    rm -r "${images[@]}" "$tmp/records"
    echo "status $status, wanted $wanted"
    no_reports && [ "$status" = "$wanted" ]
}

suite_threads() {
    local io
    tsan=()
    attempt threads "build, TSan" build tsan gcc all -Db_sanitize=thread || return 0
    new_reports
    # With addresses as random as newer kernels make them, gcc 12's TSan needs a calmer layout.
    build-test/tsan/stormwipe --version >/dev/null 2>&1 || tsan=(setarch -R)
    rm -f "$tmp/reports"/*
    if ! "${tsan[@]}" build-test/tsan/stormwipe --version >/dev/null 2>&1; then
        skip threads "several drives" "TSan does not work here, not even with setarch -R"
        return
    fi
    attempt threads "several threads a drive" "${tsan[@]}" build-test/tsan/tests/fake/test-crew || true
    attempt threads "no reports of them" no_reports || true
    for io in uring sync; do
        attempt threads "several drives, $io" several_drives '' 0 --io $io || true
        attempt threads "stopped by a signal, $io" several_drives INT 4 --io $io --limit-rate 4M || true
    done
}

attempt install packages tools/install-packages build test vm foreign
attempt build "gcc" build gcc gcc all
for suite in "${suites[@]}"; do "suite_$suite"; done
