#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which folder of src/ may include which: layers.sh SRC
set -eu

# folder: the folders it may include, besides itself, paradl.h and paradl/
table='
base:
model: base
machine: base
import: base model machine
network: base machine
plan: base model
oracle: base model machine network plan
search: base model machine network plan oracle
study: base model machine import network plan oracle search fit
fit: base model machine import network plan oracle search
result: base
report: base result
runner: base result report
cli: base result report runner
library: base result report cli
'

# Prints every violation below the directory $1; fails if there is one.
check()
{
	(cd "$1" && find . -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' \) -exec \
		grep -HnE '^[[:space:]]*#[[:space:]]*include' {} +) | LC_ALL=C sort | awk -v table="$table" '
	BEGIN {
		rows = split(table, row, "\n")
		for (r = 1; r <= rows; r++) {
			if (split(row[r], part, ":") < 2)
				continue
			folders[part[1]] = 1
			allowed[part[1], part[1]] = 1
			names = split(part[2], name, " ")
			for (n = 1; n <= names; n++)
				allowed[part[1], name[n]] = 1
		}
	}
	function bad(why) { print "src/" place ": " why; failed = 1 }
	{
		line = $0
		sub(/^\.\//, "", line)
		match(line, /^[^:]*:[0-9]+/)
		place = substr(line, 1, RLENGTH)
		file = place
		sub(/:.*/, "", file)
		folder = file
		sub(/\/.*/, "", folder)
		text = line
		sub(/^[^#]*#[ \t]*include[ \t]*/, "", text)
		total++
		if (text ~ /cJSON/ && file != "base/json.c")
			bad("only base/json.c includes cJSON")
		if (text ~ /^<yaml\.h>/ && file != "base/yaml.c")
			bad("only base/yaml.c includes libyaml")
		if (text ~ /mpi\.h/ && text ~ /^</ && file !~ /^cli\/mpi\//)
			bad("only cli/mpi/ includes MPI")
		if (text ~ /gsl_/ && folder != "fit")
			bad("only fit/ includes GSL")
		if (text ~ /^"oracle\// && text !~ /^"oracle\/(oracle|input\/input)\.h"/ && folder != "oracle" && folder != "search")
			bad("only oracle/ and search/ include the inside of the oracle; others ask by oracle/oracle.h")
		if (text !~ /^"/)
			next
		sub(/^"/, "", text)
		sub(/".*/, "", text)
		if (text == "paradl.h" || text ~ /^paradl\//)
			next
		target = text
		sub(/\/.*/, "", target)
		if (file ~ /\// && !(folder in folders))
			bad("folder " folder " is not in the table of tests/layers.sh")
		else if (!(target in folders))
			bad("\"" text "\" is not a path from src/")
		else if (!((folder, target) in allowed))
			bad(folder " must not include " text)
	}
	END {
		if (!total)
			print "no #include found"
		exit failed || !total
	}'
}

# A rule that nothing can break checks nothing: each of these files must be refused.
self_test()
{
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	while read -r file include; do
		rm -rf "$scratch/src"
		mkdir -p "$scratch/src/$(dirname "$file")"
		printf '#include %s\n' "$include" >"$scratch/src/$file"
		if check "$scratch/src" >/dev/null; then
			echo "self-test: $file was allowed to include $include"
			return 1
		fi
	done <<-'END'
		base/a.c "model/model.h"
		plan/a.c "machine/machine.h"
		plan/a.c "network/machine_network.h"
		network/algorithm/a.c "model/model.h"
		oracle/a.h "search/search.h"
		report/a.c "oracle/oracle.h"
		cli/a.c "model/model.h"
		runner/a.c "cli/session.h"
		cli/a.c "json.h"
		oracle/a.c "fit/fitting.h"
		fit/a.c "report/report.h"
		search/a.c <gsl/gsl_math.h>
		study/a.c "oracle/training.h"
		search/a.c <mpi.h>
		cli/a.c <mpi.h>
		elsewhere/a.c "base/arena.h"
		model/a.c <cjson/cJSON.h>
		model/a.c "cjson/cJSON.h"
		model/a.c <yaml.h>
	END
	mkdir -p "$scratch/src/oracle"
	rm -rf "$scratch/src/model" "$scratch/src/elsewhere"
	printf '#include <math.h>\n#include "paradl.h"\n#include "model/model.h"\n' >"$scratch/src/oracle/a.c"
	check "$scratch/src"
}

self_test
check "$1"
