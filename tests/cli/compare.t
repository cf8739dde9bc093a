Machines side by side.

  $ . "$TESTDIR/setup.sh"
  $ sed -e 's/"Toy"/"Slow"/' -e 's/2000/1500/' "$TESTDIR/data/hw-profiles/toy.json" > slow.json
  $ mkdir devices frameworks && cp "$TESTDIR"/data/hw-profiles/devices/*.json devices && cp "$TESTDIR"/data/hw-profiles/frameworks/*.json frameworks

The best plan of each, with what its numbers leave open; equal where ranges overlap.

  $ paradl compare tiny --hw toy --hw slow.json --gpus 4,8 --batch 64 --epochs 10
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: Slow has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  Tiny, 64.0 k samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost  range           energy  samples/s   MFU
     1=     4  Toy      1.93 s  1.14 s to 3.88 s  2.14 EUR  0.756 to 4.56  2.68 kJ     33,163  98 %
     1=     4  Slow     1.93 s  1.14 s to 3.88 s  1.61 EUR  0.567 to 3.42  2.68 kJ     33,163  98 %
     1=     8  Toy      1.02 s  618 ms to 2.01 s  2.28 EUR  0.824 to 4.74  2.76 kJ     62,450  92 %
     1=     8  Slow     1.02 s  618 ms to 2.01 s  1.71 EUR  0.618 to 3.55  2.76 kJ     62,450  92 %
  
   fastest     on 8 GPUs Toy; equal within what is known: Slow
   cheapest    on 8 GPUs Slow; equal within what is known: Toy
   least kWh   on 8 GPUs Toy; equal within what is known: Slow
   cost        of machines that are rented
   range       Toy: framework ±25 %, compute assumed ±61 %, node links assumed ±0.5 %, network assumed
               ±4.3 %; of cost also price assumed ±50 %
   range       Slow: framework ±25 %, compute assumed ±61 %, node links assumed ±0.5 %, network
               assumed ±4.3 %; of cost also price assumed ±50 %
  $ paradl compare tiny --hw toy --gpus 4 --batch 64 --json > document
  $ python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas" < document
  paradl-compare-1
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --csv | cut -d, -f1-9,12,15
  model,hw,gpus,feasible,reason,time_rank,cost_rank,energy_rank,time_s,cost,currency
  Tiny,Toy,4,true,,1,1,1,0.19298849399999998,0.21443166,EUR
  Tiny,Slow,4,true,,1,1,1,0.19298849399999998,0.160823745,EUR
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --jsonl | wc -l | tr -d ' '
  2

A picture: bars with ranges, ranks as in the table; where nothing runs there is none.

  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --epochs 10 -o machines.svg; ls machines.*
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: Slow has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  machines.dat
  machines.gp
  machines.svg
  $ words() { sed 's/<[^>]*>//g; s/^[[:space:]]*//; s/ *$//' "$1"; }
  $ words machines.svg | grep -E 'Tiny|Slow|1\.93 s|EUR|data=4|^seconds'
  Tiny, 64.0 k samples: the best plan of each machine
  4 GPUs · data=4
  Slow
  4 GPUs · data=4
  seconds
  1.93 s · 1=
  1.93 s · 1=
  EUR (rent)
  2.14 EUR · 1=
  1.61 EUR · 1=
  $ cut -f 2-5 machines.dat | sed '/^#/d' | tr '\t' ' '
  1.92988494 1.136766817576676 3.8789717011256517 29362
  1.92988494 1.136766817576676 3.8789717011256517 29362
  
  
  2.1443166000000002 0.756472403330349 4.560837201666321 29362
  1.60823745 0.5673543024977619 3.4206279012497407 29362
  $ paradl compare tiny --hw toy --gpus 4,8 --batch 64 --plot=two.svg -q > /dev/null; words two.svg | grep -E 'fastest|^[48] GPUs$'
  4 GPUs
  8 GPUs
  times as long as the fastest

