A plan for each layer.

  $ . "$TESTDIR/setup.sh"
  $ plan() { printf '{ "format": "paradl-plan", "version": 1, "model": "%s", "gpus": 8, "batch": 64, "parts": [\n%s\n] }\n' "$1" "$2"; }
  $ plan Tiny '{ "from": "conv1", "to": "pool", "plan": "data=2,spatial=2x2" },
  > { "from": "fc", "to": "fc", "plan": "data=8" }' > plan.json

A file of parts is a plan:

  $ paradl check plan.json
  plan.json: paradl-plan, nothing found
  $ paradl estimate tiny --hw toy -s plan.json
  Tiny on Toy: 2 plans for 2 parts (plan.json) on 8 GPUs in 4 nodes, global batch 64, fp32,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   phase                per iteration  per epoch  share  formula
   forward                     359 us    35.9 ms   22 %
   backward                    597 us    59.7 ms   37 %
   weight update               116 ns    11.6 us  0.0 %
   gradient exchange           143 us    14.3 ms  8.8 %
   activation exchange         428 us    42.8 ms   26 %
   halo exchange               101 us    10.1 ms  6.2 %
   total                      1.63 ms     163 ms         100 iterations, 39,311 samples/s
  
   layers         count  plan                compute  exchange  gradients  together   memory
   conv1 to pool      3  data=2,spatial=2x2   956 us    518 us    74.2 us   1.55 ms  100 KiB
   fc                 1  data=8               404 ns         -    68.6 us   69.0 us    360 B
  
   dealt out again  among GPUs  forward  bytes/GPU  backward  bytes/GPU
   pool to fc                4        -        0 B   11.0 us      768 B
  
   speed       4,914 samples/s/GPU (39,311/s of all), 5.80 Gflop/s/GPU, MFU 58 %
   memory      362 KiB of 1.00 GiB/GPU (0.0 %): weights 3.79 KiB, gradients 3.79 KiB, activations 354
               KiB, communication 256 B
   gradients   allreduce-ring
   power       2.20 kW: GPUs 1.80 kW (compute 1.16 kW, memory 11.7 W, exchange 231 W, idle 400 W),
               hosts 400 W
   energy      359 J an epoch, 0.056 J a sample
   cost        0.362 EUR an epoch, 8,000 EUR an hour (rent)
   limited by  activation exchange, 26 % of the iteration (a limitation: inherent)
   next        keep axes that cut layers inside a node, or lower their degrees
   error       ±30 % with toy holds nine of ten measured times: this program was never compared with
               measured runs; the kernels of this device were not measured
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
               input is not modelled: the data set has no sample_size
  $ paradl estimate tiny --hw toy -s plan.json --explain -q
  Tiny on Toy: 2 plans for 2 parts (plan.json) on 8 GPUs in 4 nodes, global batch 64, fp32,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   why layers differ
     conv1 to pool: 1.55 ms as data=2,spatial=2x2; 1.02 ms as data=8
     fc: 69.0 us as data=8; 8.52 us as data=2,spatial=2x2
  $ paradl estimate tiny --hw toy -s plan.json --batch 32 --memory -q
  Tiny on Toy: 2 plans for 2 parts (plan.json) on 8 GPUs in 4 nodes, global batch 32, fp32,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   peak memory per GPU     bytes  share  what
   weights              3.79 KiB  0.0 %  of its shard
   gradients            3.79 KiB  0.0 %  one per weight, and buffers of the exchange
   optimizer                 0 B    0 %  states kept per weight
   activations           177 KiB  0.0 %  kept from forward to backward
   workspace                 0 B    0 %  buffers and libraries
   total                 185 KiB  0.0 %
   capacity             1.00 GiB
  $ paradl estimate tiny --hw toy -s plan.json --layers --csv | cut -d , -f 1-4
  from,to,layers,stage
  conv1,pool,3,1
  fc,fc,1,1
  $ paradl estimate tiny --hw toy -s plan.json --csv | cut -d , -f 6
  strategy
  plan.json
  $ paradl estimate tiny --hw toy -s plan.json --explain --json | schema
  paradl-estimate-2
  $ paradl estimate tiny --hw toy -s plan.json --jsonl | grep -o '"strategy":"[^"]*"'
  "strategy":"plan.json"

