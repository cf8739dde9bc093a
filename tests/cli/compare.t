Machines side by side.

  $ . "$TESTDIR/setup.sh"
  $ sed -e 's/"Toy"/"Slow"/' -e 's/2000/1500/' "$TESTDIR/data/hw-profiles/toy.json" > slow.json
  $ mkdir devices frameworks && cp "$TESTDIR"/data/hw-profiles/devices/*.json devices && cp "$TESTDIR"/data/hw-profiles/frameworks/*.json frameworks

The best plan of each, with what its numbers leave open; equal where ranges overlap.

  $ paradl compare tiny --hw toy --hw slow.json --gpus 4,8 --batch 64 --epochs 10
  Tiny, 64.0 k samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost  range           energy  samples/s   MFU
     1=     4  Toy      1.93 s  1.14 s to 3.88 s  2.14 EUR  0.757 to 4.56  2.68 kJ     33,161  98 %
     1=     4  Slow     1.93 s  1.14 s to 3.88 s  1.61 EUR  0.567 to 3.42  2.68 kJ     33,161  98 %
     1=     8  Toy      1.02 s  618 ms to 2.01 s  2.28 EUR  0.824 to 4.74  2.76 kJ     62,444  92 %
     1=     8  Slow     1.02 s  618 ms to 2.01 s  1.71 EUR  0.618 to 3.55  2.76 kJ     62,444  92 %
  
   fastest     on 8 GPUs Toy; equal within what is known: Slow
   cheapest    on 8 GPUs Slow; equal within what is known: Toy (rent)
   least kWh   on 8 GPUs Toy; equal within what is known: Slow
   range       Toy: framework ±25 %, compute assumed ±61 %, node links assumed ±0.5 %, network assumed
               ±4.3 %
   range       Slow: framework ±25 %, compute assumed ±61 %, node links assumed ±0.5 %, network
               assumed ±4.3 %
  $ paradl compare tiny --hw toy --gpus 4 --batch 64 --json > document
  $ python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas" < document
  paradl-compare-1
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --csv | cut -d, -f1-9,12,15
  model,hw,gpus,feasible,reason,time_rank,cost_rank,energy_rank,time_s,cost,currency
  Tiny,Toy,4,true,,1,1,1,0.192997224,0.21444136000000003,EUR
  Tiny,Slow,4,true,,1,1,1,0.192997224,0.16083102,EUR
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --jsonl | wc -l | tr -d ' '
  2

A picture: bars with ranges, ranks as in the table; where nothing runs there is none.

  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --epochs 10 -o machines.svg; ls machines.*
  machines.dat
  machines.gp
  machines.svg
  $ words() { sed 's/<[^>]*>//g; s/^[[:space:]]*//; s/ *$//' "$1"; }
  $ words machines.svg | grep -E 'Tiny|Slow|1\.93 s|EUR|data=4|^seconds'
  Tiny, 64.0 k samples: the best plan of each machine
  4 GPUs · data=4
  Slow
  4 GPUs · data=4
  seconds
  1.93 s · 1=
  1.93 s · 1=
  EUR (rent)
  2.14 EUR · 1=
  1.61 EUR · 1=
  $ cut -f 2-5 machines.dat | sed '/^#/d' | tr '\t' ' '
  1.92997224 1.1368406951755852 3.8790649369086805 29362
  1.92997224 1.1368406951755852 3.8790649369086805 29362
  
  
  2.1444136 0.7565224654123716 4.560961631043457 29362
  1.6083102 0.5673918490592786 3.420721223282593 29362
  $ paradl compare tiny --hw toy --gpus 4,8 --batch 64 --plot=two.svg -q > /dev/null; words two.svg | grep -E 'fastest|^[48] GPUs$'
  4 GPUs
  8 GPUs
  times as long as the fastest
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --deadline '1 ms' -o none.svg
  paradl: there is nothing to draw: nothing runs on any machine
  [1]

With a deadline the fewest GPUs, with a budget those that are through first.

  $ paradl compare tiny --hw toy --hw slow.json --batch 64 --epochs 10 --deadline '2 s' | head -4
  Tiny, 64.0 k samples, fp32, in 2.00 s: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost   energy  samples/s   MFU  limited by
     1=     4  Slow     1.93 s  1.14 s to 3.88 s  1.61 EUR  2.68 kJ     33,161  98 %  98 % compute
     1=     4  Toy      1.93 s  1.14 s to 3.88 s  2.14 EUR  2.68 kJ     33,161  98 %  98 % compute
  $ paradl compare tiny --hw toy --hw slow.json --batch 64 --epochs 10 --budget 1000000 | head -4
  Tiny, 64.0 k samples, fp32, for 1,000,000 EUR: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                 cost  range           energy  samples/s   MFU
     1=     8  Toy      1.02 s  618 ms to 2.01 s  2.28 EUR  0.824 to 4.74  2.76 kJ     62,444  92 %
     1=     8  Slow     1.02 s  618 ms to 2.01 s  1.71 EUR  0.618 to 3.55  2.76 kJ     62,444  92 %
  $ paradl compare tiny --hw toy --batch 64 --epochs 10 --deadline '1 ms'
  Tiny, 64.0 k samples, fp32, in 1.00 ms: 1 machine, the best plan of each
   rank  GPUs  machine  time  range  cost  energy  samples/s  MFU  limited by
      -     -  Toy         -                                       no number of GPUs that it has does…
  
   not         Toy: no number of GPUs that it has does it
  [1]

