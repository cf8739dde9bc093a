What commands share: an option is the same in each of them, and no command takes one that it does not look at.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$SOURCE"
  $ cat > times.csv <<'EOF'
  > phase,seconds
  > forward,0.01
  > backward,0.02
  > weight_update,0.001
  > gradient_exchange,0.02
  > total,0.06
  > EOF
  $ cat > times.json <<'EOF'
  > { "format": "paradl-profile", "version": 1, "model": "AlexNet",
  >   "samples": [ { "batch": 32, "layers": { "conv1": { "fw": "30 ms", "bw": "60 ms" } } } ] }
  > EOF

A question about 8 GPUs of ABCI, with what each command needs; the answer as CSV or, of a report, what is said before the question:

  $ ask() {
  >   command=$1; shift
  >   case $command in
  >   estimate | export | hide | io) set -- -s data=8 "$@" ;;
  >   diagnose) set -- -s data=8 --measured times.csv "$@" ;;
  >   federate) set -- --clients 4 "$@" ;;
  >   whatif) set -- --best --gpus 8 "$@" ;;
  >   *) set -- --gpus 8 "$@" ;;
  >   esac
  >   [ "$command $model" != 'hide gpt2-xl' ] || set -- "$@" --dataset alpaca --epochs 3
  >   case $command in
  >   export) set -- astra-sim "$model" "$@" ;;
  >   report) set -- "$model" -o page.html "$@" ;;
  >   *) set -- "$model" $format "$@" ;;
  >   esac
  >   (PATH=/nowhere; paradl "$command" $more "$@" --hw "$hw" $quiet > answer) || echo "paradl $command: exit status $?"
  >   [ "$command" != report ] || sed '/<h2>Where this is from/,$d' page.html > answer
  > }
  $ same() {
  >   ask "$@"
  >   if cmp -s plain answer; then echo "$1 $2: the same"; fi
  > }
  $ model=alexnet hw=abci more='--framework chainermn' format=--csv quiet=-q

Assumptions:

  $ for command in advise compare diagnose estimate export federate hide io report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --set device.memory_rate=x0.5
  >   same $command --precision fp16-mixed
  >   same $command --framework pytorch-ngc
  > done
  $ for command in advise diagnose estimate federate hide io report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --optimizer adam
  >   same $command --layer-times times.json
  > done
  $ ask export; mv answer plain
  $ same export --per-gpu 2
  $ same export --batch 64
  $ for command in advise diagnose estimate hide io report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --algo rabenseifner
  >   same $command --compress topk:1%
  >   same $command --quiet-network
  >   same $command --ideal
  >   same $command --per-gpu 2
  >   same $command --batch 64
  > done

Input, where reading it is slow:

  $ more="--dataset imagenet-21k --set hw.storage.*.read=x0.03"
  $ for command in advise diagnose estimate hide io report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --dataset cifar-100 --force
  >   same $command --shuffle partial:30%
  >   same $command --store copy
  >   same $command --cache none
  >   same $command --workers 1
  >   same $command --prefetch 1
  >   same $command --no-prefetch
  > done
  $ for command in advise diagnose estimate hide report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --no-input
  > done

  $ more=

Plans:

  $ for command in advise compare report search whatif; do
  >   ask $command; mv answer plain
  >   same $command --strategies pipeline
  > done
  $ for command in advise compare report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --plan-options zero=3,recompute=full
  >   ask $command --threads 1
  >   cmp plain answer
  > done

  $ for command in search sweep; do
  >   ask $command; mv answer plain
  >   ask $command --lost-after 1s
  >   cmp plain answer
  > done
  $ for command in advise report; do
  >   ask $command --strategies pipeline; mv answer plain
  >   same $command --strategies pipeline --micro 2
  >   ask $command; mv answer plain
  >   same $command --goal memory
  > done
  $ for command in advise report search; do
  >   ask $command; mv answer plain
  >   same $command --top 1
  > done
  $ format= quiet=
  $ for command in advise estimate search report; do
  >   ask $command 2> /dev/null; mv answer plain
  >   same $command --flags deepspeed 2> /dev/null
  > done

Whole trainings, with checkpoints and failures:

  $ for command in advise compare estimate search; do
  >   ask $command --samples 1M 2> /dev/null; mv answer plain
  >   same $command --samples 10G 2> /dev/null
  >   same $command --epochs 3 2> /dev/null
  > done
  $ for command in advise estimate search; do
  >   ask $command --samples 1M 2> /dev/null; mv answer plain
  >   same $command --samples 1M --deadline '1 h' 2> /dev/null
  > done
  $ ask compare --per-gpu 16; mv answer plain
  $ same compare --per-gpu 8
  $ for command in advise estimate search; do
  >   ask $command --samples 10G 2> /dev/null; mv answer plain
  >   same $command --samples 10G --checkpoint none 2> /dev/null
  >   same $command --samples 10G --checkpoint-async 2> /dev/null
  >   same $command --samples 10G --checkpoint-rate '1 MB/s' 2> /dev/null
  >   same $command --samples 10G --mtbf '1 d' 2> /dev/null
  >   same $command --samples 10G --restart '5 h' 2> /dev/null
  > done

Samples that are hidden, and clients:

  $ format=--csv quiet=-q
  $ ask hide; mv answer plain
  $ same hide --warm-up 0
  $ same hide --per-candidate '1 ms'
  $ same hide --epoch-samples 1000
  $ for options in '' '--scheme splitfed:conv3'; do
  >   ask federate $options; mv answer plain
  >   same federate $options --samples-per-client 100
  >   same federate $options --local-epochs 2
  >   same federate $options --local-batch 8
  >   same federate $options --up '1 Mb/s'
  >   same federate $options --down '1 Mb/s'
  >   same federate $options --server '1 Mb/s'
  > done
  $ same federate --scheme splitfed:conv3 --server-devices 1
  $ ask federate --scheme model-exchange:2; mv answer plain
  $ same federate --scheme model-exchange:2 --lan '1 Mb/s'

