Rounds of federated learning: the scheme that was asked for, the others, the network divided.

  $ . "$TESTDIR/setup.sh"
  $ laptops="$SOURCE/models/wrn-16-8.json --hw $SOURCE/hw-profiles/laptop.json"

Twenty clients share CIFAR-10. Divided into four, 88 MB (83.6 MiB) between a client and the server become 22 MB (21.0 MiB), and
983 MB (938 MiB) go through its cluster:

  $ paradl federate $laptops --clients 20 --local-batch 50 --scheme feddct:4 --rounds 300
  WRN-16-8 on laptop: 20 clients, 1 epoch of batches of 50, fp32, 5.59 GiB/GPU
  11.0 M parameters, 3.10 Gflop/sample forward
  
   round       42.5 s with feddct:4, in 5 clusters
   bound by    the network of a cluster, 74 % of the round
   traffic     server 210 MiB out, 210 MiB in per round; 18.3 GiB inside clusters
   training    300 rounds: 3.55 h, 123 GiB through the server, 3.13 MJ of compute
  
   clients      download  compute  cluster  exchange  upload  server   round    memory        of
   all      20    880 ms   5.79 s   31.5 s         -  4.40 s       -  42.5 s  1.23 GiB  5.59 GiB
  
   schemes; bytes of a round: through the server, among clients
   scheme               round         bound by    server   clients    memory  compute  training
   fedavg              24.8 s  1.00×  upload    1.63 GiB         -  1.50 GiB  6.76 kJ    2.07 h
   fedprox             24.8 s  1.00×  upload    1.63 GiB         -  1.54 GiB  6.81 kJ    2.07 h
   cadis               26.0 s  1.05×  upload    1.63 GiB         -  1.54 GiB  8.99 kJ    2.17 h
   feddct:4            42.5 s  1.72×  cluster    419 MiB  18.3 GiB  1.23 GiB  10.4 kJ    3.55 h
   model-exchange:1    46.1 s  1.86×  exchange  1.63 GiB   836 MiB  1.50 GiB  13.5 kJ    3.84 h
   splitfed          1.37 min  3.32×  exchange  6.10 GiB         -  1.00 GiB  6.76 kJ    6.87 h
  
   the network divided; bytes of one client and round
   parts  parameters    memory  of networks  less  of stems  with the server  in its cluster
       1      11.0 M  1.50 GiB      516 MiB  1.00         -         83.6 MiB               -
       2      6.17 M  1.36 GiB      365 MiB  1.41  3.84 MiB         47.1 MiB         313 MiB
       4      2.75 M  1.23 GiB      236 MiB  2.18  11.5 MiB         21.0 MiB         938 MiB
       8      1.55 M  1.19 GiB      190 MiB  2.71  26.9 MiB         11.8 MiB        2.14 GiB
      16       692 k  1.16 GiB      164 MiB  3.14  57.6 MiB         5.28 MiB        4.58 GiB
      32       175 k  1.17 GiB      173 MiB  2.98   119 MiB         1.34 MiB        9.46 GiB
  
   dividing    trades the outside for clusters: there is room without it, and clusters send more than
               the server is spared
   memory      with 4 parts networks take 2.2 times less, workspace and runtime left out (published: 4
               to 8 times with 4 to 8 parts): weights and their states 4.0 times, activations, which
               shrink with the width alone, 2.0 times; first layers of the other 3 networks, which the
               client runs in its turn, are 4.9 % of it
   costs are   read in the authors' program, times derived
   assumed     clients and server start together; what they send is fp32, not compressed; no failures
               a scheme's rounds are not worth the same: how many reach an accuracy is not predicted
               guessed in laptop: levels/0/devices, levels/0/latency, levels/0/bandwidth, power,
               storage, host
               guessed in laptop GPU, 6 GB: memory, memory_rate, peak, contraction, power
  $ paradl federate $laptops --clients 20 --local-batch 50 --scheme feddct:4,fedavg -q
   clients      download  compute  cluster  exchange  upload  server   round    memory        of
   all      20    880 ms   5.79 s   31.5 s         -  4.40 s       -  42.5 s  1.23 GiB  5.59 GiB
  
   schemes; bytes of a round: through the server, among clients
   scheme     round         bound by    server   clients    memory  compute
   fedavg    24.8 s  1.00×  upload    1.63 GiB         -  1.50 GiB  6.76 kJ
   feddct:4  42.5 s  1.72×  cluster    419 MiB  18.3 GiB  1.23 GiB  10.4 kJ
  
   the network divided; bytes of one client and round
   parts  parameters    memory  of networks  less  of stems  with the server  in its cluster
       1      11.0 M  1.50 GiB      516 MiB  1.00         -         83.6 MiB               -
       2      6.17 M  1.36 GiB      365 MiB  1.41  3.84 MiB         47.1 MiB         313 MiB
       4      2.75 M  1.23 GiB      236 MiB  2.18  11.5 MiB         21.0 MiB         938 MiB
       8      1.55 M  1.19 GiB      190 MiB  2.71  26.9 MiB         11.8 MiB        2.14 GiB
      16       692 k  1.16 GiB      164 MiB  3.14  57.6 MiB         5.28 MiB        4.58 GiB
      32       175 k  1.17 GiB      173 MiB  2.98   119 MiB         1.34 MiB        9.46 GiB

