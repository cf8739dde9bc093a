Training with fewer samples.

  $ . "$TESTDIR/setup.sh"

Epochs that are alike are one row; the other samplers have their usual fractions.

  $ paradl hide tiny --hw toy -s data=8
  Tiny on Toy: data=8 on 8 GPUs in 4 nodes, global batch 64, fp32, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  kakurenbo: hide samples that are learnt, for an epoch at a time (Nguyen et al., NeurIPS 2023)
  
   epochs     cap  candidates  moved back  hidden   share  learning rate    epoch    saved
   1       30.0 %           0           0       0   0.0 %         ×1.000   102 ms        -
   2-5     30.0 %       1,920         768   1,152  18.0 %         ×1.000  95.3 ms  7.24 ms
   6-30    30.0 %       1,920         768   1,152  18.0 %         ×1.429  95.3 ms  7.24 ms
   31-60   24.0 %       1,536         614     922  14.4 %         ×1.316  96.9 ms  5.56 ms
   61-80   18.0 %       1,152         461     691  10.8 %         ×1.220  98.6 ms  3.89 ms
   81-90   12.0 %         768         307     461   7.2 %         ×1.136   100 ms  2.21 ms
  
   sampler      spares  reads  forward  backward  steps    epoch  training    saved
   all samples       -      1        1         1      1   102 ms    9.22 s
   kakurenbo    30.0 %  1.000    1.000     0.862  0.862  97.2 ms    8.75 s    5.2 %
   selective    50.0 %  1.000    1.000     0.500  0.500  69.1 ms    6.22 s   32.6 %
   importance        -  2.000    2.000     1.000  1.000   139 ms    12.5 s  -35.8 %
   pruning      30.0 %  0.700    0.700     0.700  0.700  71.7 ms    8.51 s    7.8 %
  
   saves       5.2 % of the training: 8.75 s for 90 epochs instead of 9.22 s, 1.06 EUR less
   hidden      13.8 % of the samples on average, of a cap of 23.3 %; one costs 0.48 of a trained one
   rate        learning rate × 1 / (1 - cap) after 5 epochs of warm-up: by the cap, as the released
               programs do, not by what is hidden
   overheads   2.61 ms an epoch: 333 us to sum up 150 KiB, 800 us to order samples, 1.47 ms to look at
               candidates
   memory      200 KiB more in each process on the host
   input       taken as free (the data set has no sample_size); training reads 62,444 samples/s, the
               forward pass over hidden ones 141,496
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
               input is not modelled: the data set has no sample_size
               a hidden sample costs 0.48 of a trained one: 1 / (1 + 1.66) for its forward pass, 0.1
               for a second loader and bookkeeping
               60 % of the candidates stay hidden; the one public log has 51 to 66 %, rising
               accuracy is not projected: paradl-hide(1) has what was reported
  $ paradl hide tiny --hw toy -s data=8 --compare -q
   sampler      spares  reads  forward  backward  steps  besides   probe    epoch  training    saved
   all samples       -      1        1         1      1        -       -   102 ms    9.22 s
   kakurenbo    30.0 %  1.000    1.000     0.862  0.862  2.61 ms       -  97.2 ms    8.75 s    5.2 %
   selective    50.0 %  1.000    1.000     0.500  0.500        -       -  69.1 ms    6.22 s   32.6 %
   importance        -  2.000    2.000     1.000  1.000   967 us       -   139 ms    12.5 s  -35.8 %
   pruning      30.0 %  0.700    0.700     0.700  0.700        -  2.05 s  71.7 ms    8.51 s    7.8 %

Plain training costs nothing and saves nothing.

  $ paradl hide tiny --hw toy -s data=8 --fraction 0 --epochs 4 -q
   epochs    cap  candidates  moved back  hidden  share  learning rate   epoch  saved
   1-4     0.0 %           0           0       0  0.0 %         ×1.000  102 ms      -
  
   sampler      spares  reads  forward  backward  steps    epoch  training     saved
   all samples       -      1        1         1      1   102 ms    410 ms
   kakurenbo     0.0 %  1.000    1.000     1.000  1.000   102 ms    410 ms         -
   selective    50.0 %  1.000    1.000     0.500  0.500  69.1 ms    276 ms    32.6 %
   importance        -  2.000    2.000     1.000  1.000   139 ms    557 ms   -35.8 %
   pruning      30.0 %  0.700    0.700     0.700  0.700  71.7 ms    2.34 s  -470.0 %

