What paradl advise prints. Times are those of --ideal: the formulas of the paper's Table III fix them.

  $ . "$TESTDIR/setup.sh"
  $ most='--strategies serial,data,data+filter,data+channel,data+pipeline,filter,channel,filter+channel,pipeline'

Without --gpus: the best plan for every power of two of the machine's GPUs.

  $ paradl advise tiny --hw toy $most --ideal
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  strategy          epoch  speed-up  efficiency  memory/GPU  cost/epoch  limited by
      1  serial           755 ms      1.00       100 %     585 KiB    0.42 EUR  100 % compute
      2  data=2           379 ms      1.99       100 %     585 KiB    0.21 EUR  100 % compute
      4  data=4           202 ms      3.74        93 %     585 KiB   0.224 EUR  6.5 % gradient exchan…
      8  data=4,filter=2  106 ms      7.16        89 %    1.13 MiB   0.235 EUR  6.0 % gradient exchan…
  
   fastest     8 GPUs in 4 nodes, data=4,filter=2: 106 ms per epoch, 0.235 EUR
   cheapest    2 GPUs in 1 node, data=2: 379 ms per epoch, 0.21 EUR
   details     paradl advise tiny --hw toy --ideal --gpus 8
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled

For one number of GPUs, every family of strategies: ranked, or why not.

  $ paradl advise tiny --hw toy --gpus 8 --ideal --strategies data,data+filter,filter,pipeline
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy          epoch  ×best  samples/s   MFU  phases    memory/GPU  limited by
   1  data=4,filter=2  106 ms   1.00     60,637  89 %  ██          1.13 MiB  6.0 % gradient exchange
   2  data=8           109 ms   1.03     58,661  87 %  ██           585 KiB  13 % gradient exchange
   3  filter=8         433 ms   4.10     14,774  22 %  ██▒▒▒▒▒▒    4.51 MiB  78 % activation exchange
   █ compute  ▒ communication
  
   best        data=4,filter=2
   speed       7,580 samples/s/GPU (60,637/s of all), 8.94 Gflop/s/GPU, MFU 89 %
   why         6.0 % gradient exchange; forward and backward are 89 %
   margin      1.03× over the second, under ideal assumptions
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   assumed     2 things more (--verbose)
   more        --verbose; how to start it: --flags torchrun; the plan in depth: paradl estimate

One GPU can only be serial:

  $ paradl advise tiny --hw toy $most --gpus 1 --ideal | grep -E '^ +[0-9]|best|margin'
   #  strategy   epoch  ×best  samples/s    MFU  phases            memory/GPU         limited by
   1  serial    755 ms   1.00      8,473  100 %  ████████████████     585 KiB  0.1 %  100 % compute
   best        serial
   margin      the only feasible strategy

What is made small:

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal memory --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy            epoch  ×best  samples/s   MFU  phases    memory/GPU  limited by
   1  data=8             109 ms   1.00     58,661  87 %  ███▒         585 KiB  13 % gradient exchange
   2  data=4,pipeline=2  222 ms   1.33     28,844  43 %  █████░░░     777 KiB  32 % pipeline bubble a…
   3  data=4,filter=2    106 ms   1.98     60,637  89 %  ███▒        1.13 MiB  6.0 % gradient exchange
  
   █ compute  ▒ communication  ░ bubble
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal cost --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  cost/epoch  samples/s   MFU  phases    memory/GPU
   1  data=4,filter=2   106 ms   1.00   0.235 EUR     60,637  89 %  ███████▒    1.13 MiB  0.1 %
   2  data=4,channel=2  106 ms   1.00   0.235 EUR     60,637  89 %  ███████▒    1.13 MiB  0.1 %
   3  data=8            109 ms   1.03   0.242 EUR     58,661  87 %  ███████▒     585 KiB  0.1 %
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal energy --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  energy/epoch  samples/s   MFU  phases    memory/GPU
   1  data=4,filter=2   106 ms   1.00         280 J     60,637  89 %  ███████▒    1.13 MiB  0.1 %
   2  data=4,channel=2  106 ms   1.00         280 J     60,637  89 %  ███████▒    1.13 MiB  0.1 %
   3  data=8            109 ms   1.02         284 J     58,661  87 %  ███████▒     585 KiB  0.1 %
  
   █ compute  ▒ communication