One that says the same for every layer takes what that plan takes:

  $ plan Tiny '{ "from": "conv1", "to": "fc", "plan": "data=8" }' > same.json
  $ paradl estimate tiny --hw toy -s same.json | grep -e ' total' -e memory
   total                    1.02 ms     102 ms         100 iterations, 62,444 samples/s
   layers       count  plan    compute  exchange  gradients  together   memory
   memory      232 KiB of 1.00 GiB/GPU (0.0 %): weights 3.79 KiB, gradients 3.79 KiB, activations 224
   power       2.69 kW: GPUs 2.29 kW (compute 1.84 kW, memory 9.42 W, exchange 40.9 W, idle 400 W),
               guessed in toy: memory, memory_rate, peak, contraction, power
  $ paradl estimate tiny --hw toy -s data=8 --batch 64 | grep -e ' total' -e memory
   weight update             116 ns    11.6 us  0.0 %  weights bytes per weight / memory rate
   total                    1.02 ms     102 ms         100 iterations, 62,444 samples/s
   memory      232 KiB of 1.00 GiB/GPU (0.0 %): weights 3.79 KiB, gradients 3.79 KiB, activations 224
   power       2.69 kW: GPUs 2.29 kW (compute 1.84 kW, memory 9.42 W, exchange 40.9 W, idle 400 W),
               guessed in toy: memory, memory_rate, peak, contraction, power

