# SPDX-License-Identifier: GPL-3.0-or-later
# Read by run.sh and test.sh: installs the missing Debian packages and LibTorch, and configures build/release.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A name may stand for another package that provides it.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/^installed//p')
missing=()
for package in $(grep -v '^#' packaging/debian-packages.txt); do
    grep -qE "[ ,]$package([ ,]|\$)" <<<"$installed" || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    echo "Installing Debian packages: ${missing[*]}"
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -qq
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The torch of python3 if it is the right one, else one in an environment of the build's own. It holds LibTorch,
# and it exports the sample models and the models of the tests.
has_torch() {
    "$1" -c 'import importlib.metadata as m, sys
sys.exit(not m.version("torch").startswith("2.13.") or not m.version("numpy") or not m.version("tabulate") or not m.version("PyYAML") or not m.version("einops"))' 2>/dev/null
}
if ! has_torch python3; then
    if ! has_torch build/venv/bin/python3; then
        echo "Installing torch 2.13.0 into build/venv"
        python3 -m venv build/venv
        build/venv/bin/pip install --quiet --disable-pip-version-check torch==2.13.0 numpy tabulate pyyaml einops setuptools wheel
    fi
    export VIRTUAL_ENV="$PWD/build/venv" PATH="$PWD/build/venv/bin:$PATH"
fi
[ -e build/release/build.ninja ] || cmake --preset release
