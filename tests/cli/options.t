One table of options feeds the parser, --help, the completions and the manual pages: they agree.

  $ . "$TESTDIR/setup.sh"
  $ paradl --version
  paradl 0.1.0
  $ paradl
  usage: paradl COMMAND [arguments]
         paradl -h | --help | --version
  
  How long training a neural network takes, what memory it needs, what it costs
  and what limits it, for every way to spread it over GPUs. Start with:
  
      paradl advise resnet50 --hw abci
  
  commands to begin with
    advise      rank every way to spread the training of a model over GPUs
    compare     compare machines for a model: time, cost, energy, with ranges
    estimate    project one plan in depth: phases, layers, memory, formulas
    list        list models, data sets, machines, frameworks, or a model's layers
    report      write a page for a browser: ranking, pictures, sources of numbers
    search      find the best of all plans, with proof, or the fewest GPUs
    whatif      change inputs: what matters, what it brings, what a target takes
  
  'paradl COMMAND -h' shows the usual options of a command with examples. 'paradl
  --help' lists all 22 commands, 'paradl help paradl' opens the manual.
  [2]
  $ paradl --help
  usage: paradl COMMAND [arguments]
         paradl -h | --help | --version
  
  How long training a neural network takes, what memory it needs, what it costs
  and what limits it, for every way to spread it over GPUs. Start with:
  
      paradl advise resnet50 --hw abci
  
  commands
    advise      rank every way to spread the training of a model over GPUs
    ask         answer a question that is written as JSON
    calibrate   measure this machine, for 'paradl fit' to make a profile of
    check       look for mistakes in model, machine and framework files
    collective  time an allreduce or other collective, by size and algorithm
    compare     compare machines for a model: time, cost, energy, with ranges
    completion  print the script that completes paradl's options in a shell
    diagnose    explain gaps between measured and projected times, by phase
    estimate    project one plan in depth: phases, layers, memory, formulas
    export      write networks, collectives, plans for SimGrid and ASTRA-sim
    federate    project a round of federated learning: time, traffic, memory
    fit         make the profile of a machine from measurements, judge its health
    help        open the manual of a command, or explain plans, changes, exit-codes
    hide        project training with fewer samples: what hiding them saves
    import      turn files of other tools into model and machine files
    io          tell whether storage and hosts can feed a training; what to change
    list        list models, data sets, machines, frameworks, or a model's layers
    report      write a page for a browser: ranking, pictures, sources of numbers
    search      find the best of all plans, with proof, or the fewest GPUs
    sweep       answer any grid of questions as one table
    validate    compare projections with measurements
    whatif      change inputs: what matters, what it brings, what a target takes
  
  'paradl COMMAND -h' shows the usual options of a command with examples, 'paradl COMMAND --help' all
  options; 'paradl help COMMAND' opens its manual page; 'paradl help plans' and 'paradl help
  exit-codes' say more.
  $ paradl estimate --help
  usage: paradl estimate MODEL --hw HW -s PLAN [options]
  
  PLAN is degrees by axis, the outermost first: data=64,spatial=4. What a table of
  advise prints can be pasted. A file, name.json, has a plan for each part of the
  network (paradl-plan(5)). --layers, --memory, --timeline and --explain
  replace the phases; add --phases to have both.
  
  Question
    --hw HW                   a shipped machine ('paradl list hw') or a file
    -s, --strategy PLAN       the plan: data=16,spatial=4 (see 'paradl help plans'); or a file of
                              plans for parts, paradl-plan(5)
    --batch N                 samples per step on all GPUs together, or '4M tokens'; without it, what
                              the model says of each GPU
    --per-gpu N               samples per step and GPU (default the model's); instead of --batch
    --seq N                   tokens of a sample: 8192, 8Ki; 8k are 8000 (default the model's); as
                              --set model.dims.seq=N
    --inference               serve instead of train, with --batch requests at a time; of images,
                              forward passes alone
    --input-tokens N          inference: tokens of each prompt (default 1024); or what fits the model
    --output-tokens N         inference: tokens of each answer (default 128)
    --requests N              inference: requests of a whole test run, --batch at once, each next when
                              one has its answer; without it, they never end
    --spread SHARE            inference: answers are up to this share shorter than --output-tokens
    --rate RATE               inference: rate of requests, which come at random: 50/s; for all GPUs,
                              instead of --batch
    --speculative-tokens N    inference: tokens guessed for each sequence in a step, and checked
    --accepted-tokens X       with --speculative-tokens: tokens that a step gives a sequence on
                              average: 2.4
    --prefill PLAN            inference: GPUs with this plan read prompts, the others answer:
                              data=2,tensor=4; auto: the best of plans with and without such GPUs
    --trace FILE              inference: requests as a CSV file has them, answered step by step:
                              input_tokens, output_tokens and perhaps arrival_s
    --cached-prefix SHARE     inference: share of each prompt that is cached from earlier requests
    --assume TYPE             read a config.json of an unknown model_type like this one: llama
  
  Assumptions
    --set KEY=VALUE           change an input: hw.levels.1.bandwidth=x2; see 'paradl help changes'
    --precision P             number format, else the model's (fp32, tf32, fp16, bf16, fp16-mixed,
                              bf16-mixed, fp8-mixed, mxfp8-mixed, fp4-mixed)
    --optimizer NAME          optimizer, instead of the model's
    --framework NAME          training program, by name ('paradl list frameworks'); instead of the
                              machine's, or a file; with options of it as NAME+OPTION
    --layer-times FILE        measured times of layers instead of computed ones; as 'paradl fit
                              --write-layer-times' writes them
    --ideal                   the assumptions of the paper's Table III instead of the calibrated ones
    --quiet-network           leave out the waiting that other jobs and stragglers cause
    --algo NAME               allreduce of the gradients: ring, rabenseifner, ...; auto: any; default:
                              what the framework has
    --compress HOW            gradients: none, fp16, topk:SHARE or auto, the fastest; accuracy is up
                              to you
  
  Input
    --dataset DATA            data set, by name ('paradl list datasets') or file; instead of the
                              model's
    --force                   go on with a data set that is not for such a network
    --shuffle HOW             shuffling: global (default), local, partial:10%; what a batch is drawn
                              from: all samples (global), the worker's own part (local), that with a
                              share Q exchanged every epoch (partial:Q, pairwise:Q), or that with
                              models that go to another worker H times an epoch (models:H)
    --store WHERE             where samples are kept; the shared file system, a copy on each node, the
                              pooled disks of all, or a shard on each; auto: the fastest that has room
                              (auto, shared, copy, pooled, shard; default auto)
    --cache HOW               samples in host memory: auto, page, pinned, lru, none; auto (without it)
                              is page, but nothing of a global shuffle from the shared file system;
                              with a size: pinned:100GB
    --workers N               CPU cores per GPU that prepare samples (default all)
    --prefetch N              batches prepared in advance (default as many as help)
    --no-prefetch             reading and preparing waits for compute, and compute for it: nothing is
                              hidden
    --no-input                leave out reading and preparing samples; as if they were there when they
                              are needed
  
  Job
    --tokens N                tokens of the whole training: 300B
    --samples N               samples of the whole training
    --epochs N                epochs of the whole training; without an amount, one
    --deadline TIME           say which plans finish training by then: '12 h', '30 d'; without an
                              amount, how much they get done
    --checkpoint WHEN         when checkpoints are written: '30 min', best or none; after so much
                              work; best (without it) is the interval that costs least
    --checkpoint-async        GPUs wait for the copy to host memory only; the rest is written beside
                              the steps
    --checkpoint-rate RATE    rate at which all nodes together write them: '100 GB/s'; instead of the
                              profile's storage
    --mtbf TIME               mean time between failures of a node: '200 d', or none: nothing fails
    --restart TIME            time from a failure until a checkpoint is loaded (default 10 min)
  
  Output
    --phases                  show time by phase, with formulas; the default
    --layers                  show time and memory of each layer
    --memory                  show what the peak memory per GPU is for
    --timeline                show what each stage of a pipeline does when
    --explain                 show every formula with its numbers; and the result of each term
    --flags PROGRAM           how to start the plan with this program; without it, with the
                              framework's. With -o FILE a script that does (torchrun, torchtitan,
                              megatron, deepspeed, nemo, vllm, sglang, trtllm, none)
    --json                    print JSON: SI units, every digit; one document, also on failure
    --jsonl                   print one JSON object per row and line
    --csv                     print a CSV table: SI units, every digit
    -o, --output FILE         write to FILE.txt, .csv, .json or .jsonl; or a picture: see --plot
    --plot[=FILE]             draw the answer, too: FILE.png, .svg or .pdf; with gnuplot; .sixel, or
                              .gp for the script alone
    --picture NAME            which picture, where there are several ('paradl list pictures')
    --width N                 columns of a line of text
    --color WHEN              colours in text (auto, always, never; default auto)
    --ascii                   no symbols outside ASCII; automatic when the locale is not UTF-8
  
  Other
    -q, --quiet               leave out warnings; of text, show the tables only
    -v, --verbose             say more: what was read, assumed and left out
    -h, --help                the usual options and examples (-h), or all options (--help)