Mistakes are located:

  $ plan Tiny '{ "from": "conv1", "to": "conv2", "plan": "data=8" }' > short.json
  $ paradl estimate tiny --hw toy -s short.json
  short.json:1:92: /parts: no part has the 2 layers from "pool" to the end, "fc"
      1 | { "format": "paradl-plan", "version": 1, "model": "Tiny", "gpus": 8, "batch": 64, "parts": [
        |                                                                                            ^
    hint: end the last part with "to": "fc", or write one more
  [3]
  $ plan Tiny '{ "from": "conv1", "to": "conv3", "plan": "data=8" }' > unknown.json
  $ paradl estimate tiny --hw toy -s unknown.json
  unknown.json:2:26: /parts/0/to: Tiny has no layer "conv3"; did you mean "conv1"?
      2 | { "from": "conv1", "to": "conv3", "plan": "data=8" }
        |                          ^
    hint: "paradl list" of the model shows its layers in their order
  [3]
  $ plan Tinny '{ "from": "conv1", "to": "fc", "plan": "data=8" }' > other.json
  $ paradl estimate tiny --hw toy -s other.json
  other.json:1:51: /model: is a plan for "Tinny", not for Tiny
  [3]
  $ plan Tiny '{ "from": "conv1", "to": "fc", "plan": "data=4" }' > few.json
  $ paradl check few.json
  few.json:2:40: /parts/0/plan: is for 4 GPUs, but the file is for 8
      2 | { "from": "conv1", "to": "fc", "plan": "data=4" }
        |                                        ^
    hint: the degrees of a part's plan multiply to the GPUs of its stage
  [3]
  $ sed 's/"gpus": 8/"gpus": 800/; s/data=8/data=800/; s/data=2,/data=200,/' plan.json > large.json
  $ paradl estimate tiny --hw toy -s large.json
  paradl: large.json is a plan for 800 GPUs, more than Toy has: 8
  [2]
  $ plan Tiny '{ "from": "conv1", "to": "conv2", "plan": "spatial=1x1x8" },
  > { "from": "pool", "to": "fc", "plan": "data=8" }' > impossible.json
  $ paradl estimate tiny --hw toy -s impossible.json
  paradl: impossible.json is not feasible: conv1 cannot be cut as spatial=1x1x8 says
  [1]
  $ paradl estimate tiny --hw toy -s impossible.json --json 2>&- | schema
  paradl-estimate-2
  $ paradl estimate tiny --hw toy -s nothing.json
  nothing.json: cannot open: No such file or directory
  [3]
  $ paradl estimate tiny --hw toy -s plan.json --inference
  paradl: -s plan.json is a plan for training, not for --inference
  [2]
  $ paradl estimate tiny --hw toy -s plan.json --ideal
  paradl: the ideal model has one plan for all layers
  [2]

The search for one writes such a file:

  $ paradl search tiny --hw toy --gpus 8 --batch 64 --per-layer --write-plan found.json
  Tiny on Toy: a plan for each layer on 8 GPUs in 4 nodes, global batch 64, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   layers       count  plan    compute  exchange  gradients  together   memory
   conv1 to fc      4  data=8   950 us         -    74.8 us   1.02 ms  100 KiB
  
   best        one plan for all layers, data=8
   proved      no choice of these 24 ways for each layer is faster
   memory      232 KiB of 1.00 GiB/GPU (0.0 %): weights 3.79 KiB, gradients 3.79 KiB, activations 224
               KiB
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   error       ±29 % with toy holds nine of ten measured times: this program was never compared with
               measured runs; the kernels of this device were not measured
   details     paradl estimate tiny --hw toy -s found.json --explain
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
               input is not modelled: the data set has no sample_size
  $ cat found.json
  {
    "format": "paradl-plan",
    "version": 1,
    "model": "Tiny",
    "gpus": 8,
    "batch": 64,
    "micro_batches": 1,
    "parts": [
      { "from": "conv1", "to": "fc", "plan": "data=8" }
    ]
  }
  $ paradl estimate tiny --hw toy -s found.json | grep -e ' total'
   total                    1.02 ms     102 ms         100 iterations, 62,444 samples/s
  $ paradl search tiny --hw toy --gpus 8 --batch 64 --per-layer --csv | cut -d , -f 1-4
  from,to,layers,stage
  conv1,fc,4,1
  $ paradl search tiny --hw toy --gpus 8 --batch 64 --per-layer --json | schema
  paradl-layers-2
  $ paradl search tiny --hw toy --gpus 8 --batch 64 --per-layer --jsonl | wc -l
  1

With one way there is one plan:

  $ paradl search tiny --hw toy --gpus 8 --batch 64 --per-layer --layer-plans 1 -q
  Tiny on Toy: a plan for each layer on 8 GPUs in 4 nodes, global batch 64, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   layers       count  plan    compute  exchange  gradients  together   memory
   conv1 to fc      4  data=8   950 us         -    74.8 us   1.02 ms  100 KiB

Networks that are shipped: images early, filters late, and blocks alike.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl search resnet50 --hw abci --gpus 64 --per-layer | grep -E '^ (layers|conv|best|gain|proved)'
   layers          count  plan     compute  exchange  gradients  together    memory
   conv1 to loss1    175  data=64   186 ms         -    17.1 ms    203 ms  5.12 GiB
   best        one plan for all layers, data=64
   proved      no choice of these 24 ways for each layer is faster
  $ paradl search gpt3-175b --hw dgx-a100-superpod --framework nccl --gpus 1024 --batch 1024 --per-layer | grep -E '^ (layers|embed|best|gain)'
   layers                  plan                                                 together  as one plan
   embed to block/12/add2  data=256,tensor=4,zero=3,recompute=full,sequence=on    3.04 s       3.04 s
   best        2 plans for 2 parts: 12.1 s per iteration
   gain        25 % faster than the best of these for all layers,
  $ paradl search cosmoflow-512 --hw abci --framework chainermn-2021 --gpus 64 --batch 4 --per-layer --plan-options gather=conv2 --write-plan cosmoflow.json | grep -E '^ (conv|act|best|gain)'
   conv1 to conv2      4  data=4,spatial=4x2x2,gather=conv2  88.6 ms   99.0 ms    188 ms       347 ms
   act2 to conv3       3  data=4,filter=16                   35.1 ms   5.08 ms   40.7 ms       7.67 s
   act3 to pool5       8  data=4,spatial=4x2x2,gather=conv2  7.56 ms         -   8.76 ms      15.1 ms
   conv6 to conv7      4  spatial=64,gather=conv2            2.42 ms         -   3.83 ms      6.49 ms
   act7 to loss1       7  channel=64                         4.21 ms         -   4.21 ms      10.2 ms
   conv2 to act2            16   139 ms   1.81 GiB         -        0 B
   best        4 plans for 5 parts: 506 ms per iteration, 385 ms on a quiet network
   gain        16 times as fast as the best of these for all layers,
  $ paradl check cosmoflow.json
  cosmoflow.json: paradl-plan, nothing found
  $ paradl estimate cosmoflow-512 --hw abci --framework chainermn-2021 -s cosmoflow.json --explain | grep -A 3 why
   why layers differ
     conv1 to conv2: 188 ms as data=4,spatial=4x2x2,gather=conv2; 1.97 s as data=4,filter=16; 7.71 s
       as spatial=64,gather=conv2; not as channel=64, which cannot run
     act2 to conv3: 40.7 ms as data=4,filter=16; 16.3 s as data=4,spatial=4x2x2,gather=conv2; 4.55

Stages of a pipeline have plans of their own, too; with the same plan everywhere they are that pipeline:

  $ stages() { printf '{ "format": "paradl-plan", "version": 1, "model": "GPT-2 XL", "gpus": 32, "batch": 128, "stages": 2,
  >   "micro_batches": 8, "parts": [\n%s\n] }\n' "$1"; }
  $ stages '{ "from": "embed", "to": "block/24/add2", "stage": 1, "plan": "data=8,tensor=2,sequence=on" },
  > { "from": "block/25/ln1", "to": "loss1", "stage": 2, "plan": "data=16" }' > stages.json
  $ paradl check stages.json
  stages.json: paradl-plan, nothing found
  $ paradl estimate gpt2-xl --hw dgx-a100-superpod --framework nccl -s stages.json | grep -E '^ (layers|stage|dealt|block|total|memory)'
   stage transfer            726 us     50.1 s  0.1 %
   total                     490 ms     9.40 h         68,970 iterations, 261 samples/s
   layers                           count  plan                         compute  exchange  together
   stage 1: embed to block/24/add2    202  data=8,tensor=2,sequence=on   306 ms   75.4 ms    405 ms
   stage 2: block/25/ln1 to loss1     187  data=16                       419 ms         -    452 ms
   dealt out again                among GPUs  forward  bytes/GPU  backward  bytes/GPU
   block/24/add2 to block/25/ln1           2   247 us   12.5 MiB    247 us   12.5 MiB
   memory      18.6 GiB of 80.0 GiB/GPU (23 %): weights 1.62 GiB, gradients 3.23 GiB, optimizer 9.70
  $ stages '{ "from": "embed", "to": "block/23/add2", "stage": 1, "plan": "data=16" },
  > { "from": "block/24/ln1", "to": "loss1", "stage": 2, "plan": "data=16" }' > even.json
  $ paradl estimate gpt2-xl --hw dgx-a100-superpod --framework nccl -s even.json | grep ' total'
   total                     509 ms     9.75 h         68,970 iterations, 252 samples/s
  $ paradl estimate gpt2-xl --hw dgx-a100-superpod --framework nccl -s pipeline=2,data=16,micro=1 --batch 128 | grep ' total'
   total                     509 ms     9.75 h         68,970 iterations, 252 samples/s
  $ sed 's/"stage": 2/"stage": 1/' stages.json > one.json
  $ paradl check one.json
  one.json:2:32: /parts: has parts of 1 of the file's 2 stages
      2 |   "micro_batches": 8, "parts": [
        |                                ^
  [3]

The search tries them where a network does not fit otherwise, or is faster so; of these nothing is proved:

  $ paradl search gpt3-175b --hw dgx-a100-superpod --framework nccl --gpus 128 --batch 512 --plan-options zero=0 --per-layer --write-plan gpt3.json > gpt3.txt
  $ grep -E '^ (layers|stage [1458]:|best|gain|proved)' gpt3.txt
   layers                                   plan                                        together
   stage 1: embed to block/5/add2           tensor=8,recompute=none,sequence=on           45.6 s
   stage 4: block/18/ln1 to block/23/add2   tensor=8,recompute=none,sequence=on           45.3 s
   stage 5: block/24/ln1 to block/29/add2   data=2,tensor=4,recompute=none,sequence=on    43.8 s
   stage 8: block/42/ln1 to block/47/add2   data=2,tensor=4,recompute=none,sequence=on    43.8 s
   best        2 plans for 16 parts: 51.6 s per iteration
   gain        1.2 % faster than the best one plan that is not interleaved,
   proved      nothing of plans with stages; without, no choice of 7 ways for each layer takes less
  $ paradl search gpt3-175b --hw dgx-a100-superpod --framework nccl --gpus 128 --batch 512 --plan-options zero=0 --per-layer --json > gpt3-layers.json
  $ schema < gpt3-layers.json
  paradl-layers-2
  $ grep -o '"gap": [^,]*' gpt3-layers.json
  "gap": null
  $ paradl check gpt3.json
  gpt3.json: paradl-plan, nothing found
  $ paradl estimate gpt3-175b --hw dgx-a100-superpod --framework nccl -s gpt3.json | grep ' total'
   total                       51.6 s      171 d         286,102 iterations, 9.93 samples/s
  $ paradl search megatron-530b --hw dgx-a100-superpod --framework nccl --gpus 560 --batch 560 --plan-options zero=0 --per-layer | grep -A 1 -E '^ (best|gain|proved|pipeline)'
   best        35 stages with one plan, data=2,tensor=8,recompute=none,sequence=on: 42.2 s per
               iteration
   proved      nothing of plans with stages; without, none was found that fits
   memory      55.6 GiB of 80.0 GiB/GPU (70 %): weights 3.84 GiB, gradients 7.68 GiB, optimizer 23.0
  $ paradl search gpt3-175b --hw dgx-a100-superpod --framework nccl --gpus 1024 --batch 1024 --plan-options zero=1 --per-layer | grep -A 1 pipeline
   pipeline    one plan for all layers is faster,
               data=32,pipeline=4,tensor=8,micro=2,zero=1,sequence=on: 15.3 s
   proved      no choice of these 10 ways for each layer is more than 1.6 % faster
Advice says where plans for each layer win:

  $ paradl advise vgg16 --hw abci --gpus 64 --per-gpu 8 --flags none --top 1 | grep -A 1 '^ layers'
   layers      with plans of their own they take 54.9 ms an iteration instead of 105 ms: paradl search
               vgg16 --hw abci --gpus 64 --batch 512 --per-layer
  $ paradl advise vgg16 --hw abci --gpus 64 --per-gpu 8 --json | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)["per_layer"]))'
  ['iteration_s', 'memory_bytes', 'parts']
  $ paradl advise vgg16 --hw abci --gpus 64 --per-gpu 8 --json | schema
  paradl-advise-2
  $ paradl advise vgg16 --hw abci --gpus 64 --goal memory --json | grep -c per_layer
  0
  [1]

