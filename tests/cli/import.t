Files of the original ParaDL become files of ours.

  $ . "$TESTDIR/setup.sh"
  $ cat > small.net <<'EOF'
  > Dataset|few
  > Input|100x3x8x8
  > Model|small
  > CONV1 |3x8x8|3x4x3x3|4x8x8|0.5
  > RELU |4x8x8|4x4x0x0|4x8x8|0
  > FC |4x8x8|4x10x8x8|10x1x1|0
  > EOF
  $ paradl import small.net -o small.json
  small.net: warning: * (glob)
  $ paradl check small.json
  small.json: /training: no batch_per_gpu: where the command line gives no batch it is 1 per device
  small.json: /layers/0: a conv without bias is followed by act: is the bias or a norm missing?
  $ paradl list small.json -q
   layer  type    kind  in     out    parameters  flop/sample  kept items
   CONV1  conv          3x8x8  4x8x8         108   13.8 kflop         192
   RELU   act     relu  4x8x8  4x8x8           -            -         256
   FC     linear        4x8x8  10          2,560   5.12 kflop           -
  $ paradl import small.net 2>/dev/null | cmp - small.json
  $ paradl import small.net -q -o model && cmp model small.json
  $ paradl advise small.json --hw toy --gpus 2 --per-gpu 4 --ideal | head -n 1
  small on Toy: 2 GPUs in 1 node, global batch 8, fp32, ideal, 1.00 GiB/GPU
  $ printf 'CONV1|1\nRELU|0\nFC|0\n' > small.lc
  $ paradl import small.net --layer-config small.lc -q | paradl check -
  -: /training: no batch_per_gpu: where the command line gives no batch it is 1 per device
  -: /layers/0: a conv without bias is followed by act: is the bias or a norm missing?
  $ printf 'MEM_PER_NODE|16e9|bytes\nNODE_SPEED|7.8E12|flops\nBANDWIDTH|12.5E9|B/s\nLATENCY|500E-9|s\nMAX_NODE|4096|\nGPU_PER_NODE|4|\n' > old.plat
  $ paradl import old.plat -o old.json
  old.plat: warning: * (glob)
  old.plat: warning: * (glob)
  $ sed -i 's/RELU/SORT/' small.net; paradl import small.net
  small.net: warning: * (glob)
  small.net: warning: * (glob)
  {
    "format": "paradl-model",
    "version": 1,
    "name": "small",
    "_source": "small.net",
    "input": {
      "channels": 3,
      "shape": [
        8,
        8
      ]
    },
    "training": {
      "precision": "fp32"
    },
    "dataset": {
      "name": "few",
      "samples": 100
    },
    "layers": [
      {"name":"CONV1","type":"conv","out":4,"kernel":3,"pad":1,"bias":false},
      {"name":"SORT","type":"custom","flops":0,"out_shape":[4,8,8]},
      {"name":"FC","type":"linear","out":10,"bias":false}
    ]
  }
  $ paradl import small.onnx
  small.onnx: cannot open: No such file or directory
  [3]
  $ paradl import small.net small.net
  paradl: import takes no 'small.net'
  [2]
