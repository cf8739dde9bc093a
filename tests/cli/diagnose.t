Measured phases beside projected ones.

  $ . "$TESTDIR/setup.sh"

Times of the same machine with links between nodes at a third of their rate.

  $ phases() {
  >   paradl estimate tiny --hw toy -s data=8 "$@" --json -q | python3 -c '
  > import json, sys
  > result = json.load(sys.stdin)["results"][0]
  > print("phase,seconds")
  > for name, seconds in result["phases_s"].items():
  >     if seconds:
  >         print("%s,%.9g" % (name, seconds))
  > print("total,%.9g" % result["iteration_s"])'
  > }
  $ phases --set hw.levels.1.bandwidth=x0.333 > slow.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --tolerance 5%
  Tiny on Toy: data=8 on 8 GPUs in 4 nodes, global batch 64, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  measured: phase times; a gap up to 5.0 % of a phase is the model's error
  
   phase              measured  projected       gap     ×  share  cause
   forward              357 us     357 us         -
   backward             593 us     593 us         -
   weight_update        116 ns     116 ns         -
   gradient_exchange   88.4 us    74.8 us  +13.6 us  1.18  100 %  link-rate
   total               1.04 ms    1.02 ms  +13.6 us  1.01         within the model's error
  
   cause       links between nodes at another rate than in their profile, a communication bottleneck
               (system): gradient_exchange is 1.18 times the projection, as if the rate of a ring
               between nodes were 333 MB/s instead of 1.00 GB/s
   check       nccl-tests or OSU between two nodes; NCCL_DEBUG=INFO: NET/IB, not NET/Socket (TCP);
               GPUDirect; link width and speed (ibstat); paradl calibrate mpi
   or          other traffic on the links between nodes: as if contention phi between nodes were 3
               instead of 1
   or          the start-up of many small messages: as if the start-up of each message were 2.27 us
   or          ranks that come late to exchanges: as if waiting for the slowest rank in each iteration
               were 13.6 us
   note        after "or": what would explain these times about as well; the checks tell which it is
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power