The batch: global, per GPU, or the model's; a model that does not say is warned about.

  $ paradl advise tiny --hw toy $most --gpus 2,4 --batch 1k --ideal -q --columns gpus,batch,strategy
  Tiny on Toy: 2 to 4 GPUs, global batch 1,000, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  batch  strategy
      2  1,000  data=2
      4  1,000  data=4
  $ paradl advise tiny --hw toy $most --gpus 4..8+2 --per-gpu 3 --ideal -q --columns gpus,batch,strategy
  Tiny on Toy: 4 to 8 GPUs, 3 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  batch  strategy
      4     12  data=2,filter=2
      6     18  data=3,filter=2
      8     24  data=4,filter=2
  $ sed '/"batch_per_gpu"/s/, "batch_per_gpu": 8//' "$PARADL_PATH/models/tiny.json" > silent.json
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal -q --columns batch
  Tiny on Toy: 2 GPUs in 1 node, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   batch
      64
      64
      64
      64
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal --columns batch | sed -n 4,5p
  paradl: warning: Tiny names no batch: 32 samples a GPU are taken (--per-gpu)
   batch
      64

A batch in tokens is rounded to three binary digits of sequences; a network of text that names none takes what GPT-3 of its size took:

  $ paradl advise llama2-7b --hw dgx-a100-superpod --gpus 8 --batch '1.5M tokens' --top 1 -q | head -n 1
  Llama-2-7B on DGX A100 SuperPOD: 8 GPUs in 1 node, global batch 384, bf16-mixed, 80.0 GiB/GPU
  $ sed 's/, "batch_per_gpu": 4//' "$SOURCE/models/llama2-7b.json" > text.json
  $ paradl advise text.json --hw dgx-a100-superpod --gpus 8,24 --json | grep '"batch"' | sort -u
        "batch": 1024,
        "batch": 1032,
  $ paradl advise tiny --hw toy --gpus 8 --batch '4M tokens'
  paradl: --batch: a sample of Tiny has no tokens; write how many samples
  [2]

The short answer of a network of text, and what to ask for more:

  $ paradl advise llama2-7b --hw dgx-a100-superpod --gpus 16 --batch '1M tokens' --tokens 300B
  paradl: warning: --batch: 256 sequences of 4096 tokens are taken, 1.05 M tokens
  Llama-2-7B on DGX A100 SuperPOD: 16 GPUs in 2 nodes, global batch 256, bf16-mixed, 80.0 GiB/GPU
  6.74 B parameters, 62.9 Tflop/sample forward
  
   #  strategy                                   time        cost  iteration  ×best   MFU  memory/GPU
   1  data=16,micro=2,zero=1                   51.1 d  24,424 USD     15.4 s   1.00  63 %    79.3 GiB
   2  data=8,pipeline=2,                       52.8 d  25,241 USD     15.9 s   1.03  61 %    61.9 GiB
        micro=2,schedule=interleaved:8,zero=1
   3  data=8,tensor=2,                         53.7 d  25,646 USD     16.2 s   1.05  60 %    60.8 GiB
        micro=4,zero=1,sequence=on
   … and 4 more: --top 0
  
   best        data=16,micro=2,zero=1
   speed       4,250 tokens/s/GPU (68,007/s of all), 196 Tflop/s/GPU, MFU 63 %
   run         300 B tokens (0.15 epochs): 51.1 d, 13.3 MWh, 24,424 USD (purchase)
   why         99 % compute
   tight       memory is 99 % full, and its projections are 4 % off on average, those for new programs
               more: it may not fit
   margin      1.03× over the second; it takes 6.0 % to tell two plans apart, so treat 1 to 3 as equal
   error       ±12 % with megatron-core holds nine of ten measured times: more devices than in any
               measured run of this program
   next        a faster device or a lower precision
   assumed     13 numbers of the machine (paradl check dgx-a100-superpod), 2 things more (--verbose)
   more        --verbose; how to start it: --flags megatron; the plan in depth: paradl estimate
  $ paradl advise llama2-7b --hw dgx-a100-superpod --gpus 16 --batch 512 --verbose 2>/dev/null | grep -cE '^ (placement|details|launch|assumed|in) '
  3
  $ for choice in '--flags torchtitan' '--flags nemo' '--flags torchtitan --framework nccl' '--flags torchrun' '--flags none' --inference; do
  >   paradl advise llama2-7b --hw dgx-a100-superpod --gpus 16 $choice --json -q | grep -o 'frameworks/[^"]*'
  > done
  frameworks/torchtitan.json
  frameworks/nemo-2024.json
  frameworks/nccl.json
  frameworks/megatron-core.json
  frameworks/megatron-core.json
  frameworks/vllm.json
  $ paradl advise llama2-7b --hw dgx-a100-superpod --gpus 16 --batch 512 --flags megatron | grep -A 1 '^ launch'
   launch      flags of Megatron-LM
     torchrun --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
  $ paradl advise llama2-7b --hw a100 --gpus 16
  paradl: "a100" is a device; machines that have it: a100-8 (A100-SXM4-40GB), abci-2 (A100-SXM4-40GB), aws-p4d (A100-SXM4-40GB), cloud-object (A100-SXM4-40GB), dgx-a100-superpod (A100-SXM4-80GB), juwels-booster (A100-SXM4-40GB), leonardo (A100-SXM-64GB), perlmutter (A100-SXM4-40GB)
    hint: --gpus N takes a part of one of them
  [3]

