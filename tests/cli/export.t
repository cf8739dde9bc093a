Networks, and what collectives send on them, as files for SimGrid.

  $ . "$TESTDIR/setup.sh"
  $ net='--topology fat-tree:2x2 --link 12.5GB/s,500ns'

A platform has a host for each device, a link for each direction of a cable, and a route for each pair:

  $ paradl export simgrid $net -o net.xml
  $ head -3 net.xml | sed 's/paradl [0-9.]*/paradl/'
  <?xml version="1.0"?>
  <!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
  <!-- fat-tree:2x2, by paradl -->
  $ grep -c '<host ' net.xml; grep -c '<link ' net.xml; grep -c '<route ' net.xml
  4
  16
  12
  $ grep 'port0.out" ' net.xml; grep 'src="d000000" dst="d000003"' net.xml
      <link id="port0.out" bandwidth="12500000000Bps" latency="5e-07s"/>
      <route src="d000000" dst="d000003" symmetrical="NO"><link_ctn id="port0.out"/><link_ctn id="switch5.out"/><link_ctn id="switch7.in"/><link_ctn id="port3.in"/></route>
  $ python3 -c 'import sys, xml.dom.minidom as m; print(len(m.parse("net.xml").getElementsByTagName("route")))'
  12

With an operation, only the pairs that its algorithm needs; the trace is what it sends:

  $ paradl export simgrid allreduce --algo ring $net | grep -c '<route '
  4
  $ paradl export simgrid-trace allreduce --library mpich --bytes 8K $net | sed 's/paradl [0-9.]*/paradl/' | head -1
  # allreduce-doubling on fat-tree:2x2, by paradl
  $ paradl export simgrid-trace allreduce --algo ring --bytes 8K $net | sed 's/paradl [0-9.]*/paradl/' | head -17
  # allreduce-ring on fat-tree:2x2, by paradl
  # processes: 4
  # ranks: 4
  # bytes: 8192
  # estimate_s: 1.298304e-05
  # estimate_at_least_s: 1.298304e-05
  # estimate_at_most_s: 1.298304e-05
  0 init
  1 init
  2 init
  3 init
  1 irecv 0 0 2048 6
  0 isend 1 0 2048 6
  2 irecv 1 0 2048 6
  1 isend 2 0 2048 6
  3 irecv 2 0 2048 6
  2 isend 3 0 2048 6

A machine's own network, some of its devices:

  $ paradl export simgrid-trace broadcast --hw abci --ranks 8 --stride 4 --bytes 1M | sed -n '2,3p'
  # processes: 29
  # ranks: 8

A plan of data is a workload for ASTRA-sim: twelve columns, whose sums are the times of the estimate's layers.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl export astra-sim resnet50 --hw abci -s data=16 -o resnet50.txt
  $ head -n 3 resnet50.txt | tr '\t' ' '
  DATA
  175
  conv1 -1 3256344 NONE 0 2605075 NONE 0 2605075 ALLREDUCE 37632 242
  $ paradl estimate resnet50 --hw abci -s data=16 --layers --csv > layers.csv
  $ python3 - <<'EOF'
  > import csv
  > lines = [line.split() for line in open("resnet50.txt")]
  > layers = lines[2:]
  > rows = list(csv.DictReader(open("layers.csv")))
  > print(lines[0], int(lines[1][0]) == len(layers), {len(layer) for layer in layers})
  > for name, columns in {"forward_s": [2], "backward_s": [5, 8], "weight_update_s": [11]}.items():
  >     ours = sum(float(row[name]) for row in rows)
  >     theirs = sum(int(layer[i]) for layer in layers for i in columns) * 1e-9
  >     print(name, abs(ours - theirs) < 1e-9 * len(layers))
  > print(sum(int(layer[10]) for layer in layers) == 4 * 25557032, sorted({layer[9] for layer in layers}), {layer[3] for layer in layers})
  > EOF
  ['DATA'] True {12}
  forward_s True
  backward_s True
  weight_update_s True
  True ['ALLREDUCE', 'NONE'] {'NONE'}
  $ paradl export astra-sim resnet50 --hw abci -s data=8,spatial=2
  paradl: workloads of ASTRA-sim are written of plans of data only, such as -s data=64
  [2]
  $ paradl export astra-sim llama2-7b --hw aws-p5 -s data=64,zero=2
  paradl: workloads of ASTRA-sim all-reduce gradients, and zero=2 scatters them
    hint: leave zero= out
  [2]
  $ paradl export astra-sim resnet50 --hw abci
  paradl: export astra-sim needs -s PLAN, such as data=64
    hint: 'paradl export -h' shows the usual options and examples
  [2]
  $ paradl export astra-sim
  paradl: export astra-sim needs a MODEL: a file, or one of * (glob)
    hint: 'paradl export -h' shows the usual options and examples
  [2]

