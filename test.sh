#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what it needs, builds, runs all suites and checks. ./test.sh [SUITE]... runs a part of them.
# The last line: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")"
tools/install-packages build test

suites=${*:-house unit fake cli loop sanitize race}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
tally=$work/tally
echo 0 0 0 >"$tally"

wanted() { case " $suites " in *" $1 "*) ;; *) false ;; esac; }

# A check that is not a TAP program counts as one test.
step() { # NAME COMMAND...
    local name=$1 passed failed skipped
    shift
    read -r passed failed skipped <"$tally"
    if "$@" >"$work/step" 2>&1; then
        passed=$((passed + 1))
        printf 'house        %-28s %s\n' "$name" "$(tail -n 1 "$work/step")"
    else
        failed=$((failed + 1))
        printf 'house        %-28s FAILED\n' "$name"
        tail -n 100 "$work/step" | sed 's/^/        /'
    fi
    echo "$passed $failed $skipped" >"$tally"
}

build() { # FOLDER OPTION...: configures once, builds; warnings are errors
    local folder=build/$1
    shift
    [ -e "$folder/build.ninja" ] || meson setup "$folder" -Dwerror=true "$@" >"$work/build" || {
        cat "$work/build"
        return 1
    }
    ninja -C "$folder" >"$work/build" || {
        grep -v '^\[' "$work/build"
        return 1
    }
    echo "built with $(cc=${CC:-gcc} && $cc -dumpversion | sed "s/^/${CC:-gcc} /"), warnings are errors"
}

suite() { # NAME FOLDER PROGRAM...
    local name=$1 folder=$PWD/build/$2
    shift 2
    STORMWIPE=$folder/stormwipe HELPERS=$folder/tests/helpers ROOT=$PWD tests/run "$tally" "$name" "$@" || true
}
programs() { find "build/$1/tests/$2" -maxdepth 1 -type f -name 'test-*' -perm -u+x | sort; }

step "build" build normal
if wanted house; then
    step "build with clang" env CC=clang bash -c "$(declare -f build); work=$work; build clang"
    for check in layers size words format shell; do
        step "$check" "tools/check-$check"
    done
    step "options" tools/check-options build/normal/stormwipe
    step "analyse" tools/check-analyze build/clang
    step "install" env DESTDIR="$work/install" meson install -C build/normal --quiet
    step "installed files" test -x "$work/install/usr/local/sbin/stormwipe" -a \
        -s "$work/install/usr/local/share/man/man8/stormwipe.8"
fi
# shellcheck disable=SC2046
for name in unit fake; do
    if wanted $name; then suite $name normal $(programs normal $name); fi
done
for name in cli loop; do
    if wanted $name; then suite $name normal tests/$name/*.sh; fi
done
if wanted sanitize; then
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    step "build ASan + UBSan" build sanitize -Db_sanitize=address,undefined -Db_lundef=false
    # shellcheck disable=SC2046
    suite asan+ubsan sanitize $(programs sanitize unit) $(programs sanitize fake) tests/cli/*.sh
fi
if wanted race; then
    export TSAN_OPTIONS=halt_on_error=1
    step "build TSan" build race -Db_sanitize=thread -Db_lundef=false
    suite tsan race tests/race/*.sh
fi

read -r passed failed skipped <"$tally"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