What --help lists is what the manual page and every completion list, and what the parser knows:

  $ for shell in bash zsh fish; do paradl completion $shell > all.$shell; done
  $ for command in advise check collective completion estimate export help import list validate; do
  >     paradl $command --help | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort > help
  >     paradl help --man-options $command | grep -oE '^(\*-[a-z]\*, )?\*--[a-z-]+\*' | grep -oE -e '--[a-z-]+' | sort > man
  >     sed -n "/^\t$command)/,/;;/s/.*options=\"\(.*\)\"/\1/p" all.bash | tr ' ' '\n' | grep -e -- | sort > bash
  >     sed -n "/^\t$command)/,/;;/p" all.zsh | grep -oE -e "(^|'|\{-[a-z],)--[a-z-]+" | grep -oE -e '--[a-z-]+' | sort > zsh
  >     grep -E "seen_subcommand_from [a-z ]*\b$command\b" all.fish | grep -oE -e '-l [a-z-]+' | sed 's/-l /--/' | sort > fish
  >     for other in man bash zsh fish; do cmp help $other; done
  >     echo $command $(wc -l < help)
  > done
  advise 69
  check 11
  collective 28
  completion 1
  estimate 62
  export 23
  help 2
  import 12
  list 11
  validate 30

Long and short, attached and apart, anywhere; -- ends them; the last one counts.

  $ ask='advise tiny --ideal -q --columns strategy'
  $ paradl $ask --hw toy --gpus 2 > apart
  $ paradl $ask --hw=toy --gpus=2 | cmp - apart
  $ paradl advise --hw=toy --gpus=8 --gpus=2 --ideal --columns=strategy -q -- tiny | cmp - apart
  $ paradl advise -qv --hw toy --gpus 2 --ideal --columns strategy tiny 2>/dev/null | cmp - apart
  $ paradl $ask --hw toy --gpus 2 -oshort.txt; cmp short.txt apart
  $ paradl $ask --hw toy -- --gpus
  paradl: advise takes no '--gpus'
  [2]

