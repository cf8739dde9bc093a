What paradl sweep prints.

  $ . "$TESTDIR/setup.sh"

The last thing varies fastest, strategies faster still; what is not feasible has a row that says why:

  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 --vary batch=16,64 -s 'data=*;filter=*'
  Tiny on Toy: 12 points, gpus 2 to 8, batch 16 to 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  batch  strategy  iteration   epoch  samples/s  memory/GPU         limited by
      2     16  data=2       947 us  379 ms     16,902     585 KiB  0.1 %  100 % compute
      2     16  filter=2     993 us  397 ms     16,120    1.13 MiB  0.1 %  95 % compute
      2     64  data=2      3.78 ms  378 ms     16,936    2.26 MiB  0.2 %  100 % compute
      2     64  filter=2    3.94 ms  394 ms     16,231    4.52 MiB  0.4 %  96 % compute
      4     16  data=4       538 us  215 ms     29,740     296 KiB  0.0 %  12 % gradient exchange
      4     16  filter=4    1.33 ms  533 ms     12,002    1.13 MiB  0.1 %  65 % activation exchange
      4     64  data=4      1.95 ms  195 ms     32,751    1.14 MiB  0.1 %  97 % compute
      4     64  filter=4    4.52 ms  452 ms     14,153    4.51 MiB  0.4 %  58 % activation exchange
      8     16  data=8       383 us  153 ms     41,783     152 KiB  0.0 %  38 % gradient exchange
      8     16  filter=8    1.56 ms  622 ms     10,286    1.13 MiB  0.1 %  85 % activation exchange
      8     64  data=8      1.09 ms  109 ms     58,661     585 KiB  0.1 %  13 % gradient exchange
      8     64  filter=8    4.33 ms  433 ms     14,774    4.51 MiB  0.4 %  78 % activation exchange
  
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
  $ paradl sweep tiny --hw toy --ideal --gpus 4 --vary hw.levels.1.bandwidth=x0.5..x2 -s 'data=*' --columns gpus,hw.levels.1.bandwidth,iteration_s -q
   GPUs  hw.levels.1.bandwidth  iteration
      4                   x0.5    1.02 ms
      4                     x1    1.01 ms
      4                     x2    1.01 ms

Columns that a line of the width asked for has no room for are named:

  $ paradl sweep tiny --hw toy --ideal --gpus 4 -s 'data=*' --width 50 | sed '/^ assumed/,$d'
  Tiny on Toy: 1 point, gpus 4, fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  strategy  iteration   epoch  limited by
      4  data=4      1.01 ms  202 ms  6.5 % gradien…
   left out    samples/s, memory/GPU: wider lines
               have them (--width)
  
  $ paradl sweep tiny --hw toy --ideal --gpus 4 -s 'data=*' --width 120 | grep -c 'left out'
  0
  [1]

One table, each number in SI units:

  $ paradl sweep tiny --hw toy --ideal --gpus 4 -s 'data=*' --columns gpus,memory_share,strategy,iteration_s,memory_bytes,memory_share,limited_by -q --width 40
   GPUs  memory_share  strategy  iteration  memory/GPU         limited by
      4         0.1 %  data=4      1.01 ms     585 KiB  0.1 %  6.5 % gradient exchange
  $ paradl sweep tiny --hw toy --ideal --gpus 4,8 --vary 'hw.levels.1.bandwidth=1 GB/s,2 GB/s' -s 'data=*;spatial=64' --columns '*,strategy,feasible,reason' --csv
  gpus,hw.levels.1.bandwidth_bytes_per_s,strategy,feasible,reason
  4,1000000000,data=4,true,
  4,1000000000,spatial=64,false,"takes 64 GPUs, not 4"
  4,2000000000,data=4,true,
  4,2000000000,spatial=64,false,"takes 64 GPUs, not 4"
  8,1000000000,data=8,true,
  8,1000000000,spatial=64,false,"takes 64 GPUs, not 8"
  8,2000000000,data=8,true,
  8,2000000000,spatial=64,false,"takes 64 GPUs, not 8"
  $ paradl sweep tiny --hw toy --ideal --gpus 4 --vary per-gpu=8 --vary device.memory=x0.0001,x1 -s 'data=*' --columns '*,batch,feasible,reason' --jsonl
  {"gpus":4,"per_gpu":8,"device.memory_factor":0.0001,"batch":32,"feasible":false,"reason":"needs 585 KiB on the fullest device, which has 105 KiB"}
  {"gpus":4,"per_gpu":8,"device.memory_factor":1,"batch":32,"feasible":true,"reason":null}

