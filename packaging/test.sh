#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test, and says at the end where the time went.
#   test.sh              every test; what reads foreign bytes or runs foreign code also under the address sanitizer
#   test.sh --quick      builds and runs the quick tests alone (tests/CMakeLists.txt says which those are)
#   test.sh --sanitize   builds, and runs all quick tests under the address sanitizer
#   test.sh --fuzz MINUTES   builds, and runs each fuzzer for so long
set -euo pipefail
usage() {
    echo "usage: test.sh [--quick | --sanitize | --fuzz MINUTES]" >&2
    exit 2
}
what=${1:---all}
case "$what $#" in
"--all 0" | "--quick 1" | "--sanitize 1") ;;
"--fuzz 2") [[ $2 =~ ^[1-9][0-9]*$ ]] || usage ;;
*) usage ;;
esac

# phase NAME COMMAND...: runs the command and keeps for how long.
phases=()
phase() {
    local name=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    phases+=("$name=$((SECONDS - start))")
    return $status
}
report() {
    local status=$?
    set +e
    python3 packaging/test_times.py build/release "${phases[@]}"
    # What CTest said last is the last that is said.
    [ ! -e build/release/tests.log ] || sed -n '/tests passed,/,$p' build/release/tests.log
    exit $status
}

start=$SECONDS
. "$(dirname "$0")/prepare.sh"
phases+=("packages and configuring=$((SECONDS - start))")
rm -f build/release/tests.log build/release/tests.xml build/release/sanitized.xml

# tests PRESET OUTPUT OPTION...: by CTest, whose closing lines and times are kept.
tests() {
    local preset=$1 output=$2
    shift 2
    ctest --preset "$preset" --parallel "$(nproc)" --output-junit "$PWD/build/release/$output.xml" "$@" | tee "build/release/$output.log"
}
sanitized() {
    [ -e build/asan/build.ninja ] || cmake --preset asan
    cmake --build --preset asan
    ASAN_OPTIONS=detect_leaks=0 build/asan/bin/fxscope info build/release/samples/resnet.pt2
}

trap report EXIT
phase "build of the product" cmake --build --preset release --target product
case "$what" in
--quick)
    phase "build of the tests" cmake --build --preset release --target quick_tests
    phase "tests" tests release tests --label-regex quick
    ;;
--sanitize)
    phase "build of the tests" cmake --build --preset release --target quick_tests
    phase "build for the sanitizer" sanitized
    phase "tests under the sanitizer" tests asan tests --label-regex quick
    ;;
--fuzz)
    phase "build of the tests" cmake --build --preset release
    export FXSCOPE_FUZZ_SECONDS=$(($2 * 60))
    phase "tests" tests release tests --label-regex fuzz
    ;;
--all)
    phase "build of the tests" cmake --build --preset release
    phase "build for the sanitizer" sanitized
    phase "tests under the sanitizer" tests asan sanitized --label-regex foreign
    phase "tests" tests release tests
    ;;
esac
