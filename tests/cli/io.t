Ways to feed plans: the bottleneck, what to change.

  $ . "$TESTDIR/setup.sh"
  $ sed -e 's/"Toy"/"Toy with disks"/' -e 's/"from": {/"from": { "host": "assumed: a toy", "storage": "assumed: a toy",/' \
  >   -e '/"levels": \[/i\
  >   "host": { "cores": 8, "memory": "16 GB", "cache_share": 0.5, "memory_rate": "50 GB/s", "network": "1 GB/s" },\
  >   "storage": { "pfs": { "read": "200 MB/s", "variation": 0.5, "opens": 5000 },\
  >     "local": { "capacity": "50 GB", "read": "1 GB/s", "write": "500 MB/s" } },' \
  >   "$TESTDIR/data/hw-profiles/toy.json" > disks.json
  $ cat > data.json << 'END'
  > { "format": "paradl-dataset", "version": 1, "name": "Pictures", "samples": 1000000, "sample_size": "100 kB",
  >   "classes": 1000, "decoded_size": "600 kB", "layout": "files", "encoding": "jpeg" }
  > END
  $ io() { paradl io tiny --hw disks.json --dataset data.json --batch 512 --ideal "$@"; }

All ways of one plan: the answer first, what is stored, what to change, what it takes, what cannot be.

  $ io --gpus 8 | sed '/^ assumed/,$d'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  Tiny on Toy with disks: input of data=8 on 8 GPUs in 4 nodes, global batch 512, fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
   verdict     pooled: preparation by the cores of a node binds: 66.5 k samples/s needed, 7286
               samples/s there: GPUs wait 89 % of each step
   otherwise   shared: the shared file system binds: 6.65 GB/s needed, 200 MB/s there: GPUs wait 97 %
               of each step
   needs       6.65 GB/s (66.5 k samples/s); 1.66 GB/s per node, 831 MB/s per GPU (8312 samples/s)
  
   samples from     epoch  fetch  late  prep.  exch.   busy  binds     next      90 epochs  risk
   pooled        2.29 min      -     -   89 %      -   11 %  cores     local        3.57 h  -
   shared        8.33 min   36 %  36 %   24 %      -  3.0 %  shared    metadata     12.5 h  -
   local         2.29 min      -     -   89 %      -   11 %  cores     local        3.57 h  low
   partial:0.1   2.29 min      -     -   15 %   74 %   11 %  cores     exchange     3.57 h  low
   partial:0.3   4.03 min      -     -      -   94 %  6.2 %  exchange  cores        6.18 h  low
   partial:0.5   6.11 min      -     -      -   96 %  4.1 %  exchange  cores        9.30 h  low
   pairwise:0.3  2.29 min      -     -   51 %   38 %   11 %  cores     exchange     3.57 h  low
   models:1      2.29 min      -     -   89 %      -   11 %  cores     local        3.57 h  low
  
   samples from  per worker  per node        of   staging   pays after  first epoch
   pooled          11.6 GiB  23.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   shared                 -         -         -         -            -     8.33 min
   local           11.6 GiB  23.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   partial:0.1     12.8 GiB  25.6 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   partial:0.3     15.1 GiB  30.3 GiB  46.6 GiB  8.33 min  1.93 epochs     4.03 min
   partial:0.5     17.5 GiB  34.9 GiB  46.6 GiB  8.33 min  3.75 epochs     6.11 min
   pairwise:0.3    15.1 GiB  30.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   models:1        11.6 GiB  23.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
  
   what to change               option     step  saves  busy  then binds
   74 cores per node for input  -       10.7 ms   85 %  72 %  local
  
   what it takes                                                   needed     there
   memory per node for samples, so that reading stalls nothing  no amount  7.45 GiB
   cores per GPU for samples, so that they stall nothing               37         4
   most share exchanged that makes a step at most 5 % longer        0.144         -
   nodes whose pooled disks hold the data set                           2         4
   GPUs that the shared file system feeds without a stall               0         8
  
   impossible  copy: 93.1 GiB needed, 46.6 GiB of disk in each node
   risk        low for accuracy with local: a worker keeps 125,000 samples, 125 of each of 1,000
               classes

