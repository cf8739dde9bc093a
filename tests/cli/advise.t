What paradl advise prints. Times are those of --ideal: the formulas of the paper's Table III fix them.

  $ . "$TESTDIR/setup.sh"
  $ most='--strategies serial,data,data+filter,data+channel,data+pipeline,filter,channel,filter+channel,pipeline'

Without --gpus: the best plan for every power of two of the machine's GPUs.

  $ paradl advise tiny --hw toy $most --ideal
  Tiny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
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
  970 parameters, 443 kflop/sample
  
   #  strategy          epoch  ×best  phases            memory/GPU         limited by
   1  data=4,filter=2  106 ms   1.00  ████                1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=8           109 ms   1.03  ████                 585 KiB  0.1 %  13 % gradient exchange
   3  filter=8         433 ms   4.10  ████▒▒▒▒▒▒▒▒▒▒▒▒    4.51 MiB  0.4 %  78 % layer-wise collectives
  
   █ compute  ▒ communication
  
   not feasible
   pipeline=8  needs 8 stages; the network can be cut into 4 (branches stay together) → at most
               pipeline=4
  
   best        data=4,filter=2: filter inside a node, data across nodes
   margin      1.03× over data=8, under ideal assumptions
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   details     paradl estimate tiny --hw toy --ideal -s data=4,filter=2 --batch 64
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      none: PyTorch has no filter axis; nearest: data

One GPU can only be serial:

  $ paradl advise tiny --hw toy $most --gpus 1 --ideal | grep -E '^ +[0-9]|best|margin'
   #  strategy   epoch  ×best  phases                            memory/GPU         limited by
   1  serial    755 ms   1.00  ████████████████████████████████     585 KiB  0.1 %  100 % compute
   best        serial
   margin      the only feasible strategy

What is made small:

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal memory --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy            epoch  ×best  phases    memory/GPU  limited by
   1  data=8             109 ms   1.00  ███▒         585 KiB  13 % gradient exchange
   2  data=4,pipeline=2  222 ms   1.33  █████░░░     777 KiB  32 % pipeline bubble and uneven stages
   3  data=4,filter=2    106 ms   1.98  ███▒        1.13 MiB  6.0 % gradient exchange
  
   █ compute  ▒ communication  ░ bubble
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal cost --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  cost/epoch  phases    memory/GPU  limited by
   1  data=4,filter=2   106 ms   1.00   0.235 EUR  ███████▒    1.13 MiB  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00   0.235 EUR  ███████▒    1.13 MiB  6.0 % gradient exchange
   3  data=8            109 ms   1.03   0.242 EUR  ███████▒     585 KiB  13 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --goal energy --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  energy/epoch  phases    memory/GPU  limited by
   1  data=4,filter=2   106 ms   1.00         280 J  ███████▒    1.13 MiB  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00         280 J  ███████▒    1.13 MiB  6.0 % gradient exchange
   3  data=8            109 ms   1.02         284 J  ███████▒     585 KiB  13 % gradient exchange
  
   █ compute  ▒ communication

The batch: global, per GPU, or the model's; a model that does not say is warned about.

  $ paradl advise tiny --hw toy $most --gpus 2,4 --batch 1k --ideal -q --columns gpus,batch,strategy
  Tiny on Toy: 2 to 4 GPUs, global batch 1,000, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   GPUs  batch  strategy
      2  1,000  data=2
      4  1,000  data=4
  $ paradl advise tiny --hw toy $most --gpus 4..8+2 --per-gpu 3 --ideal -q --columns gpus,batch,strategy
  Tiny on Toy: 4 to 8 GPUs, 3 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   GPUs  batch  strategy
      4     12  data=2,filter=2
      6     18  data=3,filter=2
      8     24  data=4,filter=2
  $ sed '/"batch_per_gpu"/s/, "batch_per_gpu": 8//' "$PARADL_PATH/models/tiny.json" > silent.json
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal -q --columns batch
  Tiny on Toy: 2 GPUs in 1 node, global batch 2, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   batch
       2
       2
       2
       2
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal --columns batch | sed -n 4,5p
  paradl: warning: Tiny does not say how many samples a GPU takes; 1 is assumed (--per-gpu N)
   batch
       2

A plan that does not divide says so:

  $ paradl advise tiny --hw toy --gpus 4 --batch 6 --strategies data | grep uneven
   uneven      data=4: not everything divides; the fullest GPU counts

