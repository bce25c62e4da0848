#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts the program of this file's name in lib/fxscope/bin, with the LibTorch that it finds: in $FXSCOPE_TORCH (an unpacked
# LibTorch, or the folder of a Python's torch), else the torch of python3, else that of ~/.local/share/fxscope/venv.
release=2.13
file=$(readlink -f "$0")
home=$(dirname "$file")/../lib/fxscope
venv=${XDG_DATA_HOME:-$HOME/.local/share}/fxscope/venv

fail() {
    echo "error: $1" >&2
    [ -t 2 ] || ! command -v notify-send >/dev/null || notify-send fxscope "$1"
    exit 1
}

version_of() { # of a folder with LibTorch; nothing if it has none
    if [ -e "$1/lib/libtorch_cpu.so" ]; then
        cat "$1/build-version" 2>/dev/null || sed -n "s/^__version__ = '\(.*\)'/\1/p" "$1/version.py"
    fi
}

of_python() { # where its torch is; nothing of it is run, and nothing that lies in the current folder
    "$1" -c 'import sys
sys.path[:] = [path for path in sys.path if path]
import importlib.util
spec = importlib.util.find_spec("torch")
print(spec.submodule_search_locations[0] if spec else "")' 2>/dev/null
}

if [ -n "$FXSCOPE_TORCH" ]; then
    places=("$FXSCOPE_TORCH")
else
    places=("$(of_python python3)" "$(of_python "$venv/bin/python3")")
fi
seen=
for torch in "${places[@]}"; do
    version=$(version_of "$torch")
    case $version in
    "$release".*)
        export LD_LIBRARY_PATH="$torch/lib:$home/qt${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
        exec -a "$0" "$home/bin/$(basename "$file")" "$@"
        ;;
    ?*) seen="$seen (but $version in $torch)" ;;
    esac
done
[ -z "$FXSCOPE_TORCH" ] || fail "FXSCOPE_TORCH: $FXSCOPE_TORCH has no LibTorch $release$seen"
fail "python3 has no torch $release$seen; install one by 'python3 -m venv $venv && $venv/bin/pip install torch==$release.0', or set FXSCOPE_TORCH to its folder"
