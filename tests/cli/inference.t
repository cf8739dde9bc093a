Forward only: what serving a network takes.

  $ . "$TESTDIR/setup.sh"
  $ paradl estimate llama2-70b --hw dgx-a100-superpod -s tensor=8 --inference --batch 32 --prompt 512 --answer 256
  Llama-2-70B on DGX A100 SuperPOD: tensor=8 on 8 GPUs in 1 node, inference, batch 32,
      prompts of 512 tokens, answers of 256, bf16-mixed, 80.0 GiB/GPU
  69.0 G parameters, 607 Tflop/sample
  
   phase                per iteration    share  formula
   forward                     4.76 s     72 %  prompts + (tokens - 1) passes: max(flop / rate, bytes…
   activation exchange         1.88 s     28 %  sum over layers of collectives, forward
   total                       6.64 s           4.82 samples/s
  
   first token after 1.74 s, 9,417 prompt tokens/s
   each token  19.2 ms, 1,666 tokens/s of all sequences, 9.3 % of the GPUs' peak
   throughput  1,234 tokens/s with prompts, 154 for each GPU
   cache       320 KiB for a token
   largest     batch 2,131 fits: 2,908 tokens/s
   memory      18.5 GiB of 80.0 GiB/GPU (23 %): weights 16.1 GiB, cache 960 MiB, activations 512 MiB,
               workspace 1.00 GiB
   limited by  reading weights and caches, 47 % of the iteration (a limitation: inherent)
   next        more sequences at a time, faster memory, a narrower format, or a higher tensor degree
   assumed     a batch comes at once and leaves at once; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
               guessed in DGX A100 SuperPOD: levels, network, network/links/switch/latency, power/pue
  $ paradl estimate llama2-70b --hw dgx-a100-superpod -s tensor=8 --inference --batch 32 --memory -q
  Llama-2-70B on DGX A100 SuperPOD: tensor=8 on 8 GPUs in 1 node, inference, batch 32,
      prompts of 1,024 tokens, answers of 128, bf16-mixed, 80.0 GiB/GPU
  69.0 G parameters, 607 Tflop/sample
  
   memory of the fullest GPU     bytes  share  what
   weights                    16.1 GiB   20 %  of its shard
   cache                      1.41 GiB  1.8 %  keys and values of all sequences
   activations                 512 MiB  0.6 %  of the largest layer
   workspace                  1.00 GiB  1.2 %  buffers and libraries
   total                      19.0 GiB   24 %
   capacity                   80.0 GiB
  $ paradl estimate resnet50 --hw toy -s data=4 --inference --batch 64
  ResNet-50 on Toy: data=4 on 4 GPUs in 2 nodes, inference, batch 64, fp32, 1.00 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample
  
   phase    per iteration    share  formula
   forward         13.1 s    100 %  passes of max(flop / rate, bytes / memory rate) + launch
   total           13.1 s           4.87 samples/s
  
   largest     batch 300 fits: 5 samples/s
   memory      293 MiB of 1.00 GiB/GPU (29 %): weights 97.5 MiB, activations 196 MiB
   limited by  compute, 100 % of the iteration (a limitation: inherent)
   next        a faster device or a lower precision
   assumed     a batch comes at once and leaves at once; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
               guessed in Toy: levels, power, price
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 4 --inference --batch 16
  Llama-3-8B on DGX H100 SuperPOD: 4 GPUs in 1 node, inference, batch 16, prompts of 1,024 tokens,
      answers of 128, bf16-mixed, 80.0 GiB/GPU
  8.03 G parameters, 158 Tflop/sample
  
    #  strategy              iteration  first token  each token  tokens/s  ×best  phases    memory/GPU
    1  tensor=4                 642 ms       170 ms     3.72 ms     3,188   1.00  ███▒        5.59 GiB
    2  data=2,tensor=2          744 ms       132 ms     4.82 ms     2,752   1.16  ████▒       9.49 GiB
    3  pipeline=2,tensor=2      836 ms       198 ms     5.03 ms     2,449   1.30  ████▒░      5.76 GiB
    4  context=2,tensor=2       847 ms       135 ms     5.61 ms     2,419   1.32  ████▒▒      9.49 GiB
    5  data=4                   972 ms       111 ms     6.77 ms     2,108   1.51  ██████      16.9 GiB
    6  data=2,context=2         1.07 s       114 ms     7.55 ms     1,908   1.67  ██████▒     16.9 GiB
    7  data=2,pipeline=2        1.08 s       167 ms     7.17 ms     1,899   1.68  ███████     9.43 GiB
    8  context=4                1.11 s       120 ms     7.77 ms     1,851   1.72  ██████▒     16.9 GiB
    9  pipeline=2,context=2     1.18 s       172 ms     7.95 ms     1,733   1.84  ███████░    9.43 GiB
   10  pipeline=4               1.21 s       196 ms     7.98 ms     1,693   1.88  ███████░    6.18 GiB
  
   █ compute  ▒ communication  ░ bubble
  
   best        tensor=4
   margin      1.16× over data=2,tensor=2; inference was not compared with measured runs
   next        more sequences at a time, faster memory, a narrower format, or a higher tensor degree
   details     paradl estimate llama3-8b --hw dgx-h100-superpod --inference -s tensor=4 --batch 16
   assumed     a batch comes at once and leaves at once; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
               guessed in DGX H100 SuperPOD: levels/2/devices, network/links/switch/latency,
               network/sharp/efficiency, power/pue
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 4 --inference --goal throughput --top 3 -q
  Llama-3-8B on DGX H100 SuperPOD: 4 GPUs in 1 node, inference, batch 4, prompts of 1,024 tokens,
      answers of 128, bf16-mixed, 80.0 GiB/GPU
  8.03 G parameters, 158 Tflop/sample
  
   #  strategy              largest batch  its tokens/s  ×best  first token  each token  memory/GPU
   1  data=2,pipeline=2             2,012        13,083   1.00      43.8 ms     7.00 ms    8.72 GiB
   2  data=4                        1,796        12,976   1.01      29.0 ms     6.60 ms    16.2 GiB
   3  pipeline=2,context=2          2,012        12,706   1.03      45.3 ms     7.77 ms    8.72 GiB

The document has it all, by its schema:

  $ paradl estimate mixtral-8x7b --hw dgx-h100-superpod -s expert=8 --inference --json > document
  $ python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas" < document
  paradl-estimate-1
  $ paradl advise resnet50 --hw toy --gpus 4 --inference --batch 64 --json | python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas"
  paradl-advise-1
  $ python3 - document <<'EOF'
  > import json, sys
  > result, = json.load(open(sys.argv[1]))["results"]
  > it = result["inference"]
  > print(it["prompt_tokens"], it["answer_tokens"], it["cache_bytes_per_token"])
  > print(abs(it["prompts_s"] + 127 * it["token_s"] - result["iteration_s"]) < 1e-12)
  > print(result["batch"], result["memory"]["cache_bytes"] == (1024 + 128) * it["cache_bytes_per_token"])
  > EOF
  1024 128 131072
  True
  8 True
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2 --inference --csv --columns strategy,prompts_s,token_s,tokens_per_s,cache_bytes | head -n 1
  strategy,prompts_s,token_s,tokens_per_s,cache_bytes

What has no answer says so:

  $ paradl estimate resnet50 --hw toy -s serial --inference --prompt 5
  paradl: ResNet-50 takes no prompt: its input is no sequence of tokens
  [2]
  $ paradl estimate llama2-7b --hw dgx-a100-superpod -s serial --ideal --inference
  paradl: the paper's Table III is about training: inference has no ideal mode
  [2]
  $ paradl estimate llama2-7b --hw dgx-a100-superpod -s serial --prompt 5
  paradl: prompts and answers have lengths in inference only
  [2]
  $ paradl estimate llama2-7b --hw dgx-a100-superpod -s data=2,zero=1 --inference
  paradl: schedules, zero, recomputation and offload belong to training, not to inference
    hint: degrees, micro, sequence, experts and split are what inference has
  [2]
  $ paradl estimate gpt2-xl --hw dgx-a100-superpod -s serial --inference --prompt 1000 --answer 100 2>&1 | sed "s,^.*models/,models/,"
  models/gpt2-xl.json:12:94: /layers/0/positions: has 1024 learned positions, but a sample has 1100 tokens
    hint: a shorter prompt or answer: together they are the sequence of the model