Families, and the best of all:

  $ paradl sweep tiny --hw toy --ideal --gpus 2,8 -s data,filter --csv --columns gpus,strategy,feasible
  gpus,strategy,feasible
  2,data=2,true
  2,filter=2,true
  8,data=8,true
  8,filter=8,true
  $ paradl sweep tiny --hw toy --ideal --gpus 2,8 --csv --columns gpus,strategy,feasible
  gpus,strategy,feasible
  2,data=2,true
  8,"data=4,filter=2",true
  $ paradl sweep tiny --hw toy --ideal --gpus 2,8 --goal memory --csv --columns gpus,strategy,feasible
  gpus,strategy,feasible
  2,data=2,true
  8,data=8,true

A row is what estimate says:

  $ paradl sweep tiny --hw toy --gpus 8 --vary hw.levels.1.latency=x3 -s 'data=*,filter=2' --csv --columns strategy,gpus,batch,iteration_s,memory_bytes,limited_by >swept
  $ paradl estimate tiny --hw toy --set hw.levels.1.latency=x3 -s data=4,filter=2 --jsonl >estimated
  $ python3 -c 'import csv, json; a = next(csv.DictReader(open("swept"))); b = json.load(open("estimated")); print(a["strategy"] == b["strategy"], float(a["iteration_s"]) == b["iteration_s"], float(a["memory_bytes"]) == b["memory_bytes"])'
  True True True

Documents, and files:

  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 --vary precision=fp32,bf16 -s 'data=*' --json | schema
  paradl-sweep-1
  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 -s 'data=*' -o rows.csv
  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 -s 'data=*' --csv | cmp - rows.csv
  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 -s 'data=*' --resume again.csv && cmp again.csv rows.csv && ls
  again.csv
  estimated
  rows.csv
  swept
  $ for threads in 1 2 3; do paradl sweep tiny --hw toy --gpus 1..8 --vary batch=8..64+1 -s 'data=*;filter=*' --threads $threads --csv | cksum; done | uniq | grep -c .
  1

Nothing feasible is an answer, too:

  $ paradl sweep tiny --hw toy --ideal --gpus 8 -s data=4 --csv --columns strategy,reason
  strategy,reason
  data=4,"takes 4 GPUs, not 8"
  paradl: no point is feasible
  [1]

Numbers of files have the suffixes of options, in lists and ranges, as those of points have:

  $ for values in 1k,2k 1k..2k 1000,2000; do
  >   paradl sweep llama3-8b --hw dgx-h100-superpod --vary gpus=64 --vary seq=$values -s 'data=8,tensor=8' --batch 64 --csv --columns iteration_s 2>&- > "$values.csv"; done
  $ wc -l < 1k,2k.csv; cmp 1k,2k.csv 1k..2k.csv; cmp 1k,2k.csv 1000,2000.csv
  3
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --vary gpus=64 --vary seq=8q -s 'data=*'
  model.dims.seq=8q: /dims/seq: must be a whole number from 1 to 2147483647, is "8q"
  [3]

Costs of machines that are rented and of machines that are bought do not compare; the table says so:

  $ python3 -c 'import json, os; d=json.load(open(os.environ["PARADL_PATH"] + "/hw-profiles/toy.json")); d.update(name="Bought", price={"node": 1e5, "years": 4, "currency": "EUR"}); json.dump(d, open("bought.json", "w"))'
  $ paradl sweep tiny --gpus 4 --vary hw=toy,bought.json --goal cost | grep -v assumed
  Tiny on Toy: 2 points, gpus 4, hw toy to bought.json, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   GPUs  machine  strategy       iteration   epoch    cost/epoch  paid by   memory/GPU  limited by
      4  Toy      data=4,zero=1     980 us  196 ms     0.218 EUR  rent         232 KiB  97 % compute
      4  Bought   data=4,zero=1     980 us  196 ms  0.000311 EUR  purchase     232 KiB  97 % compute
  
   cost        of machines that are rented and of machines that are bought: the two do not compare
               (--set hw.price.basis=rent, or purchase, where they have both)
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
  $ paradl sweep tiny --gpus 4 --vary hw=bought.json --goal cost | grep -E 'GPUs|Bought|cost'
  Tiny on Bought: 1 point, gpus 4, hw bought.json, fp32, 1.00 GiB/GPU
   GPUs  machine  strategy       iteration   epoch    cost/epoch  samples/s  memory/GPU  limited by
      4  Bought   data=4,zero=1     980 us  196 ms  0.000311 EUR     32,657     232 KiB  97 % compute
               guessed in Bought: levels, power, price
  $ paradl sweep tiny --gpus 4 --vary hw=toy,bought.json --columns hw,cost_per_epoch,currency,price_basis --csv
  hw,cost_per_epoch,currency,price_basis
  Toy,0.2177482266666666,EUR,rent
  Bought,0.00031050112175830854,EUR,purchase
  $ paradl sweep tiny --gpus 4 --vary hw=toy,bought.json --csv | grep -oE "[^,]*currency,price_basis|EUR,[^,]*"
  currency,price_basis
  EUR,rent
  EUR,purchase

