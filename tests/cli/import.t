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

So does the config.json of a transformer.

  $ cat > config.json <<'EOF'
  > {"model_type": "llama", "_name_or_path": "me/Small-Llama", "hidden_size": 256, "intermediate_size": 768,
  >  "num_hidden_layers": 2, "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000,
  >  "max_position_embeddings": 131072, "torch_dtype": "bfloat16", "tie_word_embeddings": true}
  > EOF
  $ paradl import config.json -o llama.json
  config.json: warning: the file does not say how long sequences of training are: 4096 tokens are taken
  $ paradl list llama.json -q
   layer         type       in         out        parameters  flop/sample  kept items  count
   embed         embedding  1x4096     256x4096        256 k            -      1.05 M      1
   block/0/ln1   norm       256x4096   256x4096          256            -      1.06 M      2
   block/0/attn  attention  256x4096   256x4096        164 k   18.5 Gflop      2.69 M      2
   block/0/add1  add        256x4096   256x4096            -            -      1.05 M      2
   block/0/ln2   norm       256x4096   256x4096          256            -      1.06 M      2
   block/0/mlp   mlp        256x4096   256x4096        590 k   4.83 Gflop      9.44 M      2
   block/0/add2  add        256x4096   256x4096            -            -      1.05 M      2
   norm          norm       256x4096   256x4096          256            -      1.06 M      1
   head          head       256x4096   1000x4096           -   2.10 Gflop           -      1
   loss1         loss       1000x4096  1                   -            -      8.19 M      1
  $ paradl import config.json -q | head -n 20
  {
    "format": "paradl-model",
    "version": 1,
    "name": "Small-Llama",
    "_source": "config.json",
    "dims": { "hidden": 256, "vocab": 1000, "seq": 4096 },
    "input": { "tokens": "$seq" },
    "training": { "precision": "bf16-mixed", "optimizer": "adamw" },
    "layers": [
      { "name": "embed", "type": "embedding", "rows": "$vocab", "out": "$hidden" },
      {
        "name": "block",
        "repeat": 2,
        "layers": [
          {
            "type": "add",
            "branches": [
              [
                { "name": "ln1", "type": "norm", "kind": "rms" },
                { "name": "attn", "type": "attention", "heads": 8, "kv_heads": 2 }
  $ echo '{"model_type": "whisper"}' > config.json; paradl import config.json
  config.json:1:1: model_type "whisper" is not one that import reads
      1 | {"model_type": "whisper"}
        | ^
    hint: types: llama mistral mixtral qwen2 qwen3 qwen2_moe qwen3_moe deepseek_v2 deepseek_v3 gemma phi3 gpt2 gpt_neox opt bloom falcon phi bert roberta vit
  [3]

Other files are refused.

  $ paradl import small.onnx
  small.onnx: cannot open: No such file or directory
  [3]
  $ paradl import small.net small.net
  paradl: import takes no 'small.net'
  [2]
