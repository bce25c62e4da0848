#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# archive.sh [FOLDER]: writes fxscope-VERSION-x86_64.tar.zst to FOLDER (build/): what `cmake --install` puts into a system, with Qt
# and the other libraries inside. It runs where it is unpacked; LibTorch, X11 and OpenGL are the system's.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath "${1:-build}")
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build/release/CMakeCache.txt)
name=fxscope-$version-$(uname -m)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install build/release --prefix "$stage/$name" --strip >/dev/null
home=$stage/$name/lib/fxscope
mkdir -p "$home/qt/plugins"

# Qt loads these by itself.
plugins=/usr/lib/$(gcc -dumpmachine)/qt6/plugins
for kind in platforms platforminputcontexts xcbglintegrations wayland-shell-integration iconengines imageformats printsupport tls; do
    [ ! -d "$plugins/$kind" ] || cp -r "$plugins/$kind" "$home/qt/plugins/"
done
printf '[Paths]\nPlugins = ../qt/plugins\n' >"$home/bin/qt.conf"

# A system has these, and they fit its kernel, its graphics card and its fonts. LibTorch is not found here, and so not taken.
own='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|GL|EGL|GLX|OpenGL|GLdispatch|drm|gbm|X11|X11-xcb|xcb|fontconfig|freetype|expat))\.so'
find "$home" -type f \( -name '*.so*' -o -path '*/bin/fxscope*' \) -print0 |
    xargs -0 ldd 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
    while read -r library; do
        if [[ $library != "$home"/* && ! $(basename "$library") =~ $own ]]; then
            cp -L "$library" "$home/qt/"
        fi
    done
tar -C "$stage" --zstd -cf "$out/$name.tar.zst" "$name"
echo "$out/$name.tar.zst"
