Whole trainings: how long, with checkpoints and failures, and whether that is in time.

  $ . "$TESTDIR/setup.sh"
  $ cat > chat.json <<'EOF'
  > {"format": "paradl-model", "version": 1, "name": "Chat",
  >  "dims": {"hidden": 64, "vocab": 1000, "seq": 256},
  >  "input": {"tokens": "$seq"},
  >  "training": {"precision": "fp32", "optimizer": "adamw", "batch_per_gpu": 8},
  >  "layers": [
  >    {"name": "embed", "type": "embedding", "rows": "$vocab", "out": "$hidden", "positions": 256},
  >    {"name": "block", "repeat": 4, "layers": [
  >      {"name": "attn", "type": "attention", "heads": 8, "kv_heads": 4},
  >      {"name": "mlp", "type": "mlp", "hidden": 256}]},
  >    {"name": "head", "type": "head", "out": "$vocab"},
  >    {"type": "loss", "kind": "cross-entropy"}]}
  > EOF
  $ run() { paradl estimate chat.json --hw toy -s data=8 --checkpoint-rate '1 MB/s' "$@"; }
  $ lines() { grep -E '^ (run|of which|checkpoint|failures|deadline|fewest|quickest) '; }

The time, what of it is no new work, and what it costs:

  $ run --tokens 3G --mtbf '2 d' --restart '5 min' | lines
   run         3.00 B tokens: 1.41 d, 90.1 kWh, 271,615 EUR (rent)
   of which    steps 98 %, checkpoints 0.7 %, steps done again 0.7 %, restarts 0.7 %
   checkpoint  3.71 MiB in 3.90 s, 207 times: after 9.63 min of steps, which costs least
   failures    2.83: one in 12.0 h (of a node: 2.00 d); a restart takes 5.06 min
  $ run --tokens 3G --mtbf '2 d' --checkpoint '2 h' | lines
   run         3.00 B tokens: 1.53 d, 97.4 kWh, 293,814 EUR (rent)
   of which    steps 91 %, checkpoints 0.0 %, steps done again 8.0 %, restarts 1.4 %
   checkpoint  3.71 MiB in 3.90 s, 17 times: after 2.00 h of steps; 9.63 min would cost least
   failures    3.06: one in 12.0 h (of a node: 2.00 d); a restart takes 10.1 min
  $ run --tokens 3G --mtbf none | lines
   run         3.00 B tokens: 1.39 d, 89.1 kWh, 266,113 EUR (rent)
   of which    steps 100 %, checkpoints 0.0 %, steps done again 0 %, restarts 0 %
   checkpoint  3.71 MiB in 3.90 s, at the end
  $ run --tokens 3G --checkpoint none | lines
   run         3.00 B tokens: 1.39 d, 89.3 kWh, 266,812 EUR (rent)
   of which    steps 100 %, checkpoints 0 %, steps done again 0.3 %, restarts 0.0 %
   failures    0.00526: one in 264 d (of a node: 1056 d); a restart takes 10.0 min
  $ run --tokens 3G --checkpoint none --mtbf '60 s' | lines
  paradl: it never ends: more fails than is done between two failures
   run         3.00 B tokens never end: more fails than is done between two failures; the steps alone
   failures    one in 15.0 s (of a node: 1.00 min)
  $ run --samples 1000 | lines
   run         256 k tokens: 14.1 s, 8.47 Wh, 31.36 EUR (rent)
   of which    steps 72 %, checkpoints 28 %, steps done again 0.0 %, restarts 0.0 %
   checkpoint  3.71 MiB in 3.90 s, at the end
   failures    6.19e-07: one in 264 d (of a node: 1056 d); a restart takes 10.1 min

The other way round, and both:

  $ run --deadline '2 d' | lines
   run         2.00 d: 4.33 B tokens, 129 kWh, 384,000 EUR (rent)
   of which    steps 100 %, checkpoints 0.0 %, steps done again 0.0 %, restarts 0.0 %
   checkpoint  3.71 MiB in 3.90 s, 13 times: after 3.70 h of steps, which costs least
   failures    0.00758: one in 264 d (of a node: 1056 d); a restart takes 10.1 min
  $ run --deadline '2 d' --tokens 3G > late.txt
  $ lines < late.txt
   run         3.00 B tokens: 1.39 d, 89.1 kWh, 266,267 EUR (rent)
   of which    steps 100 %, checkpoints 0.0 %, steps done again 0.0 %, restarts 0.0 %
   checkpoint  3.71 MiB in 3.90 s, 9 times: after 3.70 h of steps, which costs least
   failures    0.00525: one in 264 d (of a node: 1056 d); a restart takes 10.1 min
   deadline    2.00 d: in time

