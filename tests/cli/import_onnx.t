ONNX files of networks of images become models: weights are not read.

  $ . "$TESTDIR/setup.sh"
  $ cp "$TESTDIR/../data/onnx/"*.onnx .
  $ paradl import light_resnet50.onnx -o resnet.json
  light_resnet50.onnx: 415 nodes -> 176 layers, 25,557,032 parameters, 8.178 Gflop/sample forward
  $ paradl import light_bvlc_alexnet.onnx -o alexnet.json
  light_bvlc_alexnet.onnx: 40 nodes -> 24 layers, 60,965,224 parameters, 1.309 Gflop/sample forward
  $ paradl import light_vgg19.onnx -q | sed -n 1,16p
  {
    "format": "paradl-model",
    "version": 1,
    "name": "light_vgg19",
    "_source": "light_vgg19.onnx",
    "input": { "channels": 3, "shape": [ 224, 224 ] },
    "training": { "precision": "fp32" },
    "layers": [
      { "name": "conv1_1", "type": "conv", "out": 64, "kernel": 3, "pad": 1 },
      { "type": "act", "kind": "relu" },
      { "name": "conv1_2", "type": "conv", "out": 64, "kernel": 3, "pad": 1 },
      { "type": "act", "kind": "relu" },
      { "type": "pool", "kind": "max", "kernel": 2 },
      { "name": "conv2_1", "type": "conv", "out": 128, "kernel": 3, "pad": 1 },
      { "type": "act", "kind": "relu" },
      { "name": "conv2_2", "type": "conv", "out": 128, "kernel": 3, "pad": 1 },
  $ paradl list alexnet.json -q
   layer     type     kind           in         out        parameters  flop/sample  kept items
   conv1     conv                    3x224x224  96x54x54       34.9 k    203 Mflop       151 k
   act1      act      relu           96x54x54   96x54x54            -            -       280 k
   norm1     norm     lrn            96x54x54   96x54x54            -            -       280 k
   pool1     pool     max            96x54x54   96x26x26            -            -      64.9 k
   conv2     conv                    96x26x26   256x26x26       307 k    415 Mflop           -
   act2      act      relu           256x26x26  256x26x26           -            -       173 k
   norm2     norm     lrn            256x26x26  256x26x26           -            -       173 k
   pool2     pool     max            256x26x26  256x12x12           -            -      36.9 k
   conv3     conv                    256x12x12  384x12x12       885 k    255 Mflop           -
   act3      act      relu           384x12x12  384x12x12           -            -      55.3 k
   conv4     conv                    384x12x12  384x12x12       664 k    191 Mflop           -
   act4      act      relu           384x12x12  384x12x12           -            -      55.3 k
   conv5     conv                    384x12x12  256x12x12       443 k    127 Mflop           -
   act5      act      relu           256x12x12  256x12x12           -            -      36.9 k
   pool3     pool     max            256x12x12  256x6x6             -            -       9,216
   flatten1  flatten                 256x6x6    9216                -            -           -
   fc6       linear                  9216       4096           37.8 M   75.5 Mflop           -
   act6      act      relu           4096       4096                -            -       4,096
   dropout1  dropout                 4096       4096                -            -       5,120
   fc7       linear                  4096       4096           16.8 M   33.6 Mflop           -
   act7      act      relu           4096       4096                -            -       4,096
   dropout2  dropout                 4096       4096                -            -       5,120
   fc8       linear                  4096       1000           4.10 M   8.19 Mflop           -
   loss1     loss     cross-entropy  1000       1                   -            -       1,000
  $ sed -n '/"branches"/,/^    }/p' resnet.json | head -n 20
        "branches": [
          [
            { "name": "gpu_0/res2_0_branch2a", "type": "conv", "out": 64, "kernel": 1, "bias": false },
            { "name": "gpu_0/res2_0_branch2a_bn", "type": "norm", "kind": "batch" },
            { "type": "act", "kind": "relu" },
            { "name": "gpu_0/res2_0_branch2b", "type": "conv", "out": 64, "kernel": 3, "pad": 1, "bias": false },
            { "name": "gpu_0/res2_0_branch2b_bn", "type": "norm", "kind": "batch" },
            { "type": "act", "kind": "relu" },
            { "name": "gpu_0/res2_0_branch2c", "type": "conv", "out": 256, "kernel": 1, "bias": false },
            { "name": "gpu_0/res2_0_branch2c_bn", "type": "norm", "kind": "batch" }
          ],
          [
            { "name": "gpu_0/res2_0_branch1", "type": "conv", "out": 256, "kernel": 1, "bias": false },
            { "name": "gpu_0/res2_0_branch1_bn", "type": "norm", "kind": "batch" }
          ]
        ]
      },
        "branches": [
          [
            { "name": "gpu_0/res2_1_branch2a", "type": "conv", "out": 64, "kernel": 1, "bias": false },

The same network as ours gives the same estimate.

  $ paradl import light_vgg19.onnx -q -o vgg.json
  $ for model in vgg.json vgg19; do
  >   paradl estimate $model --hw toy -s data=2 --batch 32 --optimizer sgd --csv --no-input | tr , '\n' | sed 1d |
  >     grep '[0-9]\.[0-9]' > ${model%.json}.numbers
  > done
  $ sort vgg.numbers > a; sort vgg19.numbers > b; comm -23 a b; test -s a

Other commands take such files as they are.

  $ paradl advise light_resnet50.onnx --hw toy --gpus 2 --per-gpu 4 --ideal 2>&1 | head -n 1
  light_resnet50 on Toy: 2 GPUs in 1 node, global batch 8, fp32, ideal, 1.00 GiB/GPU

What is no such file, or says too little, is refused.

  $ head -c 3000 light_bvlc_alexnet.onnx > part.onnx; paradl import part.onnx
  part.onnx: is no ONNX file, or a part of one: at byte 23 a length goes beyond the end
  [3]
  $ printf 'no network' > text.onnx; paradl import text.onnx
  text.onnx: is no ONNX file, or a part of one: at byte 0 a field has a type that ONNX does not use
  [3]
  $ : > empty.onnx; paradl import empty.onnx
  empty.onnx: is no ONNX file of a network: it has no graph
  [3]
  $ paradl import light_vgg19.onnx --input data_0=3,x
  paradl: --input takes NAME=DIMENSIONS, whole numbers with commas between, not "data_0=3,x"
  [2]
  $ paradl import light_vgg19.onnx --input nobody=3,64,64
  paradl: --input "nobody=3,64,64": the file has no value of this name
  [2]
  $ paradl import light_vgg19.onnx --input 3,64,64
  light_vgg19.onnx: Reshape "n37" makes 25088 items of 2048
  [3]
  $ paradl import light_squeezenet.onnx --input 3,64,64 -q -o small.json
  $ paradl list small.json -q | head -n 3
   layer             type     kind           in         out        parameters  flop/sample  kept items
   conv1             conv                    3x64x64    64x31x31        1,792   3.32 Mflop      12.3 k
   act1              act      relu           64x31x31   64x31x31            -            -      61.5 k
  $ paradl import light_vgg19.onnx --assume-shape r1
  paradl: --assume-shape takes NAME=DIMENSIONS, whole numbers with commas between, not "r1"
  [2]
