What paradl search prints. How many plans there are and were evaluated is left out where it does not matter: SPACE.

  $ . "$TESTDIR/setup.sh"
  $ space() { sed -E 's/^( proved +)[0-9].*;/\1SPACE;/'; }

The best of all plans, and how it is known:

  $ paradl search tiny --hw toy --gpus 8 --ideal --strategies data,data+filter,filter,pipeline
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy          epoch  ×best  phases            memory/GPU         limited by
   1  data=4,filter=2  106 ms   1.00  ████                1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=8           109 ms   1.03  ████                 585 KiB  0.1 %  13 % gradient exchange
   3  filter=4,data=2  240 ms   2.27  ████▒▒▒▒▒           2.26 MiB  0.2 %  61 % activation exchange
   4  filter=8         433 ms   4.10  ████▒▒▒▒▒▒▒▒▒▒▒▒    4.51 MiB  0.4 %  78 % activation exchange
   █ compute  ▒ communication
  
   best        data=4,filter=2: filter inside a node, data across nodes
   margin      1.03× over data=8, under ideal assumptions
   proved      6 plans: 5 evaluated, 1 cannot be better; no plan is better
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   details     paradl estimate tiny --hw toy --ideal -s data=4,filter=2 --batch 64
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      none: PyTorch has no filter axis; nearest: data
  $ paradl search tiny --hw toy --gpus 8 --ideal --strategies data --exhaustive | space | grep -E 'margin|proved'
   margin      no other degrees are possible
   proved      SPACE; no plan is better
  $ paradl search tiny --hw toy --gpus 2 --ideal --goal memory --top 1 | grep -E '^ +[0-9#]|margin'
   #  strategy    epoch  ×best  phases                            memory/GPU         limited by
   1  spatial=2  384 ms   1.00  ███████████████████████████████▒     585 KiB  0.1 %  98 % compute

Several numbers of GPUs are compared by what a sample takes:

  $ paradl search tiny --hw toy --ideal --strategies data,data+filter --top 3 | space
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  GPUs  strategy          epoch  ×best  phases        memory/GPU         limited by
   1     8  data=4,filter=2  106 ms   1.00  ██████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
   2     8  data=8           109 ms   1.03  ██████████▒▒     585 KiB  0.1 %  13 % gradient exchange
   3     4  data=4           202 ms   1.91  ██████████▒      585 KiB  0.1 %  6.5 % gradient exchange
   █ compute  ▒ communication
  
   best        8 GPUs in 4 nodes, data=4,filter=2: filter inside a node, data across nodes
   margin      1.03× over 8 GPUs in 4 nodes, data=8, under ideal assumptions
   proved      SPACE; no plan is
               better; --gpus 4..8+2 asks about whole hosts around 8
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   details     paradl estimate tiny --hw toy --ideal -s data=4,filter=2 --batch 64
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      none: PyTorch has no filter axis; nearest: data

What is traded, and maps:

  $ paradl search tiny --hw toy --gpus 8 --ideal --pareto time,memory --top 1 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  phases            memory/GPU         limited by
   1  data=4,channel=2  106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
  
   █ compute  ▒ communication
  
   no plan is better in all of these (2 plans)
   strategy           epoch  memory/GPU
   data=4,channel=2  106 ms    1.13 MiB
   data=8            109 ms     585 KiB
  $ paradl search tiny --hw toy --gpus 8 --ideal --map data,filter --top 1 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  phases            memory/GPU         limited by
   1  data=4,channel=2  106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
  
   █ compute  ▒ communication
  
   time of the best plan for each degree of data (down) and filter (across) on 8 GPUs in 4 nodes
   data \ filter       1       2       4       8
               1  136 ms  136 ms  243 ms  433 ms
               2  125 ms  125 ms  240 ms
               4  106 ms  106 ms
               8  109 ms

