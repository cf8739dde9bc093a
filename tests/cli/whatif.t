Estimates with something changed.

  $ . "$TESTDIR/setup.sh"

Every input with less and more of it, what matters most first; the same with a factor of one's own.

  $ paradl whatif resnet50 --hw abci -s data=64
  ResNet-50 on ABCI (V100): data=64 on 64 GPUs in 16 nodes, global batch 4,096, fp32, 16.0 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
   input                   -20 %    +20 %
   number of GPUs        +25.5 %  -16.9 %  ████████████████████████
   GPU throughput        +17.3 %  -11.5 %  ████████████████▎
   GPU memory bandwidth   +7.7 %   -5.2 %  ███████▎
   batch per GPU         +0.09 %  -0.06 %  ▏
  
   change      of the time of an epoch, now 58.3 s, by each input alone
   no effect   cores for input, host time, latency of links, kernel launches, GPU memory capacity,
               bandwidth between nodes, bandwidth inside a node, oversubscription, power, prices,
               storage bandwidth
   assumed     half of the backward pass hides gradient exchange
               host and call costs are typical values, not fitted to this machine
               guessed in ABCI (V100): levels/1/latency, levels/2/latency, levels/3/latency,
               power/pue, storage/local/open, storage/shared/write, storage/shared/open
               guessed in V100-SXM2-16GB: convolution/volume_passes, contraction/efficiency,
               contraction/launch, power/idle, link/start_log, convolution/group_tile
  $ paradl whatif resnet50 --hw abci -s data=64 --perturb 10% -q --ascii | head -4
   input                             -10 %    +10 %
   number of GPUs (x0.906, x1.09)  +10.3 %   -8.6 %  ########################
   GPU throughput                   +7.7 %   -6.3 %  #################
   GPU memory bandwidth             +3.4 %   -2.8 %  #######
  $ paradl whatif resnet50 --hw abci -s data=64 --csv | cut -d, -f1,2,4
  input,low_times,high_times
  gpus,0.796875,1.203125
  gpu,0.8,1.2
  memory-rate,0.8,1.2
  batch,0.796875,1.203125
  cores,0.8,1.2
  host,0.8,1.2
  latency,0.8,1.2
  launch,0.8,1.2
  memory,0.8,1.2
  network-bandwidth,0.8,1.2
  node-bandwidth,0.8,1.2
  oversubscription,0.8,1.2
  power,0.8,1.2
  price,0.8,1.2
  storage,0.8,1.2
  $ paradl whatif resnet50 --hw abci -s data=64 --goal cost -q | head -3
   input                   -20 %    +20 %
   prices                -20.0 %  +20.0 %  ████████████████████████
   GPU throughput        +17.3 %  -11.5 %  █████████████████▎

Best plans are looked for again.

  $ paradl whatif alexnet --hw abci --best --gpus 8 --perturb 50% -q
   input                      -50 %    +50 %                            other best plan
   number of GPUs                ×2  -33.3 %  ████████████████████████
   cores for input               ×2  -28.6 %  ███████████████████████▏  - data=2,spatial=2x2
   batch per GPU            +10.8 %        0  ██
   bandwidth between nodes   +6.6 %        0  █▏

  $ paradl whatif gpt2-xl --hw dgx-h100-superpod --best --gpus 16 --batch 64 --perturb 60% -q
   input                          -60 %    +60 %                            other best plan
   number of GPUs (×0.5, ×1.5)  +79.7 %  -20.5 %  ████████████████████████
   GPU throughput               +70.6 %  -17.6 %  █████████████████████▏
   GPU memory bandwidth         +55.3 %  -13.8 %  ████████████████▌
   sequence length              +28.0 %        -  ██████▊
   batch per GPU (×0.5, ×1.5)   +21.0 %   -7.1 %  ██████▊                   - data=16,micro=2,zero=1,…
   bandwidth between nodes       +8.6 %   -0.6 %  ██▎
   bandwidth inside a node       +7.0 %        0  █▋
   kernel launches               -0.6 %   +0.6 %  ▎
   host time                    -0.03 %   +0.2 %

