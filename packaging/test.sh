#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test. core is built under the address sanitizer too, and without Qt and Graphviz,
# for the quick tests, of which each commit runs one half or the other, as they take four times as long there.
#   test.sh --quick    builds and runs the quick tests alone (tests/CMakeLists.txt says which those are)
set -euo pipefail
case "$*" in
"" | --quick) ;;
*) echo "usage: test.sh [--quick]" >&2 && exit 2 ;;
esac
. "$(dirname "$0")/prepare.sh"
if [ "${1:-}" = --quick ]; then
    cmake --build --preset release --target quick_tests
    exec ctest --preset release --label-regex quick --parallel "$(nproc)"
fi
cmake --build --preset release
[ -e build/asan/build.ninja ] || cmake --preset asan
cmake --build --preset asan
ASAN_OPTIONS=detect_leaks=0 build/asan/bin/fxscope info build/release/samples/resnet.pt2
half=$((16#$(git rev-parse --short=8 HEAD || echo 0) % 2))
ctest --preset asan --parallel "$(nproc)" --tests-information "$((half + 1)),,2"
ctest --preset release --parallel "$(nproc)"