A job: its time and cost, the cheapest in time, the fastest for the money.

  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' --top 2 -q
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  GPUs  strategy     time        cost  ×best  phases            memory/GPU         limited by
   1     2  data=2     16.4 h  32,868 EUR   1.00  ████████████████     585 KiB  0.1 %  100 % compute
   2     2  spatial=2  16.7 h  33,345 EUR   1.01  ████████████████     585 KiB  0.1 %  98 % compute
  
   █ compute  ▒ communication
  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' | space | grep proved
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
   proved      SPACE; no plan
  $ paradl search tiny --hw toy --ideal --samples 1G --budget 36k --top 2 -q
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  GPUs  strategy            time        cost  ×best  phases    memory/GPU  limited by
   1     4  data=4            8.77 h  35,071 EUR   1.00  ███████▒     585 KiB  6.5 % gradient exchange
   2     4  data=2,channel=2  8.81 h  35,226 EUR   1.00  ███████▒    1.13 MiB  93 % compute
  
   █ compute  ▒ communication
  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' --min-gpus | grep -E 'fewest|run|deadline|best'
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
   #  strategy     time        cost  ×best  phases                    memory/GPU         limited by
   best        data=2
   fewest      2 GPUs in 1 node; on 1 GPU in 1 node serial comes closest: fits, but the job takes 1.37
   run         1.00 B samples (1.56e+05 epochs): 16.4 h without checkpoints and failures, 11.5 kWh,
   deadline    1.00 d: in time
     torchrun --nnodes=1 --nproc-per-node=2 train.py
  $ paradl search tiny --hw toy --gpus 4 --ideal --min-gpus | grep fewest
   fewest      4 GPUs in 2 nodes, the least that was asked about

The numbers of GPUs that --min-gpus tries: powers of two in a host, then hosts, not only whole domains of NVLink; beyond 64 hosts in
steps, and then what lies between the last two.

  $ paradl search megatron-1t --hw dgx-a100-superpod --batch 512 --plan-options recompute=full --min-gpus -v 2>&1 |
  >     sed -n 's/^paradl: \([0-9]*\) GPU.* plans.*/\1/p' | tr '\n' ' '; echo
  1 2 4 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 

  $ paradl search llama3-8b --hw gb200-nvl72 --tokens 1T --mtbf none --deadline '6.5 d' --min-gpus -v 2>&1 | grep -E '^ fewest|^paradl: (72|76|80|84|88|92|96|144) GPU'
  paradl: 72 GPUs: 5086272 plans, 0 evaluated
  paradl: 76 GPUs: 130776 plans, 0 evaluated
  paradl: 80 GPUs: 3103464 plans, 0 evaluated
  paradl: 84 GPUs: 1930608 plans, 0 evaluated
  paradl: 88 GPUs: 1123776 plans, 0 evaluated
  paradl: 92 GPUs: 179952 plans, 0 evaluated
  paradl: 96 GPUs: 8115264 plans, 368 evaluated
   fewest      96 GPUs in 2 nodes, 24 hosts; on 92 GPUs in 2 nodes, 23 hosts data=92,micro=3,zero=1
  $ paradl search llama3-8b --hw dgx-h100-superpod --tokens 1T --deadline '2.5 d' --min-gpus -v 2>&1 | sed -n 's/^paradl: \([0-9]*\) GPU.* plans.*/\1/p' | tail -n 8 | tr '\n' ' '; echo
  496 504 512 576 640 608 592 600 
  $ for hw in gb200-nvl72 dgx-h100-superpod; do
  >   paradl compare llama3-8b --hw $hw --tokens 1T --mtbf none --deadline '6.5 d' --json -q | python3 -c 'import json,sys; r=json.load(sys.stdin)["results"][0]; print(r["gpus"], r["time_s"]["value"] <= 6.5 * 86400)'; done
  96 True
  216 True