A bar is drawn in full where the shortest is still seen beside it. One that is cut has a gap, its range no end, and the axis no ticks beyond it.

  $ slower() { sed "s/10 Gflop/$1 Gflop/; s/toy\"/slower\"/" "$TESTDIR"/data/hw-profiles/devices/toy.json > devices/slower.json; sed 's/"Toy"/"Slower"/; s/"device": "toy"/"device": "slower"/' "$TESTDIR/data/hw-profiles/toy.json" > slower.json; }
  $ beside() { slower $1; paradl compare tiny --hw toy --hw slower.json --gpus 4 --batch 64 --epochs 10 -o beside.svg -q 2> /dev/null; sed -n '1,3s/\t/ /gp' beside.dat; words beside.svg | grep -E 'cut|^[0-9]+$'; }
  $ beside 0.6
  1 1.92988494 1.136766817576676 3.8789717011256517 29362 NaN
  2 31.511760139999996 18.392967887972194 63.952917914415295 10208482 NaN
  0
  20
  40
  60
  80
  0
  20
  40
  60
  80
  100
  $ beside 0.06
  1 0.032164749 0.018946113626277936 0.0646495283520942 29362 NaN
  2 2.585981134083768 2.585981134083768 NaN 10208482 2.585981134083768
  0
  1
  2
  lines: what is not known exactly · full colour: first, or equal to it within that (=) · cut: longer than drawn
  5.25 min · 2 · cut
  0
  50
  100
  150
  350 EUR · 2 · cut
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --deadline '1 ms' -o none.svg
  paradl: there is nothing to draw: nothing runs on any machine
  [1]

With a deadline the fewest GPUs, with a budget those that are through first.

  $ paradl compare tiny --hw toy --hw slow.json --batch 64 --epochs 10 --deadline '2 s' | head -4
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: Slow has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  Tiny, 64.0 k samples, fp32, in 2.00 s: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost   energy  samples/s   MFU  limited by
     1=     4  Slow     1.93 s  1.14 s to 3.88 s  1.61 EUR  2.68 kJ     33,163  98 %  98 % compute
     1=     4  Toy      1.93 s  1.14 s to 3.88 s  2.14 EUR  2.68 kJ     33,163  98 %  98 % compute
  $ paradl compare tiny --hw toy --hw slow.json --batch 64 --epochs 10 --budget 1000000 | head -4
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: Slow has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  Tiny, 64.0 k samples, fp32, for 1,000,000 EUR: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost  range           energy  samples/s   MFU
     1=     8  Toy      1.02 s  618 ms to 2.01 s  2.28 EUR  0.824 to 4.74  2.76 kJ     62,450  92 %
     1=     8  Slow     1.02 s  618 ms to 2.01 s  1.71 EUR  0.618 to 3.55  2.76 kJ     62,450  92 %
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --budget 1 | grep '^ not'
   not         Toy: it costs at least 2.11 EUR, on 2 GPUs
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --deadline '1 ms'
  Tiny, 64.0 k samples, fp32, in 1.00 ms: 1 machine, the best plan of each
   rank  GPUs  machine  time  range  cost  energy  samples/s  MFU  limited by
      -     -  Toy         -                                       it takes at least 1.02 s, on 8 GPUs
  
   cost        of machines that are rented
   not         Toy: it takes at least 1.02 s, on 8 GPUs
   assumed     something fails once in 50,700 hours of a GPU, as recalled of Llama 3 405B (--mtbf)
               10 min from a failure until a checkpoint is loaded (--restart)
  [1]

What of a job is no step:

  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 64 --tokens 1T --checkpoint '30 min' --checkpoint-async --checkpoint-rate '40 GB/s' --mtbf '3 d' --restart '5 min' | grep -E ' time |^ *[0-9]|of which'
   rank  GPUs  machine              time  range                   cost    energy  tokens/s/GPU   MFU
      1    64  DGX H100 SuperPOD  22.3 d  19.5 d to 25.2 d  77,679 USD  43.9 MWh         8,406  49 %
   of which    DGX H100 SuperPOD: steps 96 %, checkpoints 0.0 %, steps done again 2.7 %, restarts 0.9