A plan that does not divide says so:

  $ paradl advise tiny --hw toy --gpus 4 --batch 6 --strategies data | grep uneven
   uneven      data=4,zero=1: not everything divides; the largest share counts

A number of GPUs on which nothing runs keeps its row:

  $ paradl advise tiny --hw toy --gpus 2..8 --batch 2 --strategies data --ideal -q
  Tiny on Toy: 2 to 8 GPUs, global batch 2, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  strategy   epoch  speed-up  efficiency  memory/GPU  cost/epoch  limited by
      2  data=2    386 ms      1.00       100 %    79.8 KiB   0.214 EUR  98 % compute
      4  data=4         -                                             -  needs a sample per replica:…
      8  data=8         -                                             -  needs a sample per replica:…
  $ paradl advise tiny --hw toy --gpus 2..8 --batch 2 --strategies data --ideal --csv --columns gpus,feasible,strategy,reason
  gpus,feasible,strategy,reason
  2,true,data=2,
  4,false,data=4,needs a sample per replica: 4 replicas share a batch of 2
  8,false,data=8,needs a sample per replica: 8 replicas share a batch of 2

A batch that --set gives the model is made whole for all GPUs, which is said; --batch is taken as it is:

  $ for what in 'estimate -s data=8' 'advise --gpus 8' 'search --gpus 8' 'compare --gpus 8'; do
  >   set -- $what; c=$1; shift; paradl $c tiny --hw toy "$@" --set model.training.batch=12 2>&1 >/dev/null | grep becomes; done
  paradl: warning: model.training.batch=12 becomes 16, 2 for each of 8 GPUs (--batch 12: exactly that)
  paradl: warning: model.training.batch=12 becomes 16, 2 for each of 8 GPUs (--batch 12: exactly that)
  paradl: warning: model.training.batch=12 becomes 16, 2 for each of 8 GPUs (--batch 12: exactly that)
  paradl: warning: Tiny on Toy: model.training.batch=12 becomes 16, 2 for each of 8 GPUs (--batch 12: exactly that)
  $ paradl advise tiny --hw toy --gpus 8 --batch 12 2>&1 | grep -E 'becomes|^Tiny'
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 12, fp32, 1.00 GiB/GPU
  $ paradl advise tiny --hw toy --gpus 4 --set model.training.batch=12 2>&1 | grep -E 'becomes|^Tiny'
  Tiny on Toy: 4 GPUs in 2 nodes, global batch 12, fp32, 1.00 GiB/GPU

GPUs that do more among many than the fewest do are no mistake, and the table and its picture say why:

  $ paradl advise llama3-70b --hw dgx-h100-superpod --gpus 16,32 | grep -A1 '^ efficiency'
   efficiency  more than 100 % of the fewest GPUs: these have less memory for the same network, and so
               recompute, cut layers more or take smaller micro-batches, or another batch for each GPU
  $ paradl advise llama3-70b --hw dgx-h100-superpod --gpus 16,32 -o scaling.svg && grep -o 'dashed[^<]*memory' scaling.svg
  dashed: pipeline+tensor on 16 GPUs, 100 %; above: more GPUs have more memory
  $ paradl advise tiny --hw toy --gpus 2,4 | grep -c '^ efficiency'
  0
  [1]

