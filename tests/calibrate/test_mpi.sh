#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# paradl-measure-mpi on ranks of this host, some of which are killed or stopped: test_mpi.sh MPIRUN PARADL-MEASURE-MPI
set -eu
mpirun=$1 measure=$2
. "$(dirname "$0")/../mpi/mpirun.sh"
samples=$scratch/samples.jsonl
quick='--quick --cap 0.01 --seed 7'

# Sorted names of points that were measured: as printed, and as on disk, of lines that are whole.
printed()
{
	sed -n 's/^done \([^ ]*\) .*/\1/p' "$scratch/$name.out" | LC_ALL=C sort
}
on_disk()
{
	grep '"seconds":\[.*\]}$' "$samples" | sed 's/.*"point":"\([^"]*\)".*/\1/' | LC_ALL=C sort
}
all_printed_on_disk()
{
	[ -n "$(printed)" ] || return 1
	printed >"$scratch/printed"
	on_disk | LC_ALL=C comm -13 - "$scratch/printed" >"$scratch/lacking"
	[ ! -s "$scratch/lacking" ]
}
count()
{
	grep -c "$@" || true
}
# Each of the points once.
complete()
{
	points=$(sed -n 's/^points //p' "$scratch/$name.out")
	[ "$points" -gt 0 ] && [ "$(on_disk | wc -l)" -eq "$points" ] && [ "$(on_disk | uniq | wc -l)" -eq "$points" ]
}

run alone -n 1 "$measure" $quick --out "$samples"
expect 'absent hardware' [ "$status" -eq 77 ]
expect 'a sentence' grep -q 'start it as mpirun -n 2' "$scratch/$name.err"

# shellcheck disable=SC2086
run two -n 2 "$measure" $quick --out "$samples"
expect 'a success' [ "$status" -eq 0 ]
expect 'whole' complete
expect 'all on disk' all_printed_on_disk
for bench in point-to-point allreduce allgather reduce-scatter all-to-all broadcast reduce halo chain clock noise; do
	expect "with $bench" grep -q "\"bench\":\"$bench\"" "$samples"
done
expect 'one library' grep -q '"library":"[a-z][a-z ]* [0-9.]*[a-z0-9]*","buffer":"host","nodes":1,"devices":2' "$samples"
expect 'with windows' grep -q '"way":"window".*"seconds"' "$samples"
expect 'ranks of one host with one clock' awk '/^done clock\/1 / { exit !($3 < 1e-4) }' "$scratch/two.out"
# A rank that hears of a message must have waited for it: more bytes, more time, over five orders of magnitude.
expect 'slower for more' awk '$2 == "allreduce/1x2/64" { few = $3 } $2 == "allreduce/1x2/8388608" { many = $3 }
	END { exit !(few > 0 && many > 10 * few) }' "$scratch/two.out"

run again -n 2 "$measure" $quick --out "$samples"
expect 'a success' [ "$status" -eq 0 ]
expect 'nothing new' [ -z "$(printed)" ]
expect 'each skipped' [ "$(count '^skip ' "$scratch/again.out")" -eq "$(count '^done ' "$scratch/two.out")" ]

rm "$samples"
run four --oversubscribe -n 4 "$measure" $quick --only point-to-point,allreduce,halo,chain --out "$samples"
expect 'a success' [ "$status" -eq 0 ]
expect 'whole' complete
for split in div mod; do
	expect "in groups by $split" grep -q "\"point\":\"allreduce/1x2x2-$split/.*\"groups\":2.*\"seconds\"" "$samples"
done
expect 'pairs at once' grep -q '"point":"point-to-point/[a-z]*/1x2x2/.*"groups":2.*"seconds"' "$samples"
if [ "$(getconf _NPROCESSORS_ONLN)" -lt 4 ]; then
	expect 'flagged' grep -q '"flags":\["oversubscribed"' "$samples"
fi

# Two daemons on this host are two nodes, as far as the library knows.
cat >"$scratch/agent" <<-'END'
	#!/bin/sh
	mkdir -p "$(dirname "$0")/node-$1"
	TMPDIR="$(dirname "$0")/node-$1"
	export TMPDIR
	shift
	exec sh -c "$*"
END
chmod +x "$scratch/agent"
rm "$samples"
run nodes --oversubscribe --host 127.0.0.2:2,127.0.0.3:2 --mca plm_rsh_agent "$scratch/agent" --mca btl tcp,self \
	--mca mpi_yield_when_idle 1 --mca orte_keep_fqdn_hostnames 1 \
	-n 4 "$measure" $quick --only point-to-point,allreduce --out "$samples"
expect 'a success' [ "$status" -eq 0 ]
expect 'whole' complete
expect 'far ones' grep -q '"point":"point-to-point/far/2x2x2/.*"nodes":2.*"seconds"' "$samples"
expect 'two nodes' grep -q '"point":"allreduce/2x4/.*"nodes":2,"devices":4.*"seconds"' "$samples"
expect 'a rank of each node' grep -q '"point":"allreduce/2x2x2-mod/.*"nodes":2,"devices":2.*"seconds"' "$samples"

# meddle NAME SIGNAL RANK: after some points
meddle()
{
	signal=$2 victim=$3 name=$1
	rm -f "$samples"
	: >"$scratch/$name.out"
	(
		tries=0
		while [ "$(count '^done ' "$scratch/$1.out")" -lt 5 ] && [ "$tries" -lt 300 ]; do
			sleep 0.1
			tries=$((tries + 1))
		done
		kill "-$signal" "$(cat "$scratch/pid.$victim")"
	) &
	# shellcheck disable=SC2016
	run "$1" -n 2 sh -c 'echo $$ >"$0.$OMPI_COMM_WORLD_RANK"; exec "$@"' "$scratch/pid" "$measure" \
		--quick --seed 7 --only allreduce,point-to-point --out "$samples"
	wait
	expect 'a failure' [ "$status" -ne 0 ]
	expect 'not ended in time' [ "$status" -ne 124 ]
	expect 'all on disk' all_printed_on_disk
	done_before=$(on_disk | wc -l)
	expect 'some points' [ "$done_before" -ge 5 ]
}

# resume: the rest, and nothing twice
resume()
{
	run "$1" -n 2 "$measure" $quick --only allreduce,point-to-point --out "$samples"
	expect 'a success' [ "$status" -eq 0 ]
	expect 'whole' complete
	expect 'the rest only' [ "$(printed | wc -l)" -eq $((points - done_before)) ]
}

meddle killed 9 1
resume resumed

PARADL_MEASURE_PATIENCE=2
export PARADL_MEASURE_PATIENCE
meddle stopped 19 1
expect 'a reason' grep -qE '^failed [^ ]+ nothing has moved for 2 s' "$scratch/stopped.out"
expect 'on disk' grep -qE '"point":.*"failed":"nothing has moved for 2 s' "$samples"
meddle stopped-first 19 0
exit "$failed"