Plans of several numbers of GPUs, and the fewest that are in time:

  $ paradl advise chat.json --hw toy --tokens 3G --checkpoint-rate '1 MB/s' --deadline '5 d' --batch 64 | sed -n '4,/^ deadline/p'
   GPUs  strategy                 time  in time         cost  iteration  speed-up  batch  memory/GPU
      1  serial,micro=1         11.0 d  no       530,357 EUR     5.21 s      1.00     64    9.79 MiB
      2  data=2,micro=1,zero=1  5.52 d  no       265,192 EUR     2.61 s      2.00     64    8.55 MiB
      4  data=4,micro=1,zero=1  2.77 d  yes      265,621 EUR     1.31 s      3.99     64    7.94 MiB
      8  data=8,micro=1,zero=1  1.39 d  yes      266,239 EUR     654 ms      7.97     64    7.63 MiB
  
   fewest      4 GPUs in 2 nodes, data=4,micro=1,zero=1
   run         3.00 B tokens: 2.77 d, 89.0 kWh, 265,621 EUR (rent)
   of which    steps 100 %, checkpoints 0.0 %, steps done again 0.0 %, restarts 0.0 %
   checkpoint  3.71 MiB in 3.90 s, 13 times: after 5.24 h of steps, which costs least
   failures    0.00524: one in 528 d (of a node: 1056 d); a restart takes 10.1 min
   deadline    5.00 d: in time
  $ paradl advise chat.json --hw toy --gpus 8 --deadline '1 d' --checkpoint-rate '1 MB/s' --batch 64 --csv --columns strategy,job_s,run_tokens,run_in_time,job_cost | head -2
  strategy,job_s,run_tokens,run_in_time,job_cost
  "data=8,micro=1,zero=1",86400,2163473647.9777713,true,192000
  $ paradl advise chat.json --hw toy --gpus 8 --deadline '1 d' --tokens 30G --checkpoint-rate '1 MB/s' --batch 64 --csv --columns strategy,run_in_time 2> late | head -2; cat late
  strategy,run_in_time
  "data=8,micro=1,zero=1",false
  paradl: no plan is through in time

Documents:

  $ run --tokens 3G --json | schema
  paradl-estimate-2
  $ run --tokens 3G --json | python3 -c 'import json, sys; run = json.load(sys.stdin)["results"][0]["run"]; print(run["checkpoint"]["bytes"], abs(run["time_s"] - run["work_s"] - run["checkpoints_s"] - run["restarts_s"] - run["lost_s"]) < 1e-6)'
  3895296 True
  $ run --tokens 3G --jsonl | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["run"]["tokens"])'
  3000000000
  $ paradl advise chat.json --hw toy --gpus 4 --tokens 3G --json -q --batch 64 | schema
  paradl-advise-2

What is not known is left out, and said; never 0:

  $ paradl estimate chat.json --hw toy -s data=8 --tokens 3G --json | python3 -c 'import json, sys; run = json.load(sys.stdin)["results"][0]["run"]; print(run["lacking"], run["checkpoints_s"], run["checkpoint"]["write_s"])'
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  no rate at which checkpoints are written None None
  $ paradl estimate chat.json --hw toy -s data=8 --tokens 3G 2>/dev/null | lines
   run         3.00 B tokens: 1.39 d without checkpoints and failures, 89.1 kWh, 266,105 EUR (rent)
   checkpoint  3.71 MiB
  $ run --checkpoint-async --tokens 3G 2>/dev/null | lines
   run         3.00 B tokens: 1.39 d without checkpoints and failures, 89.1 kWh, 266,105 EUR (rent)
   checkpoint  3.71 MiB in 3.90 s

Questions that are none:

  $ run --mtbf '2 d'
  paradl: Chat does not say how many samples an epoch has; write --tokens N or --deadline TIME
  [2]
  $ run --tokens 3G --samples 5
  paradl: only one of --tokens and --samples is possible
  [2]
  $ run --epochs 2
  paradl: --epochs: Chat does not say how many samples an epoch has; write --tokens N
  [2]
  $ run --tokens 3G --checkpoint often
  paradl: --checkpoint must start with a number such as 12.5 or 1e9, is "often": write "1.5 us", "20 ms", "30 min", "3 h" or "30 d"
  [2]
  $ run --tokens 3G --mtbf 12
  paradl: --mtbf needs a unit: write "1.5 us", "20 ms", "30 min", "3 h" or "30 d"
  [2]
  $ run --tokens 3G --checkpoint '0 s'
  paradl: --checkpoint 0 s: must be more than nothing
  [2]
  $ run --tokens 3G --checkpoint none --checkpoint-async
  paradl: only one of --checkpoint none and --checkpoint-async is possible
  [2]
  $ run --tokens 3G --inference
  paradl: a job is of training, not of --inference
  [2]

A training of less than a step is doubted; names are found in large letters, too:

  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s data=8 --tokens 300 2>&1 | grep -o 'the whole training is less than one step.*'
  the whole training is less than one step: 0.0366 of 512 samples (--tokens 300B are 300 billion)
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s data=8 --precision FP8
  paradl: --precision cannot be 'FP8'; did you mean 'fp8-mixed'?
  [2]

Each failure costs the time of a restart; work that an asynchronous checkpoint has not stored yet is done again, and counted so:

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl estimate llama3-70b --hw dgx-h100-superpod -s data=16,pipeline=4,tensor=8,micro=1,zero=1,sequence=on --batch 512 --tokens 1T --checkpoint-async --checkpoint-rate '1 GB/s' --json | python3 -c 'import json, sys; run = json.load(sys.stdin)["results"][0]["run"]; print("%.0f s, %.2f times %.0f s" % (run["restarts_s"], run["failures"]["count"], run["failures"]["restart_s"]))'
  4215 s, 7.02 times 602 s
