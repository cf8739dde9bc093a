#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A command's manual page in scdoc: its source with the options and columns put in that the program itself prints.
# page.sh PARADL COMMAND SOURCE
set -eu
options=$("$1" help --man-options "$2")
while IFS= read -r line || [ -n "$line" ]; do
	case $line in
	@OPTIONS@) printf '%s\n' "$options" ;;
	@COLUMNS@) "$1" help --man-columns "$2" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$3"
