#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paradl-mpi sweep writes what paradl does, whatever happens to its processes: sweep.sh MPIRUN PARADL PARADL-MPI ROOT
set -eu
mpirun=$1 paradl=$(realpath "$2") team=$(realpath "$3")
export PARADL_PATH="$4"
. "$(dirname "$0")/mpirun.sh"
signal_kill=9 signal_stop=19
mkdir "$scratch/here" "$scratch/there"
cp "$4/models/resnet50.json" "$scratch/here/model.json"
set -- sweep model.json --hw abci --gpus 4..64 --vary hw.levels.1.bandwidth=x0.5..x2 --vary batch=256..512+64 \
	-s 'data=*;data=*,spatial=4' --lost-after 2s

name=alone
for format in json csv jsonl; do
	(cd "$scratch/here" && "$paradl" "$@" "--$format") >"$scratch/alone.$format"
	[ -s "$scratch/alone.$format" ]
done
[ "$(wc -l <"$scratch/alone.jsonl")" -eq 150 ]

for size in 1 2 3 4; do
	for format in json csv; do
		run "size-$size-$format" -n "$size" --wdir "$scratch/here" "$team" "$@" "--$format"
		expect 'a success' [ "$status" -eq 0 ]
		expect 'what one process writes' cmp "$scratch/$name.out" "$scratch/alone.$format"
		expect 'silent' [ ! -s "$scratch/$name.err" ]
	done
done

# Goes on where one process was, if it was interrupted in time; only the first has the file.
(cd "$scratch/here" && timeout -s INT 0.1 "$paradl" "$@" --resume kept.csv 2>/dev/null) || true
run resumed -n 3 --wdir "$scratch/here" "$team" "$@" --resume kept.csv
expect 'a success' [ "$status" -eq 0 ]
expect 'what one process writes' cmp "$scratch/here/kept.csv" "$scratch/alone.csv"
expect 'nothing left' [ ! -e "$scratch/here/kept.csv.part" ]

# The third reads its model from a pipe and is killed or stopped before it has done anything.
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
	expect 'what one process writes' cmp "$scratch/$name.out" "$scratch/alone.csv"
	expect 'one that is lost' grep -qE '^paradl-mpi: rank 2 \(.*, process [0-9]+\) was lost: ' "$scratch/$name.err"
}
words="$* --csv"
# shellcheck disable=SC2086
lose "$signal_kill" killed --enable-recovery -n 2 --wdir "$scratch/here" "$team" $words
# shellcheck disable=SC2086
lose "$signal_stop" stopped -n 2 --wdir "$scratch/here" "$team" $words

# The third is killed at work; what it has delivered and what it has not is all there.
set -- sweep resnet50 --hw abci --gpus 4..64 --vary hw.levels.1.bandwidth=x0.5..x2*1.05 -s data,data+spatial,data+filter \
	--threads 1 --lost-after 2s --csv
"$paradl" "$@" >"$scratch/alone.csv"
{
	while [ ! -s "$scratch/pid-of-work" ]; do sleep 0.05; done
	sleep 1
	kill "-$signal_kill" "$(cat "$scratch/pid-of-work")" 2>/dev/null || true
} &
# shellcheck disable=SC2016
run killed-at-work --enable-recovery -n 2 "$team" "$@" : \
	-n 1 sh -c 'echo $$ >"$0"; exec "$@"' "$scratch/pid-of-work" "$team" "$@"
wait
expect 'a success' [ "$status" -eq 0 ]
expect 'what one process writes' cmp "$scratch/$name.out" "$scratch/alone.csv"
exit "$failed"