A number of GPUs on which nothing runs keeps its row:

  $ paradl advise tiny --hw toy --gpus 2..8 --batch 2 --strategies data --ideal -q
  Tiny on Toy: 2 to 8 GPUs, global batch 2, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   GPUs  strategy   epoch  speed-up  efficiency  memory/GPU  cost/epoch  limited by
      2  data=2    386 ms      1.00       100 %    79.8 KiB   0.214 EUR  98 % compute
      4  data=4         -                                             -  needs a sample per replica:…
      8  data=8         -                                             -  needs a sample per replica:…
  $ paradl advise tiny --hw toy --gpus 2..8 --batch 2 --strategies data --ideal --csv --columns gpus,feasible,strategy,reason
  gpus,feasible,strategy,reason
  2,true,data=2,
  4,false,data=4,needs a sample per replica: 4 replicas share a batch of 2
  8,false,data=8,needs a sample per replica: 8 replicas share a batch of 2

--top and --all:

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --top 2 | sed -n '/strategy/,/more/p'
   #  strategy           epoch  ×best  phases            memory/GPU         limited by
   1  data=4,filter=2   106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00  ██████████████▒▒    1.13 MiB  0.1 %  6.0 % gradient exchange
  
   █ compute  ▒ communication
   … and 5 more: --top 0 shows them
  $ paradl advise tiny --hw toy --gpus 8 --ideal --all --strategies data+pipeline --top 0 -q --columns strategy
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   strategy
   data=4,pipeline=2
   data=2,pipeline=4

Tables fit their line: columns are cut or left out, never wrapped, and the strategy always stands in full.

  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 160 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU                                                      970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  phases                            memory/GPU         limited by
   1  data=4,filter=2   106 ms   1.00  ████████████████████████████▒▒▒     1.13 MiB  0.1 %  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00  ████████████████████████████▒▒▒     1.13 MiB  0.1 %  6.0 % gradient exchange
   3  data=8            109 ms   1.03  ████████████████████████████▒▒▒▒     585 KiB  0.1 %  13 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 60 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32,
      ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  phases    memory/GPU
   1  data=4,filter=2   106 ms   1.00  ███████▒    1.13 MiB
   2  data=4,channel=2  106 ms   1.00  ███████▒    1.13 MiB
   3  data=8            109 ms   1.03  ███████▒     585 KiB
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw toy $most --gpus 8 --ideal --width 20 --top 3 -q
  Tiny on Toy: 8 GPUs in 4 nodes,
      global batch 64,
      fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
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
   #  strategy             epoch  xbest  phases    memory/GPU  limited by
   1  data=4,filter=2     106 ms   1.00  ##          1.13 MiB  6.0 % gradient exchange
   2  data=4,channel=2    106 ms   1.00  ##          1.13 MiB  6.0 % gradient exchange
   3  data=8              109 ms   1.03  ##           585 KiB  13 % gradient exchange
   4  data=4,pipeline=2   222 ms   2.10  ###.         777 KiB  32 % pipeline bubble and uneven stages
   5  filter=4,channel=2  288 ms   2.73  ##===       4.51 MiB  67 % layer-wise collectives
   6  filter=8            433 ms   4.10  ##======    4.51 MiB  78 % layer-wise collectives
   7  channel=8           433 ms   4.10  ##======    4.51 MiB  78 % layer-wise collectives
  
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
   █ forward  █ backward  █ weight update  █ gradient exchange  █ activation exchange  █ stage transfer  █ bubble
  $ COLORTERM=truecolor paradl advise tiny --hw toy $most --gpus 8 --ideal --color always | grep -o '38;2;0;114;178' | head -n 1
  38;2;0;114;178

Standard output is data only, -q silences standard error, and -v says what was read:

  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal 2>&1 >/dev/null
  paradl: warning: Tiny does not say how many samples a GPU takes; 1 is assumed (--per-gpu N)
  $ paradl advise silent.json --hw toy $most --gpus 2 --ideal -q 2>&1 >/dev/null
  $ paradl advise tiny --hw toy $most --gpus 2 --ideal -qv 2>&1 >/dev/null | sed "s,$PARADL_PATH,DATA,"
  paradl: read DATA/models/tiny.json
  paradl: read DATA/hw-profiles/toy.json
  paradl: read DATA/hw-profiles/frameworks/toy.json
  paradl: 2 GPUs: 4 plans looked at

The shipped examples answer with two words:

  $ paradl advise resnet50 --hw abci | sed -n '1p;4,5p'
  ResNet-50 on ABCI (V100): 1 to 4,096 GPUs, 64 samples/GPU, fp32, * GiB/GPU (glob)
    GPUs  strategy *epoch  speed-up  efficiency *memory/GPU *cost/epoch  limited by (glob)
       1  serial * 1.00 * 100 % * JPY  100 % compute (glob)

