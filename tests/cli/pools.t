Serving with GPUs that only read prompts, settings of engines, fronts, and requests of a trace.

  $ export PARADL_PATH="$SOURCE"
  $ paradl() { "$PARADL" "$@"; }
  $ load="llama3-8b --hw dgx-h100-superpod --framework vllm --inference --input-tokens 4096 --output-tokens 256"

Plans of both kinds are ranked together, with what binds and what a million tokens cost:

  $ paradl advise $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --prefill auto --csv --columns rank,strategy,prefill,batch,tokens_per_s_per_gpu,binds | head -6
  rank,strategy,prefill,batch,tokens_per_s_per_gpu,binds
  1,tensor=2,data=2,51,1082.9315546787088,each token
  2,"data=2,tensor=2",,30,718.2139343330442,each token
  3,data=2,data=2,30,696.8888249235038,each token
  4,tensor=4,,28,678.3008745201829,each token
  5,"pipeline=2,tensor=2",,27,650.1839066174291,each token
  $ paradl advise $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --prefill auto | grep -E '^ (binds|cost|prefill) '
   prefill     data=2: 2 GPUs read prompts, 93 % of the time; 1.19 ms later the
   binds       each token: 99 % of what is promised
   cost        1.14 USD a million tokens

What compare, sweep and whatif say of the best plan is what advise says, to the digit, on machines of several kinds:

  $ cat > same.py <<'EOF'
  > import csv, io, json, os, subprocess
  > def ask(command, *options):
  >     told = subprocess.run([os.environ["PARADL"], command, "llama3-8b", "--inference", "--framework", "vllm", "--input-tokens", "8192",
  >         "--output-tokens", "64", "--prefill", "auto", "-q", *options], capture_output=True, text=True).stdout
  >     return json.loads(told) if "--json" in options else list(csv.DictReader(io.StringIO(told)))
  > names = ("strategy", "prefill", "prompts_s", "token_s", "iteration_s")
  > columns = ["--csv", "--columns", ",".join(names)]
  > asked = readers = 0
  > for hw, gpus in ("dgx-h100-superpod", "4"), ("dgx-a100-superpod", "8"), ("gb200-nvl72", "8"):
  >     for load, varies in (["--batch", "32"], "gpus=" + gpus), (["--gpus", gpus], "rate=2"):
  >         swept = ask("sweep", "--hw", hw, *load, "--vary", varies, *columns)[0]
  >         load = ["--gpus", gpus, *(["--batch", "32"] if load[0] == "--batch" else ["--rate", "2/s"])]
  >         best = ask("advise", "--hw", hw, *load, *columns)[0]
  >         compared = ask("compare", "--hw", hw, *load, "--csv")[0]
  >         varied = ask("whatif", "--hw", hw, "--best", *load, "--perturb", "10%", "--json")["tornado"]["answer"]
  >         alike = [all(one[name] == best[name] for name in names) for one in (swept, compared)]
  >         alike.append(varied["strategy"] == best["strategy"] and (varied["prefill"] or "") == best["prefill"] and
  >             varied["iteration_s"] == float(best["iteration_s"]))
  >         if not all(alike):
  >             print(hw, gpus, load, alike, best, swept, {name: compared[name] for name in names}, varied["strategy"])
  >         asked += 1
  >         readers += best["prefill"] != ""
  > print(asked, "questions,", readers, "of whose best plans have readers")
  > EOF
  $ python3 same.py
  6 questions, 3 of whose best plans have readers
  $ paradl compare $load --hw dgx-a100-superpod --gpus 4 --ttft '500 ms' --tpot '10 ms' --prefill auto | sed -n '/ rank /,$p' | head -3
   rank  GPUs  machine            first token  each token      cost  energy  paid
      1     4  DGX H100 SuperPOD       478 ms     9.95 ms  1.14 USD  449 Wh     8
      2     4  DGX A100 SuperPOD       499 ms     9.53 ms  2.06 USD  758 Wh     8
  $ paradl sweep $load -s data=4 --vary batch=4 --prefill auto --csv --columns strategy,reason
  strategy,reason
  data=4,"prefill auto is for the best of all plans, not for one of them"
  paradl: no point is feasible
  [1]
  $ paradl whatif $load -s data=4 --batch 4 --prefill auto --perturb 10%
  paradl: prefill auto is for the best of all plans, not for one of them
    hint: name the plan of the GPUs that read prompts: data=2,tensor=4
  [2]
  $ paradl whatif $load --best --gpus 4 --batch 16 --prefill auto --upgrade gb200-nvl72 | grep -E '^ (iteration|memory) '
   iteration                                        1.84 s         1.09 s  -40.7 %
   memory                                         14.3 GiB       14.3 GiB

