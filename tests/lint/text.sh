#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plain text is plain: text.sh ROOT
set -eu
cd "$1"

files=$(find . \( -name .git -o -path './build*' -o -path ./tests/fuzz/corpus -o -path ./tests/data \) -prune -o \
	-type f \( -name '*.[ch]' -o -name '*.def' -o -name 'meson.build' -o -name meson_options.txt -o -name '*.sh' \
	-o -name '*.py' -o -name '*.md' -o -name '*.scd' -o -name '*.json' -o -name '*.js' -o -name '*.mjs' -o -name '*.css' -o -name '*.html' -o -name '*.ini' \) -print | LC_ALL=C sort)
code=$(printf '%s\n' "$files" | grep -E '\.[ch]$')
failed=0

# report WHY FINDINGS
report()
{
	[ -n "$2" ] || return 0
	printf '%s\n' "$2" | sed "s|^|$1: |"
	failed=1
}

# search PATTERN FILES
search()
{
	# shellcheck disable=SC2086
	LC_ALL=C grep -nE "$1" $2 /dev/null || true
}

# Last bytes of all files together are counted first: looking at one file after the other takes seconds.
unfinished_line()
{
	# shellcheck disable=SC2086
	[ "$(tail -q -c 1 $files | wc -l)" -ne "$(printf '%s\n' "$files" | wc -l)" ] || return 0
	for file in $files; do
		[ -z "$(tail -c 1 "$file")" ] || echo "$file"
	done
}

without_licence()
{
	# shellcheck disable=SC2086
	awk 'FNR == 1 && !/^\/\* SPDX-License-I[d]entifier: / {print FILENAME}' $code
}

longer_than()
{
	# shellcheck disable=SC2046
	awk -v most="$1" 'FNR == most + 1 {print FILENAME}' \
		$(printf '%s\n' "$files" | grep -E '^./src/.*\.[ch]$|^./page/' | grep -vE '^./src/paradl(/|\.h$)')
}

# In a document that is a session, an empty line of output is a line of blanks.
report 'trailing blank' "$(search '[[:blank:]]$' "$(printf '%s\n' "$files" | grep -v '\.md$')")"
report 'trailing blank' "$(search '[^[:blank:]][[:blank:]]+$' "$(printf '%s\n' "$files" | grep '\.md$')")"
report 'carriage return' "$(search "$(printf '\r')" "$files")"
report 'indented with blanks' "$(search '^    ' "$code")"
report 'leftover' "$(search '(^|[^[:alnum:]_])(TO''DO|FIX''ME|XX''X)([^[:alnum:]_]|$)' "$files")"
report 'path of one machine' "$(search '(^|[^[:alnum:]_.])/(home|root|Users)/' "$files")"
report 'no final newline' "$(unfinished_line)"
report 'no licence line' "$(without_licence)"
report 'over 450 lines' "$(printf '%s\n' src/paradl.h | xargs wc -l | awk '$1 > 450 {print $2}')"
report 'over 400 lines' "$(longer_than 400)"
exit "$failed"
