Errors say what, where, why and what to do, and the exit status says whose fault it was.

  $ . "$TESTDIR/setup.sh"

A wrong command line is 2:

  $ paradl advize
  paradl: unknown command 'advize'; did you mean 'advise'?
  [2]
  $ paradl frobnicate
  paradl: unknown command 'frobnicate'
    hint: 'paradl --help' lists the commands
  [2]
  $ paradl advise tiny --hw toy --gpu 4
  paradl: unknown option '--gpu' for advise; did you mean '--gpus'?
  [2]
  $ paradl advise tiny --hw toy --frobnicate
  paradl: unknown option '--frobnicate' for advise
    hint: 'paradl advise --help' lists the options
  [2]
  $ paradl advise tiny --hw toy --gpus
  paradl: --gpus needs a value: --gpus N
  [2]
  $ paradl advise tiny --hw toy --gpus --all
  paradl: --gpus needs a value: --gpus N
  [2]
  $ paradl advise tiny --hw toy --gpus many
  paradl: --gpus is 'many', which is not a count (64), a list (8,16,24), a doubling range (4..1024) or a stepped one (4..64+4)
  [2]
  $ paradl advise tiny --hw toy --gpus 1.5
  paradl: --gpus is '1.5', which is not a count (64), a list (8,16,24), a doubling range (4..1024) or a stepped one (4..64+4)
  [2]
  $ paradl advise tiny --hw toy --gpus 0
  paradl: --gpus must be at least 1, is 0
  [2]
  $ paradl advise tiny --hw toy --gpus 1..1000+1
  paradl: --gpus is '1..1000+1', which is more than 256 values
  [2]
  $ paradl advise tiny --hw toy --gpus 16
  paradl: --gpus 16 is more than Toy has: 8 GPUs
    hint: --set hw.levels.1.devices=16 asks about a larger one, and --set hw.network.cluster=... about its network, if the file has one; or change both in a copy of its file
  [2]
  $ paradl advise tiny --hw toy --gpus 4..16
  paradl: --gpus 16 is more than Toy has: 8 GPUs
    hint: --set hw.levels.1.devices=16 asks about a larger one, and --set hw.network.cluster=... about its network, if the file has one; or change both in a copy of its file
  [2]
  $ paradl advise tiny --hw toy --goal tim
  paradl: --goal cannot be 'tim'; did you mean 'time'?
  [2]
  $ paradl advise tiny --hw toy --goal speed
  paradl: --goal cannot be 'speed': it is one of time, memory, cost, energy, throughput
  [2]
  $ paradl advise tiny --hw toy --json=yes
  paradl: --json takes no value
  [2]
  $ paradl advise tiny --hw toy -x
  paradl: unknown option '-x' for advise
    hint: 'paradl advise --help' lists the options
  [2]
  $ paradl advise tiny --hw toy --json --csv
  paradl: only one of --json, --jsonl and --csv is possible
  {
    "schema": "paradl-error-1",
    "error": {
      "code": "usage",
      "message": "only one of --json, --jsonl and --csv is possible",
      "file": null,
      "line": null,
      "column": null,
      "pointer": null,
      "hint": null
    }
  }
  [2]
  $ paradl advise tiny --hw toy --batch 8 --per-gpu 8
  paradl: only one of --batch and --per-gpu is possible
  [2]
  $ paradl advise tiny --hw toy --columns strategy,epohc_s
  paradl: --columns knows no 'epohc_s'; did you mean 'epoch_s'?
  [2]
  $ paradl advise tiny --hw toy --columns time
  paradl: --columns knows no 'time'
    hint: the first line of 'paradl advise ... --csv' names every column
  [2]
  $ paradl advise tiny --hw toy --strategies data,sideways
  paradl: "sideways" is not a strategy; write axes joined by +, such as data or data+spatial
  [2]
  $ paradl advise tiny --hw toy --plot=picture.jpeg
  paradl: --plot=picture.jpeg must end in .png, .svg, .pdf, .sixel or .gp
  [2]
  $ paradl advise tiny --hw toy -o answer
  paradl: -o answer does not say what to write
    hint: end the name in .txt, .csv, .json or .jsonl, or add --json or --csv
  [2]
  $ paradl advise tiny toy
  paradl: advise takes no 'toy'
  [2]
  $ paradl advise
  paradl: advise needs a MODEL: a file, or one of alexnet, *resnet50, *tiny, * (glob)
    hint: 'paradl advise -h' shows the usual options and examples
  [2]
  $ paradl advise tiny
  paradl: advise needs --hw HW: a file, or one of *abci, *toy* (glob)
    hint: 'paradl advise -h' shows the usual options and examples
  [2]
  $ paradl estimate tiny --hw toy
  paradl: estimate needs -s PLAN, such as data=64 or data=16,spatial=4
    hint: 'paradl estimate -h' shows the usual options and examples
  [2]
  $ paradl estimate tiny --hw toy -s data=2,spacial=2
  paradl: a plan has no "spacial"; did you mean "spatial"?
  [2]
  $ paradl estimate tiny --hw toy -s data=16
  paradl: data=16 needs 16 GPUs, more than Toy has: 8
  [2]
  $ paradl validate
  paradl: validate needs --measured CSV, --kernels CSV, or --run to measure here
    hint: 'paradl validate -h' shows the usual options and examples
  [2]
  $ paradl validate --measured x.csv --tolerance lots
  paradl: --tolerance is 'lots', which is not a share such as 15% or 0.15
  [2]
  $ paradl check
  paradl: check needs a FILE: a model, a machine, a device, a framework
    hint: 'paradl check -h' shows the usual options and examples
  [2]
  $ paradl import
  paradl: import needs a FILE; 'paradl list formats' shows what is read
    hint: 'paradl import -h' shows the usual options and examples
  [2]
  $ paradl help frobnicate
  paradl: no help on 'frobnicate'; there is help on changes, exit-codes, plans and the commands
  [2]
  $ paradl help plan
  paradl: no help on 'plan'; did you mean 'plans'?
  [2]
  $ paradl completion csh
  paradl: completion needs a shell: bash, zsh or fish
    hint: 'paradl completion -h' shows the usual options and examples
  [2]