Where memory alone is asked about, fewer GPUs may do with optimizer states in host memory, which hosts must have.

  $ paradl search gpt3-175b --hw dgx-a100-superpod --batch 256 --min-gpus --flags none | sed -n '/^ offloaded/,/^ next/p'
   offloaded   16 GPUs in 2 nodes with optimizer states in host memory,
               pipeline=2,tensor=8,micro=1,schedule=interleaved:2,sequence=on,offload=optimizer; a
               sample takes 0.818 times the GPU time (--search-over +offload)
   next        memory for the activations, or fewer stages
  $ paradl search gpt3-175b --hw dgx-a100-superpod --batch 256 --min-gpus --json | python3 -c 'import json,sys; f=json.load(sys.stdin)["fewest"]; print(f["gpus"], f["offloaded_gpus"], f["offloaded_strategy"])'
  40 16 pipeline=2,tensor=8,micro=1,schedule=interleaved:2,sequence=on,offload=optimizer
  $ paradl search gpt3-175b --hw dgx-a100-superpod --batch 256 --min-gpus --json | schema
  paradl-search-2
  $ paradl search gpt3-175b --hw dgx-a100-superpod --batch 256 --min-gpus --search-over +offload --flags none | grep '^ best'
   best        pipeline=2,tensor=8,micro=1,schedule=interleaved:2,sequence=on,offload=optimizer:
  $ paradl search megatron-1t --hw alps --batch 256 --min-gpus --flags none | grep -A1 '^ offloaded'
   offloaded   104 GPUs in 26 nodes with optimizer states in host memory,
               pipeline=13,tensor=8,micro=1,sequence=on,offload=optimizer; a sample takes 0.548 times
  $ paradl estimate megatron-1t --hw alps --batch 256 -s pipeline=8,tensor=8,micro=2,recompute=full,sequence=on,offload=optimizer 2>&1 | grep warning
  paradl: warning: optimizer states take 713 GiB of the memory of a host, which has 447 GiB

Without --gpus powers of two are looked at, which the proof says:

  $ paradl search llama3-8b --hw gb200-nvl72 --tokens 1T --mtbf none --deadline '10 d' | tr '\n' ' ' | grep -oE 'plans on [^:]*:|; *no plan.* around [0-9]*' | tr -s ' '
  paradl: warning: GB200 NVL72 SuperPOD has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  plans on powers of two of GPUs up to 512:
  ; no plan is better; --gpus 32..128+4 asks about whole hosts around 64

What checkpoints take is that of the plan: a job that is in time to the second is found.

  $ best() { paradl search llama3-8b --hw dgx-h100-superpod --gpus 64 --tokens 1T --goal time --json "$@" | python3 -c 'import json,sys; r=json.load(sys.stdin)["results"][0]; print(r["strategy"], r["run"]["time_s"])'; }
  $ best > free; read plan seconds < free
  $ best --deadline "$seconds s" | cmp - free
  $ paradl search llama3-8b --hw frontier --gpus 8 --tokens 1T --deadline '1 d' 2>&1 | tail -n 1
  paradl: no plan for 8 GPUs; closest: data=4,tensor=2,micro=1,zero=1,sequence=on: fits, but the job takes 1635 d on 8 devices instead of 1.00 d

A deadline is of the whole job: with its checkpoints, failures and restarts.

  $ paradl search tiny --hw toy --samples 1G --deadline '1 d' --top 1 --mtbf '2 d' --restart '3 h' --checkpoint-rate '10 kB/s' | grep -E '^ (run|of which|checkpoint|failures|deadline|job)'
   run         1.00 B samples (1.56e+05 epochs): 17.6 h, 11.8 kWh, 35,279 EUR (rent)
   of which    steps 94 %, checkpoints 0.1 %, steps done again 0.1 %, restarts 6.1 %
   checkpoint  3.79 KiB in 388 ms, 163 times: after 6.10 min of steps, which costs least
   failures    0.367: one in 2.00 d (of a node: 2.00 d); a restart takes 3.00 h
   deadline    1.00 d: in time
  $ paradl search tiny --hw toy --samples 1G --deadline '1 d' --top 1 --mtbf none --checkpoint-rate '10 kB/s' --json | python3 -c 'import json,sys; d=json.load(sys.stdin); r=d["results"][0]["run"]; print(d["results"][0]["strategy"], d["job"]["time_s"]==r["time_s"]>r["work_s"], r["in_time"])'
  data=2,zero=1 True True