Numbers of a log: epochs are scaled to a measured one.

  $ paradl hide tiny --hw toy -s data=8 --measured-epoch '31.2 s' --fraction-schedule cords --phi 0.57 --retention 0.51@0,0.56@90,0.62@180,0.66@270 --csv | sed -n '1p;2p;32p;200p'
  epoch,cap,candidates,moved_back,hidden,rate_factor,time_s,saved_s
  1,0.3,0,0,0,1,31.2,0
  31,0.3,1920,941,979,1.4285714285714286,28.951557744710847,2.2484422552891523
  199,0.18,1152,438,714,1.2195121951219512,29.56002139209863,1.6399786079013694

A log says what each epoch hid; later epochs are like its last.

  $ printf 'epoch,hidden_share\n1,0\n2,0.1\n3,0.2\n' > log.csv
  $ paradl hide tiny --hw toy -s data=8 --epochs 4 --retention log.csv -q | sed '/^ *$/,$d'
   epochs     cap  candidates  moved back  hidden   share  learning rate    epoch    saved
   1       30.0 %           0           0       0   0.0 %         ×1.000   102 ms        -
   2       24.0 %       1,536         896     640  10.0 %         ×1.000  99.4 ms  3.04 ms
   3       24.0 %       1,536         256   1,280  20.0 %         ×1.000  93.7 ms  8.77 ms
   4       18.0 %       1,152           0   1,152  18.0 %         ×1.000  93.3 ms  9.15 ms
  $ printf 'epoch,share\n1,0\n' > wrong.csv; printf 'hidden_share\n' > empty.csv
  $ for log in wrong empty none; do paradl hide tiny --hw toy -s data=8 --retention $log.csv; done
  paradl: wrong.csv: row 1 has no share from 0 to 1 in a column hidden_share
  paradl: empty.csv: has no epochs
  none.csv: cannot open: No such file or directory
  [3]

Texts are read once, unless they are to fine-tune on.

  $ paradl hide llama2-7b --hw dgx-h100-superpod -s data=8 --epochs 3
  paradl: Llama-2-7B is pre-trained on texts that are read once, and what does not come again cannot be hidden
    hint: fine-tuning has epochs and a data set of its own: --epochs 3 --dataset alpaca
  [2]
  $ paradl hide llama2-7b --hw dgx-h100-superpod -s data=8 --seq 512 --batch 128 --dataset alpaca --epochs 3 -q | sed '/^ *$/,$d'
   epochs     cap  candidates  moved back  hidden   share  learning rate     epoch   saved
   1       30.0 %           0           0       0   0.0 %         ×1.000  5.93 min       -
   2       24.0 %      12,480       4,992   7,488  14.4 %         ×1.000  5.38 min  33.2 s
   3       18.0 %       9,360       3,744   5,616  10.8 %         ×1.000  5.51 min  24.9 s