No prefix of an option is that option: adding another would change what it means.

  $ paradl $ask --hw toy --gp 2
  paradl: unknown option '--gp' for advise
    hint: 'paradl advise --help' lists the options
  [2]
  $ paradl $ask --hw toy --colu strategy
  paradl: unknown option '--colu' for advise; did you mean '--columns'?
  [2]

What is like an option is found among all, and advise has more than 64:

  $ paradl advise tiny --hw toy --outptu x.csv
  paradl: unknown option '--outptu' for advise; did you mean '--output'?
  [2]

Counts:

  $ for gpus in 2 2,4 4,2,2 1..8 1..7 2..6+2 0.008k 8e0 1,3..6+3,8; do
  >     echo $gpus: $(paradl advise tiny --hw toy --ideal --gpus $gpus --csv --top 1 --strategies serial,data --columns gpus,feasible | grep ,true | cut -d, -f1)
  > done
  2: 2
  2,4: 2 4
  4,2,2: 2 4
  1..8: 1 2 4 8
  1..7: 1 2 4
  2..6+2: 2 4 6
  0.008k: 8
  8e0: 8
  1,3..6+3,8: 1 3 6 8
  $ for batch in 64 0.064k 6.4e1 1Ki 32k; do
  >     echo $batch: $(paradl advise tiny --hw toy --ideal --gpus 2 --batch $batch --csv --top 1 --columns batch | sed -n 2p)
  > done
  64: 64
  0.064k: 64
  6.4e1: 64
  1Ki: 1024
  paradl: warning: an epoch is shorter than an iteration: toys has 6400 samples, a batch 32000
  paradl: no feasible strategy for 2 GPUs (5 tried); closest: data=2: needs 1.10 GiB on the fullest device, which has 1.00 GiB
  32k: 32000
  $ for gpus in '' , 2, ,2 8..2 1.. ..8 0..8 1..8+0 -1 0x8 nan 1e99 2x; do paradl advise tiny --hw toy --gpus "$gpus" 2>&1 | cut -c 1-40; done
  paradl: --gpus is '', which is not a cou
  paradl: --gpus is ',', which is not a co
  paradl: --gpus is '2,', which is not a c
  paradl: --gpus is ',2', which is not a c
  paradl: --gpus is '8..2', which is not a
  paradl: --gpus is '1..', which is not a 
  paradl: --gpus is '..8', which is not a 
  paradl: --gpus is '0..8', which is not a
  paradl: --gpus is '1..8+0', which is not
  paradl: --gpus is '-1', which is not a c
  paradl: --gpus is '0x8', which is not a 
  paradl: --gpus is 'nan', which is not a 
  paradl: --gpus is '1e99', which is not a
  paradl: --gpus is '2x', which is not a c