What an input alone has to be multiplied with.

  $ paradl whatif resnet50 --hw abci -s data=64 --target 'epoch=70 s' | head -18
  ResNet-50 on ABCI (V100): data=64 on 64 GPUs in 16 nodes, global batch 4,096, fp32, 16.0 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
   input alone              takes                 then limited by
   number of GPUs           ×0.828: 53 GPUs       compute
   GPU throughput           ×0.775                compute
   GPU memory bandwidth     ×0.607                compute
   batch per GPU            ×0.25: 1,024 samples  waiting for the slowest node
   bandwidth between nodes  ×0.178                gradient exchange
   cores for input          ×0.138                preparation by the cores of a node
   host time                ×21.3                 starting kernels
   bandwidth inside a node  ×0.0347               gradient exchange
   latency of links         ×91.4                 gradient exchange
   kernel launches          ×351                  compute
  
   target      epoch of 1.17 min; it is 58.3 s
   answer      it is met already; number of GPUs ×0.828: 53 GPUs would do
   no effect   GPU memory capacity, oversubscription, power, prices, storage bandwidth
  $ paradl whatif resnet50 --hw abci -s data=64 --target deadline='1.2 h' --epochs 90 --csv | cut -d, -f1,2
  input,reached
  gpus,true
  gpu,true
  memory-rate,true
  batch,false
  cores,false
  host,false
  latency,false
  launch,false
  memory,false
  network-bandwidth,false
  node-bandwidth,false
  oversubscription,false
  power,false
  price,false
  storage,false
  $ paradl whatif resnet50 --hw abci -s data=64 --target epoch=1ms -q >/dev/null
  [1]
  $ paradl whatif resnet50 --hw abci -s data=64 --target epoch=1ms | grep answer
   answer      no single input reaches 1.00 ms: number of GPUs alone stops at 1.38 s

A factor that was found is one for --set.

  $ paradl whatif resnet50 --hw abci -s data=64 --target 'epoch=70 s' --json > target.json
  $ times=$(python3 -c 'import json, sys; print(*[x["times"] for x in json.load(sys.stdin)["target"]["inputs"] if x["input"] == "gpu"])' < target.json)
  $ paradl estimate resnet50 --hw abci -s data=64 --set "device.peak.*=x$times" --json | python3 -c 'import json, sys; print(round(json.load(sys.stdin)["results"][0]["epoch_s"] * 1e6))'
  70000000

