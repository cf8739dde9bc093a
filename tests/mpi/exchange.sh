#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rounds of a team, also when one of it is killed or stopped: exchange.sh MPIRUN EXCHANGE
set -eu
mpirun=$1 exchange=$2
. "$(dirname "$0")/mpirun.sh"
tcp='--mca btl tcp,self' kill=9 stop=19

for size in 1 2 3 4; do
	run "size-$size" -n "$size" "$exchange" 40 5
	expect 'a success' [ "$status" -eq 0 ]
	expect 'silent' [ ! -s "$scratch/$name.err" ]
done

# shellcheck disable=SC2086
run tcp $tcp -n 4 "$exchange" 40 5
expect 'the same over sockets' cmp "$scratch/tcp.out" "$scratch/size-4.out"

# Without recovery mpirun ends the job itself when a process is killed, but not when it is stopped.
# shellcheck disable=SC2086
for how in "killed:--enable-recovery:$kill" "killed-tcp:--enable-recovery $tcp:$kill" "stopped::$stop"; do
	signal=${how##*:}
	options=${how#*:}
	run "${how%%:*}" ${options%:*} -n 4 "$exchange" 40 1 2 20 "$signal"
	expect 'a success' [ "$status" -eq 0 ]
	expect 'all rounds' grep -qE '^40 rounds, [0-9a-f]{16}$' "$scratch/$name.out"
	expect 'one that is lost' grep -qE '^paradl-mpi: rank 2 \(.*, process [0-9]+\) was lost: ' "$scratch/$name.err"
	expect 'one only' [ "$(grep -c 'was lost: ' "$scratch/$name.err")" -eq 1 ]
done

run first -n 3 "$exchange" 40 1 0 20 "$stop"
expect 'a failure' [ "$status" -ne 0 ]
expect 'without an answer' [ ! -s "$scratch/$name.out" ]
expect 'a reason' grep -qE '^paradl-mpi: rank [12] .*: nothing was heard of rank 0 ' "$scratch/$name.err"
exit "$failed"
