# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the tests under mpirun, with its path in $mpirun: all processes on this host, which never leave it.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
export HWLOC_HIDE_ERRORS=2 # a root without /sys is no error
export MALLOC_PERTURB_=0 # mpirun 4.1 reads memory that it has freed when it passes on what MPI_Abort says
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0 status=0 name=

# run NAME COMMAND...: leaves the status in $status, what was printed in $scratch/NAME.out and NAME.err
run()
{
	name=$1
	shift
	status=0
	timeout -k 5 60 "$mpirun" "$@" </dev/null >"$scratch/$name.out" 2>"$scratch/$name.err" || status=$?
}

# expect WHAT COMMAND...
expect()
{
	what=$1
	shift
	"$@" >/dev/null 2>&1 && return
	echo "$name: not $what (status $status)"
	cat "$scratch/$name.out" "$scratch/$name.err"
	failed=1
}

"$mpirun" -n 1 true || exit 77