What cannot be done says why:

  $ paradl search tiny --hw toy --ideal --samples 1T --budget 36k 2>/dev/null | sed -n '/^ not/,/^ *$/p'
   not feasible
   data=2  fits, but costs 32868292 EUR on 2 devices instead of 36000 → more money, or another number
           of devices
  
  $ took=$(paradl search tiny --hw toy --ideal --samples 1G --top 1 --json 2>&- | python3 -c 'import json,sys; r=json.load(sys.stdin)["results"][0]; print(1e9 / r["batch"] * r["iteration_s"] - 1)')
  $ paradl search tiny --hw toy --ideal --samples 1G --deadline "$took s" 2>&1 | tail -n 1
  paradl: no plan for up to 8 GPUs; closest: data=4,channel=2: fits, but the job takes 4.58 h on 8 devices, 1.00 s too long
  $ paradl search tiny --hw toy --ideal --samples 1T --deadline '1 h' | space
  paradl: no plan for up to 8 GPUs; closest: data=4,channel=2: fits, but the job takes 191 d on 8 devices instead of 1.00 h
  Tiny on Toy: 1 to 8 GPUs, fp32, ideal, 1.00 GiB/GPU         970 parameters, 443 kflop/sample forward
  
   not feasible
   data=4,channel=2  fits, but the job takes 191 d on 8 devices instead of 1.00 h → more time, or
                     another number of devices
  
   proved      SPACE; none is
               possible
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
  $ paradl search tiny --hw toy --gpus 8 --strategies pipeline --ideal > none
  paradl: no plan for 8 GPUs; closest: pipeline=8: needs 8 stages; the network can be cut into 4 (branches stay together)
  [1]

Nothing that advise finds is better, and nothing is proved away that evaluating every plan finds:

  $ cat > compare.py <<'EOF'
  > import json, sys
  > advice, search, all_plans = (json.load(open(name)) for name in ("advice", "search", "all"))
  > throughput = search["goal"] == "throughput"
  > def value(document):
  >     best = document["results"][0]
  >     return 1 / best["samples_per_s"] if throughput else best["iteration_s"]
  > print(value(search) <= value(advice) * (1 + 1e-12), all(result["feasible"] for result in search["results"]),
  >       search["results"] == all_plans["results"], all_plans["space"]["evaluated"] >= search["space"]["evaluated"])
  > EOF
  $ compare() {
  >     paradl advise "$@" --json > advice; paradl search "$@" --json > search; paradl search "$@" --exhaustive --json > all
  >     python3 compare.py
  > }
  $ compare tiny --hw toy --gpus 8
  True True True True
  $ compare resnet50 --hw abci --gpus 16
  True True True True
  $ compare llama2-7b --hw dgx-a100-superpod --gpus 16 --batch 16 --ideal
  True True True True
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 32
  True True True True
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 64 --inference
  True True True True
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 64 --inference --goal throughput
  True True True True

Batches of answers are tried where none is given, and limits hold:

  $ paradl search llama3-8b --hw dgx-h100-superpod --gpus 8 --inference --goal throughput --tpot '10 ms' --json > limited
  $ schema < limited
  paradl-search-2
  $ python3 -c 'import json; print(all(row["feasible"] and row["inference"]["token_s"] <= 0.01 for row in json.load(open("limited"))["results"]))'
  True

Programs read it:

  $ paradl search tiny --hw toy --json | schema
  paradl-search-2
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --json > document; schema < document
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl-search-2
  $ paradl search tiny --hw toy --gpus 8 --strategies pipeline --json 2>&- | schema
  paradl-search-2
  $ paradl search tiny --hw toy --samples 1G --deadline '1 d' --min-gpus --json | schema
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl-search-2
  $ paradl search resnet50 --hw abci --gpus 16,64 --goal cost --json | schema
  paradl-search-2
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --jsonl > rows
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --csv > table
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  $ python3 - document rows table <<'EOF'
  > import collections, csv, json, sys
  > document = json.load(open(sys.argv[1]))
  > rows = [json.loads(line) for line in open(sys.argv[2])]
  > table = list(csv.DictReader(open(sys.argv[3], newline="")))
  > best = document["results"][0]
  > space = document["space"]
  > print(space["plans"] == space["evaluated"] + sum(space["cut"].values()), space["plans"] > 10)
  > print(document["gap"] == 0, document["margin"] >= 1, len(document["results"]) == 5)
  > print([row for row in rows if row.get("part") == "best"] == [result | {"part": "best"} for result in document["results"]])
  > print([row["strategy"] for row in table] == [row["strategy"] for row in rows])
  > counts = collections.Counter(row["part"] for row in table)
  > print(counts["best"] == 5, counts["front"] == len(document["front"]), counts["map"] == len(document["map"]["cells"]))
  > job = document["job"]
  > print(abs(job["time_s"] / (best["iteration_s"] * job["samples"] / best["batch"]) - 1) < 1e-12)
  > print(float(table[0]["job_s"]) == job["time_s"], float(table[0]["job_cost"]) == job["cost"])
  > EOF
  True True
  True True True
  True
  True
  True True True
  True
  True True
  $ paradl search tiny --hw toy --gpus 2 --ideal --strategies data --csv --columns strategy,gpus,epoch_s
  part,strategy,gpus,epoch_s
  best,data=2,2,0.37864272