Nothing is claimed of what is the same, or nearly.

  $ phases > same.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured same.csv | sed -n '/phase/,/verdict/p'
  measured: phase times; a gap up to 15 % of a phase is the model's error
  
   phase              measured  projected  gap  ×  share  cause
   forward              357 us     357 us    -
   backward             593 us     593 us    -
   weight_update        116 ns     116 ns    -
   gradient_exchange   74.8 us    74.8 us    -
   total               1.02 ms    1.02 ms    -
  
   verdict     all gaps are within the model's error (15 % of a phase): no cause is claimed
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --tolerance 900% -q
   phase              measured  projected       gap     ×  share  cause
   forward              357 us     357 us         -
   backward             593 us     593 us         -
   weight_update        116 ns     116 ns         -
   gradient_exchange   88.4 us    74.8 us  +13.6 us  1.18  100 %  within the model's error
   total               1.04 ms    1.02 ms  +13.6 us  1.01         within the model's error
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --tolerance 5% --csv | awk -F , -v OFS=, '{if ($6 < 1e-6) $6 = 0; for (i = 3; i <= NF; i++) if ($i ~ /^[0-9]/) $i = sprintf("%.3g", $i)} 1'
  of,name,measured_s,projected_s,gap_s,gap_share,tolerance_s,explained_s,cause,category,kind,assumed,as_if,unit,least_rank_s,most_rank_s,quickest_step_s,slowest_step_s,busy_s,calls
  phase,forward,0.000357,0.000357,0,0,1.79e-05,0.000357,,,,,,,0.000357,0.000357,,,,
  phase,backward,0.000593,0.000593,0,0,2.96e-05,0.000593,,,,,,,0.000593,0.000593,,,,
  phase,weight_update,1.16e-07,1.16e-07,0,0,1.02e-05,1.16e-07,,,,,,,1.16e-07,1.16e-07,,,,
  phase,gradient_exchange,8.84e-05,7.48e-05,1.36e-05,1,1.02e-05,8.84e-05,link-rate,communication,bottleneck,1e+09,3.33e+08,B/s,8.84e-05,8.84e-05,,,,
  phase,total,0.00104,0.00102,1.36e-05,0,5.12e-05,0.00104,,,,,,,0.00104,0.00104,,,,
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --tolerance 5% --json > diagnose.json; schema < diagnose.json
  paradl-diagnose-1
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --tolerance 5% --jsonl | cut -c1-100
  {"of":"phase","name":"forward","measured_s":0.00035730816,"projected_s":0.00035730816,"gap_s":0,"gap
  {"of":"phase","name":"backward","measured_s":0.00059270976,"projected_s":0.00059270976,"gap_s":0,"ga
  {"of":"phase","name":"weight_update","measured_s":1.164e-07,"projected_s":1.164e-07,"gap_s":0,"gap_s
  {"of":"phase","name":"gradient_exchange","measured_s":8.83903904e-05,"projected_s":7.479e-05,"gap_s"
  {"of":"phase","name":"total","measured_s":0.00103852471,"projected_s":0.00102492432,"gap_s":1.360039

Layers, ranks and steps; an epoch has 100 iterations.

  $ cat > layers.csv <<'END'
  > # two ranks
  > layer,phase,seconds,rank,step,unit
  > conv1,forward,1e-5,0,0,iter
  > conv2,forward,1e-5,0,0,iter
  > conv2,backward,3e-5,0,0,iter
  > nothing,forward,1e-5,0,0,iter
  > ,forward,1e-3,0,0,epoch
  > ,forward,1.2e-3,1,0,epoch
  > ,forward,1e-3,0,1,epoch
  > ,forward,3e-3,1,1,epoch
  > END
  $ paradl diagnose tiny --hw toy -s data=8 --measured layers.csv
  paradl: warning: the network does not have 1 of the measured layers
  Tiny on Toy: data=8 on 8 GPUs in 4 nodes, global batch 64, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  measured: phase times, 2 ranks, 2 steps; a gap up to 15 % of a phase is the model's error
  
   phase    measured  projected      gap     ×  share  cause
   forward   15.5 us     357 us  -342 us  0.04  100 %  no cause explains it
  
   verdict     no single cause that is known explains these gaps
   ranks       differ most in forward: 10.0 us to 21.0 us
   steps       differ most in forward: 11.0 us to 20.0 us
  
   layer  type  measured  projected      gap     ×  share
   conv2  conv   40.0 us     710 us  -670 us  0.06   86 %
   conv1  conv   10.0 us     119 us  -109 us  0.08   14 %
  
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power

Seconds and calls of an epoch are told as those of an iteration.

  $ printf 'phase,seconds,unit,busy_seconds,calls\nforward,0.0357,epoch,0.05,300\nbackward,0.000593,iter,0.0008,6\n' > epoch.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured epoch.csv --csv | cut -d, -f2,3,19-
  name,measured_s,busy_s,calls
  forward,0.000357,0.0005,3
  backward,0.000593,0.0008,6

A row of measured runs is found by plan and batch.

  $ cat > rows.csv <<'END'
  > model,hw,strategy,batch,unit,compute_s,communication_s,total_s
  > tiny,toy,data=8,64,iter,0.00004,0.00098,0.00102
  > tiny,toy,data=4,64,iter,0.00004,0.00098,0.00102
  > END
  $ paradl diagnose tiny --hw toy -s data=8 --measured rows.csv -q
   phase          measured  projected       gap      ×  share  cause
   compute         40.0 us     950 us   -910 us   0.04   50 %  no cause explains it
   communication    980 us    74.8 us   +905 us  13.10   50 %  message-start
   total           1.02 ms    1.02 ms  -4.92 us   1.00         within the model's error
  $ paradl diagnose tiny --hw toy -s data=2 --measured rows.csv
  rows.csv: has no row of this model and machine with strategy data=2 and batch 16
    hint: --batch says how many samples an iteration has
  [3]

What is wrong is said.

  $ paradl diagnose tiny --hw toy -s data=8
  paradl: diagnose needs --measured FILE, times of that plan
    hint: 'paradl diagnose -h' shows the usual options and examples
  [2]
  $ paradl diagnose tiny --hw toy --measured slow.csv
  paradl: diagnose needs -s PLAN, such as data=64
    hint: 'paradl diagnose -h' shows the usual options and examples
  [2]
  $ paradl diagnose tiny --hw toy -s data=8 --measured none.csv
  none.csv: cannot open: No such file or directory
  [3]
  $ printf 'phase,seconds\nforward,1\nbackwards,2\n' > wrong.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.csv
  wrong.csv:3:1: there is no phase "backwards"
      3 | backwards,2
        | ^
    hint: did you mean "backward"?
  [3]
  $ printf 'phase,seconds\nforward,-1\n' > wrong.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.csv
  wrong.csv:2:1: seconds must be a number from 0 to 1e+09, is "-1"
      2 | forward,-1
        | ^
  [3]
  $ printf 'phase,seconds\n' > wrong.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.csv
  wrong.csv: has no time of a phase
    hint: a row without a layer is one: forward, backward, ..., total
  [3]
  $ printf '' > wrong.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.csv
  wrong.csv: is empty
    hint: formats: chrome trace, samples of steps, measured rows, phase times
  [3]
  $ printf '\037\213\010\000' > wrong.json.gz
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.json.gz
  wrong.json.gz: is compressed by gzip
    hint: unpack it first: gunzip -k FILE
  [3]
  $ printf '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": -2}]}' > wrong.json
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.json
  wrong.json:1:79: "k" takes -2 microseconds: less than none
      1 | {"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": -2}]}
        |                                                                               ^
  [3]
  $ printf '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1e300, "dur": 2}]}' > wrong.json
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.json
  wrong.json:1:71: "ts" is 1e+300 microseconds, which no clock shows
      1 | {"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1e300, "dur": 2}]}
        |                                                                       ^
  [3]
  $ printf '{"traceEvents": [{"ph": "X", "cat": "kernel",' > wrong.json
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.json
  wrong.json:1:46: ends in the middle, where a text in double quotes should be: was it cut off?
      1 | {"traceEvents": [{"ph": "X", "cat": "kernel",
        |                                              ^
  [3]
  $ printf '{"traceEvents": []}' > wrong.json
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.json
  wrong.json: has no kernel of a device
    hint: profile with ProfilerActivity.CUDA; events of cat "kernel" are looked for
  [3]
  $ paradl diagnose tiny --hw toy -s data=8 --measured slow.csv --measured rows.csv
  rows.csv: is measured rows, the file before is phase times
  [2]
  $ printf 'phase,seconds\nforward,0.1\nbackward,0.2\ntotal,0.1\n' > wrong.csv
  $ paradl diagnose tiny --hw toy -s data=8 --measured wrong.csv
  wrong.csv: its phases take 0.3 s, more than the total of 0.1 s
    hint: seconds are those that nothing hides; what compute hides goes into busy_seconds
  [3]