Currencies are compared at rates that are given.

  $ sed -i 's/"EUR"/"JPY"/' slow.json
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 | sed '/^$/,$d'
  paradl: warning: Slow has prices in JPY: not compared with EUR (--exchange JPY=X)
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                  cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,163  98 %  98 % compute
     1=     4  Slow     193 ms  114 ms to 388 ms  0.161 JPY   268 J     33,163  98 %  98 % compute
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --exchange JPY=0.01 | sed '/^$/,$d'
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                    cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms    0.214 EUR   268 J     33,163  98 %  98 % compute
     1=     4  Slow     193 ms  114 ms to 388 ms  0.00161 EUR   268 J     33,163  98 %  98 % compute

A machine that is bought is no dearer or cheaper than one that is rented; GPUs of whole hosts are paid for.

  $ python3 -c 'import json; d=json.load(open("slow.json")); d.update(name="Bought", price={"node": 1e5, "years": 4, "currency": "EUR"}); json.dump(d, open("bought.json", "w"))'
  $ paradl compare tiny --hw toy --hw bought.json --gpus 3 --batch 63 -q
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                     cost  samples/s   MFU  paid by   paid
     1=     3  Toy      256 ms  151 ms to 516 ms     0.285 EUR     24,990  98 %  rent         4
     1=     3  Bought   256 ms  151 ms to 516 ms  0.000406 EUR     24,990  98 %  purchase     4
  $ paradl compare tiny --hw toy --hw bought.json --hw bought.json --gpus 4 --batch 64 --price purchase | grep -E '^ (rank|cheapest)'
  paradl: warning: Toy is rented: its cost is not compared with that of machines that are bought (--price rent)
   rank  GPUs  machine    time  range                     cost  energy  samples/s   MFU  paid by
   cheapest    Bought; equal within what is known: Bought
  $ paradl compare tiny --hw toy --hw bought.json --gpus 3 --batch 63 --price purchase --json -q | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["price_basis"], *[(r["price_basis"], r["cost_rank"], r["gpus_paid"]) for r in d["results"]])'
  purchase ('rent', None, 4) ('purchase', 1, 4)

A budget is of machines that are rented and of those that are bought alike.

  $ paradl compare tiny --hw toy --hw bought.json --batch 64 --epochs 10 --budget 2.2 -q
  Tiny, 64.0 k samples, fp32, for 2.20 EUR: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                    cost   energy  samples/s   MFU  paid by
     1=     8  Bought   1.02 s  618 ms to 2.01 s  0.00325 EUR  2.76 kJ     62,450  92 %  purchase
     1=     4  Toy      1.93 s  1.14 s to 3.88 s     2.14 EUR  2.68 kJ     33,163  98 %  rent
  $ paradl compare tiny --hw bought.json --hw toy --batch 64 --epochs 10 --budget 1 2>/dev/null | grep '^ not'
   not         Toy: it costs at least 2.11 EUR, on 2 GPUs

A machine with prices of both kinds has that of the comparison.

  $ python3 -c 'import json; d=json.load(open("bought.json")); d.update(name="Both", price={"basis": "purchase", "per_node_hour": 2000, **d["price"]}); json.dump(d, open("both.json", "w"))'
  $ paradl compare tiny --hw toy --hw both.json --gpus 4 --batch 64 | grep -E '^ (rank|cheapest)|EUR'
   rank  GPUs  machine    time  range                  cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,163  98 %  98 % compute
     1=     4  Both     193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,163  98 %  98 % compute
   cheapest    Toy; equal within what is known: Both
  $ paradl compare tiny --hw both.json --hw bought.json --gpus 4 --batch 64 | grep -E '^ (rank|cheapest)|EUR'
   rank  GPUs  machine    time  range                     cost  energy  samples/s   MFU  limited by
     1=     4  Both     193 ms  114 ms to 388 ms  0.000306 EUR   268 J     33,163  98 %  98 % compute
     1=     4  Bought   193 ms  114 ms to 388 ms  0.000306 EUR   268 J     33,163  98 %  98 % compute
   cheapest    Both; equal within what is known: Bought
  $ paradl estimate tiny --hw both.json -s data=4 --set hw.price.basis=rent | grep '^ cost'
   cost        0.218 EUR an epoch, 4,000 EUR an hour (rent)

