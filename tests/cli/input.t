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
  paradl: --shuffle global:10% exchanges no share: it is global, local, partial:Q or pairwise:Q
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
  paradl: with --store shard a node has only a part of the samples: --shuffle local, partial:Q or pairwise:Q
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

  $ paradl advise tiny --hw toy --gpus 2,4 --batch 64 --shuffle partial:10% --cache pinned:2GB --store shard --workers 3 --prefetch 2 --in-turn | grep -A1 details
   details     paradl advise tiny --hw toy --shuffle partial:10% --store shard --cache pinned:2GB
               --workers 3 --prefetch 2 --in-turn --gpus 4