Groups of clients from a file, of which some take part; one of them has a memory that only parts of the network fit:

  $ cat > clients.json <<'END'
  > { "format": "paradl-clients", "version": 1, "name": "two kinds",
  >   "groups": [
  >     { "name": "laptops", "count": 12, "samples": 2000 },
  >     { "name": "tablets", "count": 8, "samples": 750, "sample_time": "12 ms", "memory": "1.6 GB" } ] }
  > END
  $ paradl check clients.json
  clients.json: paradl-clients, nothing found
  $ paradl federate $laptops --clients clients.json --participants 10 --deadline '1 d' --scheme fedavg,splitfed,feddct:8
  WRN-16-8 on laptop: 20 clients, 10 in a round, 1 epoch of batches of 128, fp32, 5.59 GiB/GPU
  11.0 M parameters, 3.10 Gflop/sample forward
  
   round       30.0 s with fedavg
   bound by    the uplink of clients, 58 % of the round; the last are tablets
   traffic     server 418 MiB out, 418 MiB in per round
   deadline    2,875 rounds in 1.00 d
  
   clients      download  compute  cluster  exchange  upload  server   round     memory        of
   laptops  12    3.51 s   2.98 s        -         -  17.5 s       -  24.0 s   2.07 GiB  5.59 GiB
   tablets   8    3.51 s   9.00 s        -         -  17.5 s       -  30.0 s  2.07 GiB!  1.49 GiB
  
   schemes; bytes of a round: through the server, among clients
   scheme       round         bound by    server   clients     memory  compute  in time
   splitfed  1.10 min  1.00×  exchange  1.83 GiB         -   1.01 GiB  2.02 kJ    1,311
   feddct:8  2.10 min  1.91×  cluster   94.6 MiB  11.5 GiB   1.44 GiB  17.0 kJ      687
   fedavg      30.0 s  0.46×  upload     836 MiB         -  2.07 GiB!  4.85 kJ    2,875
  
   the network divided; bytes of one client and round
   parts  parameters    memory  of networks  less  with the server  in its cluster
       1      11.0 M  2.07 GiB     1.07 GiB  1.00         83.6 MiB               -  too much memory
       2      6.17 M  1.79 GiB      806 MiB  1.36         47.1 MiB         250 MiB  too much memory
       4      2.75 M  1.53 GiB      548 MiB  1.99         21.0 MiB         750 MiB  too much memory
       8      1.55 M  1.44 GiB      455 MiB  2.40         11.8 MiB        1.71 GiB
      16       692 k  1.40 GiB      406 MiB  2.69         5.28 MiB        3.66 GiB
      32       175 k  1.43 GiB      440 MiB  2.48         1.34 MiB        7.57 GiB
  
   dividing    8 parts are the fewest that fit
   memory      with 4 parts networks take 2.0 times less, workspace and runtime left out (published: 4
               to 8 times with 4 to 8 parts): weights and their states 4.0 times, activations, which
               shrink with the width alone, 2.0 times; first layers of the other 3 networks, which the
               client runs in its turn, are 5.4 % of it
   costs are   derived from the algorithm
   assumed     clients and server start together; what they send is fp32, not compressed; no failures
               a scheme's rounds are not worth the same: how many reach an accuracy is not predicted
               a round is the mean over draws of participants, the server's load that of the mean draw
               guessed in laptop: levels/0/devices, levels/0/latency, levels/0/bandwidth, power,
               storage, host
               guessed in laptop GPU, 6 GB: memory, memory_rate, peak, contraction, power
  [1]
  $ paradl federate $laptops --clients clients.json --scheme feddct:64 -q
   round       feddct:64 cannot be: a cluster needs 64 clients, and 20 take part in a round
  
   schemes; bytes of a round: through the server, among clients
   scheme               round         bound by    server  clients     memory  compute
   splitfed          1.10 min  1.00×  exchange  3.66 GiB        -   1.01 GiB  4.05 kJ
   fedavg              30.0 s  0.46×  upload    1.63 GiB        -  2.07 GiB!  9.70 kJ
   fedprox             30.1 s  0.46×  upload    1.63 GiB        -  2.11 GiB!  9.73 kJ
   cadis               33.0 s  0.50×  upload    1.63 GiB        -  2.11 GiB!  12.9 kJ
   model-exchange:1    56.6 s  0.86×  compute   1.63 GiB  836 MiB  2.07 GiB!  19.4 kJ
   feddct:64                -
  
   the network divided; bytes of one client and round
   parts  parameters    memory  of networks  less  with the server  in its cluster
       1      11.0 M  2.07 GiB     1.07 GiB  1.00         83.6 MiB               -  too much memory
       2      6.17 M  1.79 GiB      806 MiB  1.36         47.1 MiB         250 MiB  too much memory
       4      2.75 M  1.53 GiB      548 MiB  1.99         21.0 MiB         750 MiB  too much memory
       8      1.55 M  1.44 GiB      455 MiB  2.40         11.8 MiB        1.71 GiB
      16       692 k  1.40 GiB      406 MiB  2.69         5.28 MiB        3.66 GiB
      32       175 k  1.43 GiB      440 MiB  2.48         1.34 MiB        7.57 GiB
  [1]