Before and after.

  $ paradl whatif resnet50 --hw abci -s data=64 --set 'hw.levels.*.bandwidth=x2' | head -18
  ResNet-50 on ABCI (V100): data=64 on 64 GPUs in 16 nodes, global batch 4,096, fp32, 16.0 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
   phase, per iteration           before            after   change
   forward                       64.9 ms          64.9 ms        0
   backward                       121 ms           121 ms        0
   weight update                  656 us           656 us        0
   gradient exchange             31.3 ms          24.1 ms  -23.0 %
   iteration                      186 ms           186 ms        0
   epoch                          58.3 s           58.3 s        0
   memory                       6.41 GiB         6.41 GiB
   limited by            compute (100 %)  compute (100 %)
  
   answer      58.3 s per epoch, as before
   cost        68.41 JPY per epoch before, 68.41 JPY after (rent)
   assumed     changed: hw.levels.*.bandwidth=x2
               half of the backward pass hides gradient exchange
               host and call costs are typical values, not fitted to this machine
  $ paradl whatif resnet50 --hw abci -s data=64 --upgrade dgx-h100-superpod | head -18
  ResNet-50 on ABCI (V100): data=64 on 64 GPUs in 16 nodes, global batch 4,096, fp32, 16.0 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
   phase, per iteration      ABCI (V100)  DGX H100 SuperPOD   change
   forward                       64.9 ms            20.2 ms  -68.9 %
   backward                       121 ms            37.8 ms  -68.7 %
   weight update                  656 us             172 us  -73.8 %
   gradient exchange             31.3 ms            5.86 ms  -81.2 %
   iteration                      186 ms            58.2 ms  -68.8 %
   epoch                          58.3 s             18.2 s  -68.8 %
   memory                       6.41 GiB           6.41 GiB
   limited by            compute (100 %)    compute (100 %)
  
   answer      18.2 s per epoch instead of 58.3 s per epoch: 3.2× as fast
   cost        68.41 JPY per epoch before, 1.99 USD after (rent)
   as many     20 GPUs of DGX H100 SuperPOD take no longer for a sample than 64 of ABCI (V100)
               (data=20)
   assumed     half of the backward pass hides gradient exchange
  $ paradl whatif resnet50 --hw abci --best --gpus 16 --set device.memory=x0.1 | tail -12
   limited by            compute (100 %)     compute (100 %)
  
   answer      3.89 min per epoch, as before
   best        none: no plan runs on 16 GPUs
   cost        68.41 JPY per epoch before, 68.41 JPY after (rent)
   assumed     changed: device.memory=x0.1
               half of the backward pass hides gradient exchange
               host and call costs are typical values, not fitted to this machine
               guessed in ABCI (V100): levels/1/latency, levels/2/latency, levels/3/latency,
               power/pue, storage/local/open, storage/shared/write, storage/shared/open
               guessed in V100-SXM2-16GB: convolution/volume_passes, contraction/efficiency,
               contraction/launch, power/idle, link/start_log, convolution/group_tile

Of answers: the time to the first token, and of each after it, as people who serve have targets. What is found solves back.

  $ SERVED="llama3-8b --hw dgx-h100-superpod -s tensor=2 --inference --rate 5/s"
  $ paradl whatif $SERVED --target tpot=4ms -q
   input alone              takes             then limited by
   GPU memory bandwidth     ×1.5              reading weights and caches
   kernel launches          stops at 4.22 ms  reading weights and caches
   sequence length          stops at 4.32 ms  stages that wait for one another
   GPU throughput           stops at 4.41 ms  reading weights and caches
   number of GPUs           stops at 4.78 ms  reading weights and caches
   latency of links         stops at 4.90 ms  reading weights and caches
   bandwidth inside a node  stops at 4.92 ms  reading weights and caches
   GPU memory capacity      stops at 4.99 ms  memory: it does not fit
  $ paradl whatif $SERVED --target ttft='80 ms' | grep -E '^ (target|answer)'
   target      ttft of 80.0 ms; it is 93.1 ms
   answer      sequence length ×0.0457 would do; GPU throughput alone stops at 82.6 ms
  $ for one in ttft=0.09 tpot=0.004; do
  >   times=$(paradl whatif $SERVED --target "${one}s" --json | python3 -c 'import json, sys; print([i["times"] for i in json.load(sys.stdin)["target"]["inputs"] if i["input"] == "memory-rate"][0])')
  >   paradl estimate $SERVED --set device.memory_rate=x$times --json | python3 -c 'import json, sys; got = json.load(sys.stdin)["results"][0]["inference"]; print("%.6f %.6f" % (got["prompts_s"], got["token_s"]))'
  > done
  0.090000 0.003462
  0.091149 0.004000
  $ paradl whatif resnet50 --hw abci -s data=4 --target tpot=5ms
  paradl: there is no tpot to have a target: it is of answers to prompts, --inference of a network that generates tokens
  [2]
  $ paradl whatif resnet50 --hw abci -s data=4 --target token=5ms
  paradl: --target token=5ms is not one
    hint: epoch='30 s', iteration=, deadline=, memory=, cost=, energy=, ttft= and tpot= are possible
  [2]

A picture of the tornado.

  $ paradl whatif resnet50 --hw abci -s data=64 --plot=what.gp -q | wc -l
  5
  $ grep -c 'GPU throughput' what.dat
  1
  $ paradl whatif resnet50 --hw abci -s data=64 --target epoch=70s --plot=what.gp
  paradl: --plot draws what --perturb says, not --target or --upgrade
  [2]

