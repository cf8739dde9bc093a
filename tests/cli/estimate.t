One plan in depth. The toy computes 10 Gflop/s; a sample of the toy network takes 442528 flop forward, twice that backward
without the input's gradient: 147456 less.

  $ . "$TESTDIR/setup.sh"
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   phase                per iteration  per epoch  share  formula
   forward                     354 us    35.4 ms   34 %  sum over layers of flop / (peak degrees)
   backward                    590 us    59.0 ms   56 %  sum over layers of flop / (peak degrees)
   weight update              58.2 ns    5.82 us  0.0 %  weights bytes per weight / memory rate
   gradient exchange          62.9 us    6.29 ms  6.0 %  2 (p - 1) (alpha + W / p delta beta)
   activation exchange        48.4 us    4.84 ms  4.6 %  sum over cut layers of allgather + allreduce
   total                      1.06 ms     106 ms         100 iterations, 60,637 samples/s
  
   speed       7,580 samples/s/GPU (60,637/s of all), 8.94 Gflop/s/GPU, MFU 89 %
   memory      1.13 MiB of 1.00 GiB/GPU (0.1 %): weights 1.89 KiB, gradients 1.89 KiB, activations
               1.13 MiB
   placement   filter inside a node, data across nodes
   power       2.65 kW: GPUs 2.25 kW (compute 1.79 kW, exchange 59.1 W, idle 400 W), hosts 400 W
   energy      280 J an epoch, 0.0437 J a sample
   cost        0.235 EUR an epoch, 8,000 EUR an hour (rent)
   limited by  gradient exchange, 6.0 % of the iteration (a limitation: inherent)
   next        a larger batch per device, faster links between nodes, or hiding the exchange behind
               backward
   assumed     ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no
               overlap (Table III of the ParaDL paper)
               reading and preparing input is not modelled
   launch      none: PyTorch has no filter axis; nearest: data

So forward of 64 samples on 8 GPUs is 8 * 442528 / 1e10 s (the linear layer is divided too), and the times are in the documents:

  $ paradl estimate tiny --hw toy -s serial --batch 10 --ideal --json > serial.json
  $ python3 - serial.json <<'EOF'
  > import json, sys
  > result, = json.load(open(sys.argv[1]))["results"]
  > forward, backward = 442528 * 10 / 1e10, (2 * 442528 - 147456) * 10 / 1e10
  > phases = result["phases_s"]
  > print(abs(phases["forward"] / forward - 1) < 1e-12, abs(phases["backward"] / backward - 1) < 1e-12)
  > print(abs(sum(time for time in phases.values() if time) / result["iteration_s"] - 1) < 1e-12)
  > print(abs(result["epoch_s"] / result["iteration_s"] - 640) < 1e-9, result["gpus"], result["batch"])
  > EOF
  True True
  True
  True 1 10

Sections: what is asked for replaces the phases.

  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --memory -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   peak memory per GPU     bytes  share  what
   weights              1.89 KiB  0.0 %  of its shard
   gradients            1.89 KiB  0.0 %  one per weight, and buffers of the exchange
   optimizer                 0 B    0 %  states kept per weight
   activations          1.13 MiB  0.1 %  kept from forward to backward
   workspace                 0 B    0 %  buffers and libraries
   total                1.13 MiB  0.1 %
   capacity             1.00 GiB
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --layers -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   layer  type    count  split   forward  backward   update  communication   weights  activations
   conv1  conv        1  filter   118 us    118 us  17.8 ns        7.55 us     592 B      192 KiB
   conv2  conv        1  filter   236 us    472 us  35.0 ns        22.7 us  1.14 KiB      256 KiB
   pool   pool        1  filter        -         -        -        16.1 us       0 B      128 KiB
   fc     linear      1  filter   128 ns    256 ns  5.40 ns        2.05 us     180 B     1.12 KiB
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --explain -q
  Tiny on Toy: data=4,filter=2 on 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   forward
     sum over layers of flop / (peak degrees) = 1 x 16 samples, 4 layers: 0.354 ms of kernels, 0 ms
       of host in both passes = 354 us
  
   backward
     sum over layers of flop / (peak degrees) = 1 x 16 samples: 0.5901 ms of kernels, 0 ms of them
       for weights alone = 590 us
  
   weight update
     weights bytes per weight / memory rate = 0.000485 M weights owned x 12 bytes (sgd) at 100 GB/s,
       0 ms of host = 58.2 ns
  
   gradient exchange
     2 (p - 1) (alpha + W / p delta beta) = p = 4, W delta = 0.00194 MB, alpha = 10 us, 1/beta = 1
       GB/s = 62.9 us
  
   activation exchange
     sum over cut layers of allgather + allreduce = 6 calls, 1 nodes, 1 rings, 0 ms a call = 48.4 us
  $ paradl estimate tiny --hw toy -s data=4,filter=2 --ideal --explain --layers --memory --phases -q |
  > grep -cE '^ (phase|memory|layer|forward$)'
  3