What cannot be said:

  $ paradl export
  paradl: export needs to know what: simgrid, simgrid-trace or astra-sim
    hint: 'paradl export -h' shows the usual options and examples
  [2]
  $ paradl export simgird $net
  paradl: there is no export called simgird
    hint: simgrid is the platform of a network, simgrid-trace what a collective sends on it, astra-sim the layers of a plan
  [2]
  $ paradl export simgrid-trace $net
  paradl: simgrid-trace needs an operation, such as allreduce
    hint: 'paradl export -h' shows the usual options and examples
  [2]
  $ paradl export simgrid-trace allreduce $net --bytes 1K,2K
  paradl: export writes one size; --bytes 1K,2K has 2
  [2]
  $ paradl export simgrid --topology torus:4x4,ring:16 --link 12.5GB/s
  paradl: export writes one network; --topology has several
  [2]
  $ paradl export simgrid --topology torus:4x4
  paradl: export needs --hw HW, or --topology and --link; HW is a file or one of * (glob)
    hint: 'paradl export -h' shows the usual options and examples
  [2]
  $ paradl export simgrid-trace allreduce $net --algo nvls
  paradl: nvls does not apply to allreduce with 4 ranks on fat-tree:2x2
    hint: allreduce-nvls: reduction in the switch of one node (NVLink SHARP)
  [1]
  $ paradl export simgrid --topology torus:4x4:split=1 --link 12.5GB/s
  paradl: SimGrid sends all of a flow one way; here its links share it
    hint: a topology without split=1 or valiant=1
  [2]
  $ paradl export simgrid --topology switch:2000 --link 12.5GB/s
  paradl: a platform with 3998000 routes is too large; at most 1048576 are written
    hint: name the algorithm: then only pairs between which it sends get a route
  [2]
  $ paradl export simgrid --topology switch:100000 --link 12.5GB/s
  paradl: SimGrid files are written for at most 16384 devices, not 100000
    hint: take a smaller network of the same kind
  [2]
  $ paradl export simgrid --topology switch:16000 --link 12.5GB/s
  paradl: a platform with 255984000 routes is too large; at most 1048576 are written
    hint: name the algorithm: then only pairs between which it sends get a route
  [2]
  $ paradl export simgrid-trace allreduce --algo ring --topology switch:4000 --link 12.5GB/s
  paradl: the trace of allreduce-ring would have more than 16 million lines
    hint: fewer ranks, or an algorithm with fewer steps
  [2]
  $ paradl export simgrid $net -o nowhere/net.xml
  nowhere/net.xml: cannot write: No such file or directory
  [5]

Groups are as of collectives:

  $ paradl export simgrid-trace allreduce $net --bytes 1M --ranks 2 > before
  $ for options in '--concurrent 2' '--placement random:3' '--density 1%' '--density 1% --overlap 50%'; do
  >   paradl export simgrid-trace allreduce $net --bytes 1M --ranks 2 $options > after
  >   if cmp -s before after; then echo "$options: the same"; fi
  > done
  $ paradl export simgrid-trace allreduce $net --bytes 1M --ranks 2 --concurrent 2 --placement random:3 --density 1% --overlap 50% | head -n 3
  # allreduce-sparse-allgather ring on fat-tree:2x2, by paradl 0.1.0
  # processes: 4
  # ranks: 2

A machine with links of twice the rate:

  $ paradl export simgrid --hw a100-8 > once.xml
  $ paradl export simgrid --hw a100-8 --set 'hw.levels.*.bandwidth=x2' | diff once.xml - | sed -n 's/^> *//p' | tail -n 1
  <link id="route0" bandwidth="460000000000Bps" latency="6e-07s" sharing_policy="FATPIPE"/>
