Input: what feeds the devices, as advise, estimate and search ask for it.

  $ . "$TESTDIR/setup.sh"
  $ ask() { paradl estimate tiny --hw toy -s data=4 --batch 64 "$@"; }

Choices that mean nothing say what does.

  $ ask --shuffle locale
  paradl: --shuffle cannot be 'locale'; did you mean 'local'?
  [2]
  $ ask --shuffle partial
  paradl: --shuffle partial needs the share that changes hands: --shuffle partial:10%
  [2]
  $ ask --shuffle global:10%
  paradl: --shuffle global:10% exchanges no share: it is global, local, partial:Q, pairwise:Q or models:H
  [2]
  $ ask --shuffle partial:120
  paradl: --shuffle must be from 0 to 1, is 120
  [2]
  $ ask --cache pined
  paradl: --cache cannot be 'pined'; did you mean 'pinned'?
  [2]
  $ ask --cache pinned:10
  paradl: the size of --cache needs a unit: write "16 GiB" or "25 MB"
  [2]
  $ ask --cache none:1GB
  paradl: --cache none has no size
  [2]
  $ ask --store shard
  paradl: with --store shard a node has only a part of the samples: --shuffle local, partial:Q, pairwise:Q or models:H
  [2]
  $ ask --store pooled --shuffle local
  paradl: with --shuffle local a node reads no part of the others: --store shard
  [2]
  $ ask --store disk
  paradl: --store cannot be 'disk': it is one of auto, shared, copy, pooled, shard
  [2]
  $ ask --no-input --store copy
  paradl: --no-input leaves out what --store is about: one of them
  [2]
  $ ask --dataset nowhere.json
  nowhere.json: cannot open: No such file or directory
  [3]

What a table says can be pasted has the options in it.

  $ paradl advise tiny --hw toy --gpus 2,4 --batch 64 --shuffle partial:10% --cache pinned:2GB --store shard --workers 3 --prefetch 2 --no-prefetch | grep -A1 details
   details     paradl advise tiny --hw toy --shuffle partial:10% --store shard --cache pinned:2GB
               --workers 3 --prefetch 2 --no-prefetch --gpus 4 --batch 64

A toy with storage of its own waits where that is slow, and says for what. Samples are 1 MB; 16 a step and GPU, two GPUs a node.

  $ mkdir hw-profiles && cp -r "$PARADL_PATH"/hw-profiles/devices "$PARADL_PATH"/hw-profiles/frameworks hw-profiles
  $ python3 - "$PARADL_PATH" <<'EOF'
  > import json, sys
  > toy = json.load(open(sys.argv[1] + "/hw-profiles/toy.json"))
  > toy["storage"] = {"shared": {"read": "1 GB/s", "variation": 0}, "local": {"read": "50 MB/s", "capacity": "10 GB"}}
  > toy["host"] = {"cores": 16}
  > toy["from"].update({"storage": "assumed: a toy", "host": "assumed: a toy"})
  > json.dump(toy, open("hw-profiles/fed.json", "w"))
  > tiny = json.load(open(sys.argv[1] + "/models/tiny.json"))
  > tiny["dataset"].update({"sample_size": "1 MB", "decoded_size": "1 MB"})
  > json.dump(tiny, open("tiny-fed.json", "w"))
  > EOF
  $ feed() { paradl estimate tiny-fed.json --hw hw-profiles/fed.json -s data=4 --batch 64 "$@"; }
  $ feed --store shared -q | sed -n '/ phase/,/ total/p;/ limited/,/assumed/p'
   phase              per iteration  per epoch  share  formula
   forward                   715 us    71.5 ms  1.1 %  max(sum over layers of device, layers host cal…
   backward                 1.19 ms     119 ms  1.9 %  max(sum over layers of device, layers host cal…
   weight update             116 ns    11.6 us  0.0 %  weights bytes per weight / memory rate
   gradient exchange        29.8 us    2.98 ms  0.0 %  allreduce of gradients
   input                    62.1 ms     6.21 s   97 %  max(fetch, preparation, copy to the device, st…
   total                    64.0 ms     6.40 s         100 iterations, 1,000 samples/s
  $ feed --store shared | sed -n '/ input:/,/launch/p'
               input: toys from the shared file system, global shuffle, prepared beside compute
   launch      a device mesh of PyTorch, and the calls that use it
  $ feed --store copy -q --explain | sed -n '/^ input/,$p'
   input
     max(fetch, preparation, copy to the device, step) - step + exchange = fetch 640 ms (copy),
       preparation 2.222 ms, copy 0 ms, exchange 0 ms, step 1.93 ms = 638 ms
  $ feed --store shared --json > fed.json; python3 - <<'EOF'
  > import json
  > result, = json.load(open("fed.json"))["results"]
  > print(result["io_s"], result["exposed_io_s"] == result["phases_s"]["input"], result["iteration_s"])
  > EOF
  0.064 True 0.064
  $ feed --no-input | sed -n '/ total/p;/(--no-input)/p'
   total                    1.93 ms     193 ms         100 iterations, 33,161 samples/s
               samples are there when they are needed (--no-input)
  $ feed --store shared --no-prefetch | grep -c '^ *input '
  1
  $ paradl advise tiny-fed.json --hw hw-profiles/fed.json --gpus 4 --batch 64 --csv --columns strategy,io_s,exposed_io_s | head -n 3
  strategy,io_s,exposed_io_s
  "data=4,zero=1",0.064,0.06207011506
  "data=2,spatial=2,zero=1",0.064,0.06203006994

The search proves what trying everything finds, for plans that all wait.

  $ for how in "" --exhaustive; do
  >     paradl search tiny-fed.json --hw hw-profiles/fed.json --gpus 8 --batch 64 --csv --columns strategy,iteration_s $how | head -n 2
  > done
  part,strategy,iteration_s
  best,"data=8,zero=1,shard=4",0.064
  part,strategy,iteration_s
  best,"data=8,zero=1,shard=4",0.064

A store without room is used all the same, since it was asked for.

  $ sed 's/"capacity": "10 GB"/"capacity": "1 GB"/' hw-profiles/fed.json > hw-profiles/full.json
  $ paradl estimate tiny-fed.json --hw hw-profiles/full.json -s data=4 --batch 64 --store copy 2>&1 > copy.txt
  paradl: warning: store copy: 5.96 GiB needed, 954 MiB of disk in each node; it is estimated as if there were room