A file that is missing or wrong is 3, with the place in it:

  $ paradl advise tinny --hw toy
  paradl: there is no model "tinny"; did you mean "tiny"?
    hint: 'paradl list models' shows the names; a file of your own is a path: ./tinny.json
  [3]
  $ paradl advise ./tinny.json --hw toy
  ./tinny.json: cannot open: No such file or directory
  [3]
  $ paradl advise tiny --hw toi
  paradl: there is no hardware profile "toi"; did you mean "toy"?
    hint: 'paradl list hw' shows the names; a file of your own is a path: ./toi.json
  [3]
  $ paradl advise tiny --hw toy --framework nothing-like-it
  paradl: there is no framework profile "nothing-like-it"; there are *toy* (glob)
    hint: 'paradl list frameworks' shows the names; a file of your own is a path: ./nothing-like-it.json
  [3]
  $ cat > broken.json <<'EOF'
  > {
  >   "format": "paradl-model",
  >   "version": 1
  >   "name": "Broken"
  > }
  > EOF
  $ paradl advise broken.json --hw toy
  broken.json:4:3: expected ',' or '}', found '"'
      4 |   "name": "Broken"
        |   ^
  [3]
  $ sed 's/"kernel": 3/"kernal": 3/' "$PARADL_PATH/models/tiny.json" > misspelt.json
  $ paradl advise misspelt.json --hw toy
  misspelt.json:9:60: /layers/0/kernal: unknown key "kernal"; did you mean "kernel"?
      9 |     { "name": "conv1", "type": "conv", "out": 8, "kernal": 3, "pad": 1 },
        |                                                            ^
  [3]
  $ paradl estimate - --hw toy -s data=2 < misspelt.json
  <stdin>:9:60: /layers/0/kernal: unknown key "kernal"; did you mean "kernel"?
  [3]
  $ paradl validate --measured nothing.csv
  nothing.csv: cannot open: No such file or directory
  [3]

