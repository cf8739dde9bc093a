#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Training steps of a small network on 2 and 4 ranks: step_ranks.sh MPIRUN PROGRAM
set -eu
mpirun=$1
program=$2
# shellcheck source=tests/mpi/mpirun.sh
. "$(dirname "$0")/../mpi/mpirun.sh"
export OPENBLAS_NUM_THREADS=1

for ranks in 2 4; do
	run "ranks-$ranks" -n "$ranks" "$program"
	expect 'the same under every plan' [ "$status" -eq 0 ]
	expect 'every plan' [ "$(grep -c '^ok ' "$scratch/$name.out")" -eq 5 ]
done
exit "$failed"