The speed-up is over the fewest GPUs that can do it, and why fewer cannot is said:

  $ paradl advise llama2-7b --hw dgx-h100-superpod --gpus 1..8 --batch 8 | sed -n '/^ speed-up/,/fastest/p'
   speed-up    over 2 GPUs in 1 node, the fewest here that can; 1 GPU in 1 node: needs 117 GiB on the
               fullest device, which has 80.0 GiB
   fastest     8 GPUs in 1 node, data=8,micro=1,zero=1: 325 d per epoch, 140,956 USD
  $ paradl advise llama2-7b --hw dgx-h100-superpod --gpus 1..8 --batch 8 --strategies data+tensor | sed -n '/^ speed-up/,/fastest/p'
   speed-up    over 4 GPUs in 1 node, the fewest here that can; 2 GPUs in 1 node: no plan of the
               strategies asked for
   fastest     8 GPUs in 1 node, data=4,tensor=2,micro=2,zero=1,sequence=on: 325 d per epoch, 140,942

Short texts of a data set count as whole sequences, which is said:

  $ paradl advise llama2-7b --hw dgx-h100-superpod --gpus 8 --batch 8 --strategies data --dataset alpaca --verbose 2>&- | grep -A 1 Alpaca
   assumed     each of the 52002 samples of Alpaca counts as a whole sequence of 4096 tokens, padded
               guessed in DGX H100 SuperPOD: reliability/node_mtbf, levels/2/devices,
  --
               input: Alpaca from the shared file system, global shuffle, prepared beside compute
   launch      flags of Megatron-LM
  $ paradl advise llama2-7b --hw dgx-h100-superpod --gpus 8 --batch 8 --strategies data --verbose 2>&- | grep -c 'a whole sequence'
  0
  [1]

--top and --all:

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --top 2 | sed -n '/strategy/,/more/p'
   #  strategy           epoch  ×best  samples/s   MFU  phases    memory/GPU  limited by
   1  data=4,filter=2   106 ms   1.00     60,637  89 %  ███████▒    1.13 MiB  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00     60,637  89 %  ███████▒    1.13 MiB  6.0 % gradient exchange
   █ compute  ▒ communication
   … and 5 more: --top 0
  $ paradl advise tiny --hw toy --gpus 8 --ideal --all --strategies data+pipeline --top 0 -q --columns strategy
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   strategy
   data=4,pipeline=2
   data=2,pipeline=4

Tables fit their line: columns are cut or left out, never wrapped, and the strategy always stands in full.

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 160 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU                                              970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  samples/s   MFU  phases                            memory/GPU         limited by
   1  data=4,filter=2   106 ms   1.00     60,637  89 %  ████████████████████████████▒▒▒     1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00     60,637  89 %  ████████████████████████████▒▒▒     1.13 MiB  0.1 %  6.0 % gradient exchange
   3  data=8            109 ms   1.03     58,661  87 %  ████████████████████████████▒▒▒▒     585 KiB  0.1 %  13 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 60 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32,
      ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best   MFU  memory/GPU
   1  data=4,filter=2   106 ms   1.00  89 %    1.13 MiB  0.1 %
   2  data=4,channel=2  106 ms   1.00  89 %    1.13 MiB  0.1 %
   3  data=8            109 ms   1.03  87 %     585 KiB  0.1 %
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 20 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes,
      global batch 64,
      fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch
   1  data=4,filter=2   106 ms
   2  data=4,channel=2  106 ms
   3  data=8            109 ms
  $ for width in 60 80 100 120 160; do
  >     paradl advise tiny --hw toy $most --gpus 8 --ideal --width $width --top 0 -q | tail -n +3 |
  >     python3 -c 'import sys; print(*(line for line in sys.stdin if len(line) > int(sys.argv[1]) + 1), end="")' $width
  > done