The answer "no" is 1:

  $ paradl advise tiny --hw toy --gpus 8 --strategies pipeline --ideal
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  
   not feasible
   pipeline=8  needs 8 stages; the network can be cut into 4 (branches stay together) → at most
               pipeline=4
  
   assumed     2 things more (--verbose)
  paradl: no feasible strategy for 8 GPUs (1 tried); closest: pipeline=8: needs 8 stages; the network can be cut into 4 (branches stay together)
  [1]
  $ paradl estimate tiny --hw toy -s pipeline=8 --ideal
  paradl: pipeline=8 is not feasible: needs 8 stages; the network can be cut into 4 (branches stay together)
    hint: at most pipeline=4
  [1]
  $ paradl advise tiny --hw toy --gpus 8 --strategies pipeline --ideal --json | schema
  paradl: no feasible strategy for 8 GPUs (1 tried); closest: pipeline=8: needs 8 stages; the network can be cut into 4 (branches stay together)
  paradl-advise-2

With --json a failure is a document too, whatever went wrong; the message is on standard error as ever.

  $ paradl advise misspelt.json --hw toy --json
  misspelt.json:9:60: /layers/0/kernal: unknown key "kernal"; did you mean "kernel"?
      9 |     { "name": "conv1", "type": "conv", "out": 8, "kernal": 3, "pad": 1 },
        |                                                            ^
  {
    "schema": "paradl-error-1",
    "error": {
      "code": "schema",
      "message": "unknown key \"kernal\"; did you mean \"kernel\"?",
      "file": "misspelt.json",
      "line": 9,
      "column": 60,
      "pointer": "/layers/0/kernal",
      "hint": null
    }
  }
  [3]
  $ paradl advise misspelt.json --hw toy --json 2>&- | schema
  paradl-error-1
  $ paradl advise tiny --hw toy --gpu 4 --json 2>&- | schema
  paradl-error-1
  $ paradl advise tiny --hw toy --gpu 4 --jsonl 2>&-
  {"schema":"paradl-error-1","error":{"code":"usage","message":"unknown option '--gpu' for advise; did you mean '--gpus'?","file":null,"line":null,"column":null,"pointer":null,"hint":null}}
  [2]
  $ paradl frobnicate --json 2>&- | schema
  paradl-error-1
  $ paradl advise --json 2>&- | schema
  paradl-error-1
  $ paradl estimate tiny --hw toy -s data=16 --json 2>&- | schema
  paradl-error-1

