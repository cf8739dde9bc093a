One operation of many devices: by size, by algorithm, on networks compared.

  $ . "$TESTDIR/setup.sh"

The best algorithm of each size, and what devices that wait draw; the toy machine's network is a tree of its levels.

  $ paradl collective allreduce --hw toy --bytes 1K,64K,4M --algo ring,doubling,rabenseifner
  allreduce on Toy: 8 ranks in 4 nodes
  
     size     time  bus bandwidth  best                      next                wait energy
    1 KiB  25.2 us      71.1 MB/s  doubling                  rabenseifner +73 %     0.0242 J
   64 KiB   147 us       781 MB/s  rabenseifner, order=near  ring +24 %              0.141 J
    4 MiB  6.75 ms      1.09 GB/s  rabenseifner, order=near  ring +9.7 %              6.48 J
  
   crossovers  doubling up to 8.20 KiB, then rabenseifner
   power       at 4 MiB: 8 devices that wait 960 W (120 W each: 40 % of busy is assumed)
   assumed     Toy has no routed network: its levels are a tree of switches
               modelled times are not calibrated: against NCCL large messages are within 20 % where
               measured, except 8 nodes of ABCI 2.0; below 256 KiB times are up to 10 times too short
               guessed in Toy: levels, power, price
  $ paradl collective allreduce --hw toy --bytes 1K..4K --algo ring -q
    size     time  bus bandwidth  best  wait energy
   1 KiB  69.8 us      25.7 MB/s  ring      0.067 J
   2 KiB  71.6 us      50.1 MB/s  ring     0.0687 J
   4 KiB  75.2 us      95.4 MB/s  ring     0.0722 J
  $ paradl collective all_reduce --hw toy --ranks 8 --bytes 1M --algo ring,doubling
  allreduce on Toy: 8 ranks in 4 nodes
  
    size     time  bus bandwidth  best  next             wait energy
   1 MiB  1.90 ms       964 MB/s  ring  doubling +127 %       1.83 J
  
   by algorithm, 1 MiB
   algorithm     time          steps  traffic  most loaded link
   ring       1.90 ms             14      28×  a port of node 0, out
   doubling   4.32 ms  +127 %      3      48×  a port of node 0, out
  
   power       at 1 MiB: 8 devices that wait 960 W (120 W each: 40 % of busy is assumed)
   assumed     Toy has no routed network: its levels are a tree of switches
               modelled times are not calibrated: against NCCL large messages are within 20 % where
               measured, except 8 nodes of ABCI 2.0; below 256 KiB times are up to 10 times too short
               guessed in Toy: levels, power, price

On paper: 2 x 7 x (1 us + 100 KB / 1 GB/s) around a ring of 8, sizes of MB are decimal.

