#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [MODEL]: installs what is missing, builds, and opens MODEL, or a sample.
set -euo pipefail
models=()
for model in "$@"; do
    models+=("$(realpath "$model")")
done
. "$(dirname "$0")/prepare.sh"
cmake --build --preset release --target product
exec build/release/bin/fxscope-gui "${models[@]:-build/release/samples/resnet.pt2}"
