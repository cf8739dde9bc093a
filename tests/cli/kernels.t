Times of single kernels: what device files say of them, and what a fit makes of them.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$SOURCE"
  $ KERNELS="$SOURCE/tests/data/kernels"

  $ paradl validate --kernels "$KERNELS/gemm.csv" --device h100-sxm5-80gb
   device          kind  format  size           rows   error  median    bias  quantising
   h100-sxm5-80gb  gemm  bf16    m, n, k >= 64    69   6.2 %   4.6 %  -0.3 %           -
   h100-sxm5-80gb  gemm  bf16    m < 64           44   5.0 %   3.6 %  -0.5 %           -
   h100-sxm5-80gb  gemm  bf16    n or k < 64       7   3.4 %   2.5 %  -1.3 %           -
   h100-sxm5-80gb  gemm  fp8     m, n, k >= 64    78   4.7 %   3.0 %   0.8 %      44.7 %
   h100-sxm5-80gb  gemm  fp8     m < 64           31   2.6 %   1.6 %   0.5 %      52.9 %
   h100-sxm5-80gb  gemm  fp8     n or k < 64      11   7.7 %   4.6 %   4.4 %      69.0 %
   h100-sxm5-80gb  gemm  mxfp8   m < 64           39   5.5 %   4.7 %  -0.2 %      20.8 %
   h100-sxm5-80gb  gemm  mxfp8   m, n, k >= 64    81  14.1 %   9.2 %  -3.9 %      27.9 %

A fit: numbers of the device file with intervals, and errors of kernels that it has not seen. What is written is a device file like
any other, of what rows say something of:

  $ paradl fit "$KERNELS/gemm.csv" "$KERNELS/attention_context.csv" "$KERNELS/attention_generation.csv" \
  >   --device a100-sxm4-80gb --into a100-sxm4-80gb.json > fit.txt
  $ awk '$1 ~ /^a100/ { print $2 }' fit.txt
  product/launch
  product/wave
  product/half_tile
  product/wave_share
  product/split
  product/exposed
  product/memory_share
  product/sustained/bf16
  product/sustained/fp16
  product/narrow_weights
  attention/forward
  attention/block
  attention/start
  attention/copies
  attention/token/start
  attention/token/single
  attention/token/wide_rate
  attention/token/exposed
  attention/token/split
  attention/token/split_keys
  attention/tile
  attention/key_tile
  $ tail -n 3 fit.txt
   token attention   bf16    cache < 64 MB     33  17.5 %  16.5 %  19.3 %    18.3 %  21.4 %
  
   numbers are in a100-sxm4-80gb.json
  $ paradl check a100-sxm4-80gb.json
  a100-sxm4-80gb.json: paradl-device, nothing found
  $ paradl validate --kernels "$KERNELS/gemm.csv" --device a100-sxm4-80gb.json -q | grep -c '   *[0-9][.][0-9] %.* %.* %'
  3

Samples are read as well: the same published products of 16 bits, as calibrate would have written them. Whole profiles are fitted by the
same code, to the same numbers; what else was measured is counted.

  $ awk -F, '/^h100-sxm5-80gb,bfloat16/ { flop = 2 * $3 * $4 * $5; bytes = 2 * ($3 * $5 + $4 * $5 + $3 * $4)
  >     if (!n++) print "{\"launch\":\"cuda.0\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"cuda\"}"
  >     printf "{\"launch\":\"cuda.0\",\"point\":\"gemm/%d\",\"bench\":\"gemm\",\"parameters\":{\"precision\":\"bf16\",", n
  >     printf "\"m\":%d,\"n\":%d,\"k\":%d,\"count\":1},\"flop\":%.0f,\"bytes\":%.0f,\"seconds\":[%.9g]}\n", $3, $4, $5, flop, bytes, $6 / 1000
  >   } END { print "{\"launch\":\"cuda.0\",\"point\":\"launch/stream\",\"bench\":\"launch\",\"parameters\":{\"kind\":\"stream\"},\"seconds\":[2e-6]}"
  >   }' "$KERNELS/gemm.csv" > h100.jsonl
  $ paradl fit h100.jsonl --device h100-sxm5-80gb > kernels.txt
  $ grep -E ' gemm |passed' kernels.txt
   h100-sxm5-80gb  gemm  bf16    m < 64           44   5.1 %   5.2 %   4.3 %     5.7 %   4.3 %
   h100-sxm5-80gb  gemm  bf16    m, n, k >= 64    69  12.5 %   6.5 %   5.2 %     7.0 %   5.7 %
   h100-sxm5-80gb  gemm  bf16    n or k < 64       7   3.3 %   3.3 %   2.4 %     3.3 %   2.4 %
   1 rows of launch samples are passed over: there is no formula for this number format
  $ awk '$2 ~ /^product/ && $4 !~ /^[un]s$/ { print $2, $3 }' kernels.txt > kernels.numbers
  $ paradl fit h100.jsonl --base dgx-h100-superpod --csv | awk -F, '$2 ~ /^product/ && $4 == "" { printf "%s %.3g\n", $2, $3 }' | diff kernels.numbers -
  $ cut -d ' ' -f 1 kernels.numbers
  product/half_tile
  product/wave_share
  product/exposed
  product/memory_share
  product/sustained/bf16
  product/sustained/fp16
  product/throttled/bf16
  $ paradl validate --kernels h100.jsonl
  h100.jsonl: samples do not say which device file is theirs
    hint: name it: --device h100-sxm5-80gb
  [2]