Variants are named by the words that the table says of them:

  $ paradl collective allreduce --hw toy --bytes 4M --algo hierarchical:leaders=1:doubling,ring --all -q
    size     time  bus bandwidth  best                               next         wait energy
   4 MiB  7.28 ms      1.01 GB/s  hierarchical, leaders=1, doubling  ring +1.8 %       6.99 J
  
   by algorithm, 4 MiB
   algorithm                             time          steps  traffic  most loaded link
   hierarchical, leaders=1, doubling  7.28 ms              8      30×  a port of node 0, out
   ring                               7.41 ms  +1.8 %     14      28×  a port of node 0, out
  $ paradl collective allreduce --hw toy --bytes 4M --algo hierarchical:leaders=3,ring
  paradl: no variant here is "hierarchical:leaders=3"
    hint: there are leaders=2, ring; leaders=2, doubling; leaders=1, ring; leaders=1, doubling
  [1]
  $ paradl collective allreduce --hw toy --bytes 4M --algo ring:leaders=3
  paradl: no variant here is "ring:leaders=3"
  [1]

  $ paradl collective ar --topology switch:8 --link '1 GB/s,500 ns' --bytes '0.8 MB' --algo ring --csv | cut -d, -f2,3,6,7,12,13
  operation,ranks,bytes,time_s,bus_bytes_per_s,algorithm
  allreduce,8,800000,0.0014140000000000001,990099009.90099,allreduce-ring
  $ paradl collective ar --topology switch:8,torus:4x2,ring:8 --link '1 GB/s,500 ns' --bytes '0.8 MB' --algo ring
  allreduce of 781 KiB on 3 networks
  
   network    ranks     time          best       bus  switches  ports  cables  hops  bisection
   switch:8       8  1.41 ms          ring  990 MB/s         1      8       8     2  4.00 GB/s
   torus:4x2      8  1.41 ms      ×1  ring  990 MB/s         0      3      12     3  4.00 GB/s
   ring:8         8  1.41 ms  ×0.995  ring  995 MB/s         0      2       8     4  2.00 GB/s
  
   assumed     on paper: cables as --link says: 1.00 GB/s, 500 ns each
  $ paradl collective a2a --topology kautz:16x2,dragonfly:17x16 --link '12.5 GB/s,500 ns' --bytes 64M -q
  all-to-all of 64 MiB on 2 networks
  
   network          ranks     time         best          bus  switches  ports  cables  hops  bisection
   kautz:16x2         272   652 us         direct   102 GB/s         0     16   4,352     2  15.2 TB/s
   dragonfly:17x16    272  5.05 ms  ×7.75  direct  13.2 GB/s         0     16   2,176     3  1.60 TB/s
  $ paradl collective ar --topology switch:16,hyperx:4x4,dln:4x4 --link '1 GB/s,500 ns' --bytes 1M --equal ports --algo ring
  allreduce of 1 MiB on 3 networks
  
   network     ranks     time         best       bus  switches  ports  cables  hops  bisection
   switch:16      16  2.00 ms         ring  985 MB/s         1     16      16     2  8.00 GB/s
   hyperx:4x4     16  11.8 ms  ×5.92  ring  166 MB/s         0      6      48     2  2.67 GB/s
   dln:4x4        16  2.01 ms  ×1.01  ring  978 MB/s         4      7      22     3  5.33 GB/s
  
   assumed     on paper: cables as --link says: 1.00 GB/s, 500 ns each
               equal ports: a router's cables to others have together what its devices can send;
               networks with switches of switches stay as they are

Prices and power, where a profile has them: the torus has 32 cables of 100 EUR and of 8 W idle, the switch 16 and itself.

  $ mkdir devices && cp "$TESTDIR/data/hw-profiles/devices/toy.json" devices/
  $ cat > priced.json <<'EOF'
  > {
  >   "format": "paradl-hw", "version": 1, "name": "Priced", "device": "toy", "framework": "toy",
  >   "levels": [{ "name": "room", "devices": 16, "latency": "1 us", "bandwidth": "1 GB/s" }],
  >   "network": {
  >     "cluster": "torus:4x4", "rings": "synchronous",
  >     "links": { "port": { "bandwidth": "1 GB/s", "latency": "500 ns", "idle": "8 W", "peak": "10 W", "price": 100 } },
  >     "switch_power": "50 W", "switch_price": 1000
  >   },
  >   "price": { "per_node_hour": 1, "currency": "EUR" },
  >   "from": { "levels": "assumed: a toy", "network": "assumed: a toy", "price": "assumed: a toy" }
  > }
  > EOF
  $ paradl collective ar --hw priced.json --bytes 1M --algo ring
  allreduce on Priced: 16 ranks
  
    size     time  bus bandwidth  best  link energy  wait energy
   1 MiB  2.00 ms       985 MB/s  ring      0.199 J       3.83 J
  
   by algorithm, 1 MiB
   algorithm     time    steps  traffic  most loaded link
   ring       2.00 ms       30    37.5×  switch link, device 0 to device 1
  
   power       at 1 MiB: links in use 99.7 W, all gear of the network 276 W, 16 devices that wait 1.92
               kW (120 W each: 40 % of busy is assumed)
   assumed     modelled times are not calibrated: against NCCL large messages are within 20 % where
               measured, except 8 nodes of ABCI 2.0; below 256 KiB times are up to 10 times too short
               guessed in Priced: levels, network, price
  $ paradl collective ar --hw priced.json --topology torus:4x4,switch:16 --bytes 1M --algo ring --csv | cut -d, -f1,7,29,30
  network,time_s,static_watt,price
  torus:4x4,0.0019960800000000003,256,3200
  switch:16,0.0019960800000000003,178,2600
  $ paradl collective ar --hw priced.json --topology torus:4x4,switch:16 --bytes 1M --algo ring --equal price -q
  allreduce of 1 MiB on 2 networks
  
   network    ranks     time          best  switches  ports  cables  hops  bisection  power      price
   torus:4x4     16  2.00 ms          ring         0      4      32     4  8.00 GB/s  256 W  3,200 EUR
   switch:16     16  1.63 ms  ×0.815  ring         1     16      16     2  9.85 GB/s  178 W  3,200 EUR