Completions are shell scripts without mistakes, and bash completes with them:

  $ paradl completion bash > paradl.bash && bash -n paradl.bash
  $ cat > complete.sh <<'EOF'
  > paradl() { "$PARADL" "$@"; }
  > . ./paradl.bash
  > COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _paradl; echo "${COMPREPLY[@]}"
  > EOF
  $ bash complete.sh paradl ad
  advise
  $ bash complete.sh paradl advise tin
  tiny tiny-cnn
  $ bash complete.sh paradl advise tiny --h
  --hw --help
  $ bash complete.sh paradl advise tiny - | tr ' ' '\n' | grep -x -e '-[a-z]' -e --help
  -o
  -q
  -v
  -h
  --help
  $ bash complete.sh paradl -
  -h --help --version
  $ bash complete.sh paradl advise tiny --hw to
  toy
  $ bash complete.sh paradl advise tiny --hw = to
  toy
  $ bash complete.sh paradl advise tiny --goal ''
  time memory cost energy throughput
  $ bash complete.sh paradl advise tiny --gpus ''
  
  $ bash complete.sh paradl advise tiny --plot --js
  --json --jsonl
  $ bash complete.sh paradl list mod
  models
  $ bash complete.sh paradl help exi
  exit-codes
  $ touch some.csv; bash complete.sh paradl validate --measured so
  some.csv
  $ bash complete.sh paradl completion ''
  bash zsh fish
  $ if command -v zsh > /dev/null; then paradl completion zsh > _paradl; zsh -n _paradl; fi
  $ if command -v fish > /dev/null; then paradl completion fish > paradl.fish; fish -n paradl.fish; fi

help falls back on --help where there is no manual page; without a command paradl says what -h says:

  $ PATH= paradl help advise > help; paradl advise --help | cmp - help
  $ paradl help > help; paradl --help | cmp - help
  $ paradl 2> nothing; paradl -h | cmp - nothing
  $ paradl help exit-codes
  Exit status of every command:
  
    0  an answer was found
    1  the question is fine and the answer is "no": nothing is feasible, a
       validation misses its tolerance, check or fit --strict found something
    2  the command line is wrong
    3  an input file is missing or wrong
    4  a program that is needed (gnuplot) is missing or failed
    5  writing failed, or memory ran out
  130  a measurement or a sweep was interrupted; --resume goes on
  
  With --json a failure is a document too:
  {"schema": "paradl-error-1", "error": ...}.
  $ paradl help plans | head -n 3
  A plan says how many GPUs work along each axis, the outermost axis first:
  
    data=64,spatial=4            64 replicas, each cut into 4 pieces of the image
  $ paradl help --man-options
  paradl: --man-options needs a COMMAND
  [2]

