#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimates against SimGrid's simulation of the same network and messages: compare.sh PARADL SMPIRUN CASES
set -eu
paradl=$(realpath "$1")
smpirun=$2
cases=$(realpath "$3")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0
count=0

# Of the trace in `trace`: prints the simulated time, or what smpirun said. More arguments go to smpirun.
simulate()
{
	processes=$1
	shift
	if ! timeout 100 "$smpirun" -np "$processes" -platform platform.xml -replay traces --cfg=smpi/display-timing:yes \
		--log=xbt_cfg.thresh:warning "$@" >log 2>&1; then
		cat log >&2
		return 1
	fi
	sed -n 's/.*Simulated time: \([0-9.e+-]*\) seconds.*/\1/p' log
}

# what, estimate, simulated, at most so many percent
compare()
{
	count=$((count + 1))
	awk -v what="$1" -v ours="$2" -v theirs="$3" -v most="$4" 'BEGIN {
		apart = theirs > 0 ? 100 * (ours / theirs - 1) : 1e9
		bad = apart > most || apart < -most
		printf "%s%-58s %.6g s, simulated %.6g s: %+.4f %%, at most %s %%\n", bad ? "FAILED " : "", what, ours,
			theirs, apart, most
		exit bad
	}' || failed=$((failed + 1))
}

# Every rank calls allreduce once, with 4-byte numbers.
own_trace()
{
	awk -v processes="$1" -v bytes="$2" 'BEGIN {
		for (i = 0; i < processes; i++)
			printf "%d init\n%d allreduce %d 0 5\n%d finalize\n", i, i, bytes / 4, i
	}' >trace
}

echo trace >traces
while read -r topology operation algorithm size groups most own; do
	case $topology in
	'' | '#'*) continue ;;
	esac
	set -- "$operation" --topology "$topology" --link 12.5GB/s,500ns --algo "$algorithm" --bytes "$size" \
		--concurrent "$groups"
	"$paradl" export simgrid-trace "$@" >trace
	"$paradl" export simgrid "$@" >platform.xml
	processes=$(sed -n 's/^# processes: //p' trace)
	bytes=$(sed -n 's/^# bytes: //p' trace)
	estimate=$(sed -n 's/^# estimate_s: //p' trace)
	ahead=$(sed -n 's/^# ranks_ahead_s: //p' trace)
	what="$topology $operation $algorithm $size x $groups"
	simulated=$(simulate "$processes")
	compare "$what" "$estimate" "$simulated" "$most"
	[ -z "$ahead" ] || compare "$what, ranks ahead" "$ahead" "$simulated" 0.1
	[ -n "$own" ] || continue
	own_trace "$processes" "$bytes"
	"$paradl" export simgrid --topology "$topology" --link 12.5GB/s,500ns >platform.xml
	compare "$what, SimGrid's own $own" "$estimate" \
		"$(simulate "$processes" --cfg=smpi/allreduce:"$own" --cfg=smpi/host-speed:1Tf)" "$most"
done <"$cases"
echo "$count compared, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
