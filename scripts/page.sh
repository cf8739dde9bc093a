#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the page that `paradl report --interactive` fills in: page.sh BUILD [MESON_OPTION...]
# It takes emcc. cJSON is compiled in: out of the folder that CJSON_SOURCE names, else out of Debian's source package, which is
# fetched into BUILD. `meson install -C BUILD` then puts the page where paradl looks for it. Exits with 77 where it cannot be built.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
shift

cannot()
{
	echo "page: $*" >&2
	exit 77
}

# Fetches the source package without touching what apt is set to: the same places, of sources instead of packages.
fetch_cjson()
(
	mkdir -p "$1/sources" "$1/lists/partial" && cd "$1" || exit 1
	for list in /etc/apt/sources.list.d/*.sources; do
		[ ! -e "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"sources/$(basename "$list")"
	done
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -e "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >"sources/$(basename "$list" .list).list"
	done
	set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/sources" -o Dir::State::lists="$PWD/lists" \
		-o APT::Sandbox::User=root
	apt-get "$@" update && apt-get "$@" source --download-only cjson && tar xf cjson_*.orig.tar.*
)

command -v emcc >/dev/null || cannot 'emcc is missing: Debian has it as emscripten'
if [ ! -e "$build/build.ninja" ]; then
	mkdir -p "$build"
	if [ -z "${CJSON_SOURCE:-}" ]; then
		command -v apt-get >/dev/null || cannot 'CJSON_SOURCE does not name the folder of the source of cJSON'
		[ -n "$(ls -d "$build"/cjson/cJSON-* 2>/dev/null)" ] || fetch_cjson "$build/cjson" >&2 ||
			cannot 'the source of cJSON cannot be fetched; CJSON_SOURCE may name its folder'
		CJSON_SOURCE=$(cd "$build"/cjson/cJSON-* && pwd)
	fi
	env -u CC -u CFLAGS -u LDFLAGS meson setup "$build" "$source" --cross-file "$source/meson/wasm.ini" \
		-Dcjson_source="$CJSON_SOURCE" "$@"
fi
ninja -C "$build"