Its time is that of the command which it recommends, to the last digit:

  $ both() {
  >   paradl advise "$@" --json -q | python3 -c 'import json, sys; print(json.load(sys.stdin)["per_layer"]["iteration_s"])' > offered
  >   paradl search "$@" --per-layer --json -q | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0]["iteration_s"])' | diff offered -
  > }
  $ both llama3-8b --hw dgx-h100-superpod --seq 1048576 --gpus 64 --batch 8
  $ both vgg16 --hw abci --gpus 64 --batch 512

What does not go together:

  $ export PARADL_PATH="$TESTDIR/data"
  $ paradl search tiny --hw toy --gpus 4,8 --per-layer
  paradl: --per-layer needs one number of GPUs: --gpus 64
  [2]
  $ paradl search tiny --hw toy --gpus 8 --per-layer --pareto time,memory
  paradl: --per-layer finds the fastest plan of one training step; --pareto does not go with it
  [2]
  $ paradl search tiny --hw toy --gpus 8 --per-layer --checkpoint '10 min'
  paradl: --per-layer finds the fastest plan of one training step; --checkpoint does not go with it
  [2]
  $ paradl search tiny --hw toy --gpus 8 --layer-plans 3
  paradl: --layer-plans is of a plan for each layer: it needs --per-layer
  [2]
  $ paradl search tiny --hw toy --gpus 8 --write-plan found.json
  paradl: --write-plan is of a plan for each layer: it needs --per-layer
  [2]
  $ paradl search tiny --hw toy --gpus 8 --per-layer --write-plan a.json -o a.json
  paradl: --write-plan and -o both write a.json
  [2]
  $ paradl search tiny --hw toy --gpus 8 --per-layer --write-plan missing/a.json
  missing/a.json: cannot write: No such file or directory
  [5]
