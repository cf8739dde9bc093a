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
  small.net: warning: the fifth field gives 0.5 s per sample in all (on 1 of 3 layers); a model holds no times: a file of measured layer times does
  $ paradl check small.json
  small.json: line 13: /training: no batch or batch_per_gpu: where the command line gives no batch a usual one is taken
  small.json: line 21: /layers/0: a conv without bias is followed by act: is the bias or a norm missing?
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
  -: line 13: /training: no batch or batch_per_gpu: where the command line gives no batch a usual one is taken
  -: line 21: /layers/0: a conv without bias is followed by act: is the bias or a norm missing?
  $ printf 'MEM_PER_NODE|16e9|bytes\nNODE_SPEED|7.8E12|flops\nBANDWIDTH|12.5E9|B/s\nLATENCY|500E-9|s\nMAX_NODE|4096|\nGPU_PER_NODE|4|\n' > old.plat
  $ paradl import old.plat -o old.json
  old.plat: warning: MEM_PER_NODE 1.6e+10 and NODE_SPEED 7.8e+12 (a peak in double precision) do not describe a device: v100-sxm2-16gb, the one the original tool was measured on, is named
  old.plat: warning: the original tool does not compute with BANDWIDTH and LATENCY but with constants of its own
  $ sed -i 's/RELU/SORT/' small.net; paradl import small.net
  small.net: warning: line 5: SORT cannot be told from its dimensions: it becomes a custom layer
  small.net: warning: the fifth field gives 0.5 s per sample in all (on 1 of 3 layers); a model holds no times: a file of measured layer times does
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
  $ cp config.json llama-config.json; paradl import config.json -o llama.json
  config.json: warning: the file does not say how long sequences of training are: 4096 tokens are taken (--seq N)
  $ paradl import config.json --weights nowhere.safetensors --verbose
  nowhere.safetensors: cannot open: No such file or directory
  [3]
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
    "inference": { "positions": 131072 },
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

Other commands take such files directly, and say what importing them warned of; the document has the file itself as input.

  $ paradl estimate config.json --hw toy -s data=2 --precision fp32 --json > direct.json
  paradl: warning: config.json: the file does not say how long sequences of training are: 4096 tokens are taken (--seq N)
  paradl: warning: Small-Llama names no batch: 128 sequences, 0.52 M tokens, are taken, as GPT-3 of its size had, rounded up to a multiple of the GPUs (--batch)
  $ paradl estimate llama.json --hw toy -s data=2 --precision fp32 --json > imported.json
  paradl: warning: Small-Llama names no batch: 128 sequences, 0.52 M tokens, are taken, as GPT-3 of its size had, rounded up to a multiple of the GPUs (--batch)
  $ python3 - <<'EOF'
  > import json
  > a, b = (json.load(open(name)) for name in ("direct.json", "imported.json"))
  > print(a["results"] == b["results"], a["inputs"][0]["path"], len(a["warnings"]), len(b["warnings"]))
  > EOF
  True config.json 2 1
  $ sha256sum config.json | cut -c 1-64 | xargs -I{} grep -c {} direct.json
  1
  $ paradl check config.json
  config.json: the file does not say how long sequences of training are: 4096 tokens are taken (--seq N)
  config.json: /training: no batch or batch_per_gpu: where the command line gives no batch a usual one is taken
  config.json: /dataset: no samples: there will be no times per epoch
  $ paradl collective allreduce --hw old.plat --bytes 1M --ranks 8 -q | head -n 1
    size    time  bus bandwidth  best                      next               wait energy
  $ paradl advise old.plat --hw toy
  old.plat: is a machine (plat), not a model
  [3]
  $ paradl import config.json --from net
  config.json:1:1: must be "Dataset|NAME"
  [3]

