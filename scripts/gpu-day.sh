#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gpu-day.sh [--minutes N] [--quick] [--device NAME] [--out FOLDER] [--paradl PROGRAM] [--list] [PART...]
# An hour on one GPU that is there for the first time, in parts of less than nine minutes: what it does is measured, fitted, and projections
# of training steps are compared with steps of PyTorch, by the fitted device and by the shipped one. A part that is done is not done again;
# one that was stopped goes on where it was. Without PART all that are left. With --minutes all of these within so many: each gets its share
# of them, one launch, and leaves out what it has no time for.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
PARADL_PATH=${PARADL_PATH:-$root}
export PARADL_PATH
device=h200-sxm5-141gb out=gpu-day paradl='' quick='' minutes='' list='' wanted=''

fail()
{
	echo "gpu-day: $*" >&2
	exit "${status:-2}"
}

while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=yes ;;
	--list) list=yes ;;
	--device | --out | --paradl | --minutes)
		[ $# -gt 1 ] || fail "$1 needs a value"
		eval "${1#--}=\$2"
		shift
		;;
	-*) fail "no option $1: --minutes N, --quick, --device NAME, --out FOLDER, --paradl PROGRAM, --list" ;;
	*) wanted="$wanted $1" ;;
	esac
	shift
done
if [ -z "$paradl" ]; then
	for paradl in "$root"/build/paradl "$root"/build-dev/paradl paradl; do
		command -v "$paradl" >/dev/null 2>&1 && break
	done
fi

# name, most minutes, what for
parts='check 1 the programs that are needed, and the device
points 8 products, convolutions, memory, copies and launches of the device
layers 6 the convolutions and products of ResNet-50
attention 2 fused attention of PyTorch, beside that of cuDNN which is among the points
images 8 steps of ResNet-50 and VGG-16
tokens 8 steps of GPT-2 and of blocks of Llama
compiled 8 some of these steps, compiled
fit 1 a device of the points, with the shipped one for the rest; this and what follows needs no GPU
kernels 1 the fitted and the shipped device against each measured kernel
compare 1 measured steps against projections by both devices'
limit_s=480 points_s=480 effort='' cap=10 attention_cap=4 launches=3
if [ -n "$quick" ]; then
	limit_s=40 points_s=12 effort=--quick cap=0.2 attention_cap=0.2 launches=1
fi

part_names()
{
	echo "$parts" | cut -d ' ' -f 1
}

is_done()
{
	[ -f "$out/done" ] && grep -q "^$1 " "$out/done"
}

[ -n "$wanted" ] || wanted=$(part_names)
for part in $wanted; do
	part_names | grep -qx "$part" || fail "no part $part; parts: $(part_names | tr '\n' ' ')"
done
minutes_of()
{
	echo "$parts" | grep "^$1 " | cut -d ' ' -f 2
}

# Parts of more than two minutes become shorter where there is less time; the others take what they take.
case $minutes in *[!0-9]*) fail "--minutes must be a whole number, is \"$minutes\"" ;; esac
short=0 long=0
for part in $wanted; do
	! is_done "$part" || continue
	[ "$(minutes_of "$part")" -gt 2 ] && long=$((long + $(minutes_of "$part"))) || short=$((short + $(minutes_of "$part")))
done
of=$long scarce=''
if [ -n "$minutes" ] && [ "$minutes" -lt $((short + long)) ]; then
	[ "$minutes" -ge $((short + (long + 7) / 8)) ] ||
		fail "--minutes $minutes: these parts need $((short + (long + 7) / 8)) at least; name fewer"
	of=$((minutes - short)) scarce=yes launches=1
fi

# Sets `share_s` to what a long part has of so many seconds.
share()
{
	share_s=$1
	[ -z "$scarce" ] || share_s=$(($1 * of / long))
}
share $limit_s && limit_s=$share_s
share $points_s && points_s=$share_s
total=0
for part in $wanted; do
	row=$(echo "$parts" | grep "^$part ")
	of_part=$(minutes_of "$part")
	if is_done "$part"; then
		of_part='done'
	else
		share_s=$((60 * of_part))
		[ "$of_part" -le 2 ] || share "$share_s"
		total=$((total + share_s))
		of_part="$(((share_s + 59) / 60)) min"
	fi
	printf '%-9s %-6s %s\n' "$part" "$of_part" "$(echo "$row" | cut -d ' ' -f 3-)"
done
if [ -n "$quick" ]; then
	echo "a quick try: each part takes a minute at most, and its numbers are worth nothing"
else
	echo "at most $(((total + 59) / 60)) min; into $out/"
fi
[ -z "$list" ] || exit 0

mkdir -p "$out"
out=$(cd "$out" && pwd)

