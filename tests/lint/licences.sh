#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every file says its licence and its holder, and every licence is there: licences.sh ROOT. Needs `reuse`, and git to know
# what belongs to it; exits with 77 without them.
cd "$1" || exit 1
command -v reuse >/dev/null && git rev-parse --git-dir >/dev/null 2>&1 || exit 77
reuse --suppress-deprecation lint --quiet || {
	reuse lint --lines
	exit 1
}