It has the inputs of the table, and no row of zeros for one that has no effect in print.

  $ paradl whatif llama2-7b --hw dgx-h100-superpod -s data=64,micro=2,zero=1 --plot=seen.gp -q > seen.txt; grep -c '%' seen.txt
  9
  $ grep -c '^"' seen.dat
  8
  $ cut -f1,6,10 seen.dat | grep -E 'launches|host time'
  "kernel launches"	"−0.03 %"	"+0.03 %"
  $ paradl whatif llama2-7b --hw dgx-h100-superpod -s data=64,micro=2,zero=1 | grep -o 'no effect   host time'
  no effect   host time

Documents hold their schema.

  $ paradl whatif resnet50 --hw abci -s data=64 --json | schema
  paradl-whatif-1
  $ schema < target.json
  paradl-whatif-1
  $ paradl whatif resnet50 --hw abci -s data=64 --upgrade laptop --json | schema
  paradl-whatif-1
  $ paradl whatif resnet50 --hw abci --best --gpus 4 --set device.memory_rate=x2 --json | schema
  paradl-whatif-1
  $ paradl whatif resnet50 --hw abci -s data=64 --jsonl | wc -l
  15

What is guessed of either machine is said:

  $ paradl whatif resnet50 --hw abci -s data=64 --upgrade dgx-h100-superpod | grep -o 'guessed in [^:]*'
  guessed in ABCI (V100)
  guessed in V100-SXM2-16GB
  guessed in DGX H100 SuperPOD
  guessed in H100-SXM5-80GB

Questions that are not ones.

  $ paradl whatif resnet50 --hw abci
  paradl: whatif needs -s PLAN, such as data=64, or --best
    hint: 'paradl whatif -h' shows the usual options and examples
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --best
  paradl: only one of -s and --best is possible
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --perturb 20% --upgrade laptop
  paradl: only one of --perturb, --target and --upgrade is possible
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --target speed=2
  paradl: --target speed=2 is not one
    hint: epoch='30 s', iteration=, deadline=, memory=, cost=, energy=, ttft= and tpot= are possible
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --target energy=5
  paradl: --target energy=5: write J, kJ, MJ, GJ, kWh or MWh, as in '5 kWh'
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --target deadline='3 d'
  paradl: --target deadline= needs --tokens N, --samples N or --epochs N: of how much
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --target epoch=30
  paradl: epoch needs a unit: write "1.5 us", "20 ms", "30 min", "3 h" or "30 d"
  [2]
  $ paradl whatif resnet50 --hw abci -s data=8192
  paradl: data=8192 needs 8192 GPUs, more than ABCI (V100) has: 4352
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --tokens 1G
  paradl: --tokens needs --target deadline=TIME: other answers are about an epoch or an iteration
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --plan-options zero=1
  paradl: --plan-options needs --best: a plan (-s) says itself what it is
  [2]
  $ paradl whatif resnet50 --hw abci -s data=64 --strategies data
  paradl: --strategies needs --best: a plan (-s) says itself what it is
  [2]

A plan that no longer has memory is marked, in text and in pictures:

  $ paradl whatif llama2-7b --hw dgx-h100-superpod -s data=64,micro=2,zero=1 | grep -E '^ (sequence|!)'
   sequence length                      0  +2.3 % !  █▎
   !           needs more memory than a GPU has
  $ paradl whatif llama2-7b --hw dgx-h100-superpod -s data=64,micro=2,zero=1 -o tornado.svg && grep -o '[^>]*does not fit' tornado.svg
  +2.3 %, does not fit

Whole numbers that a small change leaves as they are were not varied, which is another thing than no effect:

  $ paradl whatif llama3-70b --hw dgx-h100-superpod --best --gpus 1024 | grep -E '^ no(t varied| effect)'
   no effect   host time, cores for input, power, prices, storage bandwidth
   not varied  batch per GPU: no other whole number is so near (--perturb)
  $ paradl whatif llama3-70b --hw dgx-h100-superpod --best --gpus 1024 --perturb 60% | grep -cE '^ not varied'
  0
  [1]