Serving: what answers take, and what a million tokens cost; under a promise each with its best plan and batch.

  $ load="--inference --input-tokens 1024 --output-tokens 256"
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --framework vllm --gpus 2 $load --ttft '300 ms' --tpot '15 ms'
  Llama-3-8B, inference, each plan with its best batch, prompts of 1,024 tokens, answers of 256,
      bf16-mixed, first token in 300 ms, each token in 15.0 ms: 2 machines, the best plan of each,
      cost and energy of a million tokens
   rank  GPUs  machine               first token  each token  tokens/s/GPU       cost   energy  paid
      1     2  GB200 NVL72 SuperPOD       105 ms     14.9 ms         8,182   0.16 USD  90.8 Wh     4
      2     2  DGX H100 SuperPOD          117 ms     15.0 ms         3,120  0.784 USD   268 Wh     8
  
   cheapest    GB200 NVL72 SuperPOD; DGX H100 SuperPOD costs 4.9 times as much
   least kWh   GB200 NVL72 SuperPOD; DGX H100 SuperPOD needs 2.95 times as much
   first token GB200 NVL72 SuperPOD; equal within what is known: DGX H100 SuperPOD
   each token  GB200 NVL72 SuperPOD; equal within what is known: DGX H100 SuperPOD
   throughput  GB200 NVL72 SuperPOD; DGX H100 SuperPOD needs 2.62 times as many GPUs
   cost        of machines that are bought; --price rent: rented
   range       DGX H100 SuperPOD: framework ±17 %, compute measured ±1.5 %, memory measured ±2.6 %; of
               cost also power datasheet ±0.8 %, price assumed ±50 %
   range       GB200 NVL72 SuperPOD: framework ±23 %, compute derived ±3.7 %, memory derived ±3.7 %;
               of cost also power datasheet ±1.4 %, price assumed ±50 %
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw aws-p5 --framework vllm --gpus 1,2 $load --rate 8/s --percentile p90 --ttft '1 s'
  paradl: warning: AWS p5.48xlarge is rented: its cost is not compared with that of machines that are bought (--price rent)
  Llama-3-8B, inference, 8 requests/s, prompts of 1,024 tokens, answers of 256, bf16-mixed,
      first token in 1.00 s (p90): 2 machines, the best plan of each,
      cost and energy of a million tokens
   rank  GPUs  machine            first token  each token  answer      cost  at most  paid by   paid
     1=     1  DGX H100 SuperPOD       113 ms     10.9 ms  2.90 s  2.38 USD     17.4  purchase     8
     1=     1  AWS p5.48xlarge         113 ms     10.9 ms  2.90 s  5.33 USD     17.4  rent         8
     1=     2  DGX H100 SuperPOD      94.6 ms     5.85 ms  1.59 s  2.39 USD     29.1  purchase     8
     1=     2  AWS p5.48xlarge        94.6 ms     5.85 ms  1.59 s  5.33 USD     29.1  rent         8
  
   fastest     on 2 GPUs DGX H100 SuperPOD; equal within what is known: AWS p5.48xlarge
   least kWh   on 2 GPUs AWS p5.48xlarge; equal within what is known: DGX H100 SuperPOD
   first token on 2 GPUs DGX H100 SuperPOD; equal within what is known: AWS p5.48xlarge
   each token  on 2 GPUs DGX H100 SuperPOD; equal within what is known: AWS p5.48xlarge
   cost        of machines that are bought; --price rent: rented
   range       DGX H100 SuperPOD: framework ±17 %, compute measured ±0.9 %, memory measured ±3.2 %; of
               cost also power datasheet ±0.8 %, price assumed ±50 %
   range       AWS p5.48xlarge: framework ±17 %, compute measured ±0.9 %, memory measured ±3.2 %; of
               cost also price datasheet ±20 %
  $ paradl compare llama3-8b resnet50 --hw dgx-h100-superpod --gpus 2 --inference --batch 32 -q
  Llama-3-8B, inference, prompts of 1,024 tokens, answers of 128, bf16-mixed: 1 machine,
      the best plan of each, cost and energy of a million tokens
   rank  GPUs  machine            batch  first token  each token  answer      cost  energy  paid
      1     2  DGX H100 SuperPOD     32       100 ms     9.79 ms  1.34 s  1.60 USD  540 Wh     8
  
  ResNet-50, inference, fp32: 1 machine, the best plan of each, cost and energy of a million samples
   rank  GPUs  machine             answer  range               samples/s       cost  energy  paid
      1     2  DGX H100 SuperPOD  5.25 ms  3.72 ms to 8.92 ms      6,095  0.804 USD  282 Wh     8