Documents.

  $ paradl federate $laptops --clients clients.json --scheme feddct:2,fedavg,feddct:64 --rounds 10 --json > rounds.json
  [1]
  $ schema < rounds.json
  paradl-federate-2
  $ python3 -c 'import json; d = json.load(open("rounds.json")); print(*[(r["scheme"], r["possible"]) for r in d["results"]])'
  ('feddct:2', True) ('fedavg', True) ('feddct:64', False)
  $ paradl federate $laptops --clients 3 --scheme cadis,splitfed:fc,model-exchange:2 --deadline '1 h' --exchange server --json | schema
  paradl-federate-2
  $ paradl federate $laptops --clients 3 --scheme fedavg,feddct:64 --jsonl | wc -l
  2
  $ paradl federate $laptops --clients clients.json --scheme fedavg,feddct:64 --csv | cut -d, -f 1,2,18,19
  scheme,possible,group,clients
  fedavg,true,laptops,12
  fedavg,true,tablets,8
  feddct:64,false,,
  $ paradl federate $laptops --clients clients.json --csv | awk -F, '{ print NF }' | sort -u
  36
  $ paradl federate $laptops --clients clients.json --deadline '1 d' | python3 -c 'import sys; print(max(len(line) for line in sys.stdin) <= 101)'
  True

What is refused.

  $ paradl federate $laptops
  paradl: federate needs --clients N, or --clients FILE.json
    hint: 'paradl federate -h' shows the usual options and examples
  [2]
  $ paradl federate $laptops --clients none
  paradl: --clients none is no number of clients
    hint: write a number, or the name of a file that ends in .json
  [2]
  $ paradl federate $laptops --clients 4 --scheme fedavgs
  paradl: unknown scheme "fedavgs"
    hint: did you mean "fedavg"?
  [2]
  $ paradl federate $laptops --clients 4 --scheme splitfed:group2b
  paradl: splitfed: "group2b" is no place where WRN-16-8 can be cut
    hint: give the name of a layer outside of branches, as 'paradl list MODEL' has it, or a number from 1 to 17
  [2]
  $ paradl federate $laptops --clients 4 --participants 5
  paradl: 5 participants are more than there are clients: 4
  [2]
  $ paradl federate $laptops --clients 4 --up '0 Mb/s'
  paradl: clients all: a rate of 0 moves nothing
    hint: rates of the links are more than 0: --up '20 Mb/s' --down '100 Mb/s' --lan '1 Gb/s'
  [2]
  $ paradl federate $laptops --clients 4 --server '0 Mb/s'
  paradl: --server 0 moves nothing: the server has a rate above 0
  [2]
  $ sed 's/"memory"/"speed": 2, "memory"/' clients.json > both.json
  $ paradl check both.json
  both.json:4:87: /groups/1/speed: is of the device, but "sample_time" says how long it takes: leave one of them out
  [3]
  $ sed 's/"memory"/"device": "abacus", "memory"/' clients.json > device.json
  $ paradl federate $laptops --clients device.json 2>&1 | sed "s|$SOURCE/||"
  hw-profiles/devices/abacus.json: cannot open: No such file or directory
    hint: a group's "device" is the name of a file in hw-profiles/devices/

One client is no clients:

  $ paradl federate wrn-16-8 --hw abci --clients 1 --scheme fedavg | sed 's/,.*//;q'
  WRN-16-8 on ABCI (V100): 1 client

A model does not visit a client twice: H others need H + 1 that take part.

  $ paradl federate wrn-16-8 --hw "$SOURCE/hw-profiles/laptop.json" --clients 3 --scheme model-exchange:3,model-exchange:2 | sed -n '/^ round/,/^ *model-exchange:3/p'
   round       model-exchange:3 cannot be: models that visit 3 other clients need 4, and 3 take part
               in a round
  
   schemes; bytes of a round: through the server, among clients
   scheme               round         bound by   server  clients    memory  compute
   model-exchange:2  2.18 min  1.00×  compute   251 MiB  251 MiB  2.07 GiB  20.1 kJ
   model-exchange:3         -