Narrow, and without symbols.

  $ io --gpus 8 --width 80 --ascii --shuffle global,local | sed '/^ assumed/,$d'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  Tiny on Toy with disks: input of data=8 on 8 GPUs in 4 nodes, global batch 512,
      fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
   verdict     pooled: preparation by the cores of a node binds: 66.5 k samples/s
               needed, 7286 samples/s there: GPUs wait 89 % of each step
   otherwise   shared: the shared file system binds: 6.65 GB/s needed, 200 MB/s
               there: GPUs wait 97 % of each step
   needs       6.65 GB/s (66.5 k samples/s); 1.66 GB/s per node, 831 MB/s per GPU
               (8312 samples/s)
  
   samples from     epoch  fetch  late  prep.   busy  binds   90 epochs  risk
   pooled        2.29 min      -     -   89 %   11 %  cores      3.57 h  -
   shared        8.33 min   36 %  36 %   24 %  3.0 %  shared     12.5 h  -
   local         2.29 min      -     -   89 %   11 %  cores      3.57 h  low
   left out    next: wider lines have them (--width)
  
   samples from  per node        of   staging   pays after  first epoch
   pooled        23.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   shared               -         -         -            -     8.33 min
   local         23.3 GiB  46.6 GiB  8.33 min  1.38 epochs     2.29 min
   left out    per worker: wider lines have them (--width)
  
   what to change               option     step  saves  busy  then binds
   74 cores per node for input  -       10.7 ms   85 %  72 %  local
  
   what it takes                                                   needed
   memory per node for samples, so that reading stalls nothing  no amount
   cores per GPU for samples, so that they stall nothing               37
   most share exchanged that makes a step at most 5 % longer        0.144
   nodes whose pooled disks hold the data set                           2
   GPUs that the shared file system feeds without a stall               0
   left out    there: wider lines have them (--width)
  
   impossible  copy: 93.1 GiB needed, 46.6 GiB of disk in each node
   risk        low for accuracy with local: a worker keeps 125,000 samples, 125 of
               each of 1,000 classes

One way: its fixes, what each resource has, and the terms with their numbers.

  $ io -s data=4 --store shared --cache none --workers 1 --resources --explain --epochs 10 | sed '/^ assumed/,$d'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  Tiny on Toy with disks: input of data=4 on 4 GPUs in 2 nodes, global batch 512, fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
   verdict     preparation by the cores of a node binds: 33.7 k samples/s needed, 910.8 samples/s
               there: GPUs wait 97 % of each step
   needs       3.37 GB/s (33.7 k samples/s); 1.69 GB/s per node, 844 MB/s per GPU (8437 samples/s)
  
   samples from     epoch  fetch  late  prep.   busy  binds  next    10 epochs
   shared        18.3 min      -     -   97 %  2.7 %  cores  shared     3.05 h
  
   samples from  per worker  per node  of  staging  pays after  first epoch
   shared                 -         -   -        -           -     18.3 min
  
   what to change                           option               step  saves   busy  then binds
   let all cores of a node prepare samples  without --workers  256 ms   54 %  5.9 %  shared
  
   what it takes                                                   needed  there
   memory per node for samples, so that reading stalls nothing  no amount    0 B
   cores per GPU for samples, so that they stall nothing               38      1
   most share exchanged that makes a step at most 5 % longer        0.867      -
   nodes whose pooled disks hold the data set                           2      2
   GPUs that the shared file system feeds without a stall               0      4
  
   resource                                       per step   samples      bytes  of what is needed
   the shared file system                           256 ms    2000/s   200 MB/s            0.0593×
   opening files                                    102 ms    5000/s   500 MB/s             0.148×
   what one node reads of the shared file system   33.0 ms  15.5 k/s  1.55 GB/s              0.46×
   preparation by the cores of a node               562 ms   910.8/s  91.1 MB/s             0.027×
   compute and its communication                   15.2 ms  33.7 k/s  3.37 GB/s                 1×
  
     shared: B · missed s / rate of the file system = 512 (all) · 500 us = 256 ms
     metadata: max(missed opens / opens in a second, of a node · latest) = 512 (all) · 200 us = 102
       ms
     client: b_node · missed s / rate of a node · latest = 256 (a node) · 129 us = 33.0 ms
     cores: b_node · preparation of a sample / (cores · 0.9) = 256 (a node) · 2.20 ms = 562 ms
     stragglers: fetch · (E[slowest of M] / mean - 1) = 199 ms · (1.289 - 1), M = 2 nodes = 57.3 ms
     step: max(fetch, preparation, transfer, devices + exchange) = 256 ms, 562 ms, 0 s, 15.2 ms =
       562 ms
  