ASCII when asked to, or when the locale is not UTF-8:

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --ascii > ascii
  $ LC_ALL=C paradl advise tiny --hw toy $most --gpus 8 --ideal > locale
  $ cmp ascii locale
  $ LC_ALL=C grep -c '[^ -~]' ascii
  0
  [1]
  $ sed -n '/strategy/,/compute/p' ascii
   #  strategy             epoch  xbest  samples/s   MFU  phases    memory/GPU  limited by
   1  data=4,filter=2     106 ms   1.00     60,637  89 %  ##          1.13 MiB  6.0 % gradient exch...
   2  data=4,channel=2    106 ms   1.00     60,637  89 %  ##          1.13 MiB  6.0 % gradient exch...
   3  data=8              109 ms   1.03     58,661  87 %  ##           585 KiB  13 % gradient exchange
   4  data=4,pipeline=2   222 ms   2.10     28,844  43 %  ###.         777 KiB  32 % pipeline bubbl...
   5  filter=4,channel=2  288 ms   2.73     22,239  33 %  ##===       4.51 MiB  67 % activation exc...
   6  filter=8            433 ms   4.10     14,774  22 %  ##======    4.51 MiB  78 % activation exc...
   7  channel=8           433 ms   4.10     14,774  22 %  ##======    4.51 MiB  78 % activation exc...
   # compute  = communication  . bubble

Colours only when asked to, on a terminal, or when forced; every one is ended.

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal | grep -c "$(printf '\033')"
  0
  [1]
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --color always > coloured
  $ grep -c "$(printf '\033')" coloured > /dev/null
  $ CLICOLOR_FORCE=1 paradl advise tiny --hw toy $most --gpus 8 --ideal | cmp - coloured
  $ NO_COLOR=1 CLICOLOR_FORCE=1 paradl advise tiny --hw toy $most --gpus 8 --ideal | grep -c "$(printf '\033')"
  0
  [1]
  $ NO_COLOR=1 paradl advise tiny --hw toy $most --gpus 8 --ideal --color always | cmp - coloured
  $ CLICOLOR_FORCE=1 paradl advise tiny --hw toy $most --gpus 8 --ideal --color never | grep -c "$(printf '\033')"
  0
  [1]
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --color always -o coloured.txt; cmp coloured.txt coloured
  $ awk -v escape="$(printf '\033')" '{
  >     line = $0; begun = gsub(escape "\\[[0-9;]*m", "", line); line = $0; ended = gsub(escape "\\[0m", "", line)
  >     if (begun != 2 * ended) print "not ended: " $0 }' coloured
  $ sed "s/$(printf '\033')\[[0-9;]*m//g" coloured | sed -n '/forward/p'
  970 parameters, 443 kflop/sample forward
   █ forward  █ backward  █ weight update  █ gradient exchange  █ activation exchange  █ stage transfer  █ bubble
   why         6.0 % gradient exchange; forward and backward are 89 %
  $ COLORTERM=truecolor paradl advise tiny --hw toy $most --gpus 8 --ideal --color always | grep -o '38;2;0;114;178' | head -n 1
  38;2;0;114;178

Standard output is data only, -q silences standard error, and -v says what was read:

  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal 2>&1 >/dev/null
  paradl: warning: Tiny names no batch: 32 samples a GPU are taken (--per-gpu)
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal -q 2>&1 >/dev/null
  $ paradl advise tiny --hw toy $most --gpus 2 --ideal -qv 2>&1 >/dev/null | sed "s,$PARADL_PATH,DATA,"
  paradl: read DATA/models/tiny.json
  paradl: read DATA/hw-profiles/toy.json
  paradl: read DATA/hw-profiles/frameworks/toy.json
  paradl: 2 GPUs: 4 plans looked at

The shipped examples answer with two words:

  $ paradl advise resnet50 --hw abci | sed -n '1p;4,5p'
  ResNet-50 on ABCI (V100): 1 to 4,096 GPUs, 64 samples/GPU, fp32, * GiB/GPU (glob)
    GPUs  strategy *epoch  speed-up  efficiency *memory/GPU *cost/epoch* (glob)
       1  serial * 1.00 * 100 % * JPY* (glob)

