#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The C files are as clang-format 14 leaves them (other versions format differently: skipped): format.sh ROOT
set -eu
cd "$1"
for program in clang-format-14 clang-format; do
	if "$program" --version 2>/dev/null | grep -q 'version 14\.'; then
		find src calibrate tests examples -name '*.[ch]' -exec "$program" --dry-run --Werror {} +
		exit
	fi
done
echo "clang-format 14 not found"
exit 77