As many ways to share as there are divisors, with what waits in host memory:

  $ paradl search llama2-7b --hw alps --framework nccl --gpus 10080 --batch 161280 --strategies data --plan-options recompute=full,micro=16 --search-over offload,zero,overlap,shard --flags none | grep proved
  paradl: warning: --batch: 161280 sequences are 0.661 G tokens; write --batch '0.1613 M tokens' if so many are meant
   proved      3,424 plans: 3,354 evaluated, 70 cannot be better; no plan is better
  $ paradl search gpt2-xl --hw dragonfly-fpga-272 --gpus 2 --batch 8 --precision fp32 --search-over +offload --flags none | grep '^ best'
   best        tensor=2,micro=2,recompute=full,sequence=on

Steps of more micro-batches than schedules follow:

  $ paradl search llama2-7b --hw dgx-a100-superpod --framework nccl --gpus 8 --batch 16000000 --strategies pipeline --plan-options micro=1,zero=0 --search-over recompute,schedule --flags none | grep '^ best'
  paradl: warning: --batch: 16000000 sequences are 65.5 G tokens; write --batch '16 M tokens' if so many are meant
   best        pipeline=8,micro=1,schedule=zero-bubble-2p
  $ paradl search llama2-7b --hw dgx-a100-superpod --framework nccl --gpus 8 --batch 16000000 --strategies pipeline --plan-options micro=1,zero=0 --search-over recompute,schedule --exhaustive --flags none | grep '^ best'
  paradl: warning: --batch: 16000000 sequences are 65.5 G tokens; write --batch '16 M tokens' if so many are meant
   best        pipeline=8,micro=1,schedule=zero-bubble-2p

Why nothing runs is said where limits leave no plan at all:

  $ paradl search llama2-7b --hw dgx-a100-superpod --gpus 8 --batch 8 --strategies filter 2>&1 | grep closest
  paradl: no plan for 8 GPUs; closest: filter=8: megatron-core cuts no layer of this network along filter
  $ paradl search llama2-7b --hw dgx-a100-superpod --gpus 8 --batch 8 --framework llm-foundry --strategies tensor 2>&1 | grep closest
  paradl: no plan for 8 GPUs; closest: tensor=8: llm-foundry has no tensor parallelism

