#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paradl-mpi search answers as paradl does, whatever happens to its processes: search.sh MPIRUN PARADL PARADL-MPI ROOT
set -eu
mpirun=$1 paradl=$(realpath "$2") team=$(realpath "$3")
export PARADL_PATH="$4"
. "$(dirname "$0")/mpirun.sh"
signal_kill=9 signal_stop=19
mkdir "$scratch/here" "$scratch/there"
cp "$4/models/llama2-7b.json" "$scratch/here/model.json"
set -- search model.json --hw dgx-a100-superpod --gpus 64 --batch 256 --top 5 --lost-after 2s

name=alone
for format in json csv; do
	(cd "$scratch/here" && "$paradl" "$@" "--$format") >"$scratch/alone.$format"
done
[ -s "$scratch/alone.json" ] && [ -s "$scratch/alone.csv" ]

for size in 1 2 3 4; do
	run "size-$size" -n "$size" --wdir "$scratch/here" "$team" "$@" --json
	expect 'a success' [ "$status" -eq 0 ]
	expect 'what one process answers' cmp "$scratch/$name.out" "$scratch/alone.json"
	expect 'silent' [ ! -s "$scratch/$name.err" ]
done

# Help is that of paradl, once, also of commands that are nothing for several processes.
for words in -h --help 'search -h' 'search --help' 'advise -h'; do
	name="help-$(echo "$words" | tr ' ' _)"
	# shellcheck disable=SC2086
	"$paradl" $words >"$scratch/help"
	# shellcheck disable=SC2086
	run "$name" -n 2 "$team" $words
	expect 'a success' [ "$status" -eq 0 ]
	expect 'what paradl says' cmp "$scratch/$name.out" "$scratch/help"
done

# The third reads its model from a pipe, twice, and is killed or stopped between.
lose()
{
	mkfifo "$scratch/there/model.json"
	{
		cat "$scratch/here/model.json" >"$scratch/there/model.json"
		kill "-$1" "$(cat "$scratch/pid")"
	} &
	shift
	# shellcheck disable=SC2016
	run "$@" : -n 1 --wdir "$scratch/there" sh -c 'echo $$ >"$0"; exec "$@"' "$scratch/pid" "$team" $words
	wait
	rm "$scratch/there/model.json"
	expect 'a success' [ "$status" -eq 0 ]
	expect 'what one process answers' cmp "$scratch/$name.out" "$scratch/alone.csv"
	expect 'one that is lost' grep -qE '^paradl-mpi: rank 2 \(.*, process [0-9]+\) was lost: ' "$scratch/$name.err"
}
words="$* --csv"
# shellcheck disable=SC2086
lose "$signal_kill" killed --enable-recovery -n 2 --wdir "$scratch/here" "$team" $words
# shellcheck disable=SC2086
lose "$signal_stop" stopped -n 2 --wdir "$scratch/here" "$team" $words

# Files that one host has not, or has otherwise.
run missing -n 2 --wdir "$scratch/here" "$team" "$@" --csv : -n 1 --wdir "$scratch/there" "$team" "$@" --csv
expect 'a success' [ "$status" -eq 0 ]
expect 'what one process answers' cmp "$scratch/$name.out" "$scratch/alone.csv"
expect 'a reason' grep -q '^paradl-mpi: rank 2 .* was lost: model.json: ' "$scratch/$name.err"

sed 's/"Llama-2-7B"/"Another"/' "$scratch/here/model.json" >"$scratch/there/model.json"
run differs -q -n 2 --wdir "$scratch/here" "$team" "$@" --csv : -n 1 --wdir "$scratch/there" "$team" "$@" --csv
expect 'a bad input' [ "$status" -eq 3 ]
expect 'a reason' grep -q '^model.json: rank 2 .* has another file' "$scratch/$name.err"

# What is wrong everywhere is said once.
run unknown -q -n 3 "$team" search nothing-like-that --hw abci --gpus 4
expect 'a bad input' [ "$status" -eq 3 ]
expect 'said once' [ "$(grep -c '^paradl: there is no model' "$scratch/$name.err")" -eq 1 ]
run usage -q -n 3 "$team" search model.json --hw abci --gpus 0
expect 'wrong usage' [ "$status" -eq 2 ]
run alone-only -q -n 3 "$team" list models
expect 'wrong usage' [ "$status" -eq 2 ]
exit "$failed"