# Runs a command whose output is kept in log.txt; sets `status`, and ends where that is none of those that are given.
kept()
{
	expected=$1
	shift
	echo "\$ $*" >>"$out/log.txt"
	status=0
	"$@" >"$out/last.txt" 2>&1 || status=$?
	cat "$out/last.txt" >>"$out/log.txt"
	case " $expected " in
	*" $status "*) rm -f "$out/last.txt" ;;
	*)
		reason=$(grep '^paradl: ' "$out/last.txt" | grep -v '^paradl: warning: ' | tail -n 1)
		[ -n "$reason" ] || reason=$(grep -v '^start \|^done \|^skip \|^[[:space:]]*hint:' "$out/last.txt" | tail -n 1)
		rm -f "$out/last.txt"
		[ "$status" -lt 128 ] || status=130
		fail "$part: $(basename "$1") ended with $status: $reason ($out/log.txt has all of it; run again to go on)"
		;;
	esac
}

# Sets `found` to a measuring program of the build, or of the installed one.
program()
{
	for folder in "$(dirname "$(command -v "$paradl")")/calibrate/$1" "$(dirname "$(command -v "$paradl")")/../libexec/paradl"; do
		if [ -x "$folder/paradl-measure-$1" ]; then
			found=$folder/paradl-measure-$1
			return
		fi
	done
	status=4 fail "paradl-measure-$1 was not built beside $paradl: calibrate/$1 says what it needs"
}

check()
{
	status=4
	command -v "$paradl" >/dev/null || fail "no paradl: meson setup build && ninja -C build, or --paradl PROGRAM"
	command -v python3 >/dev/null || fail 'no python3'
	[ -f "$PARADL_PATH/hw-profiles/devices/$device.json" ] || fail "no device $device in $PARADL_PATH/hw-profiles/devices; --device names it"
	program cuda
	cuda=$found
	program step-torch
	torch=$found
	if command -v nvidia-smi >/dev/null; then
		name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
		echo "$name" | tr '[:upper:]' '[:lower:]' | grep -q "$(echo "$device" | cut -d - -f 1)" ||
			fail "the GPU is $name, not $device: --device names it as in hw-profiles/devices"
		nvidia-smi -q >"$out/smi.txt"
	else
		echo 'no nvidia-smi: its settings are not kept'
	fi
	kept '0' "$cuda" --benches
	kept '0' "$cuda" --quick --cap 0.1 --only launch --out "$out/try.jsonl"
	kept '0' "$torch" --quick --cap 0.1 --network tiny-cnn --batch 2 --out "$out/try.jsonl"
	rm -f "$out/try.jsonl"
	cp "$root/calibrate/step-torch/gpt2-medium.json" "$root/calibrate/step-torch/llama-blocks.json" "$out"
	cat >"$out/shipped.json" <<-MACHINE
		{ "format": "paradl-hw", "version": 1, "name": "one $device", "device": "$device", "framework": "nccl",
		  "levels": [{ "name": "device", "devices": 1, "latency": "5 us", "bandwidth": "50 GB/s" }],
		  "from": { "levels/0": "assumed: one device, nothing to talk to" } }
	MACHINE
}

# Goes on with a calibration where there is one. Some points may fail: they are in its summary.
calibration()
{
	file=$1
	shift
	resume=''
	[ ! -s "$out/$file" ] || resume=--resume
	kept '0 1' "$paradl" calibrate --gpu --quick --launches "$launches" --time-limit "${points_s}s" $resume -o "$out/$file" "$@"
}

points()
{
	if [ -n "$quick" ]; then
		calibration points.jsonl --only gemm,burst,attention,memory,launch,transfer
	else
		calibration points.jsonl
	fi
}

layers()
{
	points_s=$((points_s * 3 / 4))
	calibration layers.jsonl --layers-of resnet50 --batches 32,256 --only gemm,convolution
}

# Samples of a try that was stopped are measured again: it is short, and a file has no point twice.
attention()
{
	program step-torch
	rm -f "$out/attention.jsonl"
	# shellcheck disable=SC2086
	kept '0 1' "$found" --attention --out "$out/attention.jsonl" $effort --cap "$attention_cap"
}

fit()
{
	# A profile takes devices that lie beside it, so the fitted one has a folder of its own.
	rm -rf "$out/fitted"
	mkdir "$out/fitted"
	files="$out/points.jsonl"
	for more in layers attention; do
		[ ! -s "$out/$more.jsonl" ] || files="$files $out/$more.jsonl"
	done
	# shellcheck disable=SC2086
	kept '0 1' "$paradl" fit $files --base "$out/shipped.json" --into "$out/fitted/machine.json"
	[ "$status" -ne 0 ] || return 0
	# What is refused is compared all the same, by force: steps say what it is worth, and each number what it is.
	echo 'fit: refused (log.txt says why); written by force, as every answer that rests on it says'
	# shellcheck disable=SC2086
	kept '0' "$paradl" fit $files --base "$out/shipped.json" --into "$out/fitted/machine.json" --force
}

kernels()
{
	for of in shipped fitted; do
		from=$device
		[ $of = shipped ] || from=$out/fitted/devices/$device.json
		kept '0' "$paradl" validate --kernels "$out/points.jsonl" --device "$from" --csv -o "$out/kernels-$of.csv"
	done
}

