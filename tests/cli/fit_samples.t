Numbers and curves of a machine from samples and from logs of other tools.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$TESTDIR/../.." LOGS="$TESTDIR/../data/logs"
  $ cp "$LOGS"/* . && chmod u+w *

Logs are told apart by what is in them; those that lack something say what.

  $ paradl fit made-up.fio.json -q | grep -c few-launches
  1

What fio measured becomes the storage of a machine.

  $ paradl import two-cores.fio-3.33.json
  two-cores.fio-3.33.json: has measurements, which are not imported
    hint: 'paradl fit two-cores.fio-3.33.json --into HW.json' puts them into a machine's profile
  [2]
  $ cp "$PARADL_PATH/hw-profiles/laptop.json" storage.json
  $ paradl fit two-cores.fio-3.33.json --into storage.json -q > /dev/null; paradl check storage.json
  storage.json: paradl-hw, nothing found; 11 numbers are guessed (of a device, convolution and
      contraction count for images alone, product and attention for tokens): levels/0/devices,
      levels/0/latency, levels/0/bandwidth, power, storage, host, of its device memory, memory_rate,
      peak, contraction, power
  $ grep -E '"storage/|"local"' storage.json
      "local": { "capacity": "512 GB", "read": "1.066 GB/s", "write": "1.37 GB/s", "open": "11 us", "random_reads": 68600 }
      "storage/local/read": "measured: fio, 1 launch, 2026-11-22; samples sha256 b426c5b0f8983235",
      "storage/local/write": "measured: fio, 1 launch, 2026-11-22; samples sha256 b426c5b0f8983235",
      "storage/local/random_reads": "measured: fio, 1 launch, 2026-11-22; samples sha256 b426c5b0f8983235"

Of standard input there is no digest.

  $ cp "$PARADL_PATH/hw-profiles/laptop.json" piped.json
  $ paradl fit - --into piped.json -q < two-cores.fio-3.33.json > /dev/null; grep '"storage/local/read"' piped.json
      "storage/local/read": "measured: fio, 1 launch, 2026-11-22",
  $ paradl fit - made-up.fio.json --into piped.json -q < two-cores.fio-3.33.json > /dev/null; grep -oE 'samples sha256,?[ 0-9a-f]*' piped.json | sort -u
  samples sha256 34288a28616605d6

What it has is what a workload of MLPerf Storage is then fed with: memory keeps nothing here.

  $ paradl import "$TESTDIR/../data/dlio/unet3d_h100.yaml" -o unet3d.json -q
  $ paradl io unet3d.json --hw ./storage.json --gpus 1 --store copy --cache none --resources | grep -E '^ (verdict|needs|the disks of a node )'
   verdict     the disks of a node bind: 3.18 GB/s needed, 1.07 GB/s there: GPUs wait 66 % of each
   needs       3.18 GB/s (21.67 samples/s); 3.18 GB/s per node, 3.18 GB/s per GPU (21.67 samples/s)
   the disks of a node                   963 ms  7.271/s  1.07 GB/s             0.336×

Logs that lack something say what.

  $ cp abci-v-osu_multi_lat_2x8.txt latency.txt
  $ paradl fit latency.txt
  latency.txt: does not say how far apart the two ranks were
    hint: name the file with nodes x ranks, such as osu_latency_2x2.txt, or 1x2 within a node
  [3]
  $ echo "nothing of the kind" > other.txt
  $ paradl fit other.txt
  other.txt: is in no format of measurements that is known
    hint: formats: * (glob)
  [3]
  $ : > empty.jsonl
  $ paradl fit empty.jsonl
  empty.jsonl: is empty: nothing was measured
  [3]

What is wrong with a machine is said, with the number and what to check.

  $ paradl fit alps-no-plugin-allreduce.nccl-tests.txt -q | grep -A 3 tcp-fallback
  * tcp-fallback: allreduce, nccl 2.27.3, 2 nodes, 8 devices: small ones take 50.4 us where (glob)
  *NCCL expects 20.4 us with RDMA, and large ones reach 6.05 GB/s of bus bandwidth, less (glob)
  *than one port of 100 Gb/s (alps-no-plugin-allreduce.nccl-tests.txt:18) (glob)
  *check: which transport is in use (NCCL_DEBUG=INFO: NET/IB or a plug-in, not NET/Socket; (glob)
  $ paradl fit roce-noisy.all_reduce.txt --strict -q > /dev/null
  [1]
  $ paradl fit roce-noisy.all_reduce.txt > /dev/null
  paradl: warning: noisy: allreduce: 19 of 29 points are noisy: * (glob)

Of a log whose last run crashed the whole rows count, and what broke off is said.

  $ { cat abci-v-allreduce.nccl-tests.txt; sed -n '/nThread/,/^ *8 /p;/^ *8 /q' abci-v-allreduce.nccl-tests.txt; printf '    16    4    float    sum  -1g0001: Test NCCL failure\n'; } > allreduce-crashed.txt
  $ paradl fit allreduce-crashed.txt | grep passed
   98 points in 5 launches of 1 file; unfinished lines and runs passed over: 1
  $ paradl collective allreduce --hw abci --ranks 4 --measured allreduce-crashed.txt -q --csv > /dev/null
  $ paradl collective allreduce --hw abci --ranks 4 --measured allreduce-crashed.txt --csv 2>&1 > /dev/null | grep broke
  paradl: warning: allreduce-crashed.txt: rows that broke off, and are passed over: 1

Documents

  $ paradl fit abci-v-allreduce.nccl-tests.txt --json > fit.json && schema < fit.json
  paradl-calibration-1
  $ paradl fit abci-v-allreduce.nccl-tests.txt --csv | head -1
  file,path,value,unit,low,high,is_range,points,launches,residual,was,from,was_from

Into a copy of a profile; the shipped ones stay as they are.

  $ paradl fit abci-v-allreduce.nccl-tests.txt --into my.json --base abci -q > /dev/null
  $ paradl check --strict my.json
  my.json: line 64: /curves/10: 4 nodes take up to 9.2 times what the other counts say (32.0 MiB), at 4 of 4 large sizes; no other times are made of these
  my.json: line 69: /curves/11: 8 nodes take up to 1.7 times what the other counts say (32.0 MiB), at 3 of 4 large sizes; no other times are made of these
  my.json: line 84: /curves/14: 4 nodes take up to 4.1 times what the other counts say (4.00 MiB), at 1 of 4 large sizes; no other times are made of these
  my.json: line 89: /curves/15: 8 nodes take up to 5.8 times what the other counts say (4.00 MiB), at 2 of 4 large sizes; no other times are made of these
  [1]
  $ paradl advise resnet50 --hw ./my.json --gpus 8 -q > advice.txt && grep -c data advice.txt > /dev/null
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into my.json --base abci
  paradl: --base is for a profile that is not there yet, and my.json is
    hint: leave out --base to change it, or name another file
  [2]
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into my.json -q > /dev/null
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into "$TESTDIR/../../hw-profiles/abci.json"
  paradl: */hw-profiles/abci.json is a shipped profile, which stays as it is (glob)
    hint: write a copy: --into ./my.json --base */hw-profiles/abci.json (glob)
  [2]
  $ ln -s "$TESTDIR/../../hw-profiles/abci.json" link.json
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into link.json
  paradl: link.json is a shipped profile, which stays as it is
    hint: write a copy: --into ./my.json --base link.json
  [2]
  $ mkdir linked && ln -s "$TESTDIR/../../hw-profiles/devices" linked && cp my.json linked
  $ paradl fit "$LOGS/../samples/h100-products.jsonl" --force --into linked/my.json
  paradl: linked/devices/v100-sxm2-16gb.json is a shipped device, which stays as it is
    hint: remove the link, or name a profile in another folder
  [2]
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into linked/my.json -q > /dev/null
  $ paradl fit abci-v-allreduce.nccl-tests.txt --into new.json
  ./devices/new.json: a new device needs its peak/fp32, and no samples of products (gemm) were given
    hint: measure it with 'paradl calibrate --cpu' or --gpu, or start from a profile that knows the device: --base HW
  [2]
  $ ls new.json devices 2> /dev/null
  [2]