A machine without a price cannot be ranked by it; what is known of errors is of times:

  $ sed -e '/"power"/d' -e '/"price"/d' -e '/"from"/d' -e 's/^  \],/  ]/' "$PARADL_PATH/hw-profiles/toy.json" > plain.json
  $ cp -r "$PARADL_PATH"/hw-profiles/devices "$PARADL_PATH"/hw-profiles/frameworks .
  $ paradl advise tiny --hw plain.json $most --gpus 8 --ideal --goal cost --top 2 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   #  strategy           epoch  ×best  cost/epoch  samples/s   MFU  phases    memory/GPU
   1  data=4,filter=2   106 ms   1.00           -     60,637  89 %  ███████▒    1.13 MiB  0.1 %
   2  data=4,channel=2  106 ms   1.00           -     60,637  89 %  ███████▒    1.13 MiB  0.1 %
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw plain.json $most --gpus 8 --ideal --goal energy --top 1 | grep '^  *[#1] '
   #  strategy          epoch  ×best  energy/epoch  samples/s   MFU  phases    memory/GPU
   1  data=4,filter=2  106 ms   1.00         237 J     60,637  89 %  ███████▒    1.13 MiB  0.1 %
  $ paradl advise tiny --hw toy $most --gpus 8 --goal memory | grep margin
   margin      1.14× over the second

Where no plan has memory for a sample on each GPU, GPUs share samples.

  $ paradl advise cosmoflow-512 --hw abci --gpus 64 --top 1 | sed -n '1p;5p' | cut -c1-35
  paradl: warning: the usual batch of 64 fits only under slower plans, or none; all here is for a batch of 32, one sample for every 2 GPUs (--batch asks for another)
  CosmoFlow-512 on ABCI (V100): 64 GP
   1  data=32,spatial=2  44.4 s   1.0
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --per-layer 2> /dev/null | head -n 1 | cut -c1-74
  CosmoFlow-512 on ABCI (V100): a plan for each layer on 64 GPUs in 16 nodes
  $ paradl search cosmoflow-512 --hw abci --gpus 64 | sed -n '1p;5p' | cut -c1-34
  paradl: warning: the usual batch of 64 fits only under slower plans, or none; all here is for a batch of 32, one sample for every 2 GPUs (--batch asks for another)
  CosmoFlow-512 on ABCI (V100): 64 G
   1  data=32,spatial=2,zero=1,shard
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --json 2> /dev/null | grep -A 2 '"warnings"'
    "warnings": [
      "the usual batch of 64 fits only under slower plans, or none; all here is for a batch of 32, one sample for every 2 GPUs (--batch asks for another)"
    ]
  $ paradl search cosmoflow-512 --hw abci -q | sed -n 1p
  CosmoFlow-512 on ABCI (V100): 1 to 4,096 GPUs, a sample for every 2 GPUs, fp32, 16.0 GiB/GPU
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --batch 64 | sed -n 5p | cut -c1-44
   1  data=8,pipeline=2,spatial=2x2,     51.4 
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --deadline 10s > /dev/null
  paradl: no plan for 64 GPUs; closest: data=32,spatial=2,zero=1,shard=2: fits, but the job takes 44.4 s on 64 devices instead of 10.0 s
  [1]
  $ paradl sweep cosmoflow-512 --hw abci --gpus 16,64 -s data,data+spatial --csv --columns strategy,batch,feasible,reason
  strategy,batch,feasible,reason
  data=16,16,false,"needs 26.8 GiB on the fullest device, which has 16.0 GiB"
  "data=8,spatial=2",8,true,
  data=64,64,false,"needs 26.8 GiB on the fullest device, which has 16.0 GiB"
  "data=32,spatial=2",32,true,
  paradl: warning: 2 of 4 points: the usual batch fits under no plan; these are for the largest half, quarter and so on that does (--batch asks for another)
  $ paradl sweep cosmoflow-512 --hw abci --gpus 16 -s data+spatial --json 2> /dev/null | grep -A 2 '"warnings"'
    "warnings": [
      "1 of 1 points: the usual batch fits under no plan; these are for the largest half, quarter and so on that does (--batch asks for another)"
    ]
  $ paradl sweep cosmoflow-512 --hw abci --gpus 16 --per-gpu 1 -s data+spatial --csv --columns batch,feasible
  batch,feasible
  16,false
  paradl: no point is feasible
  [1]
  $ paradl compare cosmoflow-512 --hw abci --gpus 16 | sed -n 3p | cut -c1-40
  paradl: warning: CosmoFlow-512 on ABCI (V100): the usual batch of 16 fits only under slower plans, or none; all here is for a batch of 8, one sample for every 2 GPUs (--batch asks for another)
      1    16  ABCI (V100)  4.68 min  3.49
  $ paradl compare cosmoflow-512 --hw abci --gpus 64 --json 2> /dev/null | grep -A 2 '"warnings"'
    "warnings": [
      "CosmoFlow-512 on ABCI (V100): the usual batch of 64 fits only under slower plans, or none; all here is for a batch of 32, one sample for every 2 GPUs (--batch asks for another)"
    ]
  $ paradl compare cosmoflow-512 --hw abci --gpus 64 --batch 64 --csv | cut -d, -f4,5
  feasible,reason
  false,"needs 26.8 GiB on the fullest device
  $ paradl advise cosmoflow-512 --hw abci --gpus 64 --batch 64 > /dev/null
  paradl: no feasible strategy for 64 GPUs (31 tried); closest: data=64: needs 26.8 GiB on the fullest device, which has 16.0 GiB
  [1]