A deadline of so many tokens or samples; the older spelling is a number of days:

  $ paradl whatif gpt2-xl --hw dgx-h100-superpod -s data=64 --target deadline='12 h' --tokens 10G | grep -A1 'of steps alone'
               the deadline is of steps alone: with --deadline estimate and search reckon with
               checkpoints and failures, too

  $ paradl whatif gpt2-xl --hw dgx-h100-superpod -s data=64 --target deadline='12 h' --tokens 10G -q --csv | head -n 2
  input,reached,times,value,gpus,batch,fits,text
  gpus,true,0.109375,43182.766426203016,7,56,true,number of GPUs
  $ paradl whatif resnet50 --hw abci -s data=64 --target deadline='1 h' --samples 100M -q --csv | head -n 2
  input,reached,times,value,gpus,batch,fits,text
  gpus,true,1.265625,46.067333287652545,81,5184,true,number of GPUs
  $ paradl whatif resnet50 --hw abci -s data=64 --target days=0.05 --epochs 90 -q --csv > before
  $ paradl whatif resnet50 --hw abci -s data=64 --target deadline='1.2 h' --epochs 90 -q --csv | cmp - before

Answers instead of training, and a sequence of another length before and after:

  $ paradl whatif llama2-7b --hw dgx-a100-superpod -s tensor=2 --inference --output-tokens 64 -q
   input                      -20 %   +20 %
   GPU memory bandwidth     +11.3 %  -7.4 %  ████████████████████████
   GPU throughput            +5.2 %  -3.2 %  ██████████▉
   kernel launches           -1.9 %  +1.9 %  ████▊
   bandwidth inside a node   +0.1 %       0  ▏
  $ paradl whatif llama2-7b --hw dgx-a100-superpod -s tensor=2 --set model.dims.seq=8192 -q
   phase, per iteration             before              after   change
   forward                        2.81 min           6.28 min    ×2.24
   backward                       5.52 min           12.9 min    ×2.33
   weight update                   79.7 ms            79.7 ms        0
   activation exchange              25.1 s             48.7 s  +94.0 %
   iteration                      8.75 min           20.0 min    ×2.28
   epoch                            2898 d             3308 d  +14.1 %
   memory                102 GiB: too much  145 GiB: too much
   limited by               compute (95 %)     compute (96 %)

The length of --seq is that of both sides, of another machine, too; a change of it multiplies it:

  $ ask="llama2-7b --hw dgx-h100-superpod -s data=64,micro=1,zero=1 --batch 128 --seq 8Ki -q --csv"
  $ paradl whatif $ask --upgrade dgx-h100-superpod | grep -E '^(phase|iteration)'
  phase,before_s,after_s,best_s
  iteration,1.745000595871314,1.745000595871314,
  $ paradl whatif $ask --set hw.levels.1.bandwidth=x2 | grep '^iteration'
  iteration,1.745000595871314,1.745000595871314,
  $ paradl whatif $ask --set model.dims.seq=x0.5 | grep '^iteration'
  iteration,1.745000595871314,0.8401114235427639,
  $ paradl whatif llama2-7b --hw dgx-h100-superpod -s data=64 --batch 128 --set model.layers.1.freeze=true --upgrade dgx-h100-superpod -q --csv | grep '^iteration'
  iteration,0.5630078042034178,0.5630078042034178,
  $ paradl sweep llama2-7b --hw dgx-h100-superpod -s data=8 --seq 4096 --vary seq=8192,16384
  paradl: only one of --seq and --vary seq= is possible
  [2]

A batch that is changed is that of the plan afterwards only:

  $ paradl whatif resnet50 --hw abci -s data=64 --set model.training.batch=8192 --no-input --csv -q | grep '^iteration'
  iteration,0.1864027529300948,0.37214935612976596,