Layers that were measured one by one, as a file for estimates.

  $ cat > layers.py << END
  > import json
  > print(json.dumps({"launch": "cpu.0", "format": "paradl-samples", "version": 1, "program": "cpu", "number": 0}))
  > for model in "toy", "other":
  >     for name, seconds in ("forward", 0.001), ("backward-data", 0.002), ("backward-filter", 0.004):
  >         print(json.dumps({"launch": "cpu.0", "point": model + name, "bench": "convolution", "parameters": {
  >             "precision": "fp32", "pass": name, "layer": "conv1", "model": model, "batch": 8, "busy": 1},
  >             "flop": 1e6, "bytes": 1e3, "calls": 1, "stopped": "count", "flags": [], "seconds": [seconds]}))
  > END
  $ python3 layers.py > both.jsonl; grep -v other both.jsonl > toy.jsonl
  $ paradl fit toy.jsonl --write-layer-times times.json | tail -1
   wrote times.json; next: paradl estimate MODEL --hw HW -s serial --layer-times times.json
  $ cat times.json
  {
    "format": "paradl-profile",
    "version": 1,
    "model": "toy",
    "precision": "fp32",
    "samples": [
      {
        "batch": 8,
        "layers": {
          "conv1": {
            "fw": "1000 us",
            "bw": "6000 us"
          }
        }
      }
    ]
  }
  $ paradl check times.json
  times.json: /device: not given: nothing tells on which device the times hold
  $ paradl fit both.jsonl --write-layer-times times.json
  paradl: layers of other and of toy were measured
    hint: --layers-of MODEL says whose times are wanted
  [2]
  $ paradl fit both.jsonl --write-layer-times times.json --layers-of resnet50
  paradl: no layers of ResNet-50 were measured
    hint: "paradl calibrate --layers-of MODEL" measures each
  [2]
  $ paradl fit toy.jsonl --layers-of resnet50
  paradl: --layers-of says which network --write-layer-times FILE is of
  [2]
  $ paradl fit --measured b.csv --write-layer-times times.json
  paradl: --write-layer-times is about FILES of samples, not --measured
  [2]