Layers of experts:

  $ paradl validate --kernels "$KERNELS/moe.csv" --device h100-sxm5-80gb
   device          kind     format  size          rows  error  median    bias
   h100-sxm5-80gb  experts  bf16    tokens < 64     41  7.4 %   6.9 %   5.3 %
   h100-sxm5-80gb  experts  bf16    tokens >= 64    19  9.5 %   7.2 %  -4.5 %
   h100-sxm5-80gb  experts  fp8     tokens < 64     42  7.0 %   5.1 %  -1.1 %
   h100-sxm5-80gb  experts  fp8     tokens >= 64    18  9.3 %   8.4 %   2.2 %

Bringing operands to a narrow format takes its share of them, and of a plan's phases, whose terms add up:

  $ paradl validate --kernels "$KERNELS/gemm.csv" --device h100-sxm5-80gb --json | python3 -c '
  > import json, sys
  > print(sorted({e["precision"] for e in json.load(sys.stdin)["errors"] if e["quantizing"]}))'
  ['fp8', 'mxfp8']
  $ cat > terms.py <<'EOF'
  > import json, sys
  > result = json.load(sys.stdin)["results"][0]
  > for phase, seconds in result["phases_s"].items():
  >     terms = [t for t in result["terms"] if t["phase"] == phase]
  >     if abs(sum(t["seconds"] for t in terms) - (seconds or 0)) > 1e-9 * result["iteration_s"]:
  >         print(phase, seconds, terms)
  >     for term in terms:
  >         if "quantising" in term["formula"]:
  >             print(phase, round(100 * term["seconds"] / seconds), "%", term["numbers"])
  > EOF
  $ plan() { paradl estimate llama3-8b -s tensor=2,pipeline=2,micro=1 --batch 8 --explain --json "$@" | python3 terms.py; }
  $ plan --hw dgx-h100-superpod --precision bf16-mixed
  $ plan --hw dgx-h100-superpod --precision fp8-mixed | cut -c 1-8
  forward 
  backward
  $ mkdir devices; cp "$SOURCE/hw-profiles/dgx-h100-superpod.json" mine.json; python3 - <<'EOF'
  > import json, os
  > device = json.load(open(os.environ["SOURCE"] + "/hw-profiles/devices/h100-sxm5-80gb.json"))
  > device["product"]["quantize"] = {"fp8": {"start": "9 us", "bytes": "6 B"}}
  > json.dump(device, open("devices/h100-sxm5-80gb.json", "w"))
  > EOF
  $ plan --hw mine.json --precision fp8-mixed --inference | sed 's/[0-9]* %/N %/'
  forward N % start 9 us, 6 bytes an item, fp8-mixed
  $ plan --hw mine.json --precision bf16-mixed --inference
  $ rest() { paradl estimate llama3-8b --hw $1 -s tensor=2 --batch 1 --output-tokens 1 --precision fp8-mixed --inference --explain --json | python3 -c '
  > import json, sys
  > result = json.load(sys.stdin)["results"][0]
  > casts = sum(t["seconds"] for t in result["terms"] if "quantising" in t["formula"])
  > print(casts > 0, "%.9f" % (result["phases_s"]["forward"] - casts))'; }
  $ rest dgx-h100-superpod > shipped; rest mine.json | cmp - shipped

Collectives inside a node:

  $ paradl validate --kernels "$KERNELS/nccl.csv"
   device          kind        format  size       rows   error  median     bias
   a100-sxm4-80gb  collective  fp16    <= 64 KiB    36  10.8 %  10.9 %   -2.0 %
   a100-sxm4-80gb  collective  fp16    <= 8 MiB     24  14.9 %   9.2 %   -9.2 %
   a100-sxm4-80gb  collective  fp16    > 8 MiB      24  10.6 %  11.0 %  -11.0 %
   h100-sxm5-80gb  collective  fp16    <= 64 KiB    36   8.9 %   7.8 %   -0.0 %
   h100-sxm5-80gb  collective  fp16    <= 8 MiB     24  11.3 %   5.7 %   -2.2 %
   h100-sxm5-80gb  collective  fp16    > 8 MiB      24   5.0 %   3.1 %   -1.5 %
   b200-sxm-180gb  collective  fp16    <= 64 KiB    36   8.6 %   6.8 %    2.8 %
   b200-sxm-180gb  collective  fp16    <= 8 MiB     24   8.4 %   5.2 %   -0.1 %
   b200-sxm-180gb  collective  fp16    > 8 MiB      24  12.0 %   9.8 %    3.8 %
   l40s-48gb       collective  fp16    <= 64 KiB    36  15.0 %  14.5 %   -1.2 %
   l40s-48gb       collective  fp16    <= 8 MiB     24  12.5 %   6.4 %   -5.4 %
   l40s-48gb       collective  fp16    > 8 MiB      24   9.9 %   6.9 %   -3.6 %
   all             collective  fp16    <= 64 KiB   144  10.8 %   9.3 %   -0.2 %
   all             collective  fp16    <= 8 MiB     96  11.8 %   6.2 %   -4.7 %
   all             collective  fp16    > 8 MiB      96   9.4 %   7.9 %   -4.2 %
   all             collective  fp16    all         336  10.7 %   7.9 %   -2.4 %
  
   4 rows of collective int8 are passed over: there is no formula for this number format
  $ paradl fit "$KERNELS/nccl.csv" --device h100-sxm5-80gb --into h100.json | awk '$1 ~ /^h100/ && $2 ~ /link/ { print $2 }'
  link/share
  link/start
  link/start_log
  link/own
  link/ramp

From a pipe, too; samples as before:

  $ cat "$KERNELS/gemm.csv" | paradl fit - --device h100-sxm5-80gb -q | sed -n 1p | cut -c 1-24
   device          number 
  $ cat "$SOURCE/tests/data/samples/two-cores.jsonl" | paradl fit - -q | sed -n 1p
   Numbers

An hour of measuring, and a device of which nothing was measured; some of the rows say the same in less time:

  $ awk '/^#/ || /^device/ || NR % 4 == 0' "$KERNELS/gemm.csv" > some.csv
  $ paradl fit some.csv --device h100-sxm5-80gb --shapes 10 -q | grep 'bf16\|left out' | cut -c 1-43
   h100-sxm5-80gb  product/sustained/bf16    
   device          kind  format  size        
   h100-sxm5-80gb  gemm  bf16    m, n, k >= 6
   h100-sxm5-80gb  gemm  bf16    m < 64      
   h100-sxm5-80gb  gemm  bf16    n or k < 64 
  $ cat > few.py <<'EOF'
  > import json, sys
  > for e in json.load(sys.stdin)["errors"]:
  >     low, mean, high = e["left_out_low"], e["left_out_mean"], e["left_out_high"]
  >     if not low < mean < high or abs(e["left_out_ratio"] * e["fitted_mean"] - mean) > 1e-12 or high > 1.6 * low + 0.02:
  >         print(e)
  > EOF
  $ paradl fit "$KERNELS/gemm.csv" --device h100-sxm5-80gb --shapes 50 --json | python3 few.py
  $ few() { paradl fit some.csv --device h100-sxm5-80gb --shapes 10 --csv "$@"; }
  $ few > first.csv; few --seed 1 | cmp - first.csv
  $ few --seed 7 | cut -d , -f 1-11 > seventh.csv; cut -d , -f 1-9 seventh.csv > a.csv; cut -d , -f 1-9 first.csv | cmp - a.csv
  $ cut -d , -f 1-11 first.csv | cmp -s - seventh.csv
  [1]
  $ paradl fit some.csv --leave-each-out -q > each.txt; awk '/bf16/ { print $1, $2, $3 }' each.txt | uniq
  a100-sxm4-80gb gemm bf16
  b200-sxm-180gb gemm bf16
  h100-sxm5-80gb gemm bf16
  l40s-48gb gemm bf16
  all gemm bf16
  $ tail -n 14 each.txt | cut -c 1-46
   all             gemm  fp8     m, n, k >= 64  
   all             gemm  fp8     m < 64         
   all             gemm  mxfp8   m, n, k >= 64  
   all             gemm  mxfp8   m < 64         
   all             gemm  fp4     m < 64         
   all             gemm  fp4     m, n, k >= 64  
   all             gemm  fp8     n or k < 64    
   all             gemm  int4    m, n, k >= 64  
   all             gemm  int4    m < 64         
   all             gemm  bf16    all            
   all             gemm  fp8     all            
   all             gemm  mxfp8   all            
   all             gemm  fp4     all            
   all             gemm  int4    all            
  $ paradl fit some.csv --leave-each-out --json > each.json; python3 - <<'EOF'
  > import json
  > errors = json.load(open("each.json"))["errors"]
  > for total in [e for e in errors if e["device"] == "all" and e["size"] != "all"]:
  >     parts = [e for e in errors if e["device"] != "all" and all(e[k] == total[k] for k in ("kind", "precision", "size"))]
  >     for key in ("mean", "left_out_mean"):
  >         mean = sum(e["rows"] * e[key] for e in parts) / sum(e["rows"] for e in parts)
  >         if abs(mean - total[key]) > 1e-12 or sum(e["rows"] for e in parts) != total["rows"]:
  >             print(total)
  > EOF
  $ schema < each.json
  paradl-kernels-1

What cannot be is said:

  $ paradl fit "$KERNELS/gemm.csv" --device nonesuch
  paradl: no row is of device nonesuch
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --into mine.json
  paradl: a device file is of one device, rows are of 4
    hint: say which: --device a100-sxm4-80gb
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --leave-each-out --into mine.json
  paradl: --into writes the numbers of one device, --leave-each-out leaves each one out
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --device h100-sxm5-80gb --base abci
  paradl: --base is not about times of kernels
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --seed 7
  paradl: --seed needs --shapes N, which are drawn at random
  [2]
  $ paradl fit --measured none.csv --seed 7
  paradl: --seed is about times of kernels, and there are no FILES of them
  [2]
  $ paradl fit --measured none.csv --shapes 50
  paradl: --shapes is about times of kernels, and there are no FILES of them
  [2]
  $ paradl validate --kernels "$KERNELS/gemm.csv" --hw abci
  paradl: --hw is not about times of kernels
  [2]
  $ paradl validate --device h100-sxm5-80gb
  paradl: --device is about --kernels
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --leave-each-out --shapes 50
  paradl: --leave-each-out leaves devices out, --shapes rows: give one of them
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --device h100-sxm5-80gb --leave-each-out
  paradl: to leave each device out takes rows of two or more
  [2]
  $ paradl fit "$KERNELS/gemm.csv" --device h100-sxm5-80gb --into "$SOURCE/hw-profiles/devices/h100-sxm5-80gb.json"
  paradl: */hw-profiles/devices/h100-sxm5-80gb.json is a shipped profile, which stays as it is (glob)
    hint: write a copy: --into ./my.json
  [2]
  $ printf 'device,gemm_dtype,m,n,k,latency_ms\nh100-sxm5-80gb,bfloat16,4096,4096,4096,1\nh100-sxm5-80gb,bfloat16,4096,4096,8192,1\n' > two.csv
  $ paradl validate --kernels two.csv --csv | sed 1d | cut -d, -f8,9 | awk -F, '{print ($1 == $2)}' # the median of two is their mean
  1
  $ printf 'device,gemm_dtype,m,n,k,latency_ms\nnone,bfloat16,64,64,64,0.01\n' > none.csv
  $ paradl validate --kernels none.csv
  ./devices/none.json: cannot open: No such file or directory
    hint: rows name their device after a file of hw-profiles/devices/
  [3]
  $ printf 'device,gemm_dtype,m,n,k,latency_ms\nnone,bfloat16,64,many,64,0.01\n' > odd.csv
  $ paradl validate --kernels odd.csv
  odd.csv:2:1: column "n": "many" is no number, or too small
      2 | none,bfloat16,64,many,64,0.01
        | ^
  [3]
