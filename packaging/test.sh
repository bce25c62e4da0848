#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test. core is built without Qt and without Graphviz too.
#   test.sh --quick    builds and runs the quick tests alone (tests/CMakeLists.txt says which those are)
#   test.sh --full     then also compiles each source of core by itself, and runs the quick tests under the address sanitizer
set -euo pipefail
case "$*" in
"" | --quick | --full) ;;
*) echo "usage: test.sh [--quick | --full]" >&2 && exit 2 ;;
esac
. "$(dirname "$0")/prepare.sh"
if [ "${1:-}" = --quick ]; then
    cmake --build --preset release --target quick_tests
    exec ctest --preset release --label-regex quick --parallel "$(nproc)"
fi
cmake --build --preset release
[ -e build/bare/build.ninja ] || cmake --preset bare
cmake --build --preset bare
build/bare/bin/fxscope info build/release/samples/resnet.pt2
ctest --preset release --parallel "$(nproc)"
if [ "${1:-}" = --full ]; then
    python3 tests/project/check_sources.py build/release
    [ -e build/asan/build.ninja ] || cmake --preset asan
    cmake --build --preset asan --target quick_tests
    ctest --preset asan --label-regex quick --parallel "$(nproc)"
fi
