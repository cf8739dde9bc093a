Serving with GPUs that only read prompts, settings of engines, fronts, and requests of a trace.

  $ export PARADL_PATH="$SOURCE"
  $ paradl() { "$PARADL" "$@"; }
  $ load="llama3-8b --hw dgx-h100-superpod --framework vllm --inference --input-tokens 4096 --output-tokens 256"

Plans of both kinds are ranked together, with what binds and what a million tokens cost:

  $ paradl advise $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --prefill auto --csv --columns rank,strategy,prefill,batch,tokens_per_s_per_gpu,binds | head -6
  rank,strategy,prefill,batch,tokens_per_s_per_gpu,binds
  1,tensor=2,data=2,51,1082.9315152908857,each token
  2,"data=2,tensor=2",,30,721.1871134045396,each token
  3,data=2,data=2,30,696.8888083678116,each token
  4,tensor=4,,28,681.76910540218,each token
  5,"pipeline=2,tensor=2",,27,654.1445766226035,each token
  $ paradl advise $load --gpus 4 --ttft '500 ms' --tpot '10 ms' --prefill auto | grep -E '^ (binds|cost|prefill) '
   prefill     data=2: 2 GPUs read prompts, 93 % of the time; 1.19 ms later the
   binds       each token: 99 % of what is promised
   cost        1.14 USD a million tokens

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
  8.03 B parameters, 158 Tflop/sample
  
   not feasible
   serial  2 devices read prompts, and none is left to answer -> more than 2
           devices
  
   proved      0 plans: 0 evaluated; none is possible
   assumed     requests are alike; nothing is hidden behind compute; kernels of
               layers of tokens start from graphs, at no cost of the host
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
  paradl: prompts are there in inference of networks that generate text only
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
   each token  10.5 ms, 2.1 % of the GPUs' peak
   each token  10.2 ms, 2.1 % of the GPUs' peak
  $ paradl estimate $load -s tensor=2 --batch 1000 | grep '^ cache full'
   cache full  requests wait for memory; each loses its own 0.05 times, and is
  $ paradl estimate $load -s tensor=2,seqs=8 --rate 2/s | grep -E '^ (load|largest)'
   load        2 of 4.03 requests/s that it can answer, 3.2 under way
   largest     batch 8 fits: 1,032 tokens/s
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
   first token after 145 ms, of which it waits 12.3 ms for other requests; 90 of
   each token  8.06 ms, 0.8 % of the GPUs' peak; 90 of 100 requests within 8.38
   trace       200 requests, answered step by step: means and percentiles are
  $ paradl advise $chat --gpus 2 --trace trace.csv --ttft '1 s' --percentile p99 --csv --columns strategy,first_p99_s,binds | head -2
  strategy,first_p99_s,binds
  tensor=2,0.14209566297784093,first token
  $ paradl search $chat --gpus 2 --trace trace.csv --ttft '1 s' --csv --columns strategy,first_p99_s,binds | head -2
  part,strategy,first_p99_s,binds
  best,tensor=2,0.14209566297784093,first token
  $ paradl estimate $chat -s tensor=2 --trace trace.csv --input-tokens 5
  paradl: a trace says how many requests there are, how long, and when they come
  [2]
  $ paradl estimate $chat -s tensor=2 --prefill tensor=2 --trace trace.csv
  paradl: requests of a trace are replayed where they are read and answered
  [2]
  $ printf 'input_tokens,output_tokens\n5,0\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  paradl: bad.csv:2: output_tokens is "0", which is no number from 1 to 1e+09
  [3]
  $ printf 'input,output_tokens\n5,1\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  paradl: bad.csv has no requests: rows under input_tokens and output_tokens
    hint: and arrival_s, if they come at known times
  [3]
  $ printf 'arrival_s,input_tokens,output_tokens\n1,5,2\n1,5,2\n' > bad.csv
  $ paradl estimate $chat -s tensor=2 --trace bad.csv
  paradl: bad.csv: all requests arrive at once
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
