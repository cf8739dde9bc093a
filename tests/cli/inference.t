Forward only: what serving a network takes.

Stored samples wait for input as those of training do, without a backward pass that hides it.

  $ paradl estimate resnet50 --hw abci -s data=4 --inference --dataset imagenet-1k --workers 2 | grep -E '^ (forward|input|total|limited)|^ *input:'
   forward        64.9 ms     42 %  passes of max(flop / rate, bytes / memory r...
   input          89.6 ms     58 %
   total           155 ms           1,656 samples/s
   limited by  preparation by the cores of a node, 58 % of the iteration (a
               input: ImageNet-1k from the shared file system, global shuffle,
  $ paradl estimate resnet50 --hw abci -s data=4 --inference --workers 2 | grep -E '^ (forward|input|total)|^ *input:'
   forward        64.9 ms    100 %  passes of max(flop / rate, bytes / memory r...
   total          64.9 ms           3,942 samples/s

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
  325 k parameters, 192 Mflop/sample forward
  
   phase                per iteration    share  formula
   forward                    34.1 ms     96 %  prompts + (tokens - 1) steps: max(flop / rate, bytes…
   activation exchange        1.44 ms    4.0 %  sum over layers of collectives, forward
   total                      35.6 ms           225 samples/s
  
   first token after 21.3 ms, of which it waits 18.4 ms for other requests
   each token  292 us, 83 % of the GPUs' peak
   steps       of 7.84 sequences a replica, 292 us; each prompt adds 2.63 ms
   throughput  11,240 tokens/s with prompts, 5,620 for each GPU
   cache       1.00 KiB for a token
   largest     batch 13,783 fits: 11,548 tokens/s
   memory      2.60 MiB of 1.00 GiB/GPU (0.3 %): weights 666 KiB, activations 1.37 MiB, cache 600 KiB
   power       685 W: GPUs 585 W (compute 479 W, memory 0.873 W, exchange 5.65 W, idle 100 W), hosts
               100 W
   energy      3.05 J an answer, 0.061 J a token of it
   cost        49.43 EUR a million tokens, 2,000 EUR an hour (rent)
   limited by  compute, 96 % of the iteration (a limitation: inherent)
   next        a faster device or a lower precision
   error       ±33 % with toy holds nine of ten measured times: serving was never compared with
               measured runs (by vllm, trtllm and sglang it was); the kernels of this device were not
               measured
   assumed     requests are alike; nothing is hidden behind compute; kernels of layers of tokens start
               from graphs, at no cost of the host
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, power
  $ paradl estimate chat.json --hw toy -s tensor=2 --inference --batch 8 --memory -q
  Chat on Toy: tensor=2 on 2 GPUs in 1 node, inference, batch 8, prompts of 128 tokens,
      answers of 128, fp32, 1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample forward
  
   peak memory per GPU     bytes  share  what
   weights               666 KiB  0.1 %  of its shard
   cache                1.00 MiB  0.1 %  keys and values of all sequences
   activations          1.75 MiB  0.2 %  of the largest layer
   workspace                 0 B    0 %  buffers and libraries
   total                3.40 MiB  0.3 %
   capacity             1.00 GiB
  $ paradl estimate resnet50 --hw toy -s data=4 --inference --batch 64
  ResNet-50 on Toy: data=4 on 4 GPUs in 2 nodes, inference, batch 64, fp32, 1.00 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
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
   error       ±33 % with toy holds nine of ten measured times: serving was never compared with
               measured runs (by vllm, trtllm and sglang it was); the kernels of this device were not
               measured
   assumed     requests are alike; nothing is hidden behind compute; kernels of layers of tokens start
               from graphs, at no cost of the host
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
  $ paradl advise chat.json --hw toy --gpus 4 --inference --batch 16
  Chat on Toy: 4 GPUs in 2 nodes, inference, batch 16, prompts of 128 tokens, answers of 128, fp32,
      1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample forward
  
   #  strategy             iteration  first token  each token  tokens/s  ×best  phases    memory/GPU
   1  data=4                 69.1 ms      29.2 ms      314 us    29,620   1.00  █████       3.61 MiB
   2  data=2,tensor=2        72.2 ms      29.5 ms      337 us    28,346   1.04  █████       3.40 MiB
   3  data=2,pipeline=2      75.7 ms      29.3 ms      365 us    27,058   1.09  █████       3.03 MiB
   4  pipeline=2,tensor=2    79.3 ms      30.0 ms      388 us    25,828   1.15  █████       3.11 MiB
   5  pipeline=4             88.9 ms      29.6 ms      467 us    23,029   1.29  ██████      2.85 MiB
   6  tensor=4                118 ms      36.9 ms      642 us    17,293   1.71  ████▒▒▒▒    3.86 MiB
   █ compute  ▒ communication
  
   best        data=4
   first token after 29.2 ms, of which it waits 21.7 ms for other requests
   each token  314 us, 86 % of the GPUs' peak
   steps       of 3.97 sequences a replica, 314 us; each prompt adds 7.22 ms
   throughput  29,620 tokens/s with prompts, 7,405 for each GPU
   cache       1.00 KiB for a token
   largest     batch 16,012 fits: 29,620 tokens/s
   cost        37.5 EUR a million tokens
   why         100 % compute
   margin      1.04× over the second; it takes 16 % to tell two plans apart, so treat 1 to 4 as equal
   error       ±33 % with toy holds nine of ten measured times: serving was never compared with
               measured runs (by vllm, trtllm and sglang it was); the kernels of this device were not
               measured
   next        a faster device or a lower precision
   assumed     7 numbers of the machine (paradl check toy), 1 thing more (--verbose)
   more        --verbose; the plan in depth: paradl estimate
  $ paradl advise chat.json --hw toy --gpus 4 --inference --goal throughput --top 3 -q
  Chat on Toy: 4 GPUs in 2 nodes, inference, the largest batch of each plan,
      times and memory of batch 4, prompts of 128 tokens, answers of 128, fp32, 1.00 GiB/GPU
  325 k parameters, 192 Mflop/sample forward
  
   #  strategy           largest batch  its tokens/s  ×best  first token  each token  memory/GPU
   1  data=4                    16,012        29,620   1.00      7.30 ms     79.2 us    1.83 MiB
   2  data=2,tensor=2           16,148        29,333   1.01      7.38 ms     98.5 us    1.34 MiB
   3  data=2,pipeline=2         16,020        27,058   1.09      7.37 ms     91.3 us    1.24 MiB

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
  paradl: prompts, answers and requests are there in inference only
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
  Llama-3-8B on DGX H100 SuperPOD: tensor=2 on 2 GPUs in 1 node, inference, batch 32,
      prompts of 1,024 tokens, answers of 256, bf16-mixed, 80.0 GiB/GPU
  8.03 B parameters, 158 Tflop/sample forward
  
   phase                per iteration    share  formula
   forward                     1.75 s     80 %  prompts + (tokens - 1) steps: max(flop / rate, bytes…
   activation exchange         206 ms    9.5 %  sum over layers of collectives, forward
   bubble                      227 ms     10 %  stages in turn, the program's own time, waiting for m…
   total                       2.18 s           14.7 samples/s
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework sglang -s tensor=2 --inference --batch 32 --input-tokens 1024 --output-tokens 256 --requests 320 --spread 20% | grep -E "first|each"
   first token after 295 ms, of which it waits 25.9 ms for other requests; 90 of 100 requests within
   each token  7.92 ms, 3.9 % of the GPUs' peak; 90 of 100 requests within 8.14 ms, 99 within 8.30 ms
   steps       of 28.2 sequences a replica, 5.74 ms; each prompt adds 19.1 ms
   throughput  3,492 tokens/s with prompts, 1,746 for each GPU
   error       ±11 % with sglang holds nine of ten measured times of each token, ±70 % of the first
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework trtllm -s tensor=2 --inference --batch 32 --json | python3 -c '
  > import json, sys
  > i = json.load(sys.stdin)["results"][0]["inference"]
  > print(sorted(k for k in i if k.startswith(("step", "prompt_s", "wait"))), i["prompts_s"] > i["wait_s"] > 0, i["token_s"] > i["step_s"])'
  ['prompt_s', 'step_s', 'step_sequences', 'wait_s'] True True
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2
  paradl: vllm serves networks, it trains none
    hint: --inference, or another --framework
  [2]
  $ paradl estimate resnet50 --hw dgx-h100-superpod --framework vllm -s data=2 --inference
  paradl: vllm answers prompts, ResNet-50 generates no tokens
  [2]
  $ paradl estimate chat.json --hw toy -s serial --spread 10%
  paradl: prompts, answers and requests are there in inference only
  [2]

With a promise, plans have as many requests under way as keep it, and the most tokens are best:

  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 4 --inference --input-tokens 1024 --output-tokens 256 --ttft '300 ms' --tpot '15 ms' --csv --columns strategy,batch
  strategy,batch
  data=4,192
  "data=2,tensor=2",184
  "data=2,pipeline=2,chunk=512",178
  "pipeline=2,tensor=2",155
  tensor=4,142
  "pipeline=4,chunk=512",129
  context=4,
  "data=2,context=2",
  "pipeline=2,context=2",
  "context=2,tensor=2",
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --tpot '1 ms'
  Llama-3-8B on DGX H100 SuperPOD: 2 GPUs in 1 node, inference, each plan with its best batch,
      bf16-mixed, 80.0 GiB/GPU
  8.03 B parameters, 158 Tflop/sample forward
  
   not feasible
   tensor=2    fits, but a token takes 4.43 ms on 2 devices instead of 1.00 ms → more time, or another
               number of devices
   data=2      fits, but a token takes 6.75 ms on 2 devices instead of 1.00 ms → more time, or another
               number of devices
   pipeline=2  fits, but a token takes 6.76 ms on 2 devices instead of 1.00 ms → more time, or another
               number of devices
   … and 1 more: --top 0 shows them
  
   assumed     18 numbers of the machine (paradl check dgx-h100-superpod), 1 thing more (--verbose)
  paradl: no feasible strategy for 2 GPUs (4 tried); closest: tensor=2: fits, but a token takes 4.43 ms on 2 devices instead of 1.00 ms
  [1]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2 --ttft '1 s'
  paradl: --ttft, --tpot and --latency are about --inference
  [2]

All that asks about answers takes such a load:

  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --requests 320 --spread 20% --latency '4 s' --csv --columns strategy,batch | head -n 2
  strategy,batch
  data=2,186
  $ paradl search llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --requests 320 --spread 20% --ttft '500 ms' --tpot '15 ms' --goal throughput --top 1 --csv --columns strategy,batch
  part,strategy,batch
  best,"data=2,chunk=512",68
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --framework vllm --vary gpus=2,4 --inference --requests 320 --spread 20% --batch 32 --csv --columns gpus,token_s | wc -l
  3
  $ paradl whatif llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --inference --requests 320 --spread 20% --batch 32 --perturb 20% --csv | wc -l
  16
  $ paradl report llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --requests 320 --spread 20% --batch 32 -o page.html && grep -c "<h2" page.html
  8

Requests at a rate, with guessed tokens and prompts that the cache knows in part:

  $ load="--inference --input-tokens 2048 --output-tokens 256"
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --inference --rate 12/s | sed -n '1,2p;/first token/,/largest/p'
  Llama-3-8B on DGX H100 SuperPOD: tensor=2 on 2 GPUs in 1 node, inference, 12 requests/s,
      prompts of 1,024 tokens, answers of 128, bf16-mixed, 80.0 GiB/GPU
   first token after 95.5 ms, of which it waits 4.78 ms for other requests; 90 of 100 requests within
               107 ms, 99 within 126 ms
   each token  6.04 ms, 1.7 % of the GPUs' peak; 90 of 100 requests within 6.62 ms, 99 within 7.31 ms
   load        12 of 40.5 requests/s that it can answer, 10.4 under way
   steps       of 10.2 sequences a replica, 4.93 ms; each prompt adds 14.9 ms
   throughput  1,536 tokens/s with prompts, 768 for each GPU
   cache       128 KiB for a token
   largest     batch 955 fits: 5,179 tokens/s
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --rate 12/s --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 50% | sed -n '/first token/,/largest/p'
   first token after 97.5 ms, of which it waits 5.39 ms for other requests; 90 of 100 requests within
               111 ms, 99 within 131 ms
   each token  2.86 ms, 6.0 % of the GPUs' peak; 90 of 100 requests within 3.16 ms, 99 within 3.52 ms
   load        12 of 30.7 requests/s that it can answer, 9.92 under way
   steps       of 9.75 sequences a replica, 5.54 ms; each prompt adds 15.6 ms
   throughput  3,072 tokens/s with prompts, 1,536 for each GPU
   cache       128 KiB for a token
   largest     batch 477 fits: 7,862 tokens/s
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --rate 1000/s
  paradl: tensor=2 is not feasible: 1000 requests a second come, and 1 replica answers at most 17.29
    hint: 116 GPUs with such replicas, or a lower --rate
  [1]
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --rate 12
  paradl: --rate needs a unit: write "50/s"
  [2]
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --rate 12/s --batch 3
  paradl: only one of --batch and --rate is possible: a rate says how many requests are under way
  [2]
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --speculative-tokens 3
  paradl: of 3 speculative tokens, a step gives from 1 to 4, not 0
    hint: both numbers are needed: tokens guessed in a step, at most 64, and what it gives
  [2]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 4 $load --percentile p90
  paradl: --percentile needs --ttft or --tpot
  [2]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 4 --inference --rate 12/s --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 0.5 --ttft '200 ms' --percentile p99 --csv --columns strategy,prompts_s,first_p99_s,token_p90_s,under_way,most_requests_per_s
  strategy,prompts_s,first_p99_s,token_p90_s,under_way,most_requests_per_s
  tensor=4,0.08105325803290353,0.09035148948019361,0.0016030478971600936,3.265177415643584,102.47206260019335
  "data=2,tensor=2",0.08447487429258124,0.09491517324435454,0.002117420361194737,4.081621777088112,138.44250009712331
  "pipeline=2,tensor=2",0.08100291612717314,0.0893086354391944,0.002166666830295417,4.166133545183604,123.83601168500888
  data=4,0.09180750354535466,0.10582553684914274,0.003118507120832249,5.643548861391044,167.69965657257737
  "data=2,pipeline=2",0.08611942704954212,0.09700898228708871,0.003213826614950958,5.797277347068315,155.49175007473838
  pipeline=4,0.08464615267142171,0.09455186249887915,0.003520849706032087,6.295330024381919,137.00686729215235
  context=4,,,,,
  "data=2,context=2",,,,,
  "pipeline=2,context=2",,,,,
  "context=2,tensor=2",,,,,
  $ paradl search llama3-8b --hw dgx-h100-superpod --framework vllm --inference --rate 100/s --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 0.5 --min-gpus --ttft '200 ms' --percentile p99 --csv --columns gpus,strategy,first_p99_s
  part,gpus,strategy,first_p99_s
  best,4,"data=2,tensor=2",0.14257215760219527
  best,4,"data=2,pipeline=2,seqs=64",0.18520006225198807
  best,4,data=4,0.16187355139702606
  best,4,"pipeline=2,tensor=2",0.13892862546983403
  best,4,pipeline=4,0.13489686502975848
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --framework vllm -s data=2 --vary rate=0.5,20 --inference --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 0.5 --csv --columns rate,prompts_s,cost_per_million_tokens
  rate,prompts_s,cost_per_million_tokens
  0.5,0.08939733540123178,76.3727456636191
  20,0.09416648870002538,1.909784750725236
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --framework vllm -s data=2 --vary rate=0 --inference
  paradl: rate cannot be '0': all are rates of requests, such as 20/s, or all are bare numbers
  [2]
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --framework vllm --vary gpus=2,4 --inference --rate 3/s --csv --columns gpus,strategy,under_way
  gpus,strategy,under_way
  2,tensor=2,2.087351110548053
  4,tensor=4,1.5224612394450325
  $ paradl whatif llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --inference --rate 12/s --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 0.5 --perturb 20% --csv | wc -l
  16
  $ paradl report llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --rate 12/s --speculative-tokens 3 --accepted-tokens 2.4 --cached-prefix 0.5 -o page.html && grep -c '12 requests/s' page.html
  1

Prompts that other GPUs read:

  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s data=2,tensor=2 --prefill data=2 $load --batch 32 | sed -n '1,2p;/first token/,/largest/p'
  Llama-3-8B on DGX H100 SuperPOD: data=2,tensor=2 on 6 GPUs in 1 node, inference, batch 32,
      prompts of 2,048 tokens, answers of 256, bf16-mixed, 80.0 GiB/GPU
   first token after 139 ms, of which it waits 13.9 ms for other requests; 90 of 100 requests within
               234 ms, 99 within 392 ms
   each token  5.77 ms, 2.2 % of the GPUs' peak
   prefill     data=2: 2 GPUs read prompts, 55 % of the time; 597 us later the cache is here
   steps       of 14.6 sequences a replica, 5.77 ms; each prompt adds 54.9 ms
   throughput  5,088 tokens/s with prompts, 848 for each GPU
   cache       128 KiB for a token
   largest     batch 954 fits: 9,825 tokens/s
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --prefill tensor=2 --inference --rate 3/s --json | python3 -c 'import json, sys; served = json.load(sys.stdin)["results"][0]["inference"]; print(served["prefill"], served["prefill_gpus"], served["prefill_share"] < 1)'
  tensor=2 2 True
  $ paradl estimate llama3-70b --hw dgx-h100-superpod --framework vllm -s tensor=4 --prefill serial --inference
  paradl: prefill by serial: needs 134 GiB on the fullest device; of its 80.0 GiB engines take 73.6 GiB
    hint: more tensor or pipeline
  [2]
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --prefill auto --inference
  paradl: --prefill auto is for the best of all plans, not for one of them
    hint: name the plan of the GPUs that read prompts: --prefill data=2,tensor=4
  [2]
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s tensor=2 --prefill tensor=2
  paradl: prompts, answers and requests are there in inference only
  [2]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 2 --inference --prefill tensor=2
  Llama-3-8B on DGX H100 SuperPOD: 2 GPUs in 1 node, inference, each plan with its best batch,
      bf16-mixed, 80.0 GiB/GPU
  8.03 B parameters, 158 Tflop/sample forward
  
   not feasible
   serial  2 devices read prompts, and none is left to answer → more than 2 devices
  
   assumed     18 numbers of the machine (paradl check dgx-h100-superpod), 1 thing more (--verbose)
  paradl: no feasible strategy for 2 GPUs (1 tried); closest: serial: 2 devices read prompts, and none is left to answer
  [1]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 8 $load --prefill auto --ttft '300 ms' --tpot '8 ms' --csv --columns strategy,batch,prefill,prefill_gpus,first_p90_s,token_s | head -3
  strategy,batch,prefill,prefill_gpus,first_p90_s,token_s
  "data=2,tensor=2",90,"data=2,tensor=2",4,0.21862967924080184,0.007970399705955405
  tensor=4,90,"data=2,tensor=2",4,0.21814445466711835,0.00797885687353008
  $ paradl sweep llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --prefill tensor=2 --vary batch=8,16 $load --csv --columns batch,prompts_s,token_s
  batch,prompts_s,token_s
  8,0.10948042256373647,0.005019489482207723
  16,0.11435095061713074,0.005793269982636296
  $ paradl whatif llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 --prefill tensor=2 $load --batch 8 --perturb 20% --csv | wc -l
  16
  $ paradl report llama3-8b --hw dgx-h100-superpod --framework vllm --gpus 8 --prefill tensor=2 $load --batch 8 -o page.html && grep -c 'prefill' page.html
  7

How an engine is started for the plan that was estimated:

  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s data=2,tensor=2 $load --batch 100 --flags vllm | sed -n '/^ launch/,$p'
   launch      flags of vLLM's server
     vllm serve "$MODEL" --tensor-parallel-size 2 --pipeline-parallel-size 1 --data-parallel-size 2 \
         --max-num-seqs 50 --enable-chunked-prefill --max-num-batched-tokens 8192 \
         --max-model-len 2304 --gpu-memory-utilization 0.92 --dtype bfloat16 --kv-cache-dtype auto \
         --no-enable-prefix-caching
  $ paradl estimate qwen3-30b-a3b --hw dgx-h100-superpod -s expert=16 $load --rate 20/s --precision fp8-mixed --flags sglang | sed -n '/^ launch/,$p'
   launch      flags of SGLang's server
   estimated   for sglang, since --flags names it; --framework: for another program
     python -m sglang.launch_server --model-path "$MODEL" --tp-size 16 --pp-size 1 --dp-size 16 \
         --enable-dp-attention --ep-size 16 --nnodes 2 --node-rank $NODE_RANK \
         --dist-init-addr $MASTER_ADDR:20000 --max-running-requests 10464 \
         --chunked-prefill-size 131072 --max-prefill-tokens 8192 --context-length 2304 \
         --mem-fraction-static 0.861 --dtype bfloat16 --quantization fp8 --kv-cache-dtype fp8_e4m3 \
         --disable-radix-cache
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s tensor=4 $load --batch 64 --flags trtllm -o start.sh && cat start.sh
  #!/bin/sh
  # Llama-3-8B on DGX H100 SuperPOD: tensor=4 on 4 GPUs in 1 node, inference, batch 64, bf16-mixed, 80.0 GiB/GPU
  # Estimated by paradl 0.1.0: the first token after 137 ms, 10.3 ms each ±15 %, 1,478 tokens/s/GPU (5,914/s of all), 189 Tflop/s/GPU, MFU 19 %, 10.7 GiB of a GPU's memory
  # MODEL is the checkpoint: a folder or a name, with weights for bf16-mixed.
  # What follows the script's name goes to the program: host, port, names.
  set -eu
  : "${MODEL:?must name the checkpoint}"
  cat > trtllm_options.yaml << 'END_OF_FILE'
  enable_attention_dp: false
  enable_chunked_prefill: true
  dtype: bfloat16
  kv_cache_config:
    dtype: auto
    enable_block_reuse: false
    free_gpu_memory_fraction: 0.934
  END_OF_FILE
  exec trtllm-serve "$MODEL" \
  	--tp_size 4 \
  	--pp_size 1 \
  	--max_batch_size 64 \
  	--max_num_tokens 8192 \
  	--max_seq_len 2304 \
  	--extra_llm_api_options trtllm_options.yaml \
  	"$@"
  $ paradl advise qwen3-30b-a3b --hw dgx-h100-superpod --gpus 16 $load --ttft '1 s' --flags vllm -o start.sh -q; sed 1,3d start.sh
  # Run it on one node of a Ray cluster that has all of them.
  # MODEL is the checkpoint: a folder or a name, with weights for bf16-mixed.
  # What follows the script's name goes to the program: host, port, names.
  set -eu
  : "${MODEL:?must name the checkpoint}"
  exec vllm serve "$MODEL" \
  	--tensor-parallel-size 1 \
  	--pipeline-parallel-size 1 \
  	--data-parallel-size 16 \
  	--enable-expert-parallel \
  	--distributed-executor-backend ray \
  	--data-parallel-backend ray \
  	--max-num-seqs 320 \
  	--enable-chunked-prefill \
  	--max-num-batched-tokens 8192 \
  	--max-model-len 2304 \
  	--gpu-memory-utilization 0.92 \
  	--dtype bfloat16 \
  	--kv-cache-dtype auto \
  	--no-enable-prefix-caching \
  	"$@"
  $ MODEL= sh start.sh 2>&1 | sed 's/.*: //'
  must name the checkpoint
  $ paradl advise qwen3-30b-a3b --hw dgx-h100-superpod --gpus 16 $load --ttft '1 s' --flags trtllm -v 2> /dev/null | grep -E 'data=2|expert=8,tensor' | sed 's/  */ /g'
   pipeline=2,data=2,expert=2,tensor=2,chunk=16384 trtllm starts one of 2 replicas that share
   expert=8,tensor=2 trtllm gives each device sequences of its own, or
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s tensor=2 --prefill tensor=2 $load --batch 8 --flags vllm -o start.sh
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework sglang -s tensor=2 $load --batch 8 --flags vllm | sed -n '/^ cannot/,$p'
   cannot      vllm serves otherwise than sglang, as which this is estimated; nearest: --framework
               vllm
   launch      flags of vLLM's server, nearest to the plan
     vllm serve "$MODEL" --tensor-parallel-size 2 --pipeline-parallel-size 1 --data-parallel-size 1 \
         --max-num-seqs 8 --enable-chunked-prefill --max-num-batched-tokens 8192 \
         --max-model-len 2304 --gpu-memory-utilization 0.9 --dtype bfloat16 --kv-cache-dtype auto \
         --no-enable-prefix-caching
  $ paradl estimate llama3-8b --hw dgx-h100-superpod --framework vllm -s tensor=2 $load --batch 8 --verbose 2> /dev/null | grep -A 1 '^ launch'
   launch      flags of vLLM's server
     vllm serve "$MODEL" --tensor-parallel-size 2 --pipeline-parallel-size 1 --data-parallel-size 1 \
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2 $load --flags megatron
  paradl: --flags megatron is for training, not for --inference
    hint: vllm, sglang, trtllm are possible
  [2]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2 --flags trtllm
  paradl: --flags trtllm is for answers (--inference), not for training
    hint: torchrun, torchtitan, megatron, deepspeed, nemo are possible
  [2]

Prompts attend to a cache of 8 bits in 8 bits, at the rate that the device's kernels have there:

  $ first() { paradl estimate llama3-8b --hw dgx-h100-superpod --framework trtllm -s serial --inference --precision fp8-mixed \
  >   --input-tokens 32768 --batch 1 --json -q "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0]["compute_s"])'; }
  $ python3 -c 'import sys; print(float(sys.argv[1]) < float(sys.argv[2]))' "$(first)" "$(first --set framework.rules.serve_narrow_cache=false)"
  True

What the network was trained to read is the longest sequence of its file, or its positions there; longer prompts are estimated with a warning.

  $ long="--hw dgx-h100-superpod --framework vllm -s tensor=8 --batch 1 --inference"
  $ paradl estimate llama3-8b $long --input-tokens 200000 2>&1 | grep warning
  paradl: warning: prompts have 200000 tokens, but the longest sequence that the file of Llama-3-8B names is 8192: it may not read so far (inference.positions of the file says how far)
  $ paradl estimate llama3-8b $long --input-tokens 8192 2>&1 | grep -c warning
  0
  [1]
  $ paradl estimate llama3-8b $long --input-tokens 8193 2>&1 | grep -c warning
  1
  $ paradl estimate llama3-405b $long --precision fp8-mixed --input-tokens 100000 2>&1 | grep -c warning
  0
  [1]

A promise of tokens is of networks that generate them.

  $ paradl advise resnet50 --hw abci --gpus 64 --inference --ttft '1 ms'
  paradl: --ttft and --tpot are about networks that generate tokens: ResNet-50 does not (--latency is about any)
  [2]

A spread of all tokens is refused with what is possible.

  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s serial --inference --batch 32 --spread 100%
  paradl: answers cannot be up to 100 % shorter than others
    hint: --spread is less than 100 %: the shortest answer has a token
  [2]

Requests that never fill a batch are noticed, one token is no tokens, and where answers are one token long there are no steps.

  $ paradl estimate llama3-8b --hw dgx-h100-superpod --inference --requests 10 --batch 32 -s data=1 --input-tokens 1 --output-tokens 1 | grep -E 'prompts of|^ (steps|first)'
  paradl: warning: --requests 10 never fill a batch of 32: no more than 10 are under way at a time
  Llama-3-8B on DGX H100 SuperPOD: serial on 1 GPU in 1 node, inference, batch 32, prompts of 1 token,
   first token after 77.8 ms, of which it waits 7.55 ms for other requests; 90 of 100 requests within
