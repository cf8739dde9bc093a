What paradl search prints. How many plans there are and were evaluated is left out where it does not matter: SPACE.

  $ . "$TESTDIR/setup.sh"
  $ space() { sed -E 's/^( proved +)[0-9].*;/\1SPACE;/'; }

The best of all plans, and how it is known:

  $ paradl search tiny --hw toy --gpus 8 --ideal --strategies data,data+filter,filter,pipeline
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy          epoch  ×best  phases            memory/GPU         limited by
   1  data=4,filter=2  106 ms   1.00  ████                1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=8           109 ms   1.03  ████                 585 KiB  0.1 %  13 % gradient exchange
   3  data=2,filter=4  242 ms   2.29  ████▒▒▒▒▒           2.26 MiB  0.2 %  60 % layer-wise collectives
   4  filter=8         433 ms   4.10  ████▒▒▒▒▒▒▒▒▒▒▒▒    4.51 MiB  0.4 %  78 % layer-wise collectives
  
   █ compute  ▒ communication
  
   best        data=4,filter=2: filter inside a node, data across nodes
   margin      1.03× over data=8, under ideal assumptions
   proved      4 plans: 4 evaluated; no plan is better
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
  $ paradl search tiny --hw toy --gpus 2 --ideal --goal memory --keep 1 | grep -E '^ +[0-9#]|margin'
   #  strategy    epoch  ×best  phases                            memory/GPU         limited by
   1  spatial=2  391 ms   1.00  ███████████████████████████████▒     585 KiB  0.1 %  97 % compute

Several numbers of GPUs are compared by what a sample takes:

  $ paradl search tiny --hw toy --ideal --strategies data,data+filter --keep 3 | space
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  GPUs  strategy          epoch  ×best  phases        memory/GPU         limited by
   1     8  data=4,filter=2  106 ms   1.00  ██████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
   2     8  data=8           109 ms   1.03  ██████████▒▒     585 KiB  0.1 %  13 % gradient exchange
   3     4  data=4           202 ms   1.91  ██████████▒      585 KiB  0.1 %  6.5 % gradient exchange
  
   █ compute  ▒ communication
  
   best        8 GPUs in 4 nodes, data=4,filter=2: filter inside a node, data across nodes
   margin      1.03× over 8 GPUs in 4 nodes, data=8, under ideal assumptions
   proved      SPACE; no plan is better
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   details     paradl estimate tiny --hw toy --ideal -s data=4,filter=2 --batch 64
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      none: PyTorch has no filter axis; nearest: data

What is traded, and maps:

  $ paradl search tiny --hw toy --gpus 8 --ideal --pareto time,memory --keep 1 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  phases            memory/GPU         limited by
   1  data=4,channel=2  106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl search tiny --hw toy --gpus 8 --ideal --map data,filter --keep 1 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  phases            memory/GPU         limited by
   1  data=4,channel=2  106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
  
   █ compute  ▒ communication

A job: its time and cost, the cheapest in time, the fastest for the money.

  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' --keep 2 -q
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  GPUs  strategy     time        cost  ×best  phases            memory/GPU         limited by
   1     2  data=2     16.4 h  32,868 EUR   1.00  ███████████████▒     585 KiB  0.1 %  100 % compute
   2     2  spatial=2  17.0 h  33,907 EUR   1.03  ███████████████▒     585 KiB  0.1 %  97 % compute
  
   █ compute  ▒ communication
  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' | space | grep proved
  $ paradl search tiny --hw toy --ideal --samples 1G --budget 36k --keep 2 -q
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  GPUs  strategy            time        cost  ×best  phases    memory/GPU  limited by
   1     8  data=4,channel=2  4.58 h  36,648 EUR   1.00  ███████▒    1.13 MiB  6.0 % gradient exchange
   2     8  data=4,filter=2   4.58 h  36,648 EUR   1.00  ███████▒    1.13 MiB  6.0 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl search tiny --hw toy --ideal --samples 1G --deadline '1 d' --fewest | grep -E 'fewest|job|best'
   #  strategy    time        cost  ×best  phases                    memory/GPU         limited by
   best        serial
   fewest      1 GPU in 1 node, the least that was asked about
   job         1.00 G samples take 1.37 d and cost 65,571 EUR; the deadline is 1.00 d
  $ paradl search tiny --hw toy --gpus 4 --ideal --fewest | grep fewest
   fewest      4 GPUs in 2 nodes, the least that was asked about