What makes no grid:

  $ paradl sweep tiny --hw toy --vary gpuz=4
  paradl: nothing called 'gpuz' varies; did you mean 'gpus'?
  [2]
  $ paradl sweep tiny --hw toy --vary gpus
  paradl: --vary gpus does not say what it may be
    hint: write --vary KEY=VALUES, as in --vary gpus=4..1024
  [2]
  $ paradl sweep tiny --hw toy --vary gpus=4,8 batch=1k,2k
  paradl: sweep takes no 'batch=1k,2k'
    hint: --vary takes one KEY=VALUES and is written again for the next
  [2]
  $ paradl sweep tiny --hw toy --vary gpus=8..4
  paradl: gpus cannot be '8..4'
    hint: ranges are 4..1024 (doubling), 4..64+4 (stepping), 1..1000*10 (by a factor), x0.5..x4 or 25 GB/s..100 GB/s
  [2]
  $ paradl sweep tiny --hw toy --vary gpus=4 --vary hw.levels.5.bandwidth=x2 -s 'data=*'
  paradl: hw.levels.5.bandwidth=x2: */hw-profiles/toy.json has no 'levels.5' (glob)
    hint: 'levels' has 0 to 1
  [2]
  $ paradl sweep tiny --hw toy --vary gpus=4 --vary 'hw.levels.1.bandwidth=1 GB/s,2 GBps' -s 'data=*'
  hw.levels.1.bandwidth=2 GBps: /levels/1/bandwidth: bandwidth has the unit "GBps": write "GB/s" (bytes) or "Gb/s" (bits)
  [3]
  $ paradl sweep tiny --hw toy --vary batch=4 -s 'data=*'
  paradl: data=*: '*' is as many as there are GPUs for
    hint: say how many: --vary gpus=4..1024
  [2]
  $ paradl sweep tiny --hw toy --vary batch=4 -s data
  paradl: the best plans of how many GPUs?
    hint: add --vary gpus=4..1024, or plans: -s data=64,spatial=4
  [2]
  $ paradl sweep tiny --hw toy --gpus 4 --vary tensor=1,2 -s data
  paradl: tensor is a degree, which the best of a family chooses
    hint: say what the others are: -s 'data=*'
  [2]
  $ paradl sweep tiny --hw toy --gpus 4 --vary batch=8 --batch 8
  paradl: only one of --batch and --vary batch= is possible
  [2]
  $ paradl sweep tiny --hw toy --gpus 4 -s 'data=*' --columns gpus,iterations
  paradl: --columns knows no 'iterations'; did you mean 'iteration_s'?
  [2]
  $ paradl sweep --hw toy --gpus 4 2>&1 | cut -d: -f2
   sweep needs a MODEL
   'paradl sweep -h' shows the usual options and examples
  $ paradl sweep tiny --gpus 4 2>&1 | cut -d: -f2
   sweep needs --hw HW
   'paradl sweep -h' shows the usual options and examples
  $ paradl sweep tiny --hw toy --gpus 4 -o a.csv --resume b.csv
  paradl: only one of -o and --resume is possible
  [2]
  $ echo nothing >c.csv.part; paradl sweep tiny --hw toy --gpus 4 -s 'data=*' --resume c.csv
  c.csv.part: is no part of a sweep
    hint: give another name, or remove the file
  [2]

What varies and what forbids stay, however narrow the line:

  $ paradl sweep llama2-7b --vary hw=aws-p4d,aws-p5 --gpus 8 --batch 64 --vary tensor=1,8 -s 'data=*' --width 80 | sed -n '5,9p'
   GPUs  machine           tensor  strategy  iteration   epoch  limited by
      8  AWS p4d.24xlarge       1  data=8       8.04 s   710 d  needs 185 GiB on…
      8  AWS p4d.24xlarge       8  tensor=8     13.1 s  1154 d  18 % activation e…
      8  AWS p5.48xlarge        1  data=8       3.03 s   267 d  needs 185 GiB on…
      8  AWS p5.48xlarge        8  tensor=8     5.25 s   464 d  22 % activation e…