What comes closest where no plan keeps the promise, readers included, and how a range of GPUs looks:

  $ paradl advise $load --gpus 4 --ttft '10 ms' --tpot '1 ms' --prefill auto > /dev/null
  paradl: no feasible strategy for 4 GPUs (10 tried); closest: pipeline=4: fits, but the first token takes 109 ms on 4 devices instead of 10.0 ms
  [1]
  $ paradl search $load --gpus 4 --ttft '150 ms' --tpot '2 ms' --prefill auto > /dev/null
  paradl: no plan for 4 GPUs; closest: tensor=4: fits, but a token takes 3.19 ms on 4 devices instead of 2.00 ms
  [1]
  $ paradl search $load --gpus 4 --rate 500/s > /dev/null
  paradl: no plan for 4 GPUs; closest: data=4: 500 requests a second come, and 4 replicas answer at most 21.18
  [1]
  $ paradl advise $load --gpus 4 --rate 500/s --prefill auto > /dev/null
  paradl: no feasible strategy for 4 GPUs (11 tried); closest: data=4: 500 requests a second come, and 4 replicas answer at most 21.18
  [1]
  $ paradl advise $load --gpus 1..8 --rate 2/s --ttft '1 s' --percentile p90 | sed -n '1,/details/p'
  Llama-3-8B on DGX H100 SuperPOD: 1 to 8 GPUs, inference, 2 requests/s,
      bf16-mixed, 80.0 GiB/GPU
  8.03 B parameters, 158 Tflop/sample forward
  
   GPUs  strategy  first token  first p99  each token  token p99  at most
      1  serial         207 ms     389 ms     10.8 ms    14.5 ms     5.29   26 %
      2  tensor=2       146 ms     228 ms     5.68 ms    7.26 ms     9.52   14 %
      4  tensor=4       119 ms     166 ms     3.66 ms    4.51 ms       15  8.3 %
      8  tensor=8       107 ms     137 ms     2.81 ms    3.37 ms     21.4  5.6 %
  
   fastest     8 GPUs in 1 node, tensor=8: first token after 107 ms, each token
               2.81 ms, 2 requests/s
   fewest      1 GPU in 1 node, serial: first token after 207 ms, each token 10.8
               ms, 2 requests/s
   details     paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm
  $ paradl advise $load --gpus 2..8 --ttft '500 ms' --tpot '10 ms' --prefill auto --framework vllm | sed -n '/ GPUs /,/details/p'
   GPUs  strategy         prefill  first token  each token  speed-up  efficiency
      2  tensor=2                       149 ms     9.90 ms      1.00       100 %
      4  tensor=2         data=2        478 ms     9.95 ms      3.02       151 %
      8  data=2,tensor=2  data=4        332 ms     10.0 ms      6.06       152 %
  
   speed-up    over 2 GPUs in 1 node
   fastest     8 GPUs in 1 node, data=2,tensor=2, prompts read by data=4: first
               token after 332 ms, each token 10.0 ms, 34 requests/s
   fewest      2 GPUs in 1 node, tensor=2: first token after 149 ms, each token
               9.90 ms, 5.61 requests/s
   details     paradl advise llama3-8b --hw dgx-h100-superpod --framework vllm
  $ paradl estimate $load -s tensor=2 --batch 4 --verbose 2> /dev/null | grep -A 2 '^ settings'
   settings    at most 8,192 tokens of prompts in a step (chunk; serve_chunk of
               the framework, assumed: recalled default, tokens of a step), 246
               sequences a replica (seqs; what memory holds)
  $ paradl estimate $load -s tensor=2,chunk=1024,seqs=16 --batch 4 --verbose 2> /dev/null | grep -A 2 '^ settings'
   settings    at most 1,024 tokens of prompts in a step (chunk; the plan's), 16
               sequences a replica (seqs; the plan's)
   throughput  639 tokens/s with prompts, 320 for each GPU
  $ paradl estimate $load -s tensor=2 --prefill auto
  paradl: --prefill auto is for the best of all plans, not for one of them
    hint: name the plan of the GPUs that read prompts: --prefill data=2,tensor=4
  [2]
  $ paradl estimate $load -s tensor=2 --batch 4 --set framework.rules.serve_chunk=4096 --json | python3 -c 'import json, sys; told = json.load(sys.stdin)["results"][0]["inference"]; print(told["chunk_tokens"], told["chunk_origin"], told["seats"])'
  4096 set by you 246

A search looks at all of them, and what it proves away is never better:

  $ paradl search $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --goal throughput --prefill auto --json > bounded
  $ paradl search $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --goal throughput --prefill auto --exhaustive --json > exhaustive
  $ python3 - <<'EOF'
  > import json
  > bounded, exhaustive = (json.load(open(name)) for name in ("bounded", "exhaustive"))
  > print(bounded["space"]["plans"] == exhaustive["space"]["plans"], bounded["space"]["evaluated"] < exhaustive["space"]["evaluated"])
  > print([(row["strategy"], row["inference"]["prefill"]) for row in bounded["results"][:2]])
  > print(bounded["results"][0]["strategy"] == exhaustive["results"][0]["strategy"])
  > EOF
  True True
  [('tensor=2', 'data=2'), ('data=2,tensor=2', None)]
  True
  $ python3 -W ignore "$TESTDIR/schema.py" "$SOURCE/schemas" < bounded
  paradl-search-2
  $ paradl search $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --goal throughput --prefill tensor=2 --csv --columns strategy,prefill,batch | head -2
  part,strategy,prefill,batch
  best,tensor=2,tensor=2,37
  $ paradl search $load --gpus 2 --prefill tensor=2
  Llama-3-8B on DGX H100 SuperPOD: 2 GPUs in 1 node, inference,
      each plan with its best batch, bf16-mixed, 80.0 GiB/GPU
  8.03 B parameters, 158 Tflop/sample forward
  
   not feasible
   serial  2 devices read prompts, and none is left to answer -> more than 2
           devices
  
   proved      0 plans: 0 evaluated; none is possible
   assumed     requests are alike, but for the program's own time, which parts
               those that are sent together (not in a --trace, nor where prompts
               are read alone and answers have one length); nothing is hidden
               behind compute; kernels of layers of tokens start from graphs, at
               no cost of the host
               guessed in DGX H100 SuperPOD: reliability/node_mtbf,
               levels/2/devices, network/links/switch/latency,
               network/sharp/efficiency, power/pue, price,
               network/links/port/price, network/links/switch/price,
               network/switch_power, network/switch_price, storage/local,
               storage/shared, storage/shared/open, host
               guessed in H100-SXM5-80GB: power/idle, product/cast_bytes,
               product/narrow_weights, product/sustained/fp32
  paradl: no plan for 2 GPUs; closest: serial: 2 devices read prompts, and none is left to answer
  [1]
  $ paradl search $load --gpus 4 --prefill auto --map data,tensor
  paradl: a map shows plans of one kind of devices
  [2]
  $ paradl search resnet50 --hw abci --gpus 4 --prefill auto
  paradl: prompts, answers and requests are there in inference only
  [2]

What a quick token costs, as a table and as a picture:

  $ paradl search $load --gpus 4 --prefill auto --pareto tpot,per-gpu --csv --columns strategy,prefill,batch | grep front | head -4
  front,tensor=4,,1
  front,tensor=4,,2
  front,tensor=4,,4
  front,tensor=4,,8
  $ paradl search $load --gpus 4 --prefill auto --pareto tpot,per-gpu -o front.svg
  $ grep -c 'tokens per second and GPU' front.svg
  2
  $ paradl search resnet50 --hw abci --gpus 4 --pareto time,tpot
  paradl: ttft, tpot and per-gpu are goals of --inference
  [2]

Settings of engines are options of plans:

  $ for chunk in 512 8192; do paradl estimate $load -s tensor=2,chunk=$chunk --batch 16 | grep -E '^ each token'; done
   each token  10.3 ms, 2.1 % of the GPUs' peak; 90 of 100 requests within 10.7
   each token  10.3 ms, 2.1 % of the GPUs' peak; 90 of 100 requests within 10.5
  $ paradl estimate $load -s tensor=2 --batch 1000 | grep '^ cache full'
   cache full  requests wait for memory; each loses its own 0.05 times, and is
  $ paradl estimate $load -s tensor=2,seqs=8 --rate 2/s | grep -E '^ (load|largest)'
   load        2 of 3.92 requests/s that it can answer, 3.2 under way
   largest     batch 8 fits: 1,003 tokens/s
  $ paradl estimate $load -s tensor=2,seqs=8 --batch 8 --flags vllm | grep -o -e '--max-num-seqs [0-9]*'
  --max-num-seqs 8
  $ paradl search $load --gpus 2 --rate 3/s --search-over order,chunk,seqs --csv --columns strategy | head -2
  part,strategy
  best,"tensor=2,chunk=16384,seqs=16"
  $ paradl estimate resnet50 --hw abci -s data=4,chunk=512
  paradl: chunk is a setting of engines that answer requests of text
    hint: --inference, and a network that generates text; or without it
  [2]
  $ paradl estimate $load -s tensor=2,seqs=0
  paradl: seqs must be a whole number from 1 to 16777216, is "0"
  [2]

One script starts either kind of server and what joins them. Stand-ins say what they are started with:

  $ mkdir bin; for program in vllm python python3 trtllm-serve; do
  >   printf '#!/bin/sh\necho "%s [$CUDA_VISIBLE_DEVICES] $*"\n' $program > bin/$program
  >   chmod +x bin/$program
  > done
  $ for framework in vllm sglang trtllm; do
  >   "$PARADL" estimate llama3-70b --hw dgx-h100-superpod --framework $framework -s tensor=4 --prefill data=2,tensor=2 --inference --batch 16 --flags $framework -o $framework.sh -q
  >   for role in 'prefill 1' decode router; do
  >     PATH="$PWD/bin:$PATH" MODEL=m PROXY=proxy.py PREFILL='a:30000 a:30001' DECODE=b:30050 sh $framework.sh $role | fold -s -w 110
  >   done
  > done
  vllm [2,3] serve m --tensor-parallel-size 2 --pipeline-parallel-size 1 --data-parallel-size 1 --max-num-seqs 
  8 --enable-chunked-prefill --max-num-batched-tokens 8192 --max-model-len 1152 --gpu-memory-utilization 0.92 
  --dtype bfloat16 --kv-cache-dtype auto --no-enable-prefix-caching --kv-transfer-config {"kv_connector": 
  "NixlConnector", "kv_role": "kv_both"} --host 0.0.0.0 --port 8101
  vllm [0,1,2,3] serve m --tensor-parallel-size 4 --pipeline-parallel-size 1 --data-parallel-size 1 
  --max-num-seqs 16 --enable-chunked-prefill --max-num-batched-tokens 8192 --max-model-len 1152 
  --gpu-memory-utilization 0.92 --dtype bfloat16 --kv-cache-dtype auto --no-enable-prefix-caching 
  --kv-transfer-config {"kv_connector": "NixlConnector", "kv_role": "kv_both"} --host 0.0.0.0 --port 8150
  python3 [] proxy.py --port 8000 --prefiller-hosts a a --prefiller-ports 30000 30001 --decoder-hosts b 
  --decoder-ports 30050
  python [2,3] -m sglang.launch_server --model-path m --tp-size 2 --pp-size 1 --dp-size 1 
  --max-running-requests 8 --chunked-prefill-size 8192 --max-prefill-tokens 8192 --context-length 1152 
  --mem-fraction-static 0.860 --dtype bfloat16 --kv-cache-dtype auto --disable-radix-cache 
  --disaggregation-mode prefill --disaggregation-transfer-backend nixl --disaggregation-bootstrap-port 8999 
  --host 0.0.0.0 --port 30001
  python [0,1,2,3] -m sglang.launch_server --model-path m --tp-size 4 --pp-size 1 --dp-size 1 
  --max-running-requests 16 --chunked-prefill-size 8192 --max-prefill-tokens 8192 --context-length 1152 
  --mem-fraction-static 0.864 --dtype bfloat16 --kv-cache-dtype auto --disable-radix-cache 
  --disaggregation-mode decode --disaggregation-transfer-backend nixl --host 0.0.0.0 --port 30050
  python3 [] -m sglang_router.launch_router --pd-disaggregation --port 8000 --prefill http://a:30000 8998 
  --prefill http://a:30001 8999 --decode http://b:30050
  trtllm-serve [2,3] m --tp_size 2 --pp_size 1 --max_batch_size 8 --max_num_tokens 8192 --max_seq_len 1152 
  --extra_llm_api_options trtllm_options.yaml --host 0.0.0.0 --port 8101
  trtllm-serve [0,1,2,3] m --tp_size 4 --pp_size 1 --max_batch_size 16 --max_num_tokens 8192 --max_seq_len 1152 
  --extra_llm_api_options trtllm_options.yaml --host 0.0.0.0 --port 8150
  trtllm-serve [] disaggregated -c trtllm_router.yaml
  $ cat trtllm_router.yaml
  hostname: 0.0.0.0
  port: 8000
  backend: pytorch
  context_servers:
    num_instances: 2
    urls:
      - a:30000
      - a:30001
  generation_servers:
    num_instances: 1
    urls:
      - b:30050

Requests of a trace are answered step by step:

  $ printf 'arrival_s,input_tokens,output_tokens\n' > trace.csv
  $ awk 'BEGIN { for (i = 0; i < 200; ++i) printf "%.2f,%d,%d\n", i * 0.2, 256 + (i * 769) % 4096, 16 + (i * 37) % 400 }' >> trace.csv
  $ chat="llama3-8b --hw dgx-h100-superpod --framework vllm --inference"
  $ paradl estimate $chat -s tensor=2 --trace trace.csv | grep -E '^ (first token|each token|load|trace) '
   first token after 112 ms; 90 of 100 requests within 135 ms, 99 within 142 ms
   each token  5.81 ms, 1.0 % of the GPUs' peak; 90 of 100 requests within 6.12
   load        4.88 of 17.2 requests/s that it can answer, 6.6 under way
   trace       200 requests, answered step by step: means and percentiles are
  $ paradl estimate $chat -s tensor=2 --trace trace.csv --rate 12/s --json | python3 -c 'import json, sys; told = json.load(sys.stdin)["results"][0]["inference"]; print(told["replayed"], told["input_tokens"], told["output_tokens"])'
  200 2265 212
  $ cut -d , -f 2,3 trace.csv > lengths.csv
  $ paradl estimate $chat -s data=2 --trace lengths.csv --batch 8 | grep -E '^ (first token|each token|trace) '
   first token after 145 ms, of which it waits 12.4 ms for other requests; 90 of
   each token  8.06 ms, 0.8 % of the GPUs' peak; 90 of 100 requests within 8.38
   trace       200 requests, answered step by step: means and percentiles are

Servers are told to take the longest request, not the mean one, and the network has to have its positions:

  $ printf 'input_tokens,output_tokens\n1000,100\n8000,10\n100,1000\n' > uneven.csv
  $ for program in vllm sglang trtllm; do paradl estimate llama3-8b --hw dgx-h100-superpod --inference -s data=1 --trace uneven.csv --batch 4 --framework $program --flags $program; done | grep -oE -e '--(max-model-len|context-length|max_seq_len) [0-9]+'
  --max-model-len 8010
  --context-length 8010
  --max_seq_len 8010
  $ paradl estimate gpt2-xl --hw dgx-h100-superpod --framework vllm --inference -s data=1 --trace uneven.csv --batch 4 2>&1 | sed 's,^/.*/,,'
  positions: has 1024 learned positions, but a sample has 8010 tokens
    hint: a shorter prompt or answer: together they are the sequence of the model

  $ paradl advise $chat --gpus 2 --trace trace.csv --ttft '1 s' --percentile p99 --csv --columns strategy,first_p99_s,binds | head -2
  strategy,first_p99_s,binds
  tensor=2,0.14209566297731513,first token
  $ paradl search $chat --gpus 2 --trace trace.csv --ttft '1 s' --csv --columns strategy,first_p99_s,binds | head -2
  part,strategy,first_p99_s,binds
  best,tensor=2,0.14209566297731513,first token
  $ paradl estimate $chat -s tensor=2 --trace trace.csv --input-tokens 5
  paradl: a trace says how many requests there are, how long, and when they come
  [2]
  $ paradl estimate $chat -s tensor=2 --prefill tensor=2 --trace trace.csv | grep -E '^ (first token|each token|prefill|trace) '
   first token after 110 ms; 90 of 100 requests within 135 ms, 99 within 140 ms
   each token  4.83 ms, 0.9 % of the GPUs' peak
   prefill     tensor=2: 2 GPUs read prompts, 19 % of the time; 331 us later the
   trace       200 requests, answered step by step: means and percentiles are
  $ paradl advise $chat --gpus 4 --trace trace.csv --rate 40/s --ttft '1 s' --percentile p99 --prefill auto --csv --columns strategy,prefill,first_p99_s,binds | head -3
  strategy,prefill,first_p99_s,binds
  "data=2,tensor=2",,0.15448807769557238,first token
  data=4,,0.1934941586021992,first token
  $ paradl estimate $chat -s tensor=2,seqs=1 --trace lengths.csv --batch 8 | grep -E '^ (steps|cache full|trace) '
   steps       of 0.962 sequences a replica, 4.46 ms; each prompt adds 33.9 ms
   trace       200 requests, answered step by step: means and percentiles are
  $ paradl estimate $chat -s tensor=2 --trace trace.csv --cached-prefix 0.5
  paradl: a trace says how many requests there are, how long, and when they come
  [2]
  $ printf 'input_tokens,output_tokens\n5,0\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  bad.csv:2:1: output_tokens is "0", which is no number from 1 to 1e+09
      2 | 5,0
        | ^
  [3]
  $ printf 'input,output_tokens\n5,1\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  bad.csv: has no requests: rows under input_tokens and output_tokens
    hint: and arrival_s, if they come at known times
  [3]
  $ printf 'arrival_s,input_tokens,output_tokens\n1,5,2\n1,5,2\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  bad.csv: all requests arrive at once
    hint: without arrival_s, --batch clients send them, or --rate says when they come
  [3]

A report takes promises, draws the front, and says how the plan is started:

  $ paradl report $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --latency '5 s' --percentile p90 -o report.html -q
  $ grep -c 'What a quick token costs' report.html
  1
  $ grep -o 'vllm serve' report.html | head -1
  vllm serve
  $ paradl report resnet50 --hw abci --gpus 2 --inference -o report.html -q
  $ grep -o 'names no program that serves: --flags [a-z, ]*' report.html
  names no program that serves: --flags vllm, sglang or trtllm

More requests than can be answered are said, since times are then those of a queue that grows:

  $ paradl estimate $chat -s tensor=2 --trace trace.csv --rate 200/s | grep -A 1 '^ overload'
   overload    200 requests/s come, 11.6 times what it can answer: the longer they
               come, the longer all wait
  $ paradl estimate $chat -s tensor=2 --trace trace.csv --rate 2/s | grep -c '^ overload'
  0
  [1]