The terms of a phase add up to it:

  $ for plan in serial data=8 data=4,spatial=2 filter=4 channel=8 data=2,pipeline=4 data=4,filter=2; do
  >     paradl estimate tiny --hw toy -s $plan --explain --json | python3 -c '
  > import json, sys
  > result, = json.load(sys.stdin)["results"]
  > for phase, seconds in result["phases_s"].items():
  >     terms = sum(term["seconds"] for term in result["terms"] if term["phase"] == phase)
  >     if abs(terms - (seconds or 0)) > 1e-9 * result["iteration_s"]:
  >         print(sys.argv[1], phase, seconds, terms)
  > ' $plan
  > done

Aliases and letters are plans too; what is printed can be pasted back:

  $ paradl estimate tiny --hw toy -s d=4,f=2 --ideal --csv | cut -d, -f3-7
  gpus,batch,rank,strategy,feasible
  8,64,1,"data=4,filter=2"
  $ paradl estimate tiny --hw toy -s dp=2,pp=4 --ideal --csv | cut -d, -f3-9
  gpus,batch,rank,strategy,feasible,reason,needs
  8,64,1,"data=2,pipeline=4",true,
  $ paradl advise tiny --hw toy --gpus 8 --ideal --csv --columns strategy,feasible | tail -n +2 | sed -E 's/"//g;s/,(true|false)$//' | while read -r plan; do
  >     paradl estimate tiny --hw toy -s "$plan" --ideal --json 2>/dev/null |
  >     python3 -c 'import json,sys; d=json.load(sys.stdin); print(*(r["strategy"] for r in d["results"] + d["infeasible"]))' |
  >     grep -Fqx "$plan" || echo "$plan is not printed back"
  > done

A plan that lacks memory is estimated, and the answer is "no":

  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal > unfit
  paradl: warning: an epoch is shorter than an iteration: toys has 6400 samples, a batch 100000
  [1]
  $ grep 'too large' unfit
   too large   lacks 2.44 GiB per GPU
  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal --json | grep feasible
  paradl: warning: an epoch is shorter than an iteration: toys has 6400 samples, a batch 100000
        "feasible": false,
    "infeasible": [],
  $ paradl estimate tiny --hw toy -s data=2 --batch 100000 --ideal --csv | cut -d, -f5-7
  paradl: warning: an epoch is shorter than an iteration: toys has 6400 samples, a batch 100000
  rank,strategy,feasible
  1,data=2,false

Calibrated estimates name what they rest on:

  $ paradl estimate tiny --hw toy -s data=8 | sed -n '/assumed/,$p'
   assumed     everything is a toy
               guessed in Toy: levels, power, price
               guessed in toy: memory, memory_rate, peak, contraction, power
               input is not modelled: the data set has no sample_size
   launch      a device mesh of PyTorch, and the calls that use it
     torchrun --nnodes=4 --nproc-per-node=2 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
         train.py
   in          train.py
     mesh = init_device_mesh("cuda", (8,),
         mesh_dim_names=("dp",))
     replicate(model, device_mesh=mesh["dp"])
     samples, accumulate = 8, 1
  $ paradl estimate resnet50 --hw abci -s data=16,filter=4 | sed -n '1p'
  ResNet-50 on ABCI (V100): data=16,filter=4 on 64 GPUs in 16 nodes, global batch 4,096, fp32,
  $ paradl estimate resnet50 --hw abci -s data=64 | grep -E '^ (phase|total|memory|limited by|range|next) '
   phase               per iteration  per epoch  share  formula
   total                      186 ms     58.3 s         313 iterations, 21,974 samples/s
   memory      6.41 GiB of 16.0 GiB/GPU (40 %): weights 97.5 MiB, gradients 146 MiB, optimizer 97.5
   limited by  compute, 100 % of the iteration (a limitation: inherent)
   next        a faster device or a lower precision