What users wrote cannot drive the terminal:

  $ paradl advise "$(printf 'ti\033[31mny')" --hw toy
  paradl: there is no model "ti?[31mny"; there are *tiny* (glob)
    hint: 'paradl list models' shows the names; a file of your own is a path: ./ti?[31mny.json
  [3]

nor turn the direction of its text:

  $ paradl advise "$(printf 'ti\342\200\256ny\302\2331m')" --hw toy
  paradl: there is no model "ti?ny?1m"; there are *tiny* (glob)
    hint: 'paradl list models' shows the names; a file of your own is a path: ./ti?ny?1m.json
  [3]
  $ sed "s/\"Tiny\"/\"Ti$(printf '\342\200\256')ny\"/" "$PARADL_PATH/models/tiny.json" > turned.json
  $ paradl advise turned.json --hw toy --ideal | head -n 1
  Ti?ny on Toy: 1 to 8 GPUs, 8 samples/GPU, fp32, ideal, 1.00 GiB/GPU
  $ paradl advise turned.json --hw toy --ideal --json | grep -o '"Ti.*ny"'
  "Ti\u202eny"

A spreadsheet runs no text as a formula; numbers with a sign stay numbers:

  $ sed 's/"Tiny"/"=cmd|calc"/' "$PARADL_PATH/models/tiny.json" > formula.json
  $ paradl sweep formula.json --hw toy --ideal --gpus 4 --vary hw.levels.1.bandwidth=+20% -s 'data=*' --columns model,hw.levels.1.bandwidth --csv
  model,hw.levels.1.bandwidth
  '=cmd|calc,+20%

A number that is refused is not used to print that it is:

  $ paradl advise tiny --hw toy --width 1e20
  paradl: --width is '1e20', which is not a whole number such as 256, 32k or 1e6
  [2]
  $ paradl advise tiny --hw toy --width 1e12
  paradl: --width must be from 20 to 1000, is 1000000000000
  [2]

What has no end is no file:

  $ paradl check /dev/random
  /dev/random: is a device, not a file
  [3]

Files stay in the folders where they are looked for, and what a copy lacks is said where it is named:

  $ mkdir -p mine/devices; cp "$PARADL_PATH"/hw-profiles/devices/*.json mine/devices
  $ sed 's|"framework": "[^"]*"|"framework": "../../etc/passwd"|' "$PARADL_PATH/hw-profiles/toy.json" > mine/toy.json
  $ paradl check mine/toy.json 2>&1 | head -n 1
  mine/toy.json:*: /framework: must be the name of a file in frameworks/, is "../../etc/passwd" (glob)
  $ cp "$TESTDIR/../../hw-profiles/frameworks/pytorch-nhwc.json" copied.json
  $ paradl advise tiny --hw toy --framework ./copied.json
  ./copied.json:4:14: /extends: there is no framework "pytorch-nchw" beside this one
      4 |   "extends": "pytorch-nchw",
        |              ^
    hint: copy its file, too, or write the path of the shipped one where it is
  [3]

A device is one beside the machine, or a shipped one, by its name:

  $ sed 's|"device": "toy"|"device": "h100-sxm5-80g"|' "$PARADL_PATH/hw-profiles/toy.json" > mine/other.json
  $ paradl advise tiny --hw ./mine/other.json
  ./mine/other.json:5:13: /device: there is no device "h100-sxm5-80g"; did you mean "h100-sxm5-80gb"?
      5 |   "device": "h100-sxm5-80g",
        |             ^
    hint: 'paradl list devices' shows the names; the file of a device of your own lies in devices/ beside the machine's
  [3]
  $ paradl advise tiny --hw abci --set hw.device=nothing 2>&1 | tail -n 1
    hint: 'paradl list devices' shows the names; the file of a device of your own lies in devices/ beside the machine's
  $ sed 's|h100-sxm5-80g|h100-sxm5-80gb|' mine/other.json > mine/named.json
  $ paradl check mine/named.json | head -n 1 | cut -d , -f 1
  mine/named.json: paradl-hw

What contradicts itself, is empty or is something else is said to be so:

  $ paradl advise tiny --hw toy --json -o x.csv > /dev/null
  paradl: -o x.csv contradicts --json
    hint: leave one of them out
  [2]
  $ paradl advise tiny --hw toy --csv -o x.png
  paradl: -o x.png contradicts --csv
    hint: leave one of them out
  [2]
  $ paradl advise tiny --hw toy --csv -o x.csv; paradl list models --csv -o any
  $ paradl import small.net -o x.csv
  paradl: -o x.csv does not end in .json, which is what import writes
  [2]
  $ paradl advise tiny --hw toy --plot=
  paradl: --plot= has nothing after the '='
  [2]
  $ paradl advise . --hw toy
  paradl: . is a folder, not the file of a model
    hint: 'paradl list models' shows the names; a file of your own is a path
  [2]
  $ paradl advise '' --hw toy
  paradl: the name of a model is empty
    hint: 'paradl list models' shows the names; a file of your own is a path
  [2]
  $ mkdir tiny; paradl advise tiny --hw toy --ideal > /dev/null; rmdir tiny
  $ paradl list modles
  paradl: there is no topic or model 'modles'; did you mean 'models'?
  [3]
  $ paradl validate --measured x.csv --tolerance 5
  paradl: --tolerance must be from 0 to 1, is 5
    hint: did you mean --tolerance 5%?
  [2]

Number formats that a device does not have:

  $ PARADL_PATH="$TESTDIR/../.." paradl advise llama2-7b --hw abci --gpus 16
  paradl: V100-SXM2-16GB does not compute in bf16-mixed
    hint: choose another --precision: fp32, fp16, fp16-mixed
  [2]

Names of devices in place of machines, and of number formats that have longer ones:

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl advise resnet50 --hw 8xH100 --gpus 8
  paradl: "8xH100" is a device; machines that have it: aws-p5 (H100-SXM5-80GB), dgx-h100-superpod (H100-SXM5-80GB), marenostrum5 (H100-SXM5-64GB)
    hint: --gpus N takes a part of one of them
  [3]
  $ paradl advise resnet50 --hw mi300x --gpus 8
  paradl: "mi300x" is a device, and no machine here has it
    hint: --hw MACHINE --set hw.device=mi300x-192gb puts it into another machine ('paradl list hw')
  [3]
  $ paradl advise resnet50 --hw rtx-4090 --gpus 8
  paradl: "rtx-4090" is a device, and no machine here has it
    hint: --hw MACHINE --set hw.device=rtx-4090-24gb puts it into another machine ('paradl list hw')
  [3]
  $ paradl advise resnet50 --hw dgx-h100 --gpus 8
  paradl: there is no hardware profile "dgx-h100"; did you mean "dgx-h100-superpod"?
    hint: 'paradl list hw' shows the names; a file of your own is a path: ./dgx-h100.json
  [3]
  $ paradl advise llama3-8b --hw dgx-h100-superpod --gpus 8 --precision fp8
  paradl: --precision cannot be 'fp8'; did you mean 'fp8-mixed'?
  [2]
  $ paradl advise resnet50 --hw laptop --gpus 2
  paradl: --gpus 2 is more than laptop has: 1 GPU
    hint: --set hw.levels.0.devices=2 asks about a larger one, and --set hw.network.cluster=... about its network, if the file has one; or change both in a copy of its file
  [2]
  $ paradl estimate resnet50 --hw abci --gpus 8
  paradl: unknown option '--gpus' for estimate
    hint: 'paradl estimate --help' lists the options; these have --gpus: advise io search sweep report compare whatif
  [2]
  $ paradl collective allreduce --hw abci --gpus 16
  paradl: unknown option '--gpus' for collective; did you mean '--ranks'?
  [2]
  $ paradl collective allreduce --hw abci --ranks 16 --size 16M
  paradl: unknown option '--size' for collective; did you mean '--bytes'?
  [2]
  $ paradl estimate resnet50 --hw abci -s 'tp=8 pp=2'
  paradl: terms of a plan are separated by commas without spaces; did you mean "tp=8,pp=2"?
  [2]
  $ paradl estimate resnet50 --hw abci -s data=4 --set device.mem=x2 2>&1 | tail -n 1
    hint: did you mean 'memory'?

What is no network, no log and no topology:

  $ echo '{ "peft_type": "LORA", "r": 16 }' > adapter_config.json
  $ paradl advise adapter_config.json --hw abci
  adapter_config.json:1:1: needs a "format": "paradl-model"
      1 | { "peft_type": "LORA", "r": 16 }
        | ^
    hint: this is an adapter, not a network: give the config.json of its base, and see freeze in paradl-model(5) for fine-tuning
  [3]
  $ printf 'fio-3.28\n  read: IOPS=12.4k, BW=12.1GiB/s\n' > fio.log
  $ paradl fit fio.log
  fio.log: is in no format of measurements that is known
    hint: of fio the output of --output-format=json is read
  [3]
  $ echo '{ "format": "paradl-model", "version": 1, "name": "x", "input": { "tokens": 4 }, "layers": [ { "type": "norm" } ] }' > norm.json
  $ paradl check norm.json 2>&1 | grep -v '^ .*|'
  norm.json:1:94: /layers/0: needs a "kind"
    hint: kind: "batch", "layer", "rms", "group", "instance", "lrn" or "scale"
  $ echo '{ "format": "paradl-hw", "version": 1, "name": "x", "device": "a100-sxm4-80gb", "levels": [] }' > hw.json
  $ paradl check hw.json 2>&1 | grep -v '^ .*|'
  hw.json:1:1: needs a "framework"
    hint: "device" is a name of 'paradl list devices', "framework" one of 'paradl list frameworks'; "levels" are its links
  $ sed 's/"cluster": "\(.*\)",/"cluster": { "shape": "\1" },/' "$PARADL_PATH/hw-profiles/dgx-h100-superpod.json" > hw.json
  $ paradl check hw.json 2>&1 | grep -v '^ .*|'
  hw.json:14:16: /network/cluster: must be a string, is an object
    hint: a topology is text such as "dragonfly:9x8:hosts=4" ('paradl list topologies')

The source of the Python package is none yet.

  $ (cd "$SOURCE/python" && python3 -B -c 'import paradl') 2>&1 | sed -n '$p' | cut -c 1-120
  ImportError: this folder has the source of paradl's Python package, without what its build makes (records.py and the lib

A framework that has no profile of its name is one that others name as theirs.

  $ PARADL_PATH="$SOURCE" paradl advise llama3-8b --hw dgx-h100-superpod --gpus 8 --framework pytorch
  paradl: there is no framework profile "pytorch"; did you mean one of deepspeed, fsdp, llm-foundry, pytorch-compile, pytorch-nchw, pytorch-ngc, pytorch-nhwc, torchtitan?
    hint: 'paradl list frameworks' shows the names; a file of your own is a path: ./pytorch.json
  [3]
  $ PARADL_PATH="$SOURCE" paradl advise llama3-8b --hw dgx-h100-superpod --gpus 8 --framework JAX
  paradl: there is no framework profile "JAX"; did you mean one of maxtext, xla?
    hint: 'paradl list frameworks' shows the names; a file of your own is a path: ./JAX.json
  [3]

Remedies are some that there are: one GPU is cut along nothing, a plan without stages has none to leave out, and the words are those that were typed.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl advise llama3-8b --hw rtx-3090 2>&1 | sed -n '/not feasible/,/^$/p'
   not feasible
   serial,micro=1,recompute=full  needs 145 GiB on the fullest device, which has 24.0 GiB → more
                                  devices, or devices with more memory
  
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s serial,recompute=full --batch 8 | grep '^ next'
   next        memory for the activations, or more devices that divide them
  $ paradl estimate llama3-8b --hw dgx-h100-superpod -s fsdp=64 --batch 64
  paradl: shard=64 does not divide the 1 replicas
    hint: replicas are the devices along data, expert, context and spatial; fsdp=64 is zero=3,shard=64, which divide weights over some of them
  [2]
  $ paradl whatif resnet50 --hw dgx-h100-superpod -s data=64 --upgrade laptop | sed -n '1,6p'
  ResNet-50 on DGX H100 SuperPOD: data=64 on 64 GPUs in 8 nodes, global batch 4,096, fp32,
      80.0 GiB/GPU
  25.6 M parameters, 8.18 Gflop/sample forward
  
   cannot run  laptop has 1 devices; the plan uses 64
   assumed     half of the backward pass hides gradient exchange
  $ echo '{"ask": "sweep", "model": "llama3-8b", "hw": "dgx-h100-superpod", "vary": {"gpus": [8, 16]}}' | paradl ask > /dev/null
  <stdin>:1:75: /vary: must be a text "KEY=VALUES", or a list of them, not an object
  [3]