# Measures steps of networks, each with one list of options; rows that are there are not measured again.
measured_steps()
{
	set_name=$1 begin=$(date +%s)
	limit_s=$((limit_s * 7 / 8)) # the last point may take a minute more
	shift
	program step-torch
	left=0
	while [ $# -gt 0 ]; do
		spent=$(($(date +%s) - begin))
		[ "$spent" -lt "$limit_s" ] || {
			left=1
			break
		}
		# With little time each list of networks has its share, else the first may take what there is.
		for_this=$((limit_s - spent))
		[ -z "$scarce" ] || for_this=$((for_this / $#))
		# shellcheck disable=SC2086
		kept '0 1 3' "$found" --set "$set_name" --hw shipped.json --measured "$out/steps.csv" $effort --cap "$cap" \
			--time-limit "$for_this" $1
		[ "$status" -ne 3 ] || left=1
		shift
	done
	[ "$left" -eq 0 ] || [ -n "$scarce" ] || {
		status=3
		fail "$set_name: the time is over, and steps are left: run again to go on"
	}
}

images()
{
	if [ -n "$quick" ]; then
		measured_steps images '--network tiny-cnn --batch 2,4 --precision fp32'
		return
	fi
	measured_steps images '--network resnet50 --batch 32,64,128,256 --precision tf32,bf16-mixed' \
		'--network vgg16 --batch 32,128 --precision tf32,bf16-mixed'
}

tokens()
{
	if [ -n "$quick" ]; then
		measured_steps tokens "--network $out/gpt2-medium.json --batch 4 --seq 256 --precision fp32"
		return
	fi
	measured_steps tokens "--network $out/gpt2-medium.json --batch 4,8,16 --precision bf16-mixed" '--network gpt2-xl --batch 4,8 --precision bf16-mixed' \
		"--network $out/llama-blocks.json --seq 2048 --batch 1,2,4 --precision bf16-mixed" \
		"--network $out/llama-blocks.json --seq 4096 --batch 1,2 --precision bf16-mixed" \
		"--network $out/llama-blocks.json --seq 2048 --batch 4 --precision fp8-mixed"
}

compiled()
{
	if [ -n "$quick" ]; then
		measured_steps compiled '--framework pytorch-compile --network tiny-cnn --batch 2 --precision fp32'
		return
	fi
	measured_steps compiled '--framework pytorch-compile --network resnet50 --batch 32,128 --precision bf16-mixed' \
		"--framework pytorch-compile --network $out/gpt2-medium.json --batch 8 --precision bf16-mixed" \
		"--framework pytorch-compile --network $out/llama-blocks.json --seq 2048 --batch 2 --precision bf16-mixed"
}

compare()
{
	kept '0 1' "$paradl" validate --measured "$out/steps.csv" --hw "$out/shipped.json" --json -q -o "$out/compare-shipped.json"
	kept '0 1' "$paradl" validate --measured "$out/steps.csv" --hw "$out/fitted/machine.json" --json -q -o "$out/compare-fitted.json"
	python3 - "$out" <<-'TABLE' | tee "$out/report.txt"
		import csv, json, os, sys
		with open(os.path.join(sys.argv[1], "steps.csv"), encoding="utf-8", newline="") as file:
		    lines = list(file)
		head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
		steps = csv.DictReader(lines[head:])
		asked = {head + steps.line_num: row for row in steps}
		found = {}
		for of in ("shipped", "fitted"):
		    with open(os.path.join(sys.argv[1], f"compare-{of}.json"), encoding="utf-8") as file:
		        found[of] = json.load(file)["rows"]
		means = {}
		print(f"{'model':16} {'batch':>5} {'seq':>5} {'precision':11} {'program':16} {'measured':>10} {'shipped':>8} {'fitted':>8}")
		for before, after in zip(found["shipped"], found["fitted"]):
		    step = asked[before["line"]]
		    if before["skipped"] or after["skipped"]:
		        print(f"{before['model'][:16]:16} {before['batch']:5.0f} {step['seq']:>5} {step['precision']:11} {before['framework'][:16]:16} skipped: {before['skipped'] or after['skipped']}")
		        continue
		    for of, row in (("shipped", before), ("fitted", after)):
		        means.setdefault(row["set"], {}).setdefault(of, []).append(abs(row["error"]))
		    print(f"{before['model'][:16]:16} {before['batch']:5.0f} {step['seq']:>5} {step['precision']:11} {before['framework'][:16]:16} {1e3 * before['measured']['total_s']:7.2f} ms"
		          f" {100 * before['error']:+7.1f}% {100 * after['error']:+7.1f}%")
		for name, errors in means.items():
		    print(f"mean error of {name}: " + ", ".join(f"{of} {100 * sum(list_) / len(list_):.1f} %" for of, list_ in errors.items()))
		TABLE
}

for part in $wanted; do
	is_done "$part" && continue
	begin=$(date +%s)
	echo "$part ..."
	"$part"
	echo "$part $(($(date +%s) - begin)) s, $(date -u +%Y-%m-%dT%H:%M:%SZ)" >>"$out/done"
	tail -n 1 "$out/done"
done
