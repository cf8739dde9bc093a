#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimates against SimGrid's simulation of the same network and messages: compare.sh PARADL SMPIRUN CASES [--long]
# The time that is printed is within 0.5 %, of all-to-all 1.5 %, and the simulated one within the bounds but for its rounding.
set -eu
paradl=$(realpath "$1")
smpirun=$2
cases=$(realpath "$3")
extent=${4:-}
machines=$(realpath "$(dirname "$3")")
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

# The number that the head of the trace has under a name.
said()
{
	sed -n "s/^# $1: //p" trace
}

# what, simulated, at most so many percent; estimate, least and most are of the trace
compare()
{
	count=$((count + 1))
	awk -v what="$1" -v theirs="$2" -v allowed="$3" -v ours="$estimate" -v least="$least" -v most="$highest" 'BEGIN {
		apart = theirs > 0 ? 100 * (ours / theirs - 1) : 1e9
		slack = 0.0025
		out = theirs < least * (1 - slack) || theirs > most * (1 + slack)
		bad = apart > allowed || apart < -allowed || out
		printf "%s%-58s %.6g s, simulated %.6g s: %+.4f %%, at most %s %%%s\n", bad ? "FAILED " : "", what, ours,
			theirs, apart, allowed, out ? sprintf("; not from %.6g s to %.6g s", least, most) : ""
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

# topology, operation, size, groups, algorithm, name of SimGrid's own
one()
{
	topology=$1 operation=$2 size=$3 groups=$4 algorithm=$5 own=$6 allowed=0.5
	[ "$operation" != all-to-all ] || allowed=1.5
	machine=$machines/${topology%%:*}.json
	if [ -f "$machine" ]; then
		set -- --hw "$machine"
		[ "$topology" = "${topology%%:*}" ] || set -- "$@" --ranks "${topology#*:}"
	else
		set -- --topology "$topology" --link 12.5GB/s,500ns
	fi
	"$paradl" export simgrid-trace "$operation" "$@" --algo "$algorithm" --bytes "$size" --concurrent "$groups" >trace
	"$paradl" export simgrid "$operation" "$@" --algo "$algorithm" --bytes "$size" --concurrent "$groups" >platform.xml
	processes=$(said processes) bytes=$(said bytes) estimate=$(said estimate_s)
	least=$(said estimate_at_least_s) highest=$(said estimate_at_most_s)
	what="$topology $operation $algorithm $size x $groups"
	compare "$what" "$(simulate "$processes")" $allowed
	[ -n "$own" ] || return 0
	own_trace "$processes" "$bytes"
	"$paradl" export simgrid "$@" >platform.xml
	compare "$what, SimGrid's own $own" "$(simulate "$processes" --cfg=smpi/allreduce:"$own" --cfg=smpi/host-speed:1Tf)" $allowed
}

echo trace >traces
while read -r topology operation size groups algorithms; do
	case "$topology $operation" in
	'# long') [ "$extent" = --long ] && continue || break ;;
	' ' | '#'*) continue ;;
	esac
	for algorithm in $(echo "$algorithms" | tr , ' '); do
		own=${algorithm#*=}
		[ "$own" != "$algorithm" ] || own=
		one "$topology" "$operation" "$size" "$groups" "${algorithm%=*}" "$own" </dev/null
	done
done <"$cases"
echo "$count compared, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