Waiting for late devices stands with the exchanges it is part of, above input:

  $ paradl estimate resnet50 --hw abci -s data=64 | grep -A 3 -E '^ gradient exchange' | cut -c 1-20 | sed 's/ *$//'
   gradient exchange
     of which hidden
     of which waiting
   input

  $ paradl estimate cosmoflow-512 --hw abci -s data=8,spatial=2x2x2 --batch 8 | sed -n '/^ gradient exchange/,/^ input/p' | cut -c 1-36
   gradient exchange          17.4 ms 
     of which hidden          17.4 ms 
     of which waiting         15.7 ms 
   activation exchange        83.8 us 
   halo exchange              12.3 ms 
     of which waiting         9.91 ms 
   input                          0 s 

Iterations are not rounded up, and time lost in waiting is told apart:

  $ paradl estimate resnet50 --hw abci -s data=64 --batch 262144 | grep -E '^ total|waiting'
     of which waiting         114 ms     556 ms  1.0 %
   total                      11.9 s     58.1 s         4.89 iterations, 22,050 samples/s

The links of a node may join several hosts, on which processes start; whole hosts are paid for, 6 GPUs are two of 4 (10.50 USD each):

  $ paradl estimate llama3-8b --hw gb200-nvl72 -s data=8,zero=1 --batch 8 --flags torchrun | grep -E 'Llama|torchrun'
  Llama-3-8B on GB200 NVL72 SuperPOD: data=8,zero=1 on 8 GPUs in 1 node, 2 hosts, global batch 8,
     torchrun --nnodes=2 --nproc-per-node=4 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
  $ paradl estimate llama3-8b --hw gb200-nvl72 -s data=6 --batch 6 --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["results"][0]["cost_per_hour"])'
  84
  $ paradl estimate llama3-8b --hw gb200-nvl72 -s data=6 --batch 6 --set hw.host.devices=5
  hw.host.devices=5: /host/devices: must divide the 72 devices of a node (the innermost level), is 5
  [3]

DeepEP was measured on H100 and B200, and nowhere else:

  $ for hw in dgx-h100-superpod dgx-a100-superpod; do
  >   paradl estimate mixtral-8x7b --hw $hw -s expert=8,zero=1,dispatcher=deepep --batch 8 --framework nccl | grep -c 'as fast as its links'
  > done
  0
  1

