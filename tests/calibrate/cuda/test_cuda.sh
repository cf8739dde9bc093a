#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_cuda.sh PROGRAM FAKE LIBRARIES: PROGRAM without a device, and the same on devices that are not there.
set -u
program=$1 fake=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
status=0
fail()
{
	printf 'FAILED: %s\n' "$1"
	status=1
}

# Without a device: 77, and a sentence that says why. Listing needs none.
CUDA_VISIBLE_DEVICES='' "$program" --out "$scratch/none" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 77 ] || fail 'no device: exit status is not 77'
grep -q 'no CUDA device' "$scratch/err" || fail 'no device: not said'
[ ! -s "$scratch/none" ] || ! grep -q '"point"' "$scratch/none" || fail 'no device: points were written'
"$program" --benches >"$scratch/benches" || fail '--benches'
for bench in gemm burst convolution attention memory launch transfer allreduce point-to-point; do
	grep -q "$bench" "$scratch/benches" || fail "--benches lacks $bench"
done
for effort in --quick --full; do
	"$program" --list $effort >"$scratch/list" || fail "--list $effort"
	[ "$(wc -l <"$scratch/list")" -gt 100 ] || fail "--list $effort is short"
	[ -z "$(sort "$scratch/list" | uniq -d)" ] || fail "--list $effort has names twice"
done

# Cases: each pass and product of a layer, once; a layer that is the same again adds nothing.
cat >"$scratch/cases" <<'CASES'
convolution layer=res2/0/a model=resnet50 batch=8 dimensions=2 channels=64 filters=64 groups=1 kernel=3x3x1 stride=1x1x1 pad=1x1x1 dilation=1x1x1 x=56x56x1 y=56x56x1 backward_data=1
convolution layer=res2/1/a model=resnet50 batch=8 dimensions=2 channels=64 filters=64 groups=1 kernel=3x3x1 stride=1x1x1 pad=1x1x1 dilation=1x1x1 x=56x56x1 y=56x56x1 backward_data=1
convolution layer=conv1 model=resnet50 batch=8 dimensions=2 channels=3 filters=64 groups=1 kernel=7x7x1 stride=2x2x1 pad=3x3x1 dilation=1x1x1 x=224x224x1 y=112x112x1 backward_data=0
convolution layer=conv1 model=cosmoflow batch=2 dimensions=3 channels=4 filters=16 groups=2 kernel=3x3x3 stride=1x1x1 pad=1x1x1 dilation=1x1x1 x=32x32x32 y=32x32x32 backward_data=1
linear layer=fc model=resnet50 batch=8 channels=2048 filters=1000 bias=1 backward_data=1
gemm m=320 n=640 k=960 count=2 precision=bf16
CASES
"$program" --list --quick --cases "$scratch/cases" >"$scratch/list" || fail '--cases'
count()
{
	[ "$(grep -c "$2" "$scratch/list")" -eq "$1" ] || fail "cases: not $1 of $2"
}
count 16 '^convolution/' # two precisions; three, two and three passes
count 6 '^convolution/.*c64f64g1k3x3x1' # once, though two layers have it
count 0 'backward-data/.*c3f64'
count 1 '^gemm/fp16/8x1000x2048/1/tn$'
count 1 '^gemm/fp16/8x2048x1000/1/nn$'
count 1 '^gemm/fp16/1000x2048x8/1/nt$'
count 0 '^gemm/fp8/.*/n[nt]$'
count 1 '^gemm/.*320x640x960x2/tn$'

# On fake devices: no call is wrong, and no memory is lost.
on_fake()
{
	LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$fake" --cap 0.01 "$@" >"$scratch/out" 2>"$scratch/err"
	fake_status=$?
	if [ $fake_status -ne 0 ] || grep -q FAKE: "$scratch/err" || grep -q '^failed' "$scratch/out"; then
		fail "on fake devices: $* ends with $fake_status"
		grep -h -e FAKE: -e '^failed' "$scratch/err" "$scratch/out" | sort | uniq -c | head -5
	fi
}
libraries=$3
FAKE_MEMORY=100000000000
export FAKE_MEMORY
on_fake --quick --cases "$scratch/cases" --only gemm,convolution,attention --out "$scratch/a"
grep -q '^absent' "$scratch/out" && ! grep -q '^absent.*no algorithm' "$scratch/out" && fail 'products are absent'
on_fake --quick --only burst,memory,launch --out "$scratch/b"
FAKE_DEVICES=2
export FAKE_DEVICES
on_fake --quick --only transfer --out "$scratch/c"
grep -q '^done transfer/peer/0-1' "$scratch/out" || fail 'no copy between devices'
FAKE_MEMORY=5000000 FAKE_DEVICES=4
on_fake --quick --only transfer --out "$scratch/o"
grep -q '^absent.* out of memory' "$scratch/out" || fail 'a copy larger than the device is not absent'
on_fake --quick --only point-to-point,allreduce,allgather,reduce-scatter,all-to-all,broadcast --out "$scratch/d"
for point in allreduce/1x4/ allreduce/1x2/ reduce-scatter/1x4/ all-to-all/1x4/ point-to-point/node/1x2/; do
	grep -q "^done $point" "$scratch/out" || fail "no $point"
done
FAKE_CAPABILITY=75
export FAKE_CAPABILITY
on_fake --quick --only gemm --out "$scratch/e"
grep -q '^absent gemm/bf16.*no bf16' "$scratch/out" || fail 'bf16 before compute capability 8.0'
exit $status
