Forward only: what serving a network takes.

  $ . "$TESTDIR/setup.sh"
  $ cat > chat.json <<'EOF'
  > {"format": "paradl-model", "version": 1, "name": "Chat",
  >  "dims": {"hidden": 64, "vocab": 1000, "seq": 256},
  >  "input": {"tokens": "$seq"},
  >  "training": {"precision": "fp32", "optimizer": "adamw"},
  >  "layers": [
  >    {"name": "embed", "type": "embedding", "rows": "$vocab", "out": "$hidden", "positions": 256},
  >    {"name": "block", "repeat": 4, "layers": [
  >      {"name": "attn", "type": "attention", "heads": 8, "kv_heads": 4},
  >      {"name": "mlp", "type": "mlp", "hidden": 256}]},
  >    {"name": "head", "type": "head", "out": "$vocab"},
  >    {"type": "loss", "kind": "cross-entropy"}]}
  > EOF
  $ paradl estimate chat.json --hw toy -s tensor=2 --inference --batch 8 --input-tokens 100 --output-tokens 50
  Chat on Toy: tensor=2 on 2 GPUs in 1 node, inference, batch 8, prompts of 100 tokens, answers of 50,
      fp32, 1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample
  
   phase                per iteration    share  formula
   forward                    34.3 ms     96 %  prompts + (tokens - 1) passes: max(flop / rate, bytes…
   activation exchange        1.30 ms    3.7 %  sum over layers of collectives, forward
   total                      35.6 ms           225 samples/s
  
   first token after 21.0 ms, 38,045 prompt tokens/s
   each token  297 us, 26,926 tokens/s of all sequences, 83 % of the GPUs' peak
   throughput  11,240 tokens/s with prompts, 5,620 for each GPU
   cache       1.00 KiB for a token
   largest     batch 13,783 fits: 11,513 tokens/s
   memory      2.60 MiB of 1.00 GiB/GPU (0.3 %): weights 666 KiB, activations 1.37 MiB, cache 600 KiB
   power       687 W: GPUs 587 W (compute 481 W, memory 0.875 W, exchange 5.13 W, idle 100 W), hosts
               100 W
   energy      3.05 J an answer, 0.0611 J a token of it
   cost        2,000 EUR an hour (rent)
   limited by  compute, 96 % of the iteration (a limitation: inherent)
   next        a faster device or a lower precision
   error       ±33 % holds nine of ten measured times: serving was never compared with measured runs;
               the kernels of this device were not measured
   assumed     a batch comes at once and leaves at once; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, power
  $ paradl estimate chat.json --hw toy -s tensor=2 --inference --batch 8 --memory -q
  Chat on Toy: tensor=2 on 2 GPUs in 1 node, inference, batch 8, prompts of 128 tokens,
      answers of 128, fp32, 1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample
  
   memory of the fullest GPU     bytes  share  what
   weights                     666 KiB  0.1 %  of its shard
   cache                      1.00 MiB  0.1 %  keys and values of all sequences
   activations                1.75 MiB  0.2 %  of the largest layer
   workspace                       0 B    0 %  buffers and libraries
   total                      3.40 MiB  0.3 %
   capacity                   1.00 GiB
  $ paradl estimate resnet50 --hw toy -s data=4 --inference --batch 64
  ResNet-50 on Toy: data=4 on 4 GPUs in 2 nodes, inference, batch 64, fp32, 1.00 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample
  
   phase    per iteration    share  formula
   forward         13.1 s    100 %  passes of max(flop / rate, bytes / memory rate) + launch
   total           13.1 s           4.87 samples/s
  
   largest     batch 300 fits: 5 samples/s
   memory      293 MiB of 1.00 GiB/GPU (29 %): weights 97.5 MiB, activations 196 MiB
   power       1.40 kW: GPUs 1.20 kW (compute 997 W, memory 2.74 W, idle 200 W), hosts 200 W
   energy      287 J a sample
   cost        4,000 EUR an hour (rent)
   limited by  compute, 100 % of the iteration (a limitation: inherent)
   next        a faster device or a lower precision
   error       ±33 % holds nine of ten measured times: serving was never compared with measured runs;
               the kernels of this device were not measured
   assumed     a batch comes at once and leaves at once; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
  $ paradl advise chat.json --hw toy --gpus 4 --inference --batch 16
  Chat on Toy: 4 GPUs in 2 nodes, inference, batch 16, prompts of 128 tokens, answers of 128, fp32,
      1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample
  
   #  strategy             iteration  first token  each token  tokens/s  ×best  phases    memory/GPU
   1  data=4                 69.1 ms      28.9 ms      317 us    29,620   1.00  █████       3.61 MiB
   2  data=2,tensor=2        72.2 ms      29.2 ms      339 us    28,346   1.04  █████       3.40 MiB
   3  data=2,pipeline=2      90.1 ms      43.4 ms      368 us    22,723   1.30  █████░      3.03 MiB
   4  pipeline=2,tensor=2    93.9 ms      44.3 ms      391 us    21,806   1.36  █████░      3.11 MiB
   5  pipeline=4              111 ms      51.1 ms      470 us    18,475   1.60  ██████░     2.85 MiB
   6  tensor=4                119 ms      36.3 ms      648 us    17,272   1.71  █████▒▒▒    3.86 MiB
   █ compute  ▒ communication  ░ bubble
  
   best        data=4
   first token after 28.9 ms, 70,871 prompt tokens/s
   each token  317 us, 50,491 tokens/s of all sequences, 86 % of the GPUs' peak
   throughput  29,620 tokens/s with prompts, 7,405 for each GPU
   cache       1.00 KiB for a token
   largest     batch 16,012 fits: 29,531 tokens/s
   why         100 % compute
   margin      1.04× over the second; it takes 16 % to tell two plans apart, so treat 1 and 2 as equal
   error       ±33 % holds nine of ten measured times: serving was never compared with measured runs;
               the kernels of this device were not measured
   next        a faster device or a lower precision
   assumed     7 numbers of the machine (paradl check toy), 1 thing more (--verbose)
   more        --verbose; the plan in depth: paradl estimate
  $ paradl advise chat.json --hw toy --gpus 4 --inference --goal throughput --top 3 -q
  Chat on Toy: 4 GPUs in 2 nodes, inference, batch 4, prompts of 128 tokens, answers of 128, fp32,
      1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample
  
   #  strategy           largest batch  its tokens/s  ×best  first token  each token  memory/GPU
   1  data=4                    16,012        29,531   1.00      7.22 ms     79.2 us    1.83 MiB
   2  data=2,tensor=2           16,148        29,250   1.01      7.30 ms     99.1 us    1.34 MiB
   3  data=2,pipeline=2         16,020        26,907   1.10      10.8 ms     92.0 us    1.24 MiB

The document has it all, by its schema: keys and values of 4 heads of 8 items in 4 layers, 4 bytes each.

  $ paradl estimate chat.json --hw toy -s tensor=2 --inference --json > document
  $ python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas" < document
  paradl-estimate-2
  $ paradl advise resnet50 --hw toy --gpus 4 --inference --batch 64 --json | python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas"
  paradl-advise-2
  $ python3 - document <<'EOF'
  > import json, sys
  > result, = json.load(open(sys.argv[1]))["results"]
  > it = result["inference"]
  > print(it["input_tokens"], it["output_tokens"], it["cache_bytes_per_token"] == 2 * 4 * 8 * 4 * 4)
  > print(abs(it["prompts_s"] + 127 * it["token_s"] - result["iteration_s"]) < 1e-12)
  > print(result["batch"], 2 * result["memory"]["cache_bytes"] == 256 * it["cache_bytes_per_token"])
  > EOF
  128 128 True
  True
  1 True
  $ paradl advise chat.json --hw toy --gpus 2 --inference --csv --columns strategy,prompts_s,token_s,tokens_per_s,cache_bytes | head -n 1
  strategy,prompts_s,token_s,tokens_per_s,cache_bytes

What has no answer says so:

  $ paradl estimate resnet50 --hw toy -s serial --inference --input-tokens 5
  paradl: ResNet-50 takes no prompt: its input is no sequence of tokens
  [2]
  $ paradl estimate chat.json --hw toy -s serial --ideal --inference
  paradl: the paper's Table III is about training: inference has no ideal mode
  [2]
  $ paradl estimate chat.json --hw toy -s serial --input-tokens 5
  paradl: prompts and answers have lengths in inference only
  [2]
  $ paradl estimate chat.json --hw toy -s data=2,zero=1 --inference
  paradl: schedules, zero, recomputation and offload belong to training, not to inference
    hint: degrees, micro, sequence, experts and split are what inference has
  [2]
  $ paradl estimate chat.json --hw toy -s serial --inference --input-tokens 200 --output-tokens 100
  chat.json:6:92: /layers/0/positions: has 256 learned positions, but a sample has 300 tokens
    hint: a shorter prompt or answer: together they are the sequence of the model
  [2]

Requests come and go: each client sends its next one when it has its answer. A serving program says how its engine does it, and trains
nothing:

  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --inference --batch 32 --input-tokens 1024 --output-tokens 256 -q
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework sglang -s tensor=2 --inference --batch 32 --input-tokens 1024 --output-tokens 256 --requests 320 --spread 20% --csv --columns prompts_s,token_s | head -n 1
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework trtllm -s tensor=2 --inference --batch 32 --json | python3 -c '
  > import json, sys
  > i = json.load(sys.stdin)["results"][0]["inference"]
  > print(sorted(k for k in i if k.startswith(("step", "prompt_s", "wait"))), i["prompts_s"] > i["wait_s"] > 0, i["token_s"] > i["step_s"])'
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2
  $ paradl estimate resnet50 --hw dgx-h100-superpod --framework vllm -s data=2 --inference
  $ paradl estimate chat.json --hw toy -s serial --spread 10%

With a promise, plans have as many requests under way as keep it, and the most tokens are best:

  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 4 --inference --input-tokens 1024 --output-tokens 256 --ttft '300 ms' --tpot '15 ms' --csv --columns strategy,batch
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --tpot '1 ms'
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2 --ttft '1 s'