How a plan is started, with the program of the framework or another; what that cannot do is said:

  $ plan="data=16,pipeline=2,context=2,tensor=4,micro=1,schedule=interleaved:2,zero=1,recompute=full,sequence=on"
  $ large="paradl estimate llama3-70b --hw dgx-h100-superpod --framework megatron-core -s $plan --batch 512"
  $ for program in '' '--flags torchrun' '--flags deepspeed' '--flags nemo' '--flags none'; do
  >     $large $program | sed -n '/^ launch/,$p'
  > done
   launch      flags of Megatron-LM
     env CUDA_DEVICE_MAX_CONNECTIONS=1 torchrun --nnodes=32 --nproc-per-node=8 --rdzv-backend=c10d \
         --rdzv-endpoint=$MASTER_ADDR:29500 pretrain_gpt.py --tensor-model-parallel-size 4 \
         --sequence-parallel --pipeline-model-parallel-size 2 \
         --num-layers-per-virtual-pipeline-stage 20 --context-parallel-size 2 --cp-comm-type p2p \
         --use-tp-pp-dp-mapping --micro-batch-size 1 --global-batch-size 512 \
         --use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather \
         --recompute-granularity full --recompute-method uniform --recompute-num-layers 1 --bf16 \
         --num-layers 80 --hidden-size 8192 --seq-length 8192 --max-position-embeddings 8192 \
         --num-attention-heads 64 --group-query-attention --num-query-groups 8 \
         --ffn-hidden-size 28672 --swiglu --normalization RMSNorm --position-embedding-type rope \
         --rotary-base 500000 --hidden-dropout 0 --attention-dropout 0 --vocab-size 128256 \
         --untie-embeddings-and-output-weights --disable-bias-linear
   launch      a device mesh of PyTorch, and the calls that use it
     torchrun --nnodes=32 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
         train.py
   in          train.py
     mesh = init_device_mesh("cuda", (16, 2, 2, 4),
         mesh_dim_names=("dp", "pp", "cp", "tp"))
     for block in blocks: parallelize_module(block, mesh["tp"], cut_and_sequence)
     for block in blocks: checkpoint(block)
     with torch.autocast("cuda", torch.bfloat16): step()
     mesh["dp", "cp"]._flatten("replicas")
     replicate(model, device_mesh=mesh["replicas"])
     optimizer = ZeroRedundancyOptimizer(model.parameters(), Optimizer,
         process_group=mesh["replicas"].get_group())
     set_rotate_method("alltoall")
     with context_parallel(mesh["cp"], buffers=[tokens, labels], buffer_seq_dims=[1, 1]): step()
     blocks_of_stage = [20, 20, 20, 20]
     # micro-batches of 1 samples each
     schedule = ScheduleInterleaved1F1B(stages, n_microbatches=32)
     # stages: 2 on each device
   launch      flags of Megatron-DeepSpeed, and DeepSpeed's configuration, nearest to the plan
     deepspeed --num_nodes=32 --num_gpus=8 pretrain_gpt.py --deepspeed \
         --deepspeed_config ds_config.json --zero-stage 1 --tensor-model-parallel-size 4 \
         --pipeline-model-parallel-size 2 --sequence-parallel --ds-sequence-parallel-size 2 \
         --micro-batch-size 1 --global-batch-size 512 --deepspeed-activation-checkpointing \
         --recompute-granularity full --recompute-method uniform --recompute-num-layers 1 --bf16 \
         --num-layers 80 --hidden-size 8192 --num-attention-heads 64 --num-key-value-heads 8 \
         --seq-length 8192 --max-position-embeddings 8192 --ffn-hidden-size 28672 --swiglu \
         --normalization rmsnorm --use-rotary-position-embeddings --rope-theta 500000 \
         --hidden-dropout 0 --attention-dropout 0 --vocab-size 128256 \
         --untie-embeddings-and-output-weights --disable-bias-linear
   in          ds_config.json
     {
       "train_batch_size": 512,
       "train_micro_batch_size_per_gpu": 1,
       "gradient_accumulation_steps": 32,
       "bf16": { "enabled": true },
       "activation_checkpointing": { "partition_activations": false, "cpu_checkpointing": false },
       "zero_optimization": {
         "overlap_comm": true,
         "stage": 1
       }
     }
   launch      configuration keys of NeMo and Megatron-Bridge
     torchrun --nnodes=32 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$MASTER_ADDR:29500 \
         megatron_gpt_pretraining.py trainer.num_nodes=32 trainer.devices=8 \
         model.tensor_model_parallel_size=4 model.sequence_parallel=true \
         model.pipeline_model_parallel_size=2 model.virtual_pipeline_model_parallel_size=2 \
         model.context_parallel_size=2 model.use_tp_pp_dp_mapping=true model.micro_batch_size=1 \
         model.global_batch_size=512 model.optim.name=distributed_fused_adam \
         model.optim.overlap_grad_sync=true model.optim.overlap_param_sync=true \
         model.activations_checkpoint_granularity=full model.activations_checkpoint_method=uniform \
         model.activations_checkpoint_num_layers=1 trainer.precision=bf16-mixed model.num_layers=80 \
         model.hidden_size=8192 model.num_attention_heads=64 model.num_query_groups=8 \
         model.encoder_seq_length=8192 model.max_position_embeddings=8192 \
         model.ffn_hidden_size=28672 model.kv_channels=128 model.activation=fast-swiglu \
         model.normalization=rmsnorm model.hidden_dropout=0 model.attention_dropout=0 \
         model.position_embedding_type=rope model.rotary_base=500000 \
         model.share_embeddings_and_output_weights=false model.bias=false
  $ $large --flags slurm
  paradl: --flags cannot be 'slurm': it is one of torchrun, torchtitan, megatron, deepspeed, nemo, vllm, sglang, trtllm, none
  [2]
  $ paradl estimate tiny --hw toy -s data=8 --flags megatron | sed -n '/^ launch/,$p'
   launch      none: megatron trains transformers, and Tiny is none; nearest: --flags torchrun
  $ paradl estimate tiny --hw toy -s data=8 --inference | grep -c '^ launch'
  0
  [1]