The numbers of GPUs that --fewest tries: powers of two in a node, then nodes.

  $ paradl search megatron-1t --hw dgx-a100-superpod --batch 512 --with recompute=full --fewest -v 2>&1 |
  >     sed -n 's/^paradl: \([0-9]*\) GPU.* plans.*/\1/p' | tr '\n' ' '; echo
  1 2 4 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 

What cannot be done says why:

  $ paradl search tiny --hw toy --ideal --samples 1T --deadline '1 h' | space
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  GPUs  strategy    time            cost  ×best  phases    memory/GPU  limited by
   1     2  data=2     685 d  32,868,292 EUR   1.00  ███████      585 KiB  100 % compute
   2     2  spatial=2  706 d  33,907,181 EUR   1.03  ███████▒     585 KiB  97 % compute
   3     2  channel=2  718 d  34,463,854 EUR   1.05  ███████▒    1.13 MiB  95 % compute
   4     2  filter=2   718 d  34,463,854 EUR   1.05  ███████▒    1.13 MiB  95 % compute
   5     4  data=4     365 d  35,070,792 EUR   1.07  ███████▒     585 KiB  6.5 % gradient exchange
  
   █ compute  ▒ communication
  
   best        2 GPUs in 1 node, data=2
   margin      1.03× over 2 GPUs in 1 node, spatial=2, under ideal assumptions
   proved      SPACE; no plan is better
   job         1.00 T samples take 685 d and cost 32,868,292 EUR; the deadline is 1.00 h
   next        a faster device or a lower precision
   details     paradl estimate tiny --hw toy --ideal -s data=2 --batch 16
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      a device mesh of PyTorch, and the calls that use it
     torchrun --nnodes=1 --nproc-per-node=2 train.py
   in          train.py
     mesh = init_device_mesh("cuda", (2,),
         mesh_dim_names=("dp",))
     replicate(model, device_mesh=mesh["dp"])
     samples, accumulate = 8, 1
  $ paradl search tiny --hw toy --gpus 8 --strategies pipeline --ideal > none
  paradl: no plan for 8 GPUs can run
  [1]

Nothing that advise finds is better, and nothing is proved away that evaluating every plan finds:

  $ cat > compare.py <<'EOF'
  > import json, sys
  > advice, search, all_plans = (json.load(open(name)) for name in ("advice", "search", "all"))
  > throughput = search["goal"] == "throughput"
  > def value(document):
  >     best = document["results"][0]
  >     return 1 / best["inference"]["largest_batch_samples_per_s"] if throughput else best["iteration_s"]
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
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 32
  True True True True
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 64 --inference
  True True True True
  $ compare llama3-8b --hw dgx-h100-superpod --gpus 8 --batch 64 --inference --goal throughput
  True True True True

Batches of answers are tried where none is given, and limits hold:

  $ paradl search llama3-8b --hw dgx-h100-superpod --gpus 8 --inference --goal throughput --token-latency '10 ms' --json > limited
  $ schema < limited
  paradl-search-1
  $ python3 -c 'import json; print(all(row["feasible"] and row["inference"]["token_s"] <= 0.01 for row in json.load(open("limited"))["results"]))'
  True

Programs read it:

  $ paradl search tiny --hw toy --json | schema
  paradl-search-1
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --json > document; schema < document
  paradl-search-1
  $ paradl search tiny --hw toy --gpus 8 --strategies pipeline --json 2>&- | schema
  paradl-search-1
  $ paradl search tiny --hw toy --samples 1G --deadline '1 d' --fewest --json | schema
  paradl-search-1
  $ paradl search resnet50 --hw abci --gpus 16,64 --goal cost --json | schema
  paradl-search-1
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --jsonl > rows
  $ paradl search tiny --hw toy --gpus 8 --pareto time,cost --map data,spatial --samples 1G --csv > table
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