A file that cannot be written is no bad input:

  $ paradl sweep tiny --hw toy --gpus 4 -o nowhere/x.csv
  nowhere/x.csv: cannot write: No such file or directory
  [5]
  $ paradl sweep tiny --hw toy --gpus 4 --resume nowhere/x.csv
  nowhere/x.csv.part: cannot write: No such file or directory
  [5]

A full disk is said at once, and which file it was:

  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 -s 'data=*' --csv -o /dev/full
  /dev/full: cannot be written: No space left on device
  [5]
  $ paradl sweep tiny --hw toy --ideal --gpus 2..8 -s 'data=*' > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]

A model without a batch has a usual one at each point.

  $ python3 - "$TESTDIR/data/models/tiny.json" <<'EOF'
  > import json, sys
  > model = json.load(open(sys.argv[1]))
  > del model["training"]["batch_per_gpu"]
  > json.dump(model, open("free.json", "w"))
  > EOF
  $ paradl sweep free.json --hw toy --vary gpus=2,4 -s 'data=*' --columns gpus,strategy,batch -q
   GPUs  strategy  batch
      2  data=2       64
      4  data=4      128
  $ paradl sweep free.json --hw toy --vary gpus=2 -s 'data=*' --columns gpus 2>&1 >/dev/null
  paradl: warning: Tiny names no batch: a usual one is taken (--batch, --per-gpu)

A column that goes on with another one is not left over without a heading:

  $ PARADL_PATH="$TESTDIR/../.." paradl sweep llama3-8b --hw dgx-h100-superpod --gpus 8 -s data=8,zero=3 --framework fsdp --vary micro=1,4 --batch 256 | sed -n 4,6p
   GPUs  micro  strategy               iteration   epoch  limited by
      8      1  data=8,micro=1,zero=3     33.6 s  2781 d  100 % compute
      8      4  data=8,micro=4,zero=3     32.4 s  2684 d  needs 185 GiB on the fullest device, which…

The value that is no count is named, not the first one:

  $ paradl sweep resnet50 --hw abci --vary gpus=8,abc
  paradl: gpus cannot be 'abc', which is not a whole number such as 256 or 32k
  [2]

A batch in tokens is as many samples as the sequence of each point makes of it; a machine that lacks the number format keeps its name:

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --gpus 64 --vary seq=4096..16384 --batch '8M tokens' -s 'data=*,zero=3' --csv --columns seq,batch,strategy
  seq,batch,strategy
  4096,2048,"data=64,zero=3"
  8192,1024,"data=64,zero=3"
  16384,512,"data=64,zero=3"
  $ paradl sweep resnet50 --hw dgx-h100-superpod --gpus 64 --batch '8M tokens' -s 'data=*' --csv --columns batch,reason -q
  batch,reason
  ,"a sample has no tokens, in which the batch is given"
  paradl: no point is feasible
  [1]
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --gpus 64 --batch '8M tokens' --per-gpu 4
  paradl: only one of batch and per-gpu is possible
  [2]
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --gpus 64 --batch '8M tokens' --vary batch=8,16
  paradl: only one of --batch and --vary batch= is possible
  [2]
  $ paradl sweep llama3-8b --gpus 64 --batch 64 --vary hw=dgx-h100-superpod,fugaku,laptop -s 'data=*,zero=3' --csv --columns model,hw,batch,reason
  model,hw,batch,reason
  Llama-3-8B,DGX H100 SuperPOD,64,
  Llama-3-8B,Fugaku,64,A64FX (2.2 GHz) does not compute in bf16-mixed
  Llama-3-8B,laptop,64,laptop has 1 devices; the plan uses 64

Rates are as --rate has them, or bare numbers:

  $ served="llama3-8b --hw dgx-h100-superpod --gpus 8 --inference -s tensor=8 --csv"
  $ paradl sweep $served --vary rate=10/s,50/s --columns rate_per_s,samples_per_s
  rate_per_s,samples_per_s
  10,10
  50,50
  $ paradl sweep $served --vary rate=600/min..1200/min --columns rate_per_s,samples_per_s
  rate_per_s,samples_per_s
  10,10
  20,20
  $ paradl sweep $served --vary rate=10,50 --columns rate,samples_per_s
  rate,samples_per_s
  10,10
  50,50
  $ paradl sweep $served --vary rate=10,50/s
  paradl: rate cannot be '50/s': all are rates of requests, such as 20/s, or all are bare numbers
  [2]