Mistakes

  $ paradl fit a.jsonl --measured b.csv
  paradl: fit takes either FILES of samples or --measured CSV, not both
    hint: samples make a machine's profile, --measured finds constants of training programs
  [2]
  $ paradl fit --measured b.csv --base abci
  paradl: --base is about FILES of samples, not --measured
  [2]
  $ paradl fit nowhere.jsonl
  nowhere.jsonl: cannot * (glob)
  [3]
  $ paradl fit abci-v-allreduce.nccl-tests.txt --leave-out x
  paradl: --constants and --leave-out are about --measured CSV, not samples
  [2]

Every point of the curves, a picture of them, and how text looks:

  $ paradl fit abci-v-allreduce.nccl-tests.txt --show -q | head -n 12
   Numbers
   file     number                  value  95 % of launches  points  launches  residual
   machine  levels/0/bandwidth   135 GB/s                 -      24         1     1.6 %
   machine  levels/0/ring        135 GB/s                 -      24         1     1.6 %
   machine  levels/1/bandwidth  22.0 GB/s                 -      24         1     0.9 %
   machine  levels/1/ring       22.0 GB/s                 -      24         1     0.9 %
  
   Curves
   operation  nodes  devices  start-up, rate | from
   allreduce      1        4  8.32 us, 1.81 GB/s | 32 KiB: 18.1 us, 16.4 GB/s | 512 KiB: 64.3 us, 90.…
   allreduce      2        8  18.1 us, 352 MB/s | 8 KiB: 34.0 us, 4.50 GB/s | 1 MiB: 110 us, 12.0 GB/s
   allreduce      4       16  30.9 us, 160 MB/s | 4 KiB: 46.5 us, 1.27 GB/s | 128 KiB: 68.1 us, 5.55…
  $ paradl fit abci-v-allreduce.nccl-tests.txt --plot=fit.gp -q > /dev/null; ls fit.gp
  fit.gp
  $ paradl fit made-up.fio.json --width 60 --ascii --color always --verbose --output plain.txt
  paradl: read made-up.fio.json
  $ sed 's/\x1b\[[0-9;]*m//g' plain.txt > text; if cmp -s text plain.txt; then echo no colours; fi; LC_ALL=C grep '[^ -~]' text
  [1]

