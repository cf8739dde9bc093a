#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the sources in two folders and compares what is installed, byte by byte: reproducible.sh ROOT
set -eu
root=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in one another-folder; do
	mkdir -p "$scratch/$name"
	(cd "$root" && git ls-files -z src meson.build meson_options.txt man models datasets hw-profiles schemas examples docs calibrate \
		README.md CHANGELOG.md | xargs -0 cp --parents -t "$scratch/$name")
	cd "$scratch/$name"
	meson setup build -Dtests=disabled -Dcuda=disabled --prefix=/usr >setup.log 2>&1 || { cat setup.log; exit 1; }
	ninja -C build >build.log 2>&1 || { tail -n 30 build.log; exit 1; }
	DESTDIR="$scratch/$name/root" meson install -C build --no-rebuild --quiet
done
diff -r "$scratch/one/root" "$scratch/another-folder/root"
# no binary says where it was built
! grep -rlF "$scratch" "$scratch/one/root"
echo "$(find "$scratch/one/root" -type f | wc -l) installed files are the same from two folders"
