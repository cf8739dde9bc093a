What there is.

  $ . "$TESTDIR/setup.sh"
  $ paradl list
   name         summary
   models       networks that ship with paradl, or that PARADL_PATH adds
   datasets     data sets to train on
   hw           machines
   devices      GPUs and the like, which a machine file names
   frameworks   training programs: what they split, overlap and pay for
   strategies   the axes that plans are made of
   layers       layer types that a model file may hold
   formats      files of other tools that are read, too
   pictures     what --plot draws, and by which commands
   columns      what advise --columns can show
   operations   what 'paradl collective' is asked about
   collectives  algorithms for operations of many devices
   topologies   networks: their shapes and what can be set
   units        units of quantities in files
  $ paradl list tiny
  Tiny: 970 parameters, 443 kflop/sample forward, 4 layers
  
   layer  type    kind  in       out      parameters  flop/sample  kept items
   conv1  conv          4x16x16  8x16x16         296    147 kflop       3,072
   conv2  conv          8x16x16  8x16x16         584    295 kflop           -
   pool   pool    avg   8x16x16  8x1x1             -            -           8
   fc     linear        8x1x1    10               90     160 flop           -
  $ paradl list tiny --json | head -n 18
  {
    "schema": "paradl-list-1",
    "model": {
      "name": "Tiny",
      "parameters": 970,
      "forward_flop_per_sample": 442528,
      "layers": [
        {
          "name": "conv1",
          "type": "conv",
          "kind": "",
          "x": "4x16x16",
          "y": "8x16x16",
          "parameters": 296,
          "forward_flop": 147456,
          "kept_items": 3072
        },
        {
  $ paradl list hw --csv | grep ^toy | sed "s,$PARADL_PATH,DATA,"
  toy,Toy,toy,,8,2,1073741824,1000,EUR,toy,DATA/hw-profiles/toy.json
  $ paradl list models | grep -E '^ (name|tiny|resnet50) '
   name                 model                 parameters  flop/sample  layers   batch  batch/GPU
   resnet50             ResNet-50                 25.6 M   8.18 Gflop     175       -         64
   tiny                 Tiny                         970    443 kflop       4       -          8
  $ paradl list models --width 50 | grep -E '^ (name|tiny|resnet50) '
   name                 parameters  flop/sample
   resnet50                 25.6 M   8.18 Gflop
   tiny                        970    443 kflop
  $ paradl list frameworks | grep -E '^ (name|toy) '
   name                 summary
   toy                  a toy
  $ paradl list devices | grep -E '^ (name|h100-sxm5-80gb|a100-pcie-40gb|a64fx-32gb) '
   name                   memory  memory rate          bf16           fp8  as              guessed
   a100-pcie-40gb       40.0 GiB    1.38 TB/s   312 Tflop/s             -  a100-sxm4-80gb       14
   a64fx-32gb           32.0 GiB     830 GB/s             -             -                        3
   h100-sxm5-80gb       80.0 GiB    2.97 TB/s   989 Tflop/s  1.98 Pflop/s                       12
  $ paradl list devices --width 60 | grep -E '^ (name|h100-sxm5-80gb) '
   name                   memory  memory rate          bf16
   h100-sxm5-80gb       80.0 GiB    2.97 TB/s   989 Tflop/s
  $ paradl list devices --names | grep toy
  toy
  $ paradl list devices --csv | grep -E '^(name|toy)' | sed "s,$PARADL_PATH,DATA,"
  name,device,memory_bytes,memory_bytes_per_s,bf16_flop_per_s,fp8_flop_per_s,tied_to,guessed,path
  toy,toy,1073741824,100000000000,,,,5,DATA/hw-profiles/devices/toy.json
  $ mkdir -p hw-profiles/devices
  $ echo '{' > hw-profiles/devices/broken.json
  $ paradl list devices 2>err | grep broken; cat err
   broken                      -            -             -             -                        -
  paradl: warning: hw-profiles/devices/broken.json:1:1: '{' without its '}'
  $ rm -r hw-profiles
  $ paradl list strategies --names
  data
  pipeline
  expert
  context
  tensor
  filter
  channel
  spatial
  $ paradl list units | head -n 4
   name     summary
   ns       nanoseconds
   us       microseconds
   ms       milliseconds
  $ paradl list columns --names | head -n 3
  model
  hw
  gpus

Names are looked up in ., $PARADL_PATH, the user's data, then what ships; the first is taken:

  $ paradl list models --names | grep -c '^tiny$'
  1
  $ mkdir -p models home/paradl/models
  $ sed 's/"name": "Tiny"/"name": "Here"/' "$PARADL_PATH/models/tiny.json" > models/tiny.json
  $ sed 's/"name": "Tiny"/"name": "Mine"/' "$PARADL_PATH/models/tiny.json" > home/paradl/models/mine.json
  $ paradl list tiny | head -n 1
  Here: 970 parameters, 443 kflop/sample forward, 4 layers
  $ XDG_DATA_HOME=$PWD/home paradl list mine | head -n 1
  Mine: 970 parameters, 443 kflop/sample forward, 4 layers
  $ PARADL_PATH=nowhere:$PARADL_PATH paradl list hw --names | grep toy
  toy
  $ paradl list "$PARADL_PATH/models/tiny.json" | head -n 1
  Tiny: 970 parameters, 443 kflop/sample forward, 4 layers

A file that cannot be read keeps its row, and why is said aside:

  $ echo '{' > models/broken.json
  $ paradl list models 2>err | grep broken; cat err
   broken                                              -            -       -       -          -
  paradl: warning: models/broken.json:1:1: '{' without its '}'

Blocks that are repeated are listed once, in text; programs get every layer:

  $ paradl list gpt3-175b
  GPT-3 175B: 175 B parameters, 735 Tflop/sample forward, 773 layers
  
   layer             type       in          out         parameters  flop/sample  kept items  count
   embed             embedding  1x2048      12288x2048       654 M            -           -      1
   dropout1          dropout    12288x2048  12288x2048           -            -      37.7 M      1
   block/0/ln1       norm       12288x2048  12288x2048      24.6 k            -      25.2 M     96
   block/0/attn      attention  12288x2048  12288x2048       604 M   2.68 Tflop       101 M     96
   block/0/dropout1  dropout    12288x2048  12288x2048           -            -      12.6 M     96
   block/0/add1      add        12288x2048  12288x2048           -            -      25.2 M     96
   block/0/ln2       norm       12288x2048  12288x2048      24.6 k            -      25.2 M     96
   block/0/mlp       mlp        12288x2048  12288x2048      1.21 B   4.95 Tflop       201 M     96
   block/0/dropout2  dropout    12288x2048  12288x2048           -            -      12.6 M     96
   block/0/add2      add        12288x2048  12288x2048           -            -      25.2 M     96
   norm              norm       12288x2048  12288x2048      24.6 k            -      25.2 M      1
   head              head       12288x2048  51200x2048           -   2.58 Tflop           -      1
   loss1             loss       51200x2048  1                    -            -       210 M      1
  $ paradl list gpt3-175b --csv | wc -l
  774

Every topic is known by its name; other words for topics, one of their things, and names of what is no model:

  $ for topic in $(paradl list --names); do paradl list $topic --names > one 2> err || echo $topic; done

  $ for word in machines hardware gpus data topology dataset; do paradl list $word --names > one && head -n 1 one; done
  a100-8
  a100-8
  a100-pcie-40gb
  alpaca
  switch
  alpaca
  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl list h100-sxm5-80gb
  paradl: h100-sxm5-80gb is a device, not a model
    hint: 'paradl list devices' shows all; 'paradl check h100-sxm5-80gb' names its file
  [2]
  $ paradl list imagenet-1k
  paradl: imagenet-1k is a data set, not a model
    hint: 'paradl list datasets' shows all; 'paradl check imagenet-1k' names its file
  [2]
  $ paradl machines
  paradl: unknown command 'machines'
    hint: 'paradl list hw' shows them
  [2]
