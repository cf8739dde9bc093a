Workloads of MLPerf Storage become networks that take as long, and data sets.

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/../data/dlio/"*.yaml .
  $ paradl import unet3d_h100.yaml -o unet3d.json
  unet3d_h100.yaml: warning: /dataset: samples differ in size; here all have the mean
  unet3d_h100.yaml: each device reads 3030 MiB/s: 7 samples of 146.6 MB every 323 ms
  $ paradl import resnet50_h100.yaml --as dataset -o images.json
  resnet50_h100.yaml: each device reads 195.3 MiB/s: 400 samples of 114.7 kB every 224 ms
  $ cat images.json
  {
    "format": "paradl-dataset",
    "version": 1,
    "_source": "resnet50_h100.yaml",
    "_demand": "each device reads 195.3 MiB/s: 400 samples of 114.7 kB every 224 ms",
    "_reader": "--workers 8",
    "_epochs": 5,
    "_target_utilisation": 0.9,
    "name": "resnet50",
    "samples": 1281024,
    "sample_size": "114660.07 B",
    "files": 1024,
    "decoded_size": "150528 B",
    "layout": "shards",
    "encoding": "none"
  }
  $ paradl import unet3d_h100.yaml -q | cmp - unet3d.json
  $ paradl estimate unet3d.json --hw toy -s data=2 --no-input | grep iterations
   total            323 ms     3.88 s         12 iterations, 43.3 samples/s

What a workload needs of a real machine: 3030 MiB/s for each device, as MLPerf Storage has it (within 0.1 %), whatever binds.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ demand() { python3 -c 'import json, sys; c = json.load(sys.stdin)["cases"][0]; print(round(c["bytes_per_s"] / c["gpus"] / 2**20), "MiB/s")'; }
  $ paradl io unet3d.json --hw abci --gpus 4 | sed -n '/^ needs/p'
   needs       12.7 GB/s (86.69 samples/s); 12.7 GB/s per node, 3.18 GB/s per GPU (21.67 samples/s)
  $ paradl io unet3d.json --hw abci --gpus 4 --json | demand
  3030 MiB/s

  $ paradl list unet3d.json -q
   layer        type    kind  in   out  parameters  flop/sample  kept items
   computation  custom        1x1  1             -            -           -
  $ printf 'dataset:\n  num_files_train: 10\n  record_length: 1e3\n' > plain.yaml
  $ paradl import plain.yaml
  plain.yaml: has no computation_time: nothing says how fast samples are wanted
    hint: --as dataset writes its data set alone
  [3]
  $ paradl import plain.yaml --as dataset -q | grep sample_size
    "sample_size": "1000 B",
  $ printf 'dataset:\n  num_files_train: ten\n' > wrong.yaml; paradl import wrong.yaml
  wrong.yaml:2:20: /dataset/num_files_train: must be a number from 1 to 1e+15, is "ten"
      2 |   num_files_train: ten
        |                    ^
  [3]
  $ paradl import unet3d.json --as dataset
  unet3d.json:2:13: /format: has a "format": it is a file of paradl's own
      2 |   "format": "paradl-model",
        |             ^
  [3]
  $ paradl import plain.yaml --layer-config x
  paradl: a layer configuration does not go with files of the format dlio
  [2]
  $ paradl import plain.yaml --as file
  paradl: --as cannot be 'file': it is one of model, dataset
  [2]
