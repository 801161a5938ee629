#!/bin/bash
# SPDX-License-Identifier: MIT
# How fast stormwipe is, against other tools and against its own limits, on drives in memory. Prints tables and puts
# them into docs/PERFORMANCE.md. As root, for loop devices.
#
# usage: ./bench.sh [--readme] [--try] [--runs N] [SECTION...]     all sections: about a quarter of an hour
#
#   fill      the post's experiment: stormwipe, its limits, other tools; verification          about 5 minutes
#   threads   a cipher that is slower than the drive, by one thread and by two                 about 3 minutes
#   drives    1 to 16 drives at once: rate and memory; a slow drive among fast ones            about 1 minute
#   stream    `stormwipe stream` against openssl and /dev/urandom, into pipes                  about 4 minutes
#   engine    the engine with other settings: sizes, depths, ways to submit, stores            about 2 minutes
#
#   --runs N  so many runs of everything (5)
#   --readme  the first table of `fill` goes to README.md too
#   --try     small drives, one run, nothing put anywhere: to see whether all of it works; the numbers mean nothing
set -eu
cd "$(dirname "$0")"
export LC_ALL=C

usage() {
    sed -n 's/^# usage: /usage: /p' bench.sh >&2
    echo "bench.sh: $1" >&2
    exit 2
}

all=(fill threads drives stream engine)
sections=() runs='' pages=(docs/PERFORMANCE.md) try=''
while [ $# -gt 0 ]; do
    case $1 in
    --readme) pages+=(README.md) ;;
    --try) try=1 ;;
    --runs)
        [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage "--runs wants a number"
        runs=$2
        shift
        ;;
    *)
        [[ " ${all[*]} " == *" $1 "* ]] || usage "no section \"$1\": ${all[*]}"
        sections+=("$1")
        ;;
    esac
    shift
done
[ "${#sections[@]}" -gt 0 ] || sections=("${all[@]}")
[ -z "$try" ] || runs=${runs:-1} pages=()
runs=${runs:-5}
[ "$(id -u)" = 0 ] || { echo "bench.sh needs root, for loop devices" >&2 && exit 1; }
tools/install-packages build bench
[ -e build/build.ninja ] || meson setup build >/dev/null
ninja -C build stormwipe bench/limit bench/sweep bench/stormwipe-constant >/dev/null

. bench/lib.sh
for section in "${sections[@]}"; do
    # shellcheck source=/dev/null
    . "bench/$section.sh"
    begin "$section"
    "bench_$section"
    finish
    bench/report "$section" "$results" "${pages[@]}"
done