Where a machine with worse numbers would not keep up, that is said, and the range is of better ones.

  $ paradl compare llama3-70b --hw dgx-h100-superpod --framework vllm --gpus 8 --inference --rate 23/s --json -q | python3 -c 'import json, sys; print(*[(doubt["of"], doubt["runs"]) for doubt in json.load(sys.stdin)["results"][0]["doubts"]])'
  ('framework', True) ('compute', True) ('memory', True) ('node links', True) ('network', True) ('storage', True) ('host', True) ('power', True) ('price', True)

Each number is what advise says of that machine; ranges hold it, and equal is what they have in common. Requests at a rate are answered at that rate.

  $ cat > check.py <<'EOF'
  > import json, subprocess, sys
  > def ask(*words):
  >     return json.loads(subprocess.run([sys.argv[1], *words, "--json", "-q"], capture_output=True, text=True, check=True).stdout)
  > machines, load = ("dgx-h100-superpod", "gb200-nvl72"), "--inference --input-tokens 1024 --output-tokens 256 --framework vllm --gpus 4".split()
  > asked = (["--ttft", "300 ms", "--tpot", "15 ms"], ["--ttft", "600 ms", "--percentile", "p99"], ["--rate", "10/s"], ["--batch", "16"],
  >          ["--batch", "16", "--requests", "160", "--spread", "0.2"], ["--batch", "16", "--prefill", "tensor=2"],
  >          ["--batch", "16", "--speculative-tokens", "3", "--accepted-tokens", "2.4", "--cached-prefix", "0.5"], ["--latency", "3 s"])
  > for words in asked:
  >     cells = ask("compare", "llama3-8b", *[word for hw in machines for word in ("--hw", hw)], *load, *words)["results"]
  >     ranges = []
  >     for hw, cell in zip(machines, cells):
  >         best = ask("advise", "llama3-8b", "--hw", hw, "--set", "hw.price.basis=" + cell["price_basis"], *load, *words)["results"][0]
  >         served, own = best["inference"], cell["inference"]
  >         same = [(cell["strategy"], best["strategy"]), (cell["batch"], best["batch"]), (cell["time_s"]["value"], best["iteration_s"]),
  >                 (own["prompts_s"]["value"], served["prompts_s"]), (own["token_s"]["value"], served["token_s"]),
  >                 (cell["tokens_per_s_per_gpu"], best["tokens_per_s_per_gpu"]), (cell["limited_by"], best["limited_by"]["text"])]
  >         assert all(a == b for a, b in same), same
  >         assert abs(cell["cost"]["value"] / served["cost_per_million_tokens"] - 1) < 1e-12
  >         assert abs(own["gpu_s"]["value"] * best["tokens_per_s_per_gpu"] - 1) < 1e-12
  >         assert abs(cell["energy_joule"]["value"] / (best["power_watt"] / best["tokens_per_s"] * 1e6) - 1) < 1e-12
  >         for part in (cell["time_s"], cell["cost"], cell["energy_joule"], own["prompts_s"], own["token_s"], own["gpu_s"]):
  >             assert part["low"] <= part["value"] <= part["high"]
  >         assert (own["gpu_s"]["low"] == own["gpu_s"]["high"]) == (words[0] == "--rate"), own["gpu_s"]
  >         ranges.append((own["prompts_s"], own["first_rank"]))
  >     (a, i), (b, k) = ranges
  >     assert (i == k) == (a["low"] <= b["high"] and b["low"] <= a["high"]), ranges
  > job = ["--gpus", "64", "--tokens", "1T", "--mtbf", "30 d", "--checkpoint-rate", "40 GB/s"]
  > for cell in ask("compare", "llama3-8b", *[word for hw in machines for word in ("--hw", hw)], *job)["results"]:
  >     hw = machines[0] if cell["hw"] == "DGX H100 SuperPOD" else machines[1]
  >     run = ask("advise", "llama3-8b", "--hw", hw, "--set", "hw.price.basis=" + cell["price_basis"], *job)["results"][0]["run"]
  >     assert run["lost_s"] > 0 and cell["run"]["lost_s"] == run["lost_s"] and cell["run"]["failures"] == run["failures"]["count"]
  >     for name in ("time_s", "cost", "energy_joule"):
  >         assert abs(cell[name]["value"] / run[name] - 1) < 1e-12, (name, cell[name], run[name])
  > print("as advise")
  > EOF
  $ python3 check.py "$PARADL"
  as advise
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --gpus 2 $load --ttft '300 ms' --json | schema
  paradl-compare-1
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --gpus 2 $load --ttft '300 ms' --csv | python3 -c 'import csv, sys; print(*[(row["first_rank"], float(row["prompts_low_s"]) < float(row["prompts_s"]) < float(row["prompts_high_s"]), round(float(row["gpu_s"]) * float(row["tokens_per_s_per_gpu"]), 9)) for row in csv.DictReader(sys.stdin)])'
  ('1', True, 1.0) ('1', True, 1.0)
  $ paradl report llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --framework vllm --gpus 2 $load --rate 8/s -o page.html && grep -o 'cost of a million tokens\|first token' page.html | sort | uniq -c
        1 cost of a million tokens
        2 first token
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --gpus 2 $load --ttft '300 ms' -o serving.svg && words serving.svg | grep -E 'tokens/s|seconds|USD'
  microseconds of a GPU for each token
  9,662 tokens/s · 1
  4,735 tokens/s · 2
  USD a million tokens (purchase)
  0.136 USD · 1
  0.517 USD · 2
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 4 $load --batch 8 --requests 80 --spread 20% --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 50% --prefill tensor=2 --csv | cut -d, -f3,4,6
  gpus,feasible,time_rank
  4,true,1
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 4 $load --latency '1 ms' --csv | cut -d, -f3,4,5
  gpus,feasible,reason
  4,false,"fits
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 2 $load --deadline '2 d'
  paradl: only one of --gpus, --deadline and --budget is possible
  [2]
  $ paradl compare llama3-8b --hw dgx-h100-superpod $load --deadline '2 d'
  paradl: --deadline and --budget are of whole trainings: write --gpus, and what is promised (--ttft, --tpot, --rate)
  [2]
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 2 $load --tokens 1B
  paradl: --tokens, --samples and --epochs are of whole trainings
  [2]
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 2 $load --rate 8/s --batch 4
  paradl: only one of --batch and --rate is possible: a rate says how many requests are under way
  [2]
  $ paradl compare llama3-8b --hw dgx-h100-superpod --gpus 2 --ttft '1 s'
  paradl: --ttft, --tpot and --latency are about --inference
  [2]

