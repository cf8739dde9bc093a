#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The C files are as clang-format 14 leaves them (other versions format differently: skipped): format.sh ROOT
# Those that are as they were at the mark of tests/lint/tidied were looked at then, and again in --long.
set -eu
cd "$1"
sources()
{
	mark=$(cat tests/lint/tidied)
	if [ -n "${PARADL_TESTS_LONG:-}" ] || ! git cat-file -e "$mark^{commit}" 2>/dev/null || ! git diff --quiet "$mark" -- .clang-format; then
		find src calibrate tests examples -name '*.[ch]'
		return
	fi
	git diff --name-only --diff-filter=d "$mark" -- src calibrate tests examples
	git ls-files --others --exclude-standard -- src calibrate tests examples
}
for program in clang-format-14 clang-format; do
	if "$program" --version 2>/dev/null | grep -q 'version 14\.'; then
		sources | grep '\.[ch]$' | xargs -r "$program" --dry-run --Werror
		exit
	fi
done
echo "clang-format 14 not found"
exit 77
