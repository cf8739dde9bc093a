#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages out of what git has, looks at them with lintian, unpacks them and asks them something:
# debian.sh [FOLDER], which keeps the packages. Three minutes on two cores. Exit status 77: debhelper is not here.
set -eu
cd "$(dirname "$0")/../.."
for program in dh dpkg-buildpackage meson scdoc; do
	command -v "$program" >/dev/null || { echo "no $program; apt-get install build-essential debhelper"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/paradl"
git archive HEAD | tar -xf - -C "$scratch/paradl"
cd "$scratch/paradl"
env -u PYENV_VERSION PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" \
	dpkg-buildpackage -us -uc -b >"$scratch/log" 2>&1 || { tail -n 60 "$scratch/log"; exit 1; }
cd "$scratch"
if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error,warning ./*.changes
fi
for package in paradl paradl-mpi paradl-data libparadl0 libparadl-dev; do
	dpkg-deb -x "$package"_*.deb root
done
rm -rf paradl # where the program would find its data, too
PARADL_PATH=root/usr/share/paradl root/usr/bin/paradl advise resnet50 --hw abci --gpus 64 --csv | head -n 2 | cut -c1-200
for file in root/usr/bin/paradl-mpi root/usr/libexec/paradl/paradl-measure-mpi root/usr/include/paradl.h \
	root/usr/share/man/man1/paradl-advise.1.gz root/usr/share/bash-completion/completions/paradl \
	root/usr/share/zsh/vendor-completions/_paradl root/usr/share/fish/vendor_completions.d/paradl.fish; do
	[ -s "$file" ] || { echo "not in any package: $file"; exit 1; }
done
[ $# -eq 0 ] || cp ./*.deb ./*.changes ./*.buildinfo "$1"
echo 'packages: built, complete, running'