At a rate each machine takes the fewest GPUs that answer it, as search --min-gpus has them.

  $ for hw in dgx-h100-superpod gb200-nvl72; do paradl search llama3-8b --hw $hw --inference --rate 50/s --min-gpus --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["fewest"]["gpus"])'; done
  4
  2
  $ paradl compare llama3-8b --hw dgx-h100-superpod --hw gb200-nvl72 --inference --rate 50/s | sed '/^$/q'
  Llama-3-8B, inference, 50 requests/s, prompts of 1,024 tokens, answers of 128, bf16-mixed,
      the fewest GPUs of each that answer it: 2 machines, the best plan of each,
      cost and energy of a million tokens
   rank  GPUs  machine               first token  each token  answer       cost  energy  at most  paid
     1=     2  GB200 NVL72 SuperPOD      94.1 ms     6.63 ms  936 ms  0.409 USD  232 Wh     99.5     4
     1=     4  DGX H100 SuperPOD          106 ms     10.7 ms  1.47 s   0.77 USD  306 Wh     80.9     8
  
  $ paradl compare llama3-8b --hw a100-8 --inference --rate 5000/s | grep '^ not'
   not         one node of 8 A100: 5000 requests a second come, and 4 replicas answer at most 74.22

Questions that make no sense.

  $ paradl compare tiny --hw toy --gpus 4 --exchange USD=2
  paradl: --exchange USD=2: no machine has that currency; write JPY=0.0067
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --exchange EUR=cheap
  paradl: --exchange EUR: must be a number more than 0, such as 0.0067
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --deadline '1 h'
  paradl: only one of --gpus, --deadline and --budget is possible
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --exchange EUR=2
  paradl: --exchange: every currency has one; leave out that of the common one
  [2]
  $ paradl compare tiny 2>&1 | cut -c1-60
  paradl: compare needs --hw HW, once for each machine: a file
    hint: 'paradl compare -h' shows the usual options and exam
  $ paradl compare --hw toy 2>&1 | cut -c1-50
  paradl: compare needs a MODEL: a file, or one of a
    hint: 'paradl compare -h' shows the usual option

