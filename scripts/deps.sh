# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by demo.sh and test.sh. `install_missing SET...` installs the packages of these sets that are not there, on
# Debian and Ubuntu, as root or through sudo; with nothing missing it touches neither apt nor the network.
# Elsewhere it goes on if the tools are there, and otherwise says what to install and exits with 4.

# a|b: either will do; the first is installed.
packages_build='gcc libc6-dev meson ninja-build pkgconf|pkg-config libcjson-dev libgsl-dev libyaml-dev gnuplot-nox'
packages_test='g++ ccache libopenmpi-dev openmpi-bin libopenblas-dev libcmocka-dev python3-cram python3-jsonschema python3-pytest python3-venv scdoc mandoc clang
	clang-format clang-tidy cppcheck git zsh fish valgrind libc6-dbg libsimgrid-dev abigail-tools'
packages_page='emscripten chromium'
commands_build='cc meson ninja pkg-config gnuplot'
libraries_build='libcjson gsl yaml-0.1'
commands_test='c++ mpicc cram3 scdoc mandoc clang clang-tidy cppcheck git valgrind'

deps_fail()
{
	echo "deps: $*" >&2
	exit 4
}

# Those of the given packages of which no alternative is installed.
missing_packages()
{
	for wanted in "$@"; do
		found=
		for name in $(echo "$wanted" | tr '|' ' '); do
			[ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" != installed ] || found=yes
		done
		[ -n "$found" ] || echo "${wanted%%|*}"
	done
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

apt_install()
{
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null
}

# The package lists may be absent or stale: try without, and fetch them only if that fails.
install_packages()
{
	[ $# -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		deps_fail "not root and no sudo; have these installed: $*"
	fi
	echo "deps: installing $*" >&2
	log=$(mktemp)
	if ! apt_install "$@" >"$log" 2>&1; then
		as_root apt-get update -qq </dev/null >>"$log" 2>&1 || true
		if ! apt_install "$@" >"$log" 2>&1; then
			reason=$(grep -m 1 '^E:' "$log" || tail -n 1 "$log")
			rm -f "$log"
			deps_fail "apt-get could not install $*: $reason"
		fi
	fi
	rm -f "$log"
}

# clang's sanitizer and fuzzer libraries are in a package named after its version.
clang_runtime_package()
{
	case $(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a" 2>/dev/null) in
	/*) return 0 ;;
	esac
	version=$(clang --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p')
	for name in "libclang-rt-$version-dev" "libclang-common-$version-dev"; do
		if apt-cache show "$name" >/dev/null 2>&1; then
			echo "$name"
			return 0
		fi
	done
}

# Pages are looked at by a browser, where there is a small package of one; their test goes on without.
browser_package()
{
	for name in chromium-headless-shell chromium chromium-browser google-chrome; do
		! command -v "$name" >/dev/null || return 0
	done
	! apt-cache show chromium-headless-shell >/dev/null 2>&1 || echo chromium-headless-shell
}

check_commands()
{
	absent=
	for name in "$@"; do
		command -v "$name" >/dev/null || absent="$absent $name"
	done
	for name in $libraries_build; do
		pkg-config --exists "$name" 2>/dev/null || absent="$absent $name"
	done
	[ -z "$absent" ] || deps_fail "not Debian or Ubuntu; missing:$absent. What Debian calls the packages needed:" \
		"$(echo "$wanted_packages" | tr -s '\t\n ' ' ')"
}

install_missing()
{
	wanted_packages=
	wanted_commands=
	for set in "$@"; do
		case $set in
		build)
			wanted_packages="$wanted_packages $packages_build"
			wanted_commands="$wanted_commands $commands_build"
			;;
		test)
			wanted_packages="$wanted_packages $packages_test"
			wanted_commands="$wanted_commands $commands_test"
			;;
		page) wanted_packages="$wanted_packages $packages_page" ;;
		esac
	done
	# Lists of words, meant to be split.
	# shellcheck disable=SC2086,SC2046
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		check_commands $wanted_commands
	else
		install_packages $(missing_packages $wanted_packages)
		case " $* " in
		*' test '*) install_packages $(clang_runtime_package) $(browser_package) ;;
		esac
	fi
}