The steps.

  $ paradl collective allgather --topology switch:8 --link '1 GB/s,500 ns' --bytes 1M --algo doubling --schedule -q
  allgather of 1 MiB on 1 network
  
   network   ranks    time    best                       bus  switches  ports  cables  hops  bisection
   switch:8      8  921 us    doubling, order=near  997 MB/s         1      8       8     2  4.00 GB/s
  
   allgather-doubling, order=near, 1 MiB: 3 steps
   steps  phase      messages     each                    besides
       1  allgather         8  128 KiB  r -> r xor 1
       2  allgather         8  256 KiB  r -> r xor 2
       3  allgather         8  512 KiB  r -> r + 4 mod 8

Phases of all algorithms that have several.

  $ phases()
  > {
  >     paradl collective $1 --algo "$2" --bytes 1M --schedule --json $(test $# -gt 2 && echo "$3" || echo '--hw abci --ranks 16') |
  >         sed -n 's/.*"phase": *"\([^"]*\)".*/\1/p' | uniq | paste -sd';' | sed "s/^/$1 $2: /"
  > }
  $ paradl list collectives |
  >     sed -nE 's/^ (allreduce|allgather|reduce-scatter|broadcast|reduce|all-to-all)-([^ ]*).*/\1 \2/p' |
  >     grep -Ev 'bucket|swing|kautz|nvls|sharp|rows|two-way|sparse' | while read -r operation algorithm; do
  >     phases $operation $algorithm
  > done | grep ';'
  allreduce ring: reduce-scatter;allgather
  allreduce ring-segmented: reduce-scatter of the segments;allgather
  allreduce rabenseifner: reduce-scatter;allgather
  allreduce tree: reduce;broadcast
  allreduce double-tree: first chunk up;first chunk down;other chunks up and down
  allreduce leader: reduce in the nodes;allreduce among the leaders;broadcast in the nodes
  allreduce leaders-ring: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  allreduce leaders-rabenseifner: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  allreduce leaders-doubling: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  allreduce pipelined: first segment in the nodes, last between them;other segments, in the nodes and between them at once
  allreduce blueconnect: reduce-scatter, level by level;allgather, level by level
  allreduce torus-2d: reduce-scatter along x;allreduce along y;allgather along x
  allreduce shd: reduce-scatter;allgather
  allreduce neighbour: pairs of parts;own parts;pairs of parts
  allreduce hierarchical: in nodes;between nodes;in nodes
  allreduce pat: reduce-scatter;allgather
  allgather neighbour: own parts;pairs of parts
  broadcast scatter-ring: scatter;allgather
  broadcast scatter-doubling: scatter;allgather
  broadcast chain: first chunk;other chunks
  broadcast tree: first chunk;other chunks
  broadcast hierarchical: scatter in the first node;between nodes;allgather in nodes
  reduce rabenseifner: halving;gather
  reduce ring-gather: reduce-scatter;gather
  reduce chain: first chunk;other chunks
  reduce tree: first chunk;other chunks
  reduce hierarchical: reduce-scatter in nodes;between nodes;gather in the first node
  all-to-all hierarchical: in nodes;between nodes
  allreduce linear: reduce;broadcast
  allreduce direct: parts to their owners;sums to all
  reduce-scatter hierarchical: in nodes;between nodes
  allgather hierarchical: between nodes;in nodes
  reduce-scatter pipelined: first segment in the nodes, last between them;other segments, in the nodes and between them at once
  allgather pipelined: first segment in the nodes, last between them;other segments, in the nodes and between them at once
  reduce-scatter neighbour: pairs of parts;own parts
  broadcast shd: reduce-scatter;allgather
  reduce shd: reduce-scatter;allgather
  broadcast blueconnect: reduce-scatter, level by level;allgather, level by level
  reduce blueconnect: reduce-scatter, level by level;allgather, level by level
  broadcast direct: parts to their owners;sums to all
  reduce direct: parts to their owners;sums to all
  broadcast ring: reduce-scatter;allgather
  reduce ring: reduce-scatter;allgather
  broadcast double-tree: first chunk up;first chunk down;other chunks up and down
  reduce double-tree: first chunk up;first chunk down;other chunks up and down
  broadcast leader: allreduce among the leaders;broadcast in the nodes
  reduce leader: reduce in the nodes;allreduce among the leaders;broadcast in the nodes
  broadcast leaders-ring: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  reduce leaders-ring: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  broadcast leaders-rabenseifner: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  reduce leaders-rabenseifner: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  broadcast leaders-doubling: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  reduce leaders-doubling: reduce-scatter in blocks;allreduce across blocks;allgather in blocks
  broadcast pipelined: first segment in the nodes, last between them;other segments, in the nodes and between them at once
  reduce pipelined: first segment in the nodes, last between them;other segments, in the nodes and between them at once
  broadcast rabenseifner: reduce-scatter;allgather
  broadcast torus-2d: reduce-scatter along x;allreduce along y;allgather along x
  reduce torus-2d: reduce-scatter along x;allreduce along y;allgather along x
  broadcast neighbour: pairs of parts;own parts;pairs of parts
  reduce neighbour: pairs of parts;own parts;pairs of parts
  broadcast pat: reduce-scatter;allgather
  reduce pat: reduce-scatter;allgather
  reduce halving: reduce-scatter;allgather
  broadcast teams: in nodes;between nodes;in nodes
  reduce teams: in nodes;between nodes;in nodes
  reduce-scatter whole-direct: parts to their owners;sums to all
  allgather whole-direct: parts to their owners;sums to all
  $ for algorithm in $(paradl list collectives | grep -o 'sparse-[^ ]*' | sort -u); do
  >     phases allreduce $algorithm '--hw abci --ranks 16 --density 1%'
  > done
  allreduce sparse-allgather: selection;allgather
  allreduce sparse-big: selection;split;allgather
  allreduce sparse-doubling: selection;allreduce
  allreduce sparse-oktopk: selection;split;allgather
  allreduce sparse-ring: selection;reduce-scatter;allgather
  allreduce sparse-ring-ring: selection;reduce-scatter in nodes;reduce-scatter between nodes;allgather between nodes;allgather in nodes
  allreduce sparse-small: selection;split;allgather
  allreduce sparse-split: selection;split;allgather
  $ for algorithm in bucket swing torus-2d; do
  >     phases allreduce $algorithm '--topology torus:4x4 --link 1GB/s'
  > done
  allreduce bucket: reduce-scatter, dimension by dimension;allgather, dimension by dimension
  allreduce swing: reduce-scatter;allgather
  allreduce torus-2d: reduce-scatter along x;allreduce along y;allgather along x
  $ phases allreduce kautz '--topology kautz:3x2 --link 1GB/s'
  allreduce kautz: reduce-scatter;allgather
  $ phases all-to-all rows '--topology hyperx:4x4 --link 1GB/s'
  all-to-all rows: rows;columns
  $ phases all-to-all two-way '--topology hyperx:4x4 --link 1GB/s'
  all-to-all two-way: rows and columns
  $ phases allreduce nvls '--hw dgx-h100-superpod --ranks 8'
  allreduce nvls: reduce in the switch
  $ phases allreduce sharp '--hw dgx-h100-superpod --ranks 16'
  allreduce sharp: reduce-scatter in the nodes;reduce in the switches;allgather in the nodes

Cables of another rate than the machine's.

  $ paradl collective allreduce --hw toy --topology ring:8 --link 3GB/s --bytes 1G -q
  allreduce of 1 GiB on 1 network
  
   network  ranks    time    best          bus  router cable  switches  ports  cables  hops  bisection
   ring:8       8  313 ms    bucket  6.00 GB/s     3.00 GB/s         0      2       8     4  6.00 GB/s

Reduction in the switches needs several nodes.

  $ paradl collective allreduce --hw dgx-h100-superpod --ranks 8 --algo sharp
  paradl: sharp does not apply to allreduce with 8 ranks on DGX H100 SuperPOD
    hint: allreduce-sharp: rings in the nodes, reduction in the switches between them
  [1]

Two groups on the same nodes: each has a device in every node, and they share what leaves it.

  $ paradl collective reduce-scatter --hw toy --concurrent 2 --bytes 1M --algo ring --json > shared.json
  $ schema < shared.json
  paradl-collective-1
  $ paradl collective reduce-scatter --hw toy --ranks 4 --concurrent 2 --placement scattered --bytes 1M --algo ring --csv | cut -d, -f3-6
  ranks,concurrent,stride,bytes
  4,2,2,1048576
  $ paradl collective broadcast --hw toy --placement random:7 --bytes 1M --schedule --json | schema
  paradl-collective-1
  $ paradl collective ar --topology torus:4x4,mesh:4x4 --link '1 GB/s,500 ns' --json | schema
  paradl-collective-1
  $ paradl collective p2p --hw toy --bytes 1,1K --algo point-to-point --jsonl | cut -d, -f6,10,14
  "bytes":1,"error_share":null,"algorithm":"point-to-point"
  "bytes":1024,"error_share":null,"algorithm":"point-to-point"

Sizes as people write them; an exchange with both neighbours is another operation than one message, and only asked for by name.

  $ paradl collective ar --hw toy --bytes '1..4, 1.5k ,1e4,1m .. 4m*4' --algo ring --csv | tail -n +2 | cut -d, -f6 | xargs
  1 2 4 1536 10000 1048576 4194304
  $ paradl collective p2p --hw toy --bytes 1K --all --jsonl | grep -o '"algorithm":"[^"]*"' | sort -u
  "algorithm":"point-to-point"
  $ paradl collective sendrecv --hw toy --bytes 1K --algo halo --jsonl | grep -o '"algorithm":"[^"]*"' | sort -u
  "algorithm":"point-to-point-halo"

What nccl-tests and the OSU benchmarks print.

  $ cat > nccl.txt <<'EOF'
  > # nThread 1 nGpus 1 minBytes 1024 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validate: 1 graph: 0
  > #
  > # Using devices
  > #  Rank  0 Group  0 Pid   4711 on       one device  0 [0x07] Toy
  > #
  > #                                                              out-of-place                       in-place          
  > #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
  > #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       
  >         1024           256     float     sum      -1    38.10    0.03    0.05      0    37.44    0.03    0.05      0
  >       131072         32768     float     sum      -1    61.20    2.14    3.75      0    60.91    2.15    3.77      0
  >      4194304       1048576     float     sum      -1    812.5    5.16    9.03      0    809.1    5.18    9.07      0
  > # Out of bounds values : 0 OK
  > # Avg bus bandwidth    : 4.2870 
  > #
  > EOF
  $ paradl collective allreduce --hw toy --ranks 8 --measured nccl.txt --algo ring,doubling
  allreduce on Toy: 8 ranks in 4 nodes
  
      size  measured  projected     error  from   best
     1 KiB   38.1 us    25.2 us   -33.9 %  model  doubling
   128 KiB   61.2 us     297 us  +385.9 %  model  ring
     4 MiB    812 us    7.41 ms  +811.8 %  model  ring
  
   mean error 410.5 %, bias +387.9 % of 3 times by nccl-tests
  
   crossovers  doubling up to 19.5 KiB, then ring
   power       at 4 MiB: 8 devices that wait 960 W (120 W each: 40 % of busy is assumed)
   assumed     Toy has no routed network: its levels are a tree of switches
               modelled times are not calibrated: against NCCL large messages are within 20 % where
               measured, except 8 nodes of ABCI 2.0; below 256 KiB times are up to 10 times too short
               guessed in Toy: levels, power, price
  $ paradl collective allreduce --hw toy --ranks 8 --measured nccl.txt --json | schema
  paradl-collective-1
  $ cat > osu.txt <<'EOF'
  > 
  > # OSU MPI-CUDA Allgather Latency Test v5.9
  > # Size       Avg Latency(us)
  > 1024                   41.72
  > 65536                 212.03
  > EOF
  $ paradl collective allgather --hw toy --ranks 4 --measured osu.txt --csv | cut -d, -f6,24
  bytes,measured_s
  4096,4.172e-05
  262144,0.00021203
  $ paradl collective allgather --hw toy --ranks 4 --measured osu.txt --csv | cut -d, -f6 | tail -1
  262144
  $ sed '/Rank/a #  Rank  1 Group  0 Pid   4712 on       one device  1 [0x0a] Toy' nccl.txt > two.txt
  $ paradl collective allreduce --hw toy --ranks 8 --measured two.txt --csv > /dev/null
  paradl: warning: two.txt was measured with 2 ranks, and is compared with 8: --ranks 2
  $ printf '# Size Latency (us)\n8 1\0\n' > zero.txt
  $ paradl collective p2p --hw toy --measured zero.txt
  zero.txt: is not text: it has a zero byte
  [3]

Where the profile has measured curves, they are the projection; how far off the model is comes beside it: 16 ranks, 2 nodes.

  $ printf '# Size Latency (us)\n1024 36.4\n' > curve.txt
  $ paradl collective allreduce --hw abci-2 --ranks 16 --measured curve.txt | sed -n '6,8p'
   mean error *, bias * of 1 times by OSU (glob)
   projected from the profile's measured curves, maybe of these very measurements; the routed model
   alone: mean error * % (glob)
  $ echo nothing > nothing.txt
  $ paradl collective allreduce --hw toy --measured nothing.txt
  nothing.txt: is not what nccl-tests or the OSU benchmarks print
    hint: keep the lines that begin with #: they say what the columns are
  [3]
  $ printf '# Size Latency (us)\n8 fast\n' > words.txt
  $ paradl collective p2p --hw toy --measured words.txt
  words.txt:2:1: the time is not a number of us
      2 | 8 fast
        | ^
  [3]

What cannot be.

  $ paradl collective
  paradl: collective needs an operation, such as allreduce
    hint: 'paradl collective -h' shows the usual options and examples
  [2]
  $ paradl collective alreduce --hw toy
  paradl: there is no operation "alreduce"
    hint: did you mean "allreduce"?
  [2]
  $ paradl collective allreduce
  paradl: collective needs --hw HW, or --topology and --link; HW is a file or one of *toy* (glob)
    hint: 'paradl collective -h' shows the usual options and examples
  [2]
  $ paradl collective allreduce --hw toy --ranks 0
  paradl: --ranks must be from 1 to 1000000000, is 0
  [2]
  $ paradl collective allreduce --hw toy --ranks 1
  paradl: a collective needs at least 2 ranks, not 1
  [2]
  $ paradl collective allreduce --hw toy --ranks 1000
  paradl: 1000 ranks are more than Toy has devices: 8
  [2]
  $ paradl collective allreduce --hw toy --ranks 8 --stride 3
  paradl: 1 group of 8 ranks, one in 3 devices, needs 24 devices; Toy has 8
    hint: at most 2 ranks fit
  [2]
  $ paradl collective allreduce --hw toy --ranks 8 --concurrent 3
  paradl: 3 groups of 8 ranks, one in 3 devices, need 24 devices; Toy has 8
    hint: at most 2 ranks fit
  [2]
  $ paradl collective allreduce --hw toy --bytes 0
  paradl: --bytes: a size is at least 1 byte
  [2]
  $ paradl collective allreduce --hw toy --bytes 1Q
  paradl: --bytes: "1Q" is not a size
    hint: write 64K, 1e6, "100 MB", a list 1K,1M or a range 1K..1G (doubling), 1K..1G*4
  [2]
  $ paradl collective allreduce --hw toy --bytes '1K..4K*1'
  paradl: --bytes: "1" is not a factor from one size to the next
    hint: write a number of at least 1.01 after the *, as in 1K..1G*4
  [2]
  $ paradl collective allreduce --hw toy --bytes 1e400
  paradl: --bytes: a size is at most 1000 TB
  [2]
  $ paradl collective allreduce --hw toy --bytes 4M..1M
  paradl: --bytes: a range goes from the lesser size to the greater
  [2]
  $ paradl collective allreduce --hw toy --algo rign
  paradl: there is no algorithm "rign" for allreduce
    hint: did you mean "ring"?
  [2]
  $ paradl collective allreduce --hw toy --placement there
  paradl: --placement there is not one
    hint: in-order, scattered and random:SEED are possible
  [2]
  $ paradl collective allreduce --hw toy --link '1 GB/s'
  paradl: --link is about networks on paper: it needs --topology
  [2]
  $ paradl collective allreduce --topology trous:4x4 --link '1 GB/s'
  paradl: there is no topology "trous"
    hint: did you mean "torus"?
  [2]
  $ paradl collective allreduce --topology torus:4x4 --link '1 GBs'
  paradl: the rate of --link has the unit "GBs", which is not known: write "12.5 GB/s" (bytes) or "100 Gb/s" (bits)
  [2]
  $ paradl collective allreduce --topology torus:4x4,ring:16 --link '1 GB/s' --equal price
  paradl: --equal price needs prices of switches and cables, which --link does not have
  [2]
  $ paradl collective allreduce --topology switch:3 --link '1 GB/s' --algo swing
  paradl: swing does not apply to allreduce with 3 ranks on switch:3
    hint: allreduce-swing: halving and doubling with partners near on a torus, all ports busy
  [1]
  $ paradl collective allreduce --hw toy --algo sparse-ring
  paradl: sparse-ring does not apply to allreduce with 8 ranks on Toy
    hint: allreduce-sparse-ring is for sparse vectors: say how sparse, such as --density 1%
  [1]
  $ paradl estimate tiny --hw toy --strategy data=8 --algo allgather-ring
  paradl: there is no allreduce "allgather-ring"
    hint: "paradl list collectives" shows them
  [2]
  $ paradl estimate tiny --hw toy --strategy data=8 --algo sparse-ring --compress topk:1%
  paradl: allreduce-sparse-ring is for sparse gradients, and --algo is about dense ones
    hint: --compress topk:1% takes the fastest of the sparse algorithms
  [2]
  $ paradl estimate tiny --hw toy --strategy data=8 --compress topk:101%
  paradl: topk needs the share of gradients that is sent, above 0 up to 1, as in topk:0.01 or topk:1%
  [2]

Pictures.

  $ paradl collective allreduce --hw toy --bytes 1K..1M --algo ring,doubling --plot lines.gp -q > /dev/null
  $ head -1 lines.dat | tr '\t' ' '
  # bytes | ring | doubling | best | of the profile
  $ grep -c linespoints lines.gp
  2

Vectors of non-zeros whose places coincide, and another network than the machine's:

  $ PARADL_PATH="$SOURCE" paradl collective allreduce --hw abci --bytes 64M --density 1% --csv | cut -d, -f6-8
  bytes,time_s,least_s
  67108864,0.011325380051459132,0.011325380051459132
  $ PARADL_PATH="$SOURCE" paradl collective allreduce --hw abci --bytes 64M --density 1% --overlap 100% --csv | cut -d, -f6-8
  bytes,time_s,least_s
  67108864,0.0020886207654288213,0.0020886207654288213
  $ paradl collective allreduce --hw toy --bytes 64M --csv | cut -d, -f6-8
  bytes,time_s,least_s
  67108864,0.10172472640000002,0.10172472640000002
  $ paradl collective allreduce --hw toy --bytes 64M --set 'hw.levels.*.bandwidth=x2' --csv | cut -d, -f6-8
  bytes,time_s,least_s
  67108864,0.051183363200000005,0.051183363200000005

Inside a node with a library whose times are known: what it runs, with what it adds; by any algorithm, as if it ran them.

  $ paradl collective allreduce --hw dgx-h100-superpod --ranks 8 --bytes 512,64M | head -n 11
  allreduce on DGX H100 SuperPOD: 8 ranks in 1 node
  
     size     time  bus bandwidth  best  next         wait energy
    512 B  15.3 us      58.6 MB/s  ring  nvls +206 %     0.0343 J
   64 MiB   309 us       381 GB/s  nvls  ring +18 %       0.691 J
  
   crossovers  ring up to 15.4 MiB, then nvls
   power       at 64 MiB: all gear of the network 82.6 kW, 8 devices that wait 2.24 kW (280 W each: 40
               % of busy is assumed)
   assumed     inside a node times are as nccl takes, with the start and ramp of the device file:
               where these were fitted to measured times, half of them are within 10 %
  $ paradl collective allreduce --hw dgx-h100-superpod --ranks 8 --bytes 512 --algo all -q | head -n 3
    size     time  bus bandwidth  best             next            wait energy
   512 B  7.52 us       119 MB/s  direct, shots=1  doubling +45 %     0.0169 J
  
  $ paradl collective all-to-all --hw dgx-h100-superpod --ranks 8 --bytes 512 -q
    size     time  bus bandwidth  best    wait energy
   512 B  7.50 us      59.8 MB/s  direct     0.0168 J
  
   by algorithm, 512 B
   algorithm     time    steps  traffic  most loaded link
   direct     7.50 us        1      14×  device link, device 0 to switch 1024

The algorithms of each of several networks.

  $ paradl collective allreduce --topology torus:4x4,kautz:2x2 --link "12.5 GB/s,500 ns" --bytes 1M --algo bucket,kautz --all -q
  allreduce of 1 MiB on 2 networks
  
   network    ranks     time        best          bus  switches  ports  cables  hops  bisection
   torus:4x4     16  45.3 us        bucket  43.4 GB/s         0      4      32     4   100 GB/s
   kautz:2x2      6  85.9 us  ×1.9  kautz   20.3 GB/s         0      2      12     2  62.5 GB/s
  
   by algorithm, torus:4x4, 1 MiB
   algorithm     time    steps  traffic  most loaded link
   bucket     45.3 us       12      30×  switch link, device 0 to device 1
  
   by algorithm, kautz:2x2, 1 MiB
   algorithm     time    steps  traffic  most loaded link
   kautz      85.9 us        4      12×  switch link, device 0 to device 2

Among nodes times are on the wires, and a line says what the library takes.

  $ paradl collective allreduce --hw dgx-h100-superpod --ranks 32 --bytes 64K | sed -n '/library/,/power/p'
   library     at 64 KiB: nccl would take 45.8 us, by double-tree (--library nccl), with what it adds
               to the wires
   power       at 64 KiB: links in use 544 W, all gear of the network 82.6 kW, 32 devices that wait
  $ paradl collective allreduce --hw dgx-h100-superpod --ranks 32 --bytes 64K --library nccl | sed -n '/library/,/power/p'
   library     at 64 KiB: double-tree (NCCL_ALGO=Tree), then ring +118 %; doubling, which nccl does
               not have, would take 22.3 us, 51 % less
   power       at 64 KiB: links in use 544 W, all gear of the network 82.6 kW, 32 devices that wait

What a library has, and what it lacks; the machine of levels has one port a node.

  $ paradl collective allreduce --hw toy --bytes 4M --library nccl | sed -n '/library/,/power/p'
   library     at 4 MiB: ring (NCCL_ALGO=Ring), then double-tree +31 %; rabenseifner, which nccl does
               not have, would take 6.94 ms, 7 % less
   power       at 4 MiB: 8 devices that wait 960 W (120 W each: 40 % of busy is assumed)
  $ paradl collective allreduce --hw toy --bytes 4M --library mpich -q
    size     time  bus bandwidth  best                      next             wait energy
   4 MiB  6.75 ms      1.09 GB/s  rabenseifner, order=near  doubling +155 %       6.48 J
  
   by algorithm, 4 MiB
   algorithm                    time          steps  traffic  most loaded link
   rabenseifner, order=near  6.75 ms              6      28×  a port of node 0, out
   doubling                  17.2 ms  +155 %      3      48×  a port of node 0, out
  $ paradl collective allreduce --hw toy --bytes 4M --library any -q
    size     time  bus bandwidth  best                               next                 wait energy
   4 MiB  6.56 ms      1.12 GB/s  pipelined, segments=4 between=pat  rabenseifner +3.0 %       6.30 J
  
   by algorithm, 4 MiB
   algorithm                               time          steps  traffic  most loaded link
   pipelined, segments=4 between=pat    6.56 ms             24      28×  a port of node 0, out
   rabenseifner, order=near             6.75 ms  +3.0 %      6      28×  a port of node 0, out
   leaders-rabenseifner, leaders=2      6.75 ms  +3.0 %      6      28×  a port of node 0, out
   hierarchical, leaders=2, doubling    6.75 ms  +3.0 %      6      28×  a port of node 0, out
   leaders-ring, leaders=2              6.77 ms  +3.3 %      8      28×  a port of node 0, out
   blueconnect                          6.77 ms  +3.3 %      8      28×  a port of node 0, out
   torus-2d                             6.77 ms  +3.3 %      8      28×  a port of node 0, out
   leader, leaders-by=rabenseifner      7.17 ms  +9.4 %      6      28×  a port of node 0, out
   ring                                 7.41 ms   +13 %     14      28×  a port of node 0, out
   ring-segmented, segments=4           7.51 ms   +15 %     35      28×  a port of node 0, out
   leaders-doubling, leaders=4 nodes=2  8.42 ms   +28 %      7      28×  a port of node 0, out
   neighbour                            8.75 ms   +33 %      8      28×  a port of node 0, out
   double-tree, chunks=16               8.90 ms   +36 %     21      28×  a port of node 1, out
   pat                                  10.5 ms   +61 %      6      28×  a port of node 0, out
   direct, shots=2                      12.6 ms   +92 %      2      28×  a port of node 0, out
   shd, directions=1                    13.7 ms  +109 %      6      28×  a port of node 0, out
   doubling                             17.2 ms  +163 %      3      48×  a port of node 0, out
   tree                                 17.7 ms  +169 %      6      28×  a port of node 0, in
   linear                               34.0 ms  +419 %      4      28×  a port of node 0, in
  $ paradl collective allreduce --hw toy --bytes 4M --library gloo
  paradl: there is no library "gloo"
    hint: nccl, rccl, openmpi, mpich, mpi, xla, fpga and any are possible
  [2]
  $ paradl collective allreduce --hw toy --bytes 4M --library nccl --density 1%
  paradl: nccl has no algorithms for sparse vectors
  [2]
  $ paradl collective allreduce --hw toy --bytes 4M --library nccl --algo ring
  paradl: a library and a list of algorithms exclude each other
  [2]