What it does not know how to do:

  $ paradl search tiny --hw toy --gpus 0
  paradl: --gpus must be at least 1, is 0
  [2]
  $ paradl search tiny --hw toy --gpus 16
  paradl: --gpus 16 is more than Toy has: 8 GPUs
    hint: --set hw.levels.1.devices=16 asks about a larger one, and --set hw.network.cluster=... about its network, if the file has one; or change both in a copy of its file
  [2]
  $ paradl search tiny --hw toy --pareto time,memry
  paradl: --pareto knows no 'memry'; did you mean 'memory'?
  [2]
  $ paradl search tiny --hw toy --pareto time,speed
  paradl: --pareto knows no 'speed'
    hint: time, memory, cost, energy, throughput, ttft, tpot, per-gpu are possible
  [2]
  $ paradl search tiny --hw toy --pareto time
  paradl: --pareto time is one goal: two or more are traded, such as time,memory
  [2]
  $ paradl search tiny --hw toy --map data
  paradl: --map data is 1 axis: a map has two, such as tensor,pipeline
  [2]
  $ paradl search tiny --hw toy --map data,tensr
  paradl: --map knows no 'tensr'; did you mean 'tensor'?
  [2]
  $ paradl search tiny --hw toy --map data,data
  paradl: --map names 'data' twice
  [2]
  $ paradl search tiny --hw toy --search-over ordr
  paradl: a search cannot vary "ordr"; did you mean "order"?
  [2]
  $ paradl search tiny --hw toy --exhaustive --gap 1%
  paradl: only one of --exhaustive and --gap is possible
  [2]
  $ paradl search tiny --hw toy --gap 2
  paradl: --gap must be from 0 to 1, is 2
    hint: did you mean --gap 2%?
  [2]
  $ paradl search tiny --hw toy --latency '1 s'
  paradl: --ttft, --tpot and --latency are about --inference
  [2]
  $ paradl search tiny --hw toy --inference --deadline '1 s'
  paradl: --deadline is of training, not of --inference
    hint: --latency, --ttft and --tpot limit answers
  [2]
  $ paradl search tiny --hw toy --tokens 1G
  paradl: --tokens: Tiny takes no tokens; write --samples N
  [2]
  $ paradl search tiny --hw toy --samples 1G --tokens 1G
  paradl: only one of --tokens and --samples is possible
  [2]
  $ paradl search tiny --hw toy --deadline 30
  paradl: --deadline needs a unit: write "1.5 us", "20 ms", "30 min", "3 h" or "30 d"
  [2]
  $ paradl search llama2-7b --hw dgx-a100-superpod --gpus 64 --batch 256 --deadline '3 d'
  Llama-2-7B on DGX A100 SuperPOD: 64 GPUs in 8 nodes, global batch 256, bf16-mixed, 80.0 GiB/GPU
  6.74 B parameters, 62.9 Tflop/sample forward
  
   not feasible
   data=64,micro=2,zero=1  fits, but the job takes 87.3 d on 64 devices instead of 3.00 d → more time,
                           or another number of devices
  
   proved      73,998 plans: 0 evaluated, 73,998 cannot be better; none is possible
   assumed     guessed in DGX A100 SuperPOD: reliability/node_mtbf, levels, network,
               network/links/switch/latency, power/pue, price, storage/local, storage/shared,
               storage/shared/open, host
               guessed in A100-SXM4-80GB: power/idle, product/sustained/fp32, product/unaligned
               10 min from a failure until a checkpoint is loaded (--restart)
  paradl: no plan for 64 GPUs; closest: data=64,micro=2,zero=1: fits, but the job takes 87.3 d on 64 devices instead of 3.00 d
  [1]
  $ paradl search tiny --hw toy --batch 8 --per-gpu 1
  paradl: only one of --batch and --per-gpu is possible
  [2]
  $ paradl search 2>&1 | cut -d , -f 1
  paradl: search needs a MODEL: a file
    hint: 'paradl search -h' shows the usual options and examples
  $ paradl search tiny 2>&1 | cut -d , -f 1
  paradl: search needs --hw HW: a file
    hint: 'paradl search -h' shows the usual options and examples

Money is typed as people write it; another currency than that of the prices is refused.

  $ for money in 36k '36k EUR' '36 kEUR' 36kEUR '3.6e4 EUR' 36000; do paradl search tiny --hw toy --ideal --samples 1G --budget "$money" --top 1 --json | grep '"budget"'; done | sort | uniq -c | sed 's/^ *//'
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  6     "budget": 36000,
  $ paradl search tiny --hw toy --ideal --samples 1G --budget '36k USD'
  paradl: --budget is in USD, and prices of Toy are in EUR
  [2]
  $ paradl search tiny --hw toy --ideal --samples 1G --budget '36 thousand'
  paradl: --budget is '36 thousand', which is not an amount of money such as 250k, '3M USD' or '500 kUSD'
  [2]
  $ paradl search tiny --hw toy --ideal --samples 1G --budget '36kEURO'
  paradl: --budget is '36kEURO', which is not an amount of money such as 250k, '3M USD' or '500 kUSD'
  [2]
  $ paradl search tiny --hw toy --ideal --samples 1G --budget '0 EUR'
  paradl: --budget must be at least 1, is 0
  [2]
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --budget '1M JPY'
  paradl: --budget is in JPY, and costs are compared in EUR
  [2]