A script that starts the best plan: what is estimated, what the program cannot do, its file, its command.

Programs nest data inside of pipeline where there are experts, and so do plans:

  $ paradl advise deepseek-v3 --hw dgx-h100-superpod --gpus 256 --top 0 --csv -q | grep -o '"[^"]*pipeline=[^"]*expert=[^"]*"' | grep data= | cut -d, -f1 | sort -u
  "pipeline=16

  $ paradl advise llama2-7b --hw dgx-h100-superpod --gpus 16 --flags deepspeed -o start.sh
  $ cat start.sh
  #!/bin/sh
  # Llama-2-7B on DGX H100 SuperPOD: data=16,micro=4,zero=3 on 16 GPUs in 2 nodes, global batch 1,024, bf16-mixed, 80.0 GiB/GPU
  # Estimated by paradl 0.1.0: 22.8 s an iteration ±13 %, 11,500 tokens/s/GPU (184,008/s of all), 530 Tflop/s/GPU, MFU 54 %, 79.2 GiB of a GPU's memory
  # Run it on one node; DeepSpeed starts the others, those of its hostfile.
  # What follows the script's name goes to the program: data, tokenizer, learning rate, number of steps; and what costs no time, such as the base of rotary positions.
  set -eu
  cat > ds_config.json << 'END_OF_FILE'
  {
    "train_batch_size": 1024,
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 16,
    "bf16": { "enabled": true },
    "zero_optimization": {
      "overlap_comm": true,
      "stage": 3
    }
  }
  END_OF_FILE
  exec deepspeed --num_nodes=2 --num_gpus=8 pretrain_gpt.py \
  	--deepspeed \
  	--deepspeed_config ds_config.json \
  	--zero-stage 3 \
  	--tensor-model-parallel-size 1 \
  	--pipeline-model-parallel-size 1 \
  	--no-pipeline-parallel \
  	--micro-batch-size 4 \
  	--global-batch-size 1024 \
  	--bf16 \
  	--num-layers 32 \
  	--hidden-size 4096 \
  	--num-attention-heads 32 \
  	--seq-length 4096 \
  	--max-position-embeddings 4096 \
  	--ffn-hidden-size 11008 \
  	--swiglu \
  	--normalization rmsnorm \
  	--use-rotary-position-embeddings \
  	--rope-theta 10000 \
  	--hidden-dropout 0 \
  	--attention-dropout 0 \
  	--vocab-size 32000 \
  	--untie-embeddings-and-output-weights \
  	--disable-bias-linear \
  	"$@"
  $ sh -n start.sh && mkdir -p bin && printf '#!/bin/sh\nprintf "%%s\\n" "$@" | tail -n 2\n' > bin/deepspeed && chmod +x bin/deepspeed
  $ PATH="$PWD/bin:$PATH" sh start.sh --data-path mine && python3 -c 'import json; print(json.load(open("ds_config.json"))["zero_optimization"]["stage"])'
  --data-path
  mine
  3
  $ paradl estimate llama2-7b --hw dgx-h100-superpod -s data=8 --flags torchrun -o start
  paradl: no script was written: the plan needs more memory than a GPU has
  [1]
  $ paradl estimate llama2-7b --hw dgx-h100-superpod -s data=16,zero=2,micro=1 --framework fsdp --flags torchrun -o start && grep -v Estimated start
  #!/bin/sh
  # Llama-2-7B on DGX H100 SuperPOD: data=16,micro=1,zero=2 on 16 GPUs in 2 nodes, global batch 1,024, bf16-mixed, 80.0 GiB/GPU
  # Run it on every node, with MASTER_ADDR=the first of them.
  # What follows the script's name goes to the program: data, tokenizer, learning rate, number of steps; and what costs no time, such as the base of rotary positions.
  #
  # train.py has the network; these calls of it divide as planned:
  #     mesh = init_device_mesh("cuda", (16,),
  #         mesh_dim_names=("dp",))
  #     options = dict(mesh=mesh["dp"], reshard_after_forward=False)
  #     options["mp_policy"] = MixedPrecisionPolicy(param_dtype=torch.bfloat16)
  #     for block in blocks: fully_shard(block, **options)
  #     fully_shard(model, **options)
  #     samples, accumulate = 1, 64
  set -eu
  : "${MASTER_ADDR:?must name the first node}"
  exec torchrun --nnodes=2 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 train.py \
  	"$@"
  $ paradl estimate gpt2-xl --hw dgx-h100-superpod -s data=8,zero=3 --flags torchtitan -o start.sh
  paradl: no script was written: torchtitan's networks of text have no activation but gated silu; nearest: --flags megatron
  [1]
  $ paradl estimate qwen3-30b-a3b --hw dgx-h100-superpod -s data=8,expert=8,zero=2,recompute=full --flags deepspeed -o start.sh -q; echo $?; grep '^# Not' start.sh
  0
  # Not as estimated: deepspeed has no norms of queries and keys; nearest: --flags megatron
  $ paradl advise llama2-7b --hw dgx-h100-superpod --flags megatron -o start.sh
  paradl: a script starts one plan: write --gpus N
  [2]
  $ paradl search llama2-7b --hw dgx-h100-superpod --gpus 8 --per-layer -o start.sh
  paradl: a script starts one plan for all layers
  [2]