A machine without a price cannot be ranked by it; what is known of errors is of times:

  $ sed -e '/"power"/d' -e '/"price"/d' -e '/"from"/d' -e 's/^  \],/  ]/' "$PARADL_PATH/hw-profiles/toy.json" > plain.json
  $ cp -r "$PARADL_PATH"/hw-profiles/devices "$PARADL_PATH"/hw-profiles/frameworks .
  $ paradl advise tiny --hw plain.json $most --gpus 8 --ideal --goal cost --top 2 -q
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   #  strategy           epoch  ×best  cost/epoch  phases    memory/GPU  limited by
   1  data=4,filter=2   106 ms   1.00           -  ███████▒    1.13 MiB  6.0 % gradient exchange
   2  data=4,channel=2  106 ms   1.00           -  ███████▒    1.13 MiB  6.0 % gradient exchange
  
   █ compute  ▒ communication
  $ paradl advise tiny --hw plain.json $most --gpus 8 --ideal --goal energy --top 1 | grep '^  *[#1] '
   #  strategy          epoch  ×best  energy/epoch  phases    memory/GPU  limited by
   1  data=4,filter=2  106 ms   1.00         237 J  ███████▒    1.13 MiB  6.0 % gradient exchange
  $ paradl advise tiny --hw toy $most --gpus 8 --goal memory | grep margin
   margin      1.14× over data=4,pipeline=2,schedule=1f1b,zero=2,recompute=full

Where no plan has memory for a sample on each GPU, GPUs share samples.

  $ paradl advise cosmoflow-512 --hw abci --gpus 64 --top 1 | sed -n '1p;5p' | cut -c1-35
  paradl: warning: a batch of 64 fits under no plan as fast as these; this is for 32, one sample for every 2 GPUs (--batch asks for another)
  CosmoFlow-512 on ABCI (V100): 64 GP
   1  data=32,spatial=2  44.4 s   1.0
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --per-layer 2> /dev/null | head -n 1 | cut -c1-74
  CosmoFlow-512 on ABCI (V100): a plan for each layer on 64 GPUs in 16 nodes
  $ paradl search cosmoflow-512 --hw abci --gpus 64 | sed -n '1p;5p' | cut -c1-34
  paradl: warning: a batch of 64 fits under no plan as fast as these; this is for 32, one sample for every 2 GPUs (--batch asks for another)
  CosmoFlow-512 on ABCI (V100): 64 G
   1  data=32,spatial=2     44.4 s  
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --json 2> /dev/null | grep -A 2 '"warnings"'
    "warnings": [
      "a batch of 64 fits under no plan as fast as these; this is for 32, one sample for every 2 GPUs (--batch asks for another)"
    ]
  $ paradl search cosmoflow-512 --hw abci -q | sed -n 1p
  CosmoFlow-512 on ABCI (V100): 1 to 4,096 GPUs, a sample for every 2 GPUs, fp32, 16.0 GiB/GPU
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --batch 64 | sed -n 5p | cut -c1-44
   1  data=8,spatial=2x2,pipeline=2,     54.9 
  $ paradl search cosmoflow-512 --hw abci --gpus 64 --deadline 10s > /dev/null
  paradl: no plan for 64 GPUs; closest: data=32,spatial=2: fits, but the job takes 44.4 s on 64 devices instead of 10.0 s
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
  paradl: warning: CosmoFlow-512 on ABCI (V100): a batch of 16 fits under no plan as fast as these; this is for 8, one sample for every 2 GPUs (--batch asks for another)
      1    16  ABCI (V100)  4.68 min  3.49
  $ paradl compare cosmoflow-512 --hw abci --gpus 64 --json 2> /dev/null | grep -A 2 '"warnings"'
    "warnings": [
      "CosmoFlow-512 on ABCI (V100): a batch of 64 fits under no plan as fast as these; this is for 32, one sample for every 2 GPUs (--batch asks for another)"
    ]
  $ paradl compare cosmoflow-512 --hw abci --gpus 64 --batch 64 --csv | cut -d, -f4,5
  feasible,reason
  false,"needs 26.8 GiB on the fullest device
  $ paradl advise cosmoflow-512 --hw abci --gpus 64 --batch 64 > /dev/null
  paradl: no feasible strategy for 64 GPUs (31 tried); closest: data=64: needs 26.8 GiB on the fullest device, which has 16.0 GiB
  [1]