Sequences, and answers:

  $ model=gpt2-xl hw=dgx-h100-superpod
  $ for command in advise compare diagnose estimate export federate hide io report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --seq 128
  > done
  $ for command in advise estimate report search sweep whatif; do
  >   ask $command; mv answer plain
  >   same $command --inference
  >   mv answer plain
  >   same $command --inference --input-tokens 64
  >   same $command --inference --output-tokens 16
  > done

Text keeps to a width and to ASCII where it is asked to, has colours, and with -v says what was read:

  $ readable() {
  >   grep -q '^paradl: read ' said || echo "$1 says nothing"
  >   sed 's/\x1b\[[0-9;]*m//g' answer > plain
  >   if cmp -s plain answer; then echo "$1 has no colours"; fi
  >   awk -v name="$1" 'length > 80 {print name ": " $0}' plain
  >   if LC_ALL=C grep '[^ -~]' plain; then echo "$1 is not ASCII"; fi
  > }
  $ model=alexnet hw=abci format= quiet=
  $ for command in advise compare diagnose estimate federate hide io search sweep whatif; do
  >   ask $command --width 80 --ascii --color always --verbose 2> said
  >   readable $command
  > done
  $ for command in export report; do
  >   ask $command --verbose 2>&1 | grep -c '^paradl: read '
  >   ask $command --quiet
  > done
  3
  3
  $ paradl collective allreduce --hw abci --width 80 --ascii --color always --verbose > answer 2> said; readable collective
  $ cp "$SOURCE/models/alexnet.json" .
  $ for command in check list; do
  >   paradl $command alexnet.json --width 80 --ascii --color never --verbose > answer
  >   awk 'length > 80' answer
  >   if LC_ALL=C grep '[^ -~]' answer; then echo "$command is not ASCII"; fi
  > done
  $ paradl check alexnet.json --quiet --jsonl && paradl list models --jsonl | cut -c1-40 | head -n 1
  {"path":"alexnet.json","valid":true,"format":"paradl-model","warnings":[],"note":null,"error":null}
  {"name":"alexnet","model":"AlexNet","par

What is written with -o is what is printed:

  $ quiet=-q
  $ for command in advise compare diagnose estimate export federate hide io search sweep whatif; do
  >   ask $command; mv answer plain
  >   ask $command --output other.txt; cmp plain other.txt
  > done
  $ paradl check alexnet.json > plain; paradl check alexnet.json --output other.txt; cmp plain other.txt
  $ paradl list datasets > plain; paradl list datasets --output other.txt; cmp plain other.txt

Each command has help, which begins with how it is called:

  $ for command in advise calibrate check collective compare completion diagnose estimate export federate fit help hide import io list report search sweep validate whatif; do
  >   paradl $command --help | sed -n 1p
  > done
  usage: paradl advise MODEL --hw HW [--gpus N] [options]
  usage: paradl calibrate [--cpu] [--mpi] [--gpu] [--storage DIR] [-o FILE] [options]
  usage: paradl check FILE|NAME... [options]
  usage: paradl collective OPERATION --hw HW [--ranks N] [--bytes SIZES] [options]
  usage: paradl compare MODEL... --hw HW --hw HW [--gpus N | --deadline TIME | --budget X] [options]
  usage: paradl completion bash|zsh|fish
  usage: paradl diagnose MODEL --hw HW -s PLAN --measured FILE [--measured FILE ...] [options]
  usage: paradl estimate MODEL --hw HW -s PLAN [options]
  usage: paradl export simgrid|simgrid-trace|astra-sim [OPERATION|MODEL] [options]
  usage: paradl federate MODEL --hw HW --clients SPEC [--scheme LIST] [options]
  usage: paradl fit FILES... | KERNELS.csv... | --measured CSV [--into HW.json] [--base HW] [options]
  usage: paradl help [COMMAND|plans|changes|exit-codes]
  usage: paradl hide MODEL --hw HW -s PLAN [--fraction F] [--sampler NAME] [options]
  usage: paradl import FILE [--from FORMAT] [options]
  usage: paradl io MODEL --hw HW [--gpus N | -s PLAN] [--shuffle LIST] [options]
  usage: paradl list [TOPIC|MODEL] [options]
  usage: paradl report MODEL --hw HW [--gpus N] [--interactive] -o report.html [options]
  usage: paradl search MODEL --hw HW [--gpus N] [options]
  usage: paradl sweep [MODEL] --hw HW (--vary KEY=VALUES)... [-s PLANS] [options]
  usage: paradl validate --measured CSV | --kernels CSV | --run [MODEL] --hw HW [options]
  usage: paradl whatif MODEL --hw HW -s PLAN|--best [--perturb SHARE] [options]

A report says on a page what else commands say:

  $ paradl report alexnet --hw abci --gpus 8 --top 1 --output page.html -q
  $ grep '<h2>' page.html
  <h2>Plans that run, best first</h2>
  <h2>More and fewer GPUs</h2>
  <h2>Where the time of the best plan goes</h2>
  <h2>What the best plan draws and costs</h2>
  <h2>How to start it</h2>
  <h2>Assumptions</h2>
  <h2>Where this is from</h2>

The schema of what a command prints with --json is that of the files:

  $ paradl help --schema estimate | cmp - "$SOURCE/schemas/estimate-2.schema.json"
