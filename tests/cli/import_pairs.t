Networks of two stacks of layers: an encoder and a decoder, two towers.

  $ . "$TESTDIR/setup.sh"
  $ cat > t5.json <<'END'
  > { "model_type": "t5", "vocab_size": 32128, "d_model": 512, "d_kv": 64, "d_ff": 2048, "num_layers": 6,
  >   "num_decoder_layers": 6, "num_heads": 8, "tie_word_embeddings": true }
  > END
  $ paradl import t5.json -o native.json
  t5.json: warning: a sample is 512 tokens of source and 114 of target: the file does not say how long they are in training. --seq changes the source, --set model.dims.target=N the target
  $ paradl list native.json | grep -v -e norm -e dropout -e add -e 1/0
  t5: 60.5 M parameters, 35.4 Gflop/sample forward, of 512 + 114 tokens, 128 layers
  
   layer                type       in         out        parameters  flop/sample  kept items  count
   embed                embedding  1x512      512x512        16.4 M            -           -      1
   encoder0/0/attn      attention  512x512    512x512        1.05 M   1.61 Gflop      6.29 M      1
   encoder0/0/mlp       mlp        512x512    512x512        2.10 M   2.15 Gflop      1.05 M      1
   target               embedding  1x114      512x114             -            -           -      1
   decoder0/0/attn      attention  512x114    512x114        1.05 M    266 Mflop       493 k      1
   decoder0/0/cross     attention  512x114    512x114        1.05 M    776 Mflop      1.81 M      1
   decoder0/0/mlp       mlp        512x114    512x114        2.10 M    478 Mflop       233 k      1
   head                 head       512x114    32128x114           -   3.75 Gflop           -      1
   loss1                loss       32128x114  1                   -            -      7.33 M      1
  $ paradl advise t5.json --hw abci --gpus 8 --precision fp16-mixed --set model.dims.target=256 --seq 256 -q | sed -n '1,2p;5p'
  t5 on ABCI (V100): 8 GPUs in 2 nodes, global batch 256, fp16-mixed, 16.0 GiB/GPU
  60.5 M parameters, 33.4 Gflop/sample forward, of 256 + 256 tokens
   1  data=8,micro=32                      95.9 ms   1.00      2,670  27 %  █████▒      7.80 GiB  49 %
  $ paradl estimate t5.json --hw abci -s data=2,pipeline=4 --batch 64 --precision fp16-mixed --json -q | grep -A 3 "\"tokens\": {"
      "tokens": {
        "input": 512,
        "further": 114
      }
  $ paradl estimate t5.json --hw abci -s data=8 --batch 64 --precision fp16-mixed --flags megatron -o run.sh -q
  paradl: no script was written: megatron trains decoders of attention and MLPs, and t5 has attention to another sequence; nearest: --flags torchrun
  [1]
  $ paradl estimate t5.json --hw abci -s data=4,context=2 --batch 64 --precision fp16-mixed --flags torchrun | grep -e parallel -e cannot
  paradl: warning: t5.json: a sample is 512 tokens of source and 114 of target: the file does not say how long they are in training. --seq changes the source, --set model.dims.target=N the target
  paradl: warning: megatron-2021 has no context parallelism; it is estimated as if it had
   cannot      context_parallel of PyTorch cuts one sequence, and a sample of t5 has two
  $ paradl advise t5.json --hw abci --gpus 8 --precision fp16-mixed --inference -q
  paradl: t5 has an encoder and a decoder: how such a network is served, with one pass of the encoder and a cache of its keys, is not modelled
    hint: without --inference its training is projected
  [2]
  $ cat > clip.json <<'END'
  > { "model_type": "clip", "projection_dim": 512, "text_config": { "model_type": "clip_text_model" },
  >   "vision_config": { "model_type": "clip_vision_model" } }
  > END
  $ paradl import clip.json -o towers.json
  clip.json: warning: a sample is an image and 77 tokens of text; the exchange of vectors between replicas, which compares each image with all texts, is not counted
  $ paradl list towers.json -q | grep -v -e image/ -e text/
   layer          type       in         out     parameters  flop/sample  kept items  count
   embed          embedding  3x224x224  768x50      2.40 M    236 Mflop       189 k      1
   embed_norm     norm       768x50     768x50       1,536            -      38.6 k      1
   pool1          pool       768x50     768              -            -         768      1
   vector_norm    norm       768        768          1,536            -         770      1
   image_vector   linear     768        512          393 k    786 kflop         512      1
   target         embedding  1x77       512x77      25.3 M            -           -      1
   trained        held       512x77     512x77           1            -      39.4 k      1
   pool2          pool       512x77     512              -            -         512      1
   vector_norm    norm       512        512          1,024            -         514      1
   text_vector    linear     512        512          262 k    524 kflop         512      1
   scores         multiply   512        512              -            -           -      1
   loss1          loss       512        1                -            -         512      1
  $ paradl import clip.json --part text
  clip.json:1:1: is of two towers: text alone is no part of them
  [3]