Where requests come faster than any plan answers them, the reason is that of the plan that answers most; a plan without memory for
one answers none.

  $ paradl compare llama3-70b --hw dgx-h100-superpod --hw a100-8 --framework vllm --gpus 8 --inference --rate 500/s | grep '^ not'
   not         DGX H100 SuperPOD: 500 requests a second come, and 1 replica answers at most 24.23
   not         one node of 8 A100: 500 requests a second come, and 1 replica answers at most 8.596
  $ paradl advise llama3-70b --hw dgx-h100-superpod --framework vllm --gpus 8 --inference --rate 500/s > advice
  paradl: no feasible strategy for 8 GPUs (14 tried); closest: pipeline=8: 500 requests a second come, and 1 replica answers at most 24.23
  [1]
  $ paradl estimate llama3-70b --hw dgx-h100-superpod --framework vllm -s data=8 --inference --rate 500/s
  paradl: data=8 is not feasible: a replica has no memory for a request, and 500 a second come
    hint: replicas of more devices (tensor, pipeline), or devices with more memory
  [1]

Where one machine does not say what its checkpoints take, they are left out of all: times have the same parts.

  $ export PARADL_PATH="$SOURCE"
  $ paradl compare llama3-8b --hw aws-p5 --hw dgx-a100-superpod --gpus 64 --tokens 1T | grep -E '^ +[12]=? |^ assumed'
  paradl: warning: DGX A100 SuperPOD is bought: its cost is not compared with that of machines that are rented (--price purchase)
  paradl: warning: AWS p5.48xlarge has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
      1    64  AWS p5.48xlarge    21.5 d  18.8 d to 24.2 d  162,518 USD         8,403  49 %  rent
      2    64  DGX A100 SuperPOD  56.0 d  49.0 d to 63.1 d  107,058 USD         3,229  60 %  purchase
  $ cat > parts.py <<'END'
  > import json, subprocess
  > ask = ["paradl", "compare", "llama3-8b", "--hw", "dgx-a100-superpod", "--gpus", "64", "--tokens", "1T", "--json"]
  > for more in [], ["--hw", "aws-p5"], ["--hw", "aws-p5", "--checkpoint-rate", "40 GB/s"]:
  >     cells = json.loads(subprocess.run(ask + more, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)["results"]
  >     print([(cell["run"]["lacking"], (cell["run"]["restarts_s"] or 0) > 0, cell["time_s"]["value"] > cell["run"]["work_s"]) for cell in cells])
  > END
  $ python3 parts.py
  [(None, True, True)]
  [('no rate at which checkpoints are written', False, False), ('no rate at which checkpoints are written', False, False)]
  [(None, True, True), (None, True, True)]

So are they where nothing runs on that machine, which is said:

  $ paradl compare llama3-8b --hw dgx-a100-superpod --hw a100-8 --gpus 64 --tokens 1T 2>&1 | grep -E '^paradl|^ +1 |^ not'
  paradl: warning: one node of 8 A100 has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
      1    64  DGX A100 SuperPOD   56.0 d  49.0 d to 63.1 d  107,058 USD  58.1 MWh         3,229  60 %
   not         one node of 8 A100: the machine has fewer GPUs

A batch in tokens is as many samples as the sequence of each model makes of it:

  $ PARADL_PATH="$TESTDIR/../.." paradl compare llama3-8b resnet50 --hw dgx-h100-superpod --gpus 64 --batch '8M tokens' --precision bf16-mixed --csv | cut -d, -f 1-5
  model,hw,gpus,feasible,reason
  Llama-3-8B,DGX H100 SuperPOD,64,true,
  ResNet-50,DGX H100 SuperPOD,64,false,"a sample has no tokens