Commands are words for a shell, lines are Python or JSON:

  $ for program in torchrun deepspeed; do
  >     $large --flags $program --json | python3 -c '
  > import ast, json, sys
  > launch = json.load(sys.stdin)["results"][0]["launch"]
  > text = "\n".join(launch["lines"])
  > print(launch["file"], type(ast.parse(text) if launch["program"] == "torchrun" else json.loads(text)).__name__)
  > '
  > done
  train.py Module
  ds_config.json dict

Another algorithm for the gradients: with a setting of the library, and outside of it.

  $ paradl estimate vgg16 --hw perlmutter -s data=256 --batch 512 | grep -A 1 '^ algorithm'
   algorithm   NCCL_ALGO=Tree: with a ring the step takes 21 % longer; allreduce-leaders-rabenseifner,
               which nccl does not have: 4 % off the step
  $ paradl estimate vgg16 --hw perlmutter -s data=256 --batch 512 --json | python3 -c '
  > import json, sys
  > gains = json.load(sys.stdin)["results"][0]["algorithm_gains"]
  > print(gains["library"], gains["taken"], gains["outside"], gains["ring_s"] > gains["outside_s"])'
  nccl allreduce-double-tree allreduce-leaders-rabenseifner True
  $ paradl estimate vgg16 --hw perlmutter -s data=256 --batch 512 --algo ring | grep -c '^ algorithm'
  0
  [1]

Stages of unequal blocks are said, and Megatron is told them as a layout:

  $ paradl estimate llama3-70b --hw perlmutter -s data=4,pipeline=12,tensor=4,context=2,micro=1,zero=1,sequence=on --batch 96 | grep -E '^ stages|layout'
   stages      6 + 10 × 7 + 4 blocks
         --pipeline-model-parallel-layout 'Et*6|(t*7|)*10t*4L' --context-parallel-size 2 \

Where experts' tokens travel faster by another dispatcher that the program offers, that is said, and is what a plan with it takes:

  $ paradl advise qwen3-30b-a3b --hw dgx-h100-superpod --gpus 64 | grep dispatcher
   dispatcher  hybridep would take 27 % off the step: --plan-options dispatcher=hybridep
  $ paradl advise qwen3-30b-a3b --hw dgx-h100-superpod --gpus 64 --json > best.json
  $ plan=$(python3 -c 'import json; print(json.load(open("best.json"))["results"][0]["strategy"])')
  $ paradl estimate qwen3-30b-a3b --hw dgx-h100-superpod -s $plan,dispatcher=hybridep --batch 1024 --json > with.json
  $ python3 -c '
  > import json
  > faster, taken = json.load(open("best.json"))["faster_dispatcher"], json.load(open("with.json"))["results"][0]
  > print(faster["dispatcher"], faster["iteration_s"] == taken["iteration_s"], "faster_dispatcher" in taken)'
  hybridep True False
  $ paradl estimate qwen3-30b-a3b --hw dgx-a100-superpod -s data=8,expert=8 | grep -c dispatcher
  0
  [1]