Workers that keep little of many classes.

  $ sed 's/: 1000000/: 5000/' data.json > few.json
  $ paradl io tiny --hw disks.json --dataset few.json --ideal --gpus 8 --per-gpu 8 --shuffle local,partial:10%,pairwise:0.3 | sed -n '/^ risk/,/^ assumed/p' | sed '/^ assumed/d'
  paradl: warning: --dataset few.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
   risk        high for accuracy with local: a worker keeps 625 samples, 0.625 of each of 1,000
               classes. Seen (IPDPS'22, ResNet-50 on ImageNet-1K): with 0.63 of each class local
               shuffling lost 10 points of top-1, partial:0.1 lost 4, partial:0.3 under 1; from 1.25
               on, next to nothing. One study: a warning, not a prediction

Input that never binds says by how much.

  $ sed -e 's/100 kB/10 B/' -e 's/600 kB/40 B/' -e 's/files/shards/' data.json > small.json
  $ paradl io tiny --hw disks.json --dataset small.json --ideal --gpus 1 --per-gpu 8 --shuffle global | head -4
  paradl: warning: --dataset small.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  Tiny on Toy with disks: input of serial on 1 GPU in 1 node, global batch 8, fp32, ideal,
      1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
   verdict     shared: input never binds: 8473 samples/s needed; nearest is preparation by the cores

Several numbers of GPUs and shuffles are one table, for people and for programs; a single question has the same numbers.

  $ io --gpus 2..8 --shuffle global,partial:25% -q
   GPUs  samples from     epoch  fetch  late  prep.  exch.   busy  binds     next      90 epochs  risk
      2  shared        9.15 min      -     -   89 %      -   11 %  cores     shared       13.7 h  -
      4  pooled        4.57 min      -     -   89 %      -   11 %  cores     local        7.00 h  -
      4  shared        8.33 min   23 %  22 %   49 %      -  5.9 %  shared    cores        12.5 h  -
      8  pooled        2.29 min      -     -   89 %      -   11 %  cores     local        3.57 h  -
      8  shared        8.33 min   36 %  36 %   24 %      -  3.0 %  shared    metadata     12.5 h  -
      8  partial:0.25  3.51 min      -     -      -   93 %  7.1 %  exchange  cores        5.40 h  low
  $ io --gpus 2..8 --shuffle global,partial:25% --csv > sweep
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  $ python3 -c 'import csv; [print(r["gpus"], r["store"], r["shuffle"], r["possible"], r["utilisation"][:6], r["binding"]) for r in csv.DictReader(open("sweep"))]'
  2 shared global true 0.1074 cores
  2 copy global false 0.1074 cores
  2 pooled global false 0.1074 cores
  2 shard partial false 0.0816 exchange
  4 pooled global true 0.1079 cores
  4 shared global true 0.0592 shared
  4 copy global false 0.1079 cores
  4 shard partial false 0.0777 exchange
  8 pooled global true 0.1095 cores
  8 shared global true 0.0300 shared
  8 shard partial true 0.0714 exchange
  8 copy global false 0.1095 cores
  $ python3 -c 'import csv; print({len(r) for r in csv.reader(open("sweep"))})'
  {39}
  $ for n in 2 4 8; do io --gpus $n --shuffle global,partial:25% --csv | sed 1d; done > single
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  $ sed 1d sweep | diff - single

Documents.

  $ io --gpus 2,8 --json --explain > document
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  $ schema < document
  paradl-io-1
  $ io --gpus 8 --jsonl --shuffle local | python3 -c 'import json,sys; r = json.loads(sys.stdin.read()); print(r["gpus"], r["store"], r["binding"], r["break_even_epochs"] > 0)'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  8 shard cores True
  $ io --gpus 8 --csv --explain --store shared | cut -d , -f 1,2 | head -3
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  gpus,formula
  8,shared: B · missed s / rate of the file system
  8,"metadata: max(missed opens / opens in a second

What is there is enough, or is not; of shares that a global shuffle does not exchange that is not known.

  $ needs() { python3 -c 'import json,sys; [print(n["name"], n["has"], n["needs"], n["enough"]) for n in json.load(sys.stdin)["cases"][0]["needs"]]'; }
  $ io --gpus 8 --json | needs
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  memory_bytes_per_node 8000000000 None False
  cores_per_device 4 37 False
  most_exchanged_share None 0.1440049409866333 None
  pooled_nodes 4 2 True
  shared_devices 8 0 False
  $ io --gpus 8 --shuffle partial:25% --json | needs
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  memory_bytes_per_node 8000000000 12451850771.903992 False
  cores_per_device 4 37 False
  most_exchanged_share 0.25 0.1440049409866333 False
  pooled_nodes 4 2 True
  shared_devices 8 0 False
  $ paradl io tiny --hw disks.json --dataset data.json --ideal --gpus 1 --per-gpu 1 --json --set hw.storage.pfs.read=x1000 --set hw.storage.pfs.opens=x1000 --set hw.host.cores=x100 | needs
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  cores_per_device 400 19 True
  pooled_nodes 1 2 False
  shared_devices 1 0 False

An epoch that is shorter than an iteration says so.

  $ io --gpus 8 --batch 2000000 --shuffle local 2>&1 >/dev/null
  paradl: warning: --batch '2000000' takes the place of '512'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: warning: an epoch is shorter than an iteration: Pictures has 1000000 samples, a batch 2000000
  [1]

What does not go together, and what is not known.

  $ io --gpus 4 -s data=4
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: only one of -s and --gpus is possible: -s PLAN says how many
  [2]
  $ io --gpus 4 --no-input
  paradl: --no-input leaves out all that io is about
  [2]
  $ io --gpus 4 --shuffle local,partial
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: --shuffle partial needs the share that changes hands: --shuffle partial:10%
  [2]
  $ io --gpus 16
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: --gpus 16 is more than Toy with disks has: 8 GPUs
    hint: --set hw.levels.1.devices=16 asks about a larger one, and --set hw.network.cluster=... about its network, if the file has one; or change both in a copy of its file
  [2]
  $ io --gpus 4 --shuffle global --store shard
  paradl: with --store shard a node has only a part of the samples: --shuffle local, partial:Q, pairwise:Q or models:H
  [2]
  $ paradl io tiny --hw disks.json --gpus 4
  paradl: what Tiny needs of Toy with disks's storage is not known: the data set has no sample_size
    hint: --dataset FILE names a data set with the size of its samples; the machine's profile needs "storage" (paradl-hw(5))
  [2]
  $ paradl io tiny --hw toy --dataset data.json --gpus 4
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  paradl: what Tiny needs of Toy's storage is not known: the profile of the machine has neither storage nor host cores
    hint: --dataset FILE names a data set with the size of its samples; the machine's profile needs "storage" (paradl-hw(5))
  [2]
  $ io --gpus 2 --store copy -q
  [1]

Models that go from worker to worker, here and in what ranks plans:

  $ io --gpus 8 --shuffle models:2 -q
   samples from     epoch  fetch  late  prep.  busy  binds  next   90 epochs  risk
   models:2      2.29 min      -     -   89 %  11 %  cores  local     3.57 h  low
  $ io --gpus 4 --shuffle models:4 -q | cat
  $ io --gpus 4 --shuffle models:4 | grep impossible
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
   impossible  models:4: models that go to 4 other workers need 5 workers, there are 4
  $ io --gpus 4 --shuffle models
  paradl: --shuffle models needs how often in an epoch a model goes to another worker: --shuffle models:1
  [2]
  $ io --gpus 4 --shuffle models:1.5
  paradl: --shuffle is '1.5', which is not a whole number such as 256, 32k or 1e6
  [2]
  $ io --gpus 4 --shuffle models:1 --store copy | grep impossible
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
   impossible  models:1: models go to the parts that workers keep: only with shards
  $ paradl advise tiny --hw disks.json --dataset data.json --gpus 8 --batch 512 --shuffle models:2 --store shard --top 1 | grep -E '^ assumed|input:'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
   assumed     10 numbers of the machine (paradl check disks.json), 2 things more (--verbose)
  $ paradl search tiny --hw disks.json --dataset data.json --gpus 8 --batch 512 --shuffle models:2 --json | python3 -c 'import json,sys; d = json.load(sys.stdin); print([t for t in d["assumptions"] if "models" in t])'
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  ['input: Pictures from a part on each node, models:2 shuffle, prepared beside compute; brought there in 8.33 min']

What a page cache does for a global shuffle from the shared file system must be asked for, and files are opened there again:

  $ io --gpus 8 --store shared --epochs 90 --csv | cut -d , -f 16-18
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  staging_s,busy_s,step_s
  0,0.0076997255999999995,0.256
  $ io --gpus 8 --store shared --epochs 90 --csv --cache page | cut -d , -f 16-18
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  staging_s,busy_s,step_s
  0,0.0076997255999999995,0.2473028219223952
  $ io --gpus 8 --store shared --epochs 90 --csv --cache pinned | cut -d , -f 16-18
  paradl: warning: --dataset data.json: it has 1000 classes, the network tells 10 apart; its last layer is estimated as it is
  staging_s,busy_s,step_s
  0,0.0076997255999999995,0.23551999999999998

A share beyond all:

  $ paradl io resnet50 --hw abci --gpus 16 --shuffle partial:2
  paradl: --shuffle must be from 0 to 1, is 2
    hint: did you mean --shuffle partial:2%?
  [2]

Where data parallelism lacks memory the fastest plan that does not is fed; a plan that is asked for is judged as it is.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl io llama3-70b --hw dgx-h100-superpod --gpus 64 --shuffle global | grep -E 'input of|^ memory|fastest'
  Llama-3-70B on DGX H100 SuperPOD: input of data=2,pipeline=4,context=2,tensor=4,micro=1,schedule=interleaved:2,zero=1,sequence=on on 64 GPUs in 8 nodes,
               data parallelism alone does not fit: the fastest plan that does is fed
  $ paradl io llama3-70b --hw dgx-h100-superpod --gpus 8,64 --shuffle global | grep -E 'input of|^ memory|fastest'
  Llama-3-70B on DGX H100 SuperPOD: input of 8 to 64 GPUs, 64 samples each, bf16-mixed, 80.0 GiB/GPU
   memory      the plan does not fit: 1.33 TiB of 80.0 GiB on the fullest GPU
               data parallelism alone does not fit: the fastest plan that does is fed
  $ paradl io llama3-70b --hw dgx-h100-superpod -s data=8 --shuffle global | grep -E 'input of|^ memory|fastest'
  Llama-3-70B on DGX H100 SuperPOD: input of data=8 on 8 GPUs in 1 node, global batch 512, bf16-mixed,
   memory      the plan does not fit: 1.33 TiB of 80.0 GiB on the fullest GPU
  $ paradl io llama3-70b --hw dgx-h100-superpod -s data=8 --shuffle global -q > /dev/null
  [1]

Messages of exchanged samples were measured between many nodes alone, which is said where samples change hands:

  $ said() { tr '\n' ' ' | tr -s ' ' | grep -o 'a message of an exchanged sample.*measured (paradl check [a-z]*)'; }
  $ paradl io resnet50 --hw dgx-h100-superpod --gpus 8 --shuffle partial:10% --store shard | said
  a message of an exchanged sample takes as long between the GPUs of one node as between many nodes, where alone it was measured (paradl check nccl)
  $ paradl estimate resnet50 --hw dgx-h100-superpod -s data=8 --shuffle partial:10% --store shard | said
  a message of an exchanged sample takes as long between the GPUs of one node as between many nodes, where alone it was measured (paradl check nccl)
  $ paradl io resnet50 --hw dgx-h100-superpod --gpus 8 --shuffle local | said
  [1]

A program that decodes on its devices does not wait for processors, and eight H100 are faster than eight A100:

  $ for hw in dgx-a100-superpod dgx-h100-superpod; do
  >   paradl advise resnet50 --hw $hw --gpus 8 --precision fp16-mixed --framework mlperf-resnet --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0]["epoch_s"] < 30)'
  > done
  False
  True
Where the usual batch fits under no plan, the plan that is fed is the one that advise has first, with its batch:

  $ paradl io cosmoflow-512 --hw abci --gpus 128 | head -2
  paradl: warning: the usual batch of 128 fits only under slower plans, or none; all here is for a batch of 64, one sample for every 2 GPUs (--batch asks for another)
  CosmoFlow-512 on ABCI (V100): input of data=64,spatial=2 on 128 GPUs in 32 nodes, global batch 64,
      fp32, 16.0 GiB/GPU
  $ paradl advise cosmoflow-512 --hw abci --gpus 128 --csv --columns strategy,batch -q | head -2
  strategy,batch
  "data=64,spatial=2",64