Plans that the program of --flags does not start do not rank, unless it starts none.

  $ paradl advise llama3-70b --hw dgx-h100-superpod --gpus 512 --flags deepspeed -v 2>&1 | grep -E '^ best|heads only' | head -2 | sed 's/  */ /g'
   data=128,context=2,tensor=2,micro=1,zero=3 deepspeed cuts sequences along heads only; nearest:
   data=128,context=4,micro=1,zero=3 deepspeed cuts sequences along heads only; nearest:

A batch that is not the same on all GPUs is said: there is at least a sample for each.

  $ paradl advise llama3-70b --hw dgx-h100-superpod --gpus 256..1024 --plan-options zero=1 --strategies data+pipeline+tensor | grep -E '^ batch|global batch'
  Llama-3-70B on DGX H100 SuperPOD: 256 to 1,024 GPUs, global batch 512 to 1,024, bf16-mixed,
   batch       512 up to 512 GPUs, 1,024 from 1,024 on, as usual for so many (--batch 512: one for

A plan with fewer options that is as fast is named; the ranking keeps its order. Options that were asked for stay.

  $ paradl advise unet-3d --hw juwels-booster --gpus 32 --top 1 | grep -E '^ (best|simpler) '
   best        data=32,zero=3
   simpler     data=32 is as fast (+0.01 %), with fewer options
  $ paradl advise unet-3d --hw juwels-booster --gpus 32 --json | python3 -c '
  > import json, sys
  > got = json.load(sys.stdin)
  > print(got["simpler"]["strategy"], got["results"][0]["iteration_s"] < got["simpler"]["iteration_s"] < 1.001 * got["results"][0]["iteration_s"])'
  data=32 True
  $ paradl advise unet-3d --hw juwels-booster --gpus 32 --json | schema
  paradl-advise-2
  $ paradl advise unet-3d --hw juwels-booster --gpus 32 --plan-options zero=3 | grep -c '^ simpler '
  0
  [1]
  $ paradl advise resnet50 --hw abci --gpus 64 | grep -c '^ simpler '
  0
  [1]