The document has every epoch.

  $ paradl hide tiny --hw toy -s data=8 --epochs 2 --json > hide.json; schema < hide.json
  paradl-hide-1
  $ paradl hide tiny --hw toy -s data=8 --epochs 2 --jsonl
  {"epoch":1,"cap":0.3,"candidates":0,"moved_back":0,"hidden":0,"rate_factor":1,"time_s":0.102492432,"saved_s":0}
  {"epoch":2,"cap":0.18,"candidates":1152,"moved_back":461,"hidden":691,"rate_factor":1,"time_s":0.09860620362174559,"saved_s":0.0038862283782544055}
  $ paradl hide tiny --hw toy -s data=8 --compare --jsonl | cut -c1-80
  {"sampler":"kakurenbo","fraction":0.3,"mean_cap":0.23333333333333345,"mean_spare
  {"sampler":"selective","fraction":0.5,"mean_cap":0.5,"mean_spared":0.5,"reads":1
  {"sampler":"importance","fraction":null,"mean_cap":0,"mean_spared":0,"reads":2,"
  {"sampler":"pruning","fraction":0.3,"mean_cap":0.3000000000000005,"mean_spared":
  $ paradl hide tiny --hw toy -s data=8 --compare --csv | cut -d, -f1-8
  sampler,fraction,mean_cap,mean_spared,reads,forward,backward,steps
  kakurenbo,0.3,0.23333333333333345,0.13800000000000007,1,1,0.8620000000000007,0.8620000000000007
  selective,0.5,0.5,0.5,1,1,0.5,0.5
  importance,,0,0,2,2,1,1
  pruning,0.3,0.3000000000000005,0.3000000000000005,0.7000000000000012,0.7000000000000012,0.7000000000000012,0.7000000000000012

Another confidence moves others back, nobody knows how many; at 1, all.

  $ paradl hide tiny --hw toy -s data=8 --tau 0.9 --epochs 3 -q --csv | tail -1
  3,0.18,1152,461,691,1,0.09860620362174559,0.0038862283782544055
  $ paradl hide tiny --hw toy -s data=8 --tau 0.9 --epochs 3 --csv > nothing
  paradl: warning: retention 0.6 was seen with tau 0.7; how many candidates another tau moves back is up to the training (--retention)
  $ paradl hide tiny --hw toy -s data=8 --tau 1 --epochs 3 --csv | tail -1
  3,0.18,1152,1152,0,1,0.10479043879614558,-0.0022980067961455852

A file system that delivers 50 MB/s to samples of 10 kB: they are read whether hidden or not.

  $ sed 's/"samples": 6400/&, "sample_size": "10 kB"/' "$TESTDIR/data/models/tiny.json" > fed.json
  $ sed 's/"power": {/"storage": { "disks": { "scope": "system", "read": "50 MB\/s" } }, &/' "$TESTDIR/data/hw-profiles/toy.json" > slow.json
  $ sed 's/50 MB/900 MB/' slow.json > fast.json
  $ paradl hide ./fed.json --hw ./slow.json -s data=8 | sed -n '/sampler  /,$p'
   sampler      spares  reads  forward  backward  steps   epoch  training     saved
   all samples       -      1        1         1      1  1.28 s  1.92 min
   kakurenbo    30.0 %  1.000    1.000     0.862  0.862  1.28 s  1.92 min    -0.2 %
   selective    50.0 %  1.000    1.000     0.500  0.500  1.28 s  1.92 min         -
   importance        -  2.000    2.000     1.000  1.000  2.56 s  3.84 min  -100.1 %
   pruning      30.0 %  0.700    0.700     0.700  0.700  896 ms  1.77 min     7.8 %
  
   saves       nothing, and costs 0.2 % more: a step waits for the shared file system, and takes 12.8
               ms instead of 1.02 ms; samples that are spared are read and decoded all the same. With
               input for free it would be 5.2 %
   hidden      13.8 % of the samples on average, of a cap of 23.3 %; one costs 0.48 of a trained one
   rate        learning rate × 1 / (1 - cap) after 5 epochs of warm-up: by the cap, as the released
               programs do, not by what is hidden
   overheads   2.61 ms an epoch: 333 us to sum up 150 KiB, 800 us to order samples, 1.47 ms to look at
               candidates
   memory      200 KiB more in each process on the host
   input       training reads 62,444 samples/s, the forward pass over hidden ones 141,496; both wait:
               5,000 a second come, because of the shared file system
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
               input: toys from the shared file system, global shuffle, prepared beside compute; the
               profile has no host cores: preparation takes no time
               a hidden sample costs 0.48 of a trained one: 1 / (1 + 1.66) for its forward pass, 0.1
               for a second loader and bookkeeping
               60 % of the candidates stay hidden; the one public log has 51 to 66 %, rising
               accuracy is not projected: paradl-hide(1) has what was reported
  $ paradl hide ./fed.json --hw ./fast.json -s data=8 | grep -A 2 'saves  \|input  '
   saves       1.7 % of the training: 9.07 s for 90 epochs instead of 9.22 s, 0.345 EUR less; with
               input for free it would be 5.2 %
   hidden      13.8 % of the samples on average, of a cap of 23.3 %; one costs 0.48 of a trained one
  --
   input       training reads 62,444 samples/s, the forward pass over hidden ones 141,496; the latter
               waits: 90,000 a second come, because of the shared file system
   assumed     everything is a toy
  $ paradl hide ./fed.json --hw ./slow.json -s data=8 --no-input | grep -A 1 'saves  \|input  '
   saves       5.2 % of the training: 8.75 s for 90 epochs instead of 9.22 s, 1.06 EUR less
   hidden      13.8 % of the samples on average, of a cap of 23.3 %; one costs 0.48 of a trained one
  --
   input       taken as free (input is left out); training reads 62,444 samples/s, the forward pass
               over hidden ones 141,496
  $ paradl hide ./fed.json --hw ./slow.json -s data=8 --json > hide.json; schema < hide.json; grep 'verdict\|binding\|free' hide.json
  paradl-hide-1
      "binding": "shared",
      "hidden_binding": "shared"
    "verdict": "input",
        "saved_share_if_input_were_free": 0.05167996102483479,
        "saved_share_if_input_were_free": 0.3256904665897687,
        "saved_share_if_input_were_free": -0.3580520247206692,
        "saved_share_if_input_were_free": 0.0777777777777768,

What is wrong is said.

  $ paradl hide tiny --hw toy
  paradl: hide needs -s PLAN, such as data=64
    hint: 'paradl hide -h' shows the usual options and examples
  [2]
  $ paradl hide
  paradl: hide needs a MODEL: a file, or one of alexnet, * (glob)
    hint: 'paradl hide -h' shows the usual options and examples
  [2]
  $ paradl hide tiny --hw toy -s data=8 --sampler kakurembo
  paradl: --sampler cannot be 'kakurembo'; did you mean 'kakurenbo'?
  [2]
  $ paradl hide tiny --hw toy -s data=8 --fraction-schedule imagnet
  paradl: "imagnet" is no list of shares by epoch; did you mean imagenet?
    hint: write shares from 0 to 1 and the epochs after which they begin: 1@0,0.8@30,0.6@60; or one of imagenet, cifar100, cords, long, fractal
  [2]
  $ paradl hide tiny --hw toy -s data=8 --retention 1@5
  paradl: "1@5" is no list of shares by epoch
    hint: write shares from 0 to 1 and the epochs after which they begin: 1@0,0.8@30,0.6@60
  [2]
  $ paradl hide tiny --hw toy -s data=8 --fraction 1
  paradl: --fraction must be from 0 to 0.99, is 1
  [2]
  $ paradl hide tiny --hw toy -s data=16
  paradl: data=16 needs 16 GPUs, more than Toy has: 8
  [2]
  $ paradl hide tiny --hw toy -s data=8 --json --csv
  paradl: only one of --json, --jsonl and --csv is possible
  {
    "schema": "paradl-error-1",
    "error": {
      "code": "usage",
      "message": "only one of --json, --jsonl and --csv is possible",
      "file": null,
      "line": null,
      "column": null,
      "pointer": null,
      "hint": null
    }
  }
  [2]

Each worker chooses among its own samples:

  $ paradl hide tiny --hw toy -s data=8 --epoch-samples 1M --no-input --json > replicated
  $ paradl hide tiny --hw toy -s data=8 --epoch-samples 1M --no-input --json --distributed-selection > distributed
  $ python3 -c 'import json; [print(d["exchange_bytes"], [round(t["candidates_s"], 6) for t in d["samplers"]][:1]) for d in (json.load(open(f)) for f in ("replicated", "distributed"))]'
  24000000 [0.23]
  125000 [0.02875]
