One plan in depth. The toy computes 10 Gflop/s; a sample of the toy network takes 442528 flop forward, twice that backward
without the input's gradient: 147456 less.

  $ . "$TESTDIR/setup.sh"
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   phase                per iteration  per epoch  share  formula
   forward                     354 us    35.4 ms   34 %  sum over layers of flop / (peak degrees)
   backward                    590 us    59.0 ms   56 %  sum over layers of flop / (peak degrees)
   weight update              58.2 ns    5.82 us  0.0 %  weights bytes per weight / memory rate
   gradient exchange          62.9 us    6.29 ms  6.0 %  2 (p - 1) (alpha + W / p delta beta)
   activation exchange        48.4 us    4.84 ms  4.6 %  sum over cut layers of allgather + allreduce
   total                      1.06 ms     106 ms         100 iterations, 60,637 samples/s
  
   memory      1.13 MiB of 1.00 GiB/GPU (0.1 %): weights 1.89 KiB, gradients 1.89 KiB, activations
               1.13 MiB
   placement   filter inside a node, data across nodes
   limited by  gradient exchange, 6.0 % of the iteration (a limitation: inherent)
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled

So forward of 64 samples on 8 GPUs is 8 * 442528 / 1e10 s (the linear layer is divided too), and the times are in the documents:

  $ paradl estimate tiny --hw toy -s serial --batch 10 --ideal --json > serial.json
  $ python3 - serial.json <<'EOF'
  > import json, sys
  > result, = json.load(open(sys.argv[1]))["results"]
  > forward, backward = 442528 * 10 / 1e10, (2 * 442528 - 147456) * 10 / 1e10
  > phases = result["phases_s"]
  > print(abs(phases["forward"] / forward - 1) < 1e-12, abs(phases["backward"] / backward - 1) < 1e-12)
  > print(abs(sum(time for time in phases.values() if time) / result["iteration_s"] - 1) < 1e-12)
  > print(abs(result["epoch_s"] / result["iteration_s"] - 640) < 1e-9, result["gpus"], result["batch"])
  > EOF
  True True
  True
  True 1 10

Sections: what is asked for replaces the phases.

  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --memory -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   memory of the fullest GPU     bytes  share  what
   weights                    1.89 KiB  0.0 %  of its shard
   gradients                  1.89 KiB  0.0 %  one per weight, and buffers of the exchange
   optimizer                       0 B    0 %  states kept per weight
   activations                1.13 MiB  0.1 %  kept from forward to backward
   workspace                       0 B    0 %  buffers and libraries
   total                      1.13 MiB  0.1 %
   capacity                   1.00 GiB
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --layers -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   layer  type    count  split   forward  backward   update  communication   weights  activations
   conv1  conv        1  filter   118 us    118 us  17.8 ns        7.55 us     592 B      192 KiB
   conv2  conv        1  filter   236 us    472 us  35.0 ns        22.7 us  1.14 KiB      256 KiB
   pool   pool        1  filter        -         -        -        16.1 us       0 B      128 KiB
   fc     linear      1  filter   128 ns    256 ns  5.40 ns        2.05 us     180 B     1.12 KiB
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --explain -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample
  
   forward
     sum over layers of flop / (peak degrees) = 4 layers, 16 samples, 1 times = 354 us
  
   backward
     sum over layers of flop / (peak degrees) = 4 layers, 16 samples, 1 times = 590 us
  
   weight update
     weights bytes per weight / memory rate = 12 bytes a weight (sgd) at 100 GB/s = 58.2 ns
  
   gradient exchange
     2 (p - 1) (alpha + W / p delta beta) = p = 4, W delta = 0.00194 MB, alpha = 10 us, 1/beta = 1
       GB/s = 62.9 us
  
   activation exchange
     sum over cut layers of allgather + allreduce = 6 calls, 1 nodes, 1 rings, 0 ms a call = 48.4 us
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --explain --layers --memory --phases -q |
  > grep -cE '^ (phase|memory|layer|forward$)'
  4

The terms of a phase add up to it:

  $ for plan in serial data=8 data=4,spatial=2 filter=4 channel=8 data=2,pipeline=4 data=4,filter=2; do
  >     paradl estimate tiny --hw toy -s $plan --explain --json | python3 -c '
  > import json, sys
  > result, = json.load(sys.stdin)["results"]
  > for phase, seconds in result["phases_s"].items():
  >     terms = sum(term["seconds"] for term in result["terms"] if term["phase"] == phase)
  >     if abs(terms - (seconds or 0)) > 1e-9 * result["iteration_s"]:
  >         print(sys.argv[1], phase, seconds, terms)
  > ' $plan
  > done

Aliases and letters are plans too; what is printed can be pasted back:

  $ paradl estimate tiny --hw toy -s d=4,f=2 --ideal --csv | cut -d, -f3-7
  gpus,batch,rank,strategy,feasible
  8,64,1,"data=4,filter=2"
  $ paradl estimate tiny --hw toy -s dp=2,pp=4 --ideal --csv | cut -d, -f3-9
  gpus,batch,rank,strategy,feasible,reason,needs
  8,64,1,"data=2,pipeline=4",1,
  $ paradl advise tiny --hw toy --gpus 8 --ideal --csv --columns strategy,feasible | tail -n +2 | sed 's/"//g;s/,[01]$//' | while read -r plan; do
  >     paradl estimate tiny --hw toy -s "$plan" --ideal --json 2>/dev/null |
  >     python3 -c 'import json,sys; d=json.load(sys.stdin); print(*(r["strategy"] for r in d["results"] + d["infeasible"]))' |
  >     grep -Fqx "$plan" || echo "$plan is not printed back"
  > done

A plan that lacks memory is estimated, and the answer is "no":

  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal > unfit
  [1]
  $ grep 'too large' unfit
   too large   the fullest GPU lacks 2.44 GiB
  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal --json | grep feasible
        "feasible": false,
    "infeasible": [],
  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal --csv | cut -d, -f5-7
  rank,strategy,feasible
  1,data=2,0

Calibrated estimates name what they rest on:

  $ paradl estimate tiny --hw toy -s data=8 | sed -n '/assumed/,$p'
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               reading and preparing input is not modelled
  $ paradl estimate resnet50 --hw abci -s data=16,filter=4 | sed -n '1p'
  ResNet-50 on ABCI (V100): data=16,filter=4 on 64 GPUs in 16 nodes, global batch 4,096, fp32,
  $ paradl estimate resnet50 --hw abci -s data=64 | grep -E '^ (phase|total|memory|limited by|range|next) '
   phase * per iteration  per epoch  share  formula (glob)
   total * 313 iterations, * samples/s (glob)
   memory      * (* %): weights *, gradients * (glob)
   limited by  *, * % of the iteration (*: *) (glob)
   range       * per epoch on a quiet network, * on a usual one (glob)
   next        * (glob)

Iterations are not rounded up, and time lost in waiting is told apart:

  $ paradl estimate resnet50 --hw abci -s data=64 --batch 262144 | grep -E '^ total|waiting'
     of which waiting  * ms * s * % (glob)
   total * 4.89 iterations, * samples/s (glob)
