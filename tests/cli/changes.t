Numbers of files as if they were others.

  $ . "$TESTDIR/setup.sh"

  $ paradl estimate resnet50 --hw abci -s data=64 --csv --set hw.levels.1.ring=x2 | cut -d, -f1-3
  model,hw,gpus
  ResNet-50,ABCI (V100),64
  $ paradl estimate tiny-cnn --hw laptop -s serial --set device.peak.fp32=x2 --set model.training.batch_per_gpu=4 | grep -E 'batch|changed'
  tiny-cnn on laptop: serial on 1 GPU in 1 node, global batch 4, fp32, 5.59 GiB/GPU
   next        larger micro-batches, graphs of kernels (CUDA graphs), or fewer devices for each
   assumed     changed: device.peak.fp32=x2
               changed: model.training.batch_per_gpu=4
  $ paradl help changes | head -2
  --set KEY=VALUE answers as if a file said something else; it may be there many
  times. KEY is a file and the names of what is in it, with dots between them:

What was measured of links goes with them; what a change names itself does not.

  $ gradient() { paradl estimate resnet50 --hw abci -s data=64 --json "$@" | python3 -c 'import json, sys; print(round(json.load(sys.stdin)["results"][0]["phases_s"]["gradient_exchange"] * 1e6))'; }
  $ gradient; gradient --set 'hw.levels.*.bandwidth=x1'
  31273
  31273
  $ gradient --set 'hw.levels.*.bandwidth=x2'; gradient --set 'hw.levels.*.ring=x2'
  24085
  24085

What a file does not have is said, with what it has.

  $ paradl estimate resnet50 --hw abci -s data=64 --set hw.levels.1.rign=x2 2>&1 | sed "s|[^ ]*hw-profiles|hw-profiles|"
  paradl: hw.levels.1.rign=x2: hw-profiles/abci.json has no 'levels.1.rign'
    hint: did you mean 'ring'?
  $ paradl estimate resnet50 --hw abci -s data=64 --set hw.levels.9.ring=x2 2>&1 | sed "s|[^ ]*hw-profiles|hw-profiles|"
  paradl: hw.levels.9.ring=x2: hw-profiles/abci.json has no 'levels.9'
    hint: 'levels' has 0 to 3
  $ paradl estimate resnet50 --hw abci -s data=64 --set framework.training.host_layer=x2 2>&1 | sed "s|[^ ]*hw-profiles|hw-profiles|"
  paradl: framework.training.host_layer=x2: hw-profiles/frameworks/nccl.json has no 'training'
    hint: profiles have one block of rules now: write framework.rules.host_layer
  $ paradl estimate gpt2-xl --hw dgx-a100-superpod -s data=2,pipeline=4 --batch 64 --framework nccl \
  > --set 'framework.rules.schedule="gpipe"' --set 'framework.offers.schedules=["1f1b"]' > /dev/null
  paradl: warning: nccl has no schedule=gpipe; it is estimated as if it had
  $ paradl estimate resnet50 --hw abci -s data=64 --set framework.nothing=x2 2>&1 | sed "s|[^ ]*hw-profiles|hw-profiles|"
  paradl: framework.nothing=x2: hw-profiles/frameworks/nccl.json has no 'nothing'
    hint: what a file does not say cannot be multiplied; write a value
  $ paradl estimate resnet50 --hw abci -s data=64 --set bandwidth=x2
  paradl: 'bandwidth=x2' changes nothing that is known
    hint: write hw.KEYS=VALUE, device.KEYS=, framework.KEYS= or model.KEYS=, as in hw.levels.1.bandwidth=x2
  [2]
  $ paradl estimate resnet50 --hw abci -s data=64 --set hw.levels.1.bandwidth=12.5
  hw.levels.1.bandwidth=12.5: /levels/1/bandwidth: bandwidth needs a unit: write "12.5 GB/s" (bytes) or "100 Gb/s" (bits)
  [3]
  $ paradl estimate resnet50 --hw abci -s data=64 --set hw.nothing=1
  hw.nothing=1: /nothing: unknown key "nothing"; known are "device", "framework", "levels", "network", "transport", "curves", "storage", "host", "power", "price", "reliability", "format", "version", "name", "library" and "from"
  [3]

A machine is made larger by its last level, and the network grows with it:

  $ paradl advise tiny --hw toy --set hw.gpus=2048 2>&1 | grep hint
    hint: a machine has as many devices as its last level: hw.levels.1.devices, or the number of that level, from 0, and hw.network.cluster with it where the file has one
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2048 --set hw.levels.2.devices=16384 2>&1 | tail -n 2
        |                ^
    hint: change hw.network.cluster as well: a network has as many ports as the nodes of the last level have, as rail:64x32x8 of 2,048 nodes of 8
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 2048 --set hw.levels.2.devices=16384 --set hw.network.cluster=rail:64x32x8 2>&1 | head -n 1
  Llama-3-8B on DGX H100 SuperPOD: 2,048 GPUs in 256 nodes, global batch 2,048, bf16-mixed,

Another device leaves the rest of the machine as it is; a network has its own dimensions only.

  $ paradl estimate resnet50 --hw abci -s data=64 --set hw.device=a100-sxm4-80gb 2>&1 | sed "s|[^ ]*hw-profiles|hw-profiles|" | head -n 2
  paradl: warning: hw-profiles/abci.json: only the device is A100-SXM4-80GB now: links, hosts, power and price of nodes are still those of ABCI (V100); --set hw.levels, hw.power and hw.price change them
  ResNet-50 on ABCI (V100) with A100-SXM4-80GB: data=64 on 64 GPUs in 16 nodes, global batch 4,096,
  $ paradl estimate gpt3-175b --hw dgx-h100-superpod -s tensor=8,pipeline=8 --set model.dims.heads=31
  paradl: model.dims.heads=31: the network has no dimension 'heads'
    hint: its dims: hidden, vocab, seq
  [2]

A star adds to all members; a frozen group is a frozen block of layers (nothing is exchanged for its weights):

  $ freeze() { paradl estimate llama3-8b --hw dgx-h100-superpod -s data=8,zero=1,micro=1 --batch 64 --memory "$@" 2> /dev/null | grep '^ gradients  *[0-9]'; }
  $ freeze; freeze --set model.layers.1.freeze=true
   gradients            29.9 GiB   37 %  one per weight, and buffers of the exchange
   gradients            3.91 GiB  4.9 %  one per weight, and buffers of the exchange
  $ freeze --set 'model.layers.1.layers.*.branches.0.1.freeze=true'
   gradients            3.92 GiB  4.9 %  one per weight, and buffers of the exchange