A type that is not known is refused, whatever its keys, unless it is said what it is like. So is a tower, unless the text alone is asked for.

  $ echo '{"model_type": "hubert"}' > config.json; paradl import config.json
  config.json:1:16: /model_type: model_type "hubert" is not one that import knows
      1 | {"model_type": "hubert"}
        |                ^
    hint: '--assume llama' reads it as attention and one MLP in each layer; paradl-import(1) lists the types
  [3]
  $ sed 's/"llama"/"new", "num_experts": 8/' < llama-config.json > new.json; paradl import new.json
  new.json:1:38: /num_experts: model_type "new" is not one that import knows, and num_experts says that it is no plain transformer
    hint: '--assume llama' reads it as attention and one MLP in each layer, which is another network; paradl-import(1) lists the types
  [3]
  $ paradl estimate new.json --hw aws-p5 -s data=8 --assume llama -q | head -1
  Small-Llama on AWS p5.48xlarge: data=8 on 8 GPUs in 1 node, global batch 128, bf16-mixed,
  $ paradl advise new.json --hw aws-p5 --gpus 8 --assume llama -q | sed -n 4p
   #  strategy                        iteration  ×best  tokens/s/GPU    MFU  phases    memory/GPU
  $ paradl search new.json --hw aws-p5 --gpus 8 --assume llama -q --top 1 | head -1
  Small-Llama on AWS p5.48xlarge: 8 GPUs in 1 node, global batch 128, bf16-mixed, 80.0 GiB/GPU
  $ paradl io new.json --hw aws-p5 --gpus 8 --assume llama -q | head -1
  paradl: what Small-Llama needs of AWS p5.48xlarge's storage is not known: the data set has no sample_size
    hint: --dataset FILE names a data set with the size of its samples; the machine's profile needs "storage" (paradl-hw(5))
  $ paradl whatif new.json --hw aws-p5 -s data=8 --assume llama -q | head -1
   input                            -20 %    +20 %
  $ paradl report new.json --hw aws-p5 --gpus 8 --assume llama -q | grep -o '<title>.*</title>'
  <title>Small-Llama on AWS p5.48xlarge</title>
  $ paradl compare new.json --hw aws-p5 --tokens 1B --gpus 8 --assume lama 2>&1 | head -2
  new.json:1:1: there is no type lama to assume
  $ paradl import new.json --assume llama | sed -n 4p
  new.json: warning: model_type "new" is not known: it is read like llama, as asked for
  new.json: warning: the file does not say how long sequences of training are: 4096 tokens are taken (--seq N)
    "name": "Small-Llama",
  $ echo '{"model_type": "both", "audio_config": {"hidden_size": 64}, "text_config": ' > both.json; cat llama-config.json >> both.json; echo '}' >> both.json
  $ paradl import both.json
  both.json:1:40: /audio_config: audio_config is a part of the network that import does not read
      1 | {"model_type": "both", "audio_config": {"hidden_size": 64}, "text_config": 
        |                                        ^
    hint: 'paradl import FILE --part text' takes that of text alone
  [3]
  $ paradl import both.json --part text -q | sed -n 4p
    "name": "both",

A folder with a config.json in it, and a model of the hub that lies in its cache, are taken like files. Python writes numbers that JSON does not have.

  $ mkdir -p cache/models--me--Tiny-1B/refs cache/models--me--Tiny-1B/snapshots/0123abcd; printf 0123abcd > cache/models--me--Tiny-1B/refs/main
  $ sed 's/"_name_or_path": "me.Small-Llama"/"limit": [0, Infinity]/' < llama-config.json > cache/models--me--Tiny-1B/snapshots/0123abcd/config.json
  $ HF_HUB_CACHE=$PWD/cache paradl import me/Tiny-1B -q | sed -n 4p
    "name": "Tiny-1B",
  $ HF_HUB_CACHE=$PWD/cache paradl list me/Tiny-1B -q | tail -n 1
   loss1         loss       1000x4096  1                   -            -      8.19 M      1
  $ mkdir My-2B; cp cache/*/snapshots/*/config.json My-2B/; paradl import My-2B -q | sed -n 4p
    "name": "My-2B",
  $ cd My-2B; paradl import config.json -q | sed -n 4p; cd ..
    "name": "My-2B",

Other files are refused.

  $ paradl import small.onnx
  small.onnx: cannot open: No such file or directory
  [3]
  $ paradl import small.net small.net
  paradl: import takes no 'small.net'
  [2]

The number format of weights in fp8 or NVFP4 is that of inference, other ones are asked for.

  $ printf '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 128, "quantization_config": {"quant_method": "fp8"}}' > eight.json
  $ paradl import eight.json | grep inference
    "inference": { "precision": "fp8-mixed" },
  $ sed 's/"fp8"/"awq"/' eight.json > four.json
  $ paradl import four.json | grep inference
  four.json: warning: quantization_config: narrow weights with wide products are not modelled; weights have the format of --precision, and take up to four times the memory of this file's
  [1]
  $ sed 's/{"quant_method": "fp8"}/{"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 8, "type": "float"}, "input_activations": {"num_bits": 8, "type": "float"}}}}/' eight.json > tensors.json
  $ paradl import tensors.json | grep inference
    "inference": { "precision": "fp8-mixed" },
  $ sed 's/"quant_method": "fp8"/"quant_method": "modelopt", "quant_algo": "NVFP4"/' eight.json > nvfp4.json
  $ paradl import nvfp4.json | grep inference
    "inference": { "precision": "fp4-mixed" },
  $ sed 's/"fp8"/"mxfp4"/' eight.json > mxfp4.json
  $ paradl import mxfp4.json | grep inference
  mxfp4.json: warning: quantization_config: mxfp4, of 4.25 bits a weight, is taken as fp4-mixed of 4.5, and its products as those of NVFP4
    "inference": { "precision": "fp4-mixed" },
  $ sed 's/"num_bits": 8, "type": "float"}, "input/"num_bits": 8, "type": "int"}, "input/' tensors.json > int.json
  $ paradl import int.json | grep inference
  int.json: warning: quantization_config: narrow weights with wide products are not modelled; weights have the format of --precision, and take up to four times the memory of this file's
  [1]

It is taken where the device has it, and nobody asks for another.

  $ asks='-s data=1 --inference --input-tokens 64 --output-tokens 32'
  $ paradl estimate eight.json --hw dgx-h100-superpod $asks 2>&1 | grep -e fp8 -e warning
      answers of 32, fp8-mixed, 80.0 GiB/GPU
   assumed     fp8-mixed, as the model's file says of inference; --precision takes another
         --gpu-memory-utilization 0.92 --dtype bfloat16 --quantization fp8 --kv-cache-dtype fp8 \
  $ paradl estimate eight.json --hw dgx-h100-superpod $asks --precision bf16-mixed 2>&1 | grep -c fp8
  0
  [1]
  $ paradl estimate eight.json --hw dgx-a100-superpod $asks 2>&1 | grep -e fp8 -e 'bf16-mixed'
  paradl: warning: eight.json: it says fp8-mixed for inference; bf16-mixed is taken, as the device has no such format (--precision takes another)
      answers of 32, bf16-mixed, 80.0 GiB/GPU
  $ paradl estimate eight.json --hw dgx-h100-superpod -s data=1 --batch 1 2>&1 | grep -e fp8 -e bf16-mixed
  paradl: warning: eight.json: it says fp8-mixed for inference; bf16-mixed is taken, as this is training (--precision takes another)
  eight on DGX H100 SuperPOD: serial on 1 GPU in 1 node, global batch 1, bf16-mixed, 80.0 GiB/GPU
  $ of_sweep() { paradl sweep eight.json --hw dgx-h100-superpod --vary gpus=1 $asks "$@" --csv --columns iteration_s 2>&-; }
  $ of_sweep > usual; of_sweep --precision fp8-mixed | cmp - usual; of_sweep --precision bf16-mixed | cmp -s - usual
  [1]


With --seq there is no length to take for the sequences, and BERT predicts 15 % of any:

  $ echo '{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 8192}' > long.json
  $ paradl list long.json | head -n 1
  paradl: warning: long.json: the file does not say how long sequences of training are: 4096 tokens are taken (--seq N)
  long: 95.0 k parameters, 9.31 Gflop/sample forward, 16 layers
  $ paradl estimate long.json --hw toy -s serial --batch 1 --seq 2048 --precision fp32 | head -n 2
  long on Toy: serial on 1 GPU in 1 node, global batch 1, fp32, 1.00 GiB/GPU
  95.0 k parameters, 2.51 Gflop/sample forward
  $ echo '{"model_type": "bert", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 2, "intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 512}' > bert.json
  $ paradl import bert.json 2> /dev/null | grep masked
            { "type": "pool", "kind": "masked", "share": 0.15 },

The base of rotary positions is that of the file, for programs that are told how to build the network:

  $ printf '{"model_type": "llama", "hidden_size": 512, "num_hidden_layers": 2, "num_attention_heads": 8, "intermediate_size": 1024, "vocab_size": 1000, "max_position_embeddings": 2048, "rope_parameters": {"rope_theta": 250000.0}}' > config.json
  $ paradl import config.json -q | grep -o '"rope_theta": [0-9]*' | sort | uniq -c
        1 "rope_theta": 250000
  $ for flags in megatron deepspeed torchtitan; do paradl estimate config.json --hw "$SOURCE/hw-profiles/dgx-h100-superpod.json" -s data=8 --batch 64 --flags $flags 2> /dev/null | grep -oE 'rotary-base [0-9]+|rope-theta [0-9]+|theta=.*'; done
  rotary-base 250000
  rope-theta 250000
  theta=250000)
  $ sed -i 's/, "rope_parameters".*/}/' config.json
  $ paradl estimate config.json --hw "$SOURCE/hw-profiles/dgx-h100-superpod.json" -s data=8 --batch 64 --flags torchtitan 2> /dev/null | grep -o 'theta=.*'
  theta=500000)  # torchtitan's: the network does not say it
