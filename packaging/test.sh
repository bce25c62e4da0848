#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs every test. core is built without Qt and without Graphviz too.
set -euo pipefail
. "$(dirname "$0")/prepare.sh"
cmake --build --preset release
[ -e build/bare/build.ninja ] || cmake --preset bare
cmake --build --preset bare
build/bare/bin/fxscope info build/release/samples/resnet.pt2
ctest --preset release --parallel "$(nproc)"