Help and titles keep to the width:

  $ paradl list --help | sed -n 1,3p
  usage: paradl list [TOPIC|MODEL] [options]
  
  Without an argument the topics; with the name or file of a model its layers,
  $ COLUMNS=60 paradl list --help | sed -n 1,10p
  usage: paradl list [TOPIC|MODEL] [options]
  
  Without an argument the topics; with the name or file of a
  model its layers, their shapes and their work.
  
  Output
    --names                   print names only, one per line
    --json                    print JSON: SI units, every
                              digit; one document, also on
                              failure
  $ COLUMNS=60 paradl advise tiny --hw toy --ideal --gpus 8 | head -n 3
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32,
      ideal, 1.00 GiB/GPU
  970 parameters, 443 kflop/sample forward
  $ paradl help --help | grep man-options
  [1]
  $ PATH= paradl help paradl | head -n 1
  usage: paradl COMMAND [arguments]

Older spellings are understood for one release, with a warning; what is printed to be pasted has the new ones:

  $ paradl search tiny --hw toy --gpus 2 --search-over none --plan-options zero=0 > now
  $ paradl search tiny --hw toy --gpus 2 --vary none --with zero=0 --vary none > before
  paradl: warning: --vary is now --search-over; the old spelling goes with the next release
  paradl: warning: --with is now --plan-options; the old spelling goes with the next release
  $ cmp now before
  $ paradl advise tiny --hw toy --gpus 2,4 --in-turn 2> /dev/null | grep -A 1 details
   details     paradl advise tiny --hw toy --no-prefetch --gpus 4
   assumed     everything is a toy
  $ paradl estimate tiny --hw toy -s serial --in-turn --json | grep now
  paradl: warning: --in-turn is now --no-prefetch; the old spelling goes with the next release
      "--in-turn is now --no-prefetch; the old spelling goes with the next release"
  $ paradl estimate tiny --hw toy -s serial --samples 1G --deadline '2 d' > now
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  $ paradl estimate tiny --hw toy -s serial --samples 1G --days 2 > before
  paradl: warning: --days is now --deadline; the old spelling goes with the next release
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out (--checkpoint-rate RATE)
  $ cmp now before
  $ paradl sweep tiny --hw toy --gpus 2 --inference --vary prompt=1 --csv
  paradl: warning: --vary prompt= is now --vary input-tokens=; the old spelling goes with the next release
  model,hw,strategy,gpus,batch,input_tokens,feasible,reason,iteration_s,prompts_s,token_s,compute_s,communication_s,exposed_communication_s,bubble_s,memory_bytes,memory_share,samples_per_s,tokens_per_s,largest_batch,mfu,cost_per_million_tokens,currency,price_basis,limited_by,limited_share
  Tiny,Toy,,2,,1,false,Tiny takes no prompt: its input is no sequence of tokens,,,,,,,,,,,,,,,,,,
  paradl: no point is feasible
  [1]
  $ paradl search tiny --hw toy --fewe
  paradl: unknown option '--fewe' for search
    hint: 'paradl search --help' lists the options
  [2]
  $ paradl completion bash | grep -e --prompt -e --in-turn
  [1]

The last value of an option holds, and is said to:

  $ plan='-s serial'
  $ paradl estimate tiny-cnn --hw laptop $plan --hw abci | head -n 1
  paradl: warning: --hw 'abci' takes the place of 'laptop'
  tiny-cnn on ABCI (V100): serial on 1 GPU in 1 node, global batch 32, fp32, 16.0 GiB/GPU
  $ paradl estimate tiny-cnn --hw laptop $plan --hw=laptop | head -n 1
  tiny-cnn on laptop: serial on 1 GPU in 1 node, global batch 32, fp32, 5.59 GiB/GPU
