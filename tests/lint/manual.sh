#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command has a page, with examples, and is in the index of paradl(1). The name and the synopsis of a command's page are what the command prints with -h, and the examples in the pages of file formats
# are files of those formats: manual.sh PARADL MAN
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
for page in "$2"/*.5.scd; do
	file="$scratch/$(basename "$page" .5.scd)"
	awk -v file="$file" '/^```/ {inside = !inside; number += inside; next}
		inside {print > (file "-" number ".json")}' "$page"
	for example in "$file"-*.json; do
		if [ -e "$example" ] && head -n 1 "$example" | grep -q '^{'; then
			"$1" check "$example"
			count=$((count + 1))
		fi
	done
done
[ "$count" -ge 4 ]

awk '/^```/ {inside = !inside; next} inside' "$2/paradl-measured.5.scd" >"$scratch/measured.csv"
PARADL_PATH=$2/.. "$1" validate --measured "$scratch/measured.csv" --tolerance 100% --csv >"$scratch/scores.csv"
[ "$(grep -c '^' "$scratch/scores.csv")" -gt 1 ]

# Every topology and every collective is in paradl-network(7).
for family in topologies collectives; do
	for name in $("$1" list "$family" --csv | sed -n '2,$s/^"*\([^",]*\).*/\1/p'); do
		grep -qE "^\*.*\*?$name[:*]" "$2/paradl-network.7.scd" || { echo "paradl-network.7.scd: no $name"; failed=1; }
	done
done

for command in $("$1" --help | awk '/^commands/ {inside = 1; next} inside && !NF {exit} inside {print $1}'); do
	page="$2/paradl-$command.1.scd"
	grep -q '^# EXAMPLES' "$page" || { echo "$page: no EXAMPLES"; failed=1; }
	grep -q "^\*paradl-$command\*(1)" "$2/paradl.1.scd" || { echo "paradl.1.scd: no $command"; failed=1; }
done

for page in "$2"/paradl-*.1.scd; do
	command=$(basename "$page" .1.scd)
	command=${command#paradl-}
	[ "$command" != mpi ] || continue # a program, not a command
	grep -qxF "paradl-$command - $(COLUMNS=200 "$1" "$command" -h | sed -n "1s/^paradl $command: //p")" "$page" ||
		{ echo "$page: NAME is not what -h says"; failed=1; }
	usage=$("$1" "$command" --help | sed -n '1s/^usage: //p')
	synopsis=$(awk 'found && NF {print; exit} /^# SYNOPSIS/ {found = 1}' "$page" | tr -d '*_')
	if [ -z "$usage" ] || [ "$usage" != "$synopsis" ]; then
		printf '%s\n  page: %s\n  help: %s\n' "$page" "$synopsis" "$usage"
		failed=1
	fi
done
exit "${failed:-0}"
