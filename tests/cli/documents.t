What programs read.

  $ . "$TESTDIR/setup.sh"

Every document is what its schema says:

  $ paradl advise tiny --hw toy --json | schema
  paradl-advise-2
  $ paradl advise tiny --hw toy --gpus 8 --all --ideal --json | schema
  paradl-advise-2
  $ paradl advise resnet50 --hw abci --gpus 64 --json | schema
  paradl-advise-2
  $ paradl estimate tiny --hw toy -s data=4,spatial=2 --json | schema
  paradl-estimate-2
  $ paradl estimate resnet50 --hw abci -s data=16,filter=4 --layers --explain --json | schema
  paradl-estimate-2
  $ paradl estimate tiny --hw toy -s pipeline=8 --json 2>&- | schema
  paradl-estimate-2
  $ paradl check "$PARADL_PATH"/*/*.json --json | schema
  paradl-check-1
  $ paradl check "$PARADL_PATH"/models/tiny.json nothing.json --json 2>&- | schema
  paradl-check-1
  $ for what in '' models hw devices frameworks strategies columns units tiny resnet50; do paradl list $what --json | schema; done
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1
  paradl-list-1

Keys stand in the order that is promised; what is not modelled is null.

  $ paradl advise tiny --hw toy --gpus 2 --strategies data --ideal --json | sed "s,\"$PARADL_PATH,\"DATA,;s/[0-9a-f]\{64\}/SHA/"
  {
    "schema": "paradl-advise-2",
    "paradl": "*", (glob)
    "command": [
      "paradl",
      "advise",
      "tiny",
      "--hw",
      "toy",
      "--gpus",
      "2",
      "--strategies",
      "data",
      "--ideal",
      "--json"
    ],
    "inputs": [
      {
        "path": "DATA/models/tiny.json",
        "sha256": "SHA"
      },
      {
        "path": "DATA/hw-profiles/toy.json",
        "sha256": "SHA"
      },
      {
        "path": "DATA/hw-profiles/frameworks/toy.json",
        "sha256": "SHA"
      }
    ],
    "model": {
      "name": "Tiny",
      "parameters": 970,
      "forward_flop_per_sample": 442528
    },
    "hw": {
      "name": "Toy",
      "gpus": 8,
      "framework": "toy"
    },
    "results": [
      {
        "gpus": 2,
        "batch": 16,
        "rank": 1,
        "strategy": "data=2",
        "feasible": true,
        "iteration_s": 0.0009466068,
        "epoch_s": 0.37864272,
        "ratio": 1,
        "equal": true,
        "iteration_quiet_s": 0.0009466068,
        "compute_s": 0.0009442188,
        "communication_s": 2.388e-06,
        "exposed_communication_s": 2.388e-06,
        "io_s": null,
        "exposed_io_s": null,
        "waiting_s": 0,
        "phases_s": {
          "input": null,
          "forward": 0.00035402240000000003,
          "backward": 0.00059008,
          "recompute": 0,
          "weight_update": 1.164e-07,
          "gradient_exchange": 2.388e-06,
          "activation_exchange": 0,
          "halo_exchange": 0,
          "stage_transfer": 0,
          "bubble": 0
        },
        "memory_bytes": 599248,
        "memory": {
          "weights_bytes": 3880,
          "gradients_bytes": 3880,
          "optimizer_bytes": 0,
          "activations_bytes": 591488,
          "workspace_bytes": 0,
          "logits_bytes": 0,
          "communication_bytes": 0,
          "context_bytes": 0,
          "fragmentation_bytes": 0,
          "stage": 1,
          "in_flight": 0,
          "moment": "pass"
        },
        "samples_per_s": 16902.47735384956,
        "tokens_per_s": null,
        "tokens_per_s_per_gpu": null,
        "flop_per_s_per_gpu": 9973543397.321888,
        "mfu": 0.9973543397321888,
        "power_watt": 699.0795333395027,
        "cost_per_hour": 2000,
        "energy_joule_per_epoch": 264.701376,
        "cost_per_epoch": 0.21035706666666668,
        "currency": "EUR",
        "limited_by": {
          "text": "compute",
          "share": 0.9973543397321887,
          "phase": "backward",
          "kind": "limitation",
          "improve": "a faster device or a lower precision"
        },
        "memory_capacity_bytes": 1073741824,
        "micro_batches": 1,
        "stage_blocks": [],
        "uneven": false,
        "host_share": 0,
        "error_share": null,
        "unchecked": [],
        "gradient_exchange": null,
        "launch": {
          "program": "torchrun",
          "command": [
            "torchrun",
            "--nnodes=1",
            "--nproc-per-node=2",
            "train.py"
          ],
          "flags": [],
          "file": "train.py",
          "lines": [
            "mesh = init_device_mesh(\"cuda\", (2,),",
            "    mesh_dim_names=(\"dp\",))",
            "replicate(model, device_mesh=mesh[\"dp\"])",
            "samples, accumulate = 8, 1"
          ],
          "cannot": []
        }
      }
    ],
    "infeasible": [],
    "assumptions": [
      "ideal: compute scales as 1/p, ring collectives, one latency and bandwidth per level, no overlap (Table III of the ParaDL paper)",
      "reading and preparing input is not modelled"
    ],
    "warnings": []
  }

Rows of --jsonl are the results of --json, and plans that cannot run:

  $ paradl advise tiny --hw toy --gpus 8 --ideal --json > document; paradl advise tiny --hw toy --gpus 8 --ideal --jsonl > rows
  $ python3 - document rows <<'EOF'
  > import json, sys
  > document = json.load(open(sys.argv[1]))
  > rows = [json.loads(line) for line in open(sys.argv[2])]
  > feasible = [row for row in rows if row["feasible"]]
  > print(feasible == document["results"], len(rows) - len(feasible) == len(document["infeasible"]), len(feasible) > 3)
  > EOF
  True True True

CSV is one rectangular table with the same numbers:

  $ paradl advise tiny --hw toy --gpus 8 --ideal --csv > table
  $ python3 - document table <<'EOF'
  > import csv, json, sys
  > results = json.load(open(sys.argv[1]))["results"]
  > rows = list(csv.reader(open(sys.argv[2], newline="")))
  > print({len(row) for row in rows} == {len(rows[0])}, len(set(rows[0])) == len(rows[0]))
  > named = [dict(zip(rows[0], row)) for row in rows[1:]]
  > for result, row in zip(results, named):
  >     same = [float(row[key]) == result[key] for key in ("iteration_s", "epoch_s", "memory_bytes", "mfu", "cost_per_epoch")]
  >     print(row["strategy"] == result["strategy"], all(same), row["limited_by"] == result["limited_by"]["text"]) if not all(same) else None
  > print(sum(row["feasible"] == "false" for row in named) > 0, named[-1]["iteration_s"] == "", named[-1]["reason"] != "")
  > EOF
  True True
  True True True
  $ head -n 1 table
  model,hw,gpus,batch,rank,strategy,feasible,reason,needs,iteration_s,epoch_s,ratio,speedup,efficiency,iteration_quiet_s,compute_s,communication_s,exposed_communication_s,io_s,exposed_io_s,waiting_s,forward_s,backward_s,recompute_s,weight_update_s,gradient_exchange_s,activation_exchange_s,halo_exchange_s,stage_transfer_s,bubble_s,memory_bytes,memory_share,weights_bytes,gradients_bytes,optimizer_bytes,activations_bytes,workspace_bytes,logits_bytes,communication_bytes,context_bytes,fragmentation_bytes,cache_bytes,prompts_s,token_s,cost_per_million_tokens,first_p50_s,first_p90_s,first_p99_s,token_p50_s,token_p90_s,token_p99_s,prefill,binds,binds_share,prefill_gpus,prefill_share,transfer_s,under_way,preemptions,replayed,requests_per_s,most_requests_per_s,chunk_tokens,chunk_origin,seats,largest_batch,largest_batch_samples_per_s,largest_batch_tokens_per_s,samples_per_s,tokens_per_s,tokens_per_s_per_gpu,flop_per_s_per_gpu,mfu,power_watt,cost_per_hour,energy_joule_per_epoch,cost_per_epoch,currency,price_basis,limited_by,limited_share
  $ paradl advise tiny --hw toy --gpus 2 --strategies data --ideal --csv --columns strategy,gpus,batch,epoch_s,io_s,rank
  strategy,gpus,batch,epoch_s,io_s,rank
  data=2,2,16,0.37864272,,1
  $ for what in models hw units tiny; do
  >     paradl list $what --csv | python3 -c 'import csv,sys; print(len({len(row) for row in csv.reader(sys.stdin)}))'
  > done
  1
  1
  1
  1
  $ sed 's/"name": "Tiny"/"name": "a \\"b\\", c\\nd"/' "$PARADL_PATH/models/tiny.json" > odd.json
  $ paradl advise odd.json --hw toy --gpus 2 --strategies data --ideal --csv --columns model,gpus
  model,gpus
  "a ""b"", c
  d",2
  $ paradl advise odd.json --hw toy --gpus 2 --strategies data --ideal | head -n 1
  a "b", c?d on Toy: 2 GPUs in 1 node, global batch 16, fp32, ideal, 1.00 GiB/GPU

The inputs are named with their SHA-256:

  $ paradl advise tiny --hw toy --gpus 2 --json | python3 -c '
  > import hashlib, json, sys
  > inputs = json.load(sys.stdin)["inputs"]
  > print(len(inputs), all(hashlib.sha256(open(f["path"], "rb").read()).hexdigest() == f["sha256"] for f in inputs))'
  3 True
  $ paradl advise - --hw toy --gpus 2 --json < "$PARADL_PATH/models/tiny.json" | grep -A 1 '"path": "<stdin>"\|"path": "-"'
        "path": "-",
        "sha256": null

An answer without results is a document in every format:

  $ for format in --json --jsonl --csv --ascii; do
  >     paradl advise tiny --hw toy --gpus 8 --strategies pipeline --ideal $format > empty 2>/dev/null; echo $? $(wc -l < empty)
  >     paradl estimate tiny --hw toy -s pipeline=8 --ideal $format > empty 2>/dev/null; echo $? $(wc -l < empty)
  > done
  1 55
  1 52
  1 1
  1 1
  1 2
  1 2
  1 8
  1 0
  $ paradl estimate tiny --hw toy -s pipeline=8 --ideal --csv 2>/dev/null | cut -d, -f1-7
  model,hw,gpus,batch,rank,strategy,feasible
  Tiny,Toy,,,,pipeline=8,false