Currencies are compared at rates that are given.

  $ sed -i 's/"EUR"/"JPY"/' slow.json
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 | sed '/^$/,$d'
  paradl: warning: Slow has prices in JPY: not compared with EUR (--rate JPY=X)
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                  cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,161  98 %  98 % compute
     1=     4  Slow     193 ms  114 ms to 388 ms  0.161 JPY   268 J     33,161  98 %  98 % compute
  $ paradl compare tiny --hw toy --hw slow.json --gpus 4 --batch 64 --rate JPY=0.01 | sed '/^$/,$d'
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                    cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms    0.214 EUR   268 J     33,161  98 %  98 % compute
     1=     4  Slow     193 ms  114 ms to 388 ms  0.00161 EUR   268 J     33,161  98 %  98 % compute

A machine that is bought is no dearer or cheaper than one that is rented; GPUs of whole hosts are paid for.

  $ python3 -c 'import json; d=json.load(open("slow.json")); d.update(name="Bought", price={"node": 1e5, "years": 4, "currency": "EUR"}); json.dump(d, open("bought.json", "w"))'
  $ paradl compare tiny --hw toy --hw bought.json --gpus 3 --batch 63 -q
  Tiny, 6400 samples, fp32: 2 machines, the best plan of each
   rank  GPUs  machine    time  range                     cost  samples/s   MFU  paid by   paid
     1=     3  Toy      256 ms  151 ms to 516 ms     0.285 EUR     24,989  98 %  rent         4
     1=     3  Bought   256 ms  151 ms to 516 ms  0.000406 EUR     24,989  98 %  purchase     4
  $ paradl compare tiny --hw toy --hw bought.json --hw bought.json --gpus 4 --batch 64 --price purchase | grep -E '^ (rank|cheapest)'
  paradl: warning: Toy is rented: its cost is not compared with that of machines that are bought (--price rent)
   rank  GPUs  machine    time  range                     cost  energy  samples/s   MFU  paid by
   cheapest    Bought; equal within what is known: Bought (purchase)
  $ paradl compare tiny --hw toy --hw bought.json --gpus 3 --batch 63 --price purchase --json -q | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["price_basis"], *[(r["price_basis"], r["cost_rank"], r["gpus_paid"]) for r in d["results"]])'
  purchase ('rent', None, 4) ('purchase', 1, 4)

A machine with prices of both kinds has that of the comparison.

  $ python3 -c 'import json; d=json.load(open("bought.json")); d.update(name="Both", price={"basis": "purchase", "per_node_hour": 2000, **d["price"]}); json.dump(d, open("both.json", "w"))'
  $ paradl compare tiny --hw toy --hw both.json --gpus 4 --batch 64 | grep -E '^ (rank|cheapest)|EUR'
   rank  GPUs  machine    time  range                  cost  energy  samples/s   MFU  limited by
     1=     4  Toy      193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,161  98 %  98 % compute
     1=     4  Both     193 ms  114 ms to 388 ms  0.214 EUR   268 J     33,161  98 %  98 % compute
   cheapest    Toy; equal within what is known: Both (rent)
  $ paradl compare tiny --hw both.json --hw bought.json --gpus 4 --batch 64 | grep -E '^ (rank|cheapest)|EUR'
   rank  GPUs  machine    time  range                     cost  energy  samples/s   MFU  limited by
     1=     4  Both     193 ms  114 ms to 388 ms  0.000306 EUR   268 J     33,161  98 %  98 % compute
     1=     4  Bought   193 ms  114 ms to 388 ms  0.000306 EUR   268 J     33,161  98 %  98 % compute
   cheapest    Both; equal within what is known: Bought (purchase)
  $ paradl estimate tiny --hw both.json -s data=4 --set hw.price.basis=rent | grep '^ cost'
   cost        0.218 EUR an epoch, 4,000 EUR an hour (rent)

Questions that make no sense.

  $ paradl compare tiny --hw toy --gpus 4 --rate USD=2
  paradl: --rate USD=2: no machine has that currency; write JPY=0.0067
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --rate EUR=cheap
  paradl: --rate EUR: must be a number more than 0, such as 0.0067
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --deadline '1 h'
  paradl: only one of --gpus, --deadline and --budget is possible
  [2]
  $ paradl compare tiny --hw toy --gpus 4 --rate EUR=2
  paradl: --rate: every currency has one; leave out that of the common one
  [2]
  $ paradl compare tiny 2>&1 | cut -c1-60
  paradl: compare needs --hw HW, once for each machine: a file
  $ paradl compare --hw toy 2>&1 | cut -c1-50
  paradl: compare needs a MODEL: a file, or one of a