Products of an H100, measured without pause: what the power limit leaves is in them, so that steps take the rates as they are. The
shipped device has 0.90 times 0.84 of the peak in bf16 from kernels of another program, and 0.84 times 0.87 in fp8:

  $ paradl fit "$SOURCE/tests/data/samples/h100-products.jsonl" --base dgx-h100-superpod --into of-h100.json | grep ' product'
   device  product/launch          3.77 us  3.74 us … 3.80 us *      25         2     5.4 %  2.51 us
   device  product/wave            1.33 us  1.20 us … 1.33 us *      25         2     5.4 %  1.35 us
   device  product/half_tile        0.9575    0.9575 … 0.9606 *      25         2     5.4 %    0.957
   device  product/wave_share       0.4631     0.454 … 0.4684 *      25         2     5.4 %    0.401
   device  product/exposed          0.2294    0.1882 … 0.2338 *      25         2     5.4 %    0.304
   device  product/memory_share      1.013     0.9796 … 1.022 *      25         2     5.4 %     1.01
   device  product/sustained/bf16   0.7751    0.7579 … 0.7788 *      25         2     5.4 %    0.912
   device  product/sustained/fp16   0.7751    0.7579 … 0.7788 *      25         2     5.4 %    0.912
   device  product/sustained/fp8    0.6726    0.6466 … 0.6726 *      25         2     5.4 %    0.847
   device  product/throttled/bf16        1                    -      25         2     5.4 %    0.826
   device  product/throttled/fp8         1                    -      25         2     5.4 %    0.849

What is wrong with a profile to start from is said of it, not of the one that is not there yet:

  $ python3 - > within.json <<'EOF'
  > import json, os
  > folder = os.environ["PARADL_PATH"] + "/hw-profiles/"
  > machine = json.load(open(folder + "laptop.json"))
  > machine["device"] = json.load(open(folder + "devices/laptop-gpu-6gb.json"))
  > print(json.dumps(machine, indent=1))
  > EOF
  $ paradl fit "$SOURCE/tests/data/samples/two-cores.jsonl" --base ./within.json --into new.json -q 2>&1 | head -n 1; ls new.json
  ./within.json:5:12: /device: is within the profile: numbers of a device go to its file
  ls: cannot access 'new.json': No such file or directory
  [2]

A busy machine is noticed, and no profile made of it, unless that is asked for; then every answer says so:

  $ sed 's/"flags":\[\]/"flags":["contended"]/' "$SOURCE/tests/data/samples/two-cores.jsonl" > busy.jsonl
  $ paradl fit busy.jsonl --into busy.json -q > /dev/null; ls busy.json
  paradl: busy.json is not written: these numbers are of a busy machine, or of none (contended); --force writes them, as assumed
  ls: cannot access 'busy.json': No such file or directory
  [2]
  $ paradl fit busy.jsonl --into busy.json --force -q > forced; grep -A 1 contended forced
   bad         contended: 960 of 963 points were measured while other processes took the processor
               (busy.jsonl:2)
  $ grep -c '"assumed: forced although contended: ' busy.json devices/busy.json
  busy.json:10
  devices/busy.json:19
  $ paradl advise tiny-cnn --hw ./busy.json --framework mpi-step > answer
  paradl: warning: ./busy.json: its numbers are no measurement of an idle machine: they were written by force although fit refused them (contended)

What nccl-tests measured inside a node is what the machine answers then, also where its cables are in the profile: these sustain what the
ring got; where each has a cable to every other, the rings got all of them together.

  $ python3 "$TESTDIR/nccl_log.py" 4 236 > nccl.log
  $ paradl fit nccl.log --base dgx-h100-superpod --into node.json -q | sed '/^$/,$d'
   Numbers
   file     number                             value  95 % of launches  launches  residual       was
   machine  levels/0/ring                   236 GB/s                 -         1     0.0 %  370 GB/s
   machine  network/links/device/sustained  253 GB/s                 -         1     0.0 %  370 GB/s
  $ paradl collective allreduce --hw ./node.json --library nccl --ranks 4 --bytes 4GiB | sed -n 3,4p
    size     time  from        model  bus bandwidth  best  next         wait energy
   4 GiB  27.3 ms  measured  27.3 ms       236 GB/s  ring  nvls +0.5 %       30.6 J
  $ paradl fit nccl.log --base jupiter --into mesh.json -q | sed '/^$/,$d'
   Numbers
   file     number                              value  95 % of launches  launches  residual       was
   machine  levels/0/ring                    236 GB/s                 -         1     0.0 %  370 GB/s
   machine  network/links/device/sustained  84.3 GB/s                 -         1     0.0 %  123 GB/s
  $ paradl collective allreduce --hw ./mesh.json --library nccl --ranks 4 --bytes 4GiB | sed -n 3,4p
    size     time  from        model  bus bandwidth  best  wait energy
   4 GiB  27.3 ms  measured  27.3 ms       236 GB/s  ring       29.7 J