A program that would build or train another network is not started; the flags of the plan alone are told:

  $ export PARADL_PATH="$TESTDIR/../.."
  $ for flags in megatron nemo deepspeed torchtitan; do paradl estimate llama3-8b --hw dgx-h100-superpod -s data=8,tensor=2 --batch 64 --set 'model.layers.1.freeze=true' --flags $flags | sed -n '/^ launch/,/^ in /p'; done
   launch      none: megatron would train all 8.03026e+09 parameters of these flags, and Llama-3-8B
               freezes 6.97958e+09 of them; nearest: a script of its own
   its flags   of the plan alone, for a script of your own
     --tensor-model-parallel-size 2 --pipeline-model-parallel-size 1 --micro-batch-size 1 \
         --global-batch-size 64 --overlap-grad-reduce --bf16
   launch      none: nemo would train all 8.03026e+09 parameters of these flags, and Llama-3-8B
               freezes 6.97958e+09 of them; nearest: a script of its own
   its flags   of the plan alone, for a script of your own
   estimated   for nemo-2024, since --flags names it; --framework: for another program
     trainer.num_nodes=2 trainer.devices=8 model.tensor_model_parallel_size=2 \
         model.sequence_parallel=false model.pipeline_model_parallel_size=1 model.micro_batch_size=1 \
         model.global_batch_size=64 model.optim.name=fused_adam model.optim.overlap_grad_sync=true \
         trainer.precision=bf16-mixed
   launch      none: Megatron-DeepSpeed would train all 8.03026e+09 parameters of these flags, and
               Llama-3-8B freezes 6.97958e+09 of them; nearest: a script of its own
   its flags   of the plan alone, for a script of your own
   estimated   for deepspeed, since --flags names it; --framework: for another program
     --deepspeed --deepspeed_config ds_config.json --zero-stage 0 --tensor-model-parallel-size 2 \
         --pipeline-model-parallel-size 1 --no-pipeline-parallel --micro-batch-size 1 \
         --global-batch-size 64 --bf16
   in          ds_config.json
   launch      none: torchtitan would train all 8.03026e+09 parameters of these flags, and Llama-3-8B
               freezes 6.97958e+09 of them; nearest: a script of its own
   estimated   for torchtitan, since --flags names it; --framework: for another program
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s data=8,tensor=2 --batch 64 --set 'model.layers.1.freeze=true' --flags megatron -o run.sh; ls run.sh
  paradl: no script was written: megatron would train all 8.03026e+09 parameters of these flags, and Llama-3-8B freezes 6.97958e+09 of them; nearest: a script of its own
  ls: cannot access 'run.sh': No such file or directory
  [2]

Idle time of a timeline is that of all stages; of the busiest it is the bubble and the transfer of the phases:

  $ paradl estimate gpt3-175b --hw dgx-a100-superpod --batch 128 -s data=2,pipeline=16,tensor=8 --timeline | grep 'a column'
   a column is 107 ms; idle 22 %, the busiest stage 18 % (bubble and stage transfer)
  $ paradl estimate gpt3-175b --hw dgx-a100-superpod --batch 128 -s data=2,pipeline=16,tensor=8 | grep -E '^ (bubble|stage)'
   stage transfer             37.1 ms     11.8 h  0.4 %  messages that keep their sender busy
   bubble                      1.72 s     22.7 d   18 %  schedule - work of the device that works lon…

What the host does for each tensor of gradients is a limit of its own, which no faster link moves, and which hides nowhere:

  $ host() { paradl estimate resnet50 --hw dgx-h100-superpod -s "$@" --framework mxnet-ngc --precision fp16-mixed --no-input 2>/dev/null; }
  $ host data=8 | grep -A 2 '^ limited by'
   limited by  host time per gradient tensor, 55 % of the iteration (a bottleneck: removable)
   next        a larger batch per device, or a training program that does less for each tensor of
               gradients
  $ host data=8 --set hw.levels.0.bandwidth=x2 --set hw.network.links.device.bandwidth=x2 | grep '^ total'
   total                    17.9 ms     44.7 s         2,502 iterations, 28,672 samples/s
  $ for zero in 0 1 3; do host data=8,zero=$zero | grep '^ total'; done
   total                    17.9 ms     44.7 s         2,502 iterations, 28,672 samples/s
   total                    17.8 ms     44.5 s         2,502 iterations, 28,764 samples/s
   total                    17.8 ms     44.6 s         2,502 iterations, 28,757 samples/s

Weights sharded in groups of four make no network of images much faster than whole ones: its gradients hide in backward alone.

  $ for zero in zero=0 zero=3,shard=4; do paradl estimate resnet50 --hw abci -s data=8,$zero --batch 32 | grep '^ total'; done
   total                     19.0 ms   12.6 min         40,036 iterations, 1,689 samples/s
   total                     18.4 ms   12.3 min         40,036 iterations, 1,741 samples/s

Where the host is slower than the device, starting kernels is the limit, not what waits for it.

  $ paradl estimate bert-large --hw dgx-h100-superpod -s serial --batch 1 --seq 128 | grep '^ limited by'
   limited by  starting kernels, 46 % of the iteration (a bottleneck: removable)
  $ paradl estimate resnet50 --hw dgx-h100-superpod -s data=8 --per-gpu 1 | grep '^ limited by'
   limited by  starting kernels, 90 % of the iteration (a bottleneck: removable)