What it does not know how to do:

  $ paradl search tiny --hw toy --gpus 0
  paradl: --gpus must be at least 1, is 0
  [2]
  $ paradl search tiny --hw toy --gpus 16
  paradl: --gpus 16 is more than Toy has: 8 GPUs
  [2]
  $ paradl search tiny --hw toy --pareto time,memry
  paradl: --pareto knows no 'memry'; did you mean 'memory'?
  [2]
  $ paradl search tiny --hw toy --pareto time,speed
  paradl: --pareto knows no 'speed'
    hint: time, memory, cost, energy, throughput are possible
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
  $ paradl search tiny --hw toy --vary ordr
  $ paradl search tiny --hw toy --exhaustive --gap 1%
  paradl: only one of --exhaustive and --gap is possible
  [2]
  $ paradl search tiny --hw toy --gap 2
  paradl: --gap must be from 0 to 1, is 2
    hint: did you mean --gap 2%?
  [2]
  $ paradl search tiny --hw toy --latency '1 s'
  paradl: --latency is of answers: it needs --inference
  [2]
  $ paradl search tiny --hw toy --inference --deadline '1 s'
  paradl: --deadline is of training, not of --inference
    hint: --latency and --token-latency limit answers
  [2]
  $ paradl search tiny --hw toy --tokens 1G
  paradl: --tokens: Tiny takes no tokens; write --samples N
  [2]
  $ paradl search tiny --hw toy --samples 1G --tokens 1G
  paradl: only one of --tokens and --samples is possible
  [2]
  $ paradl search tiny --hw toy --deadline 30
  paradl: --deadline needs a unit: write "1.5 us", "20 ms" or "3 h"
  [2]
  $ paradl search llama2-7b --hw dgx-a100-superpod --gpus 64 --batch 256 --deadline '3 d'
  paradl: warning: DGX A100 SuperPOD has no price: cost is GPU time
  Llama-2-7B on DGX A100 SuperPOD: 64 GPUs in 8 nodes, global batch 256, bf16-mixed, 80.0 GiB/GPU
  6.74 G parameters, 62.9 Tflop/sample
  
   #  strategy                             time  cost  ×best  phases    memory/GPU        limited by
   1  data=64,micro=4,zero=3             82.1 d     -   1.00  ████████    75.0 GiB  94 %  99 % compute
   2  data=32,context=2,micro=8,zero=3   82.1 d     -   1.00  ████████    76.4 GiB  95 %  99 % compute
   3  data=16,context=4,micro=16,zero=3  82.5 d     -   1.00  ███████▸    76.4 GiB  95 %  98 % compute
   4  data=16,context=2,tensor=2,        85.4 d     -   1.04  ███████▸    75.9 GiB  95 %  95 % compute
        micro=16,zero=3,sequence=on
   5  data=8,context=4,tensor=2,         85.8 d     -   1.05  ███████▸    75.9 GiB  95 %  94 % compute
        micro=32,zero=3,sequence=on
  
   █ compute  ▒ communication
  
   best        data=64,micro=4,zero=3
   margin      1.00× over data=32,context=2,micro=8,zero=3; the likely error is ±20 %
   proved      1,502 plans: 1,502 evaluated; no plan is better
   job         488 M samples take 82.1 d; the deadline is 3.00 d
   next        a faster device or a lower precision
   details     paradl estimate llama2-7b --hw dgx-a100-superpod -s data=64,micro=4,zero=3 --batch 256
   assumed     half of the backward pass hides gradient exchange
               host and call costs are typical values, not fitted to this machine
               guessed in DGX A100 SuperPOD: levels, network, network/links/switch/latency, power/pue
               reading and preparing input is not modelled
   launch      a device mesh of PyTorch, and the calls that use it
     torchrun --nnodes=8 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
         train.py
   in          train.py
     mesh = init_device_mesh("cuda", (64,),
         mesh_dim_names=("dp",))
     options = dict(mesh=mesh["dp"], reshard_after_forward=True)
     options["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
     for block in blocks: fully_shard(block, **options)
     fully_shard(model, **options)
     samples, accumulate = 4, 1
  $ paradl search tiny --hw toy --batch 8 --per-gpu 1
  paradl: only one of --batch and --per-gpu is possible
  [2]
  $ paradl search 2>&1 | cut -d , -f 1
  paradl: search needs a MODEL: a file
  $ paradl search tiny 2>&1 | cut -d , -f 1
  paradl: search needs --hw HW: a file
