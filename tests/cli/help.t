Help has two levels: -h is a screen for a first question, --help has everything.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$SOURCE"

  $ paradl -h
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
  $ paradl advise -h
  paradl advise: rank every way to spread the training of a model over GPUs
  usage: paradl advise MODEL --hw HW [--gpus N] [options]
  
    MODEL              a shipped network ('paradl list models') or a file
    --hw HW            a shipped machine ('paradl list hw') or a file
    --gpus N           GPUs: 64 or 8,16 or 4..1024 (default every power of 2)
    --batch N          samples per step on all GPUs together, or '4M tokens'
    --seq N            tokens of a sample: 8192, 8Ki
    --precision P      number format, else the model's (fp32, tf32, fp16, ...)
    --framework NAME   training program, by name ('paradl list frameworks')
    --goal GOAL        what to optimize (time, memory, cost, ...; default time)
    --inference        serve instead of train, with --batch requests at a time
    --tokens N         tokens of the whole training: 300B
    --flags PROGRAM    how to start the plan with this program (torchrun, ...)
    --top N            show N plans, 0: all (default what fits a screen)
    -v, --verbose      say more: what was read, assumed and left out
    -o, --output FILE  write to FILE.txt, .csv, .json or .jsonl
    --plot[=FILE]      draw the answer, too: FILE.png, .svg or .pdf
  
  examples
    paradl advise resnet50 --hw abci --gpus 64
    paradl advise llama3-70b --hw dgx-h100-superpod --gpus 64 --batch 512
  
  --help lists all 69 options; 'paradl help advise' opens the manual.
  $ commands=$(paradl --help | awk '/^commands/ {inside = 1; next} inside && !NF {exit} inside {print $1}')
  $ echo $commands | wc -w
  22

A short page fits on a screen, however wide it is, and has options that --help has as well; nothing of it is wrapped at 80 columns:

  $ for command in $commands; do
  >   COLUMNS=300 paradl $command -h > page; paradl $command -h | cmp - page
  >   [ $(wc -l < page) -le 24 ] || echo "$command: more than 24 lines"
  >   [ $(wc -L < page) -le 80 ] || echo "$command: wider than 80 columns"
  >   COLUMNS=200 paradl $command --help > all
  >   options=$(sed '/^examples$/q' page | grep -oE '^  (-[a-z], )?--[a-z-]+[^ ]*' | grep -oE -e '--[a-z-]+')
  >   [ -n "$options" ] && [ $(echo $options | wc -w) -le 15 ] || echo "$command: options"
  >   for option in $options; do grep -qE "^  (-[a-z], )?$option\b" all || echo "$command: $option"; done
  >   total=$(grep -cE '^  (-[a-z], )?--' all)
  >   tail -n 1 page | grep -qE "^--help lists (all $total options|the one option); 'paradl help $command' opens the manual.$" || echo "$command: last line"
  >   sed -n '4,/^$/p' page | grep '^    ' && echo "$command: an option is wrapped"
  > done; rm page all
  $ paradl -h | wc -l
  19

Where there is less room, lines are broken, as everywhere:

  $ COLUMNS=50 paradl check -h | head -n 9
  paradl check: look for mistakes in model, machine
  and framework files
  usage: paradl check FILE|NAME... [options]
  
    FILE|NAME          a file of any kind, or the
                       name of a shipped one
    --strict           exit with 1 when anything was
                       found
    --json             print JSON: SI units, every

The two examples of each command work as typed, in an empty folder. Those that measure this machine take minutes; a build
without the programs that measure has no made-up machine either:

  $ mkdir bin; ln -s "$PARADL" bin/paradl
  $ measures='calibrate --cpu|validate --run'
  $ paradl calibrate --fake --dry-run > dry 2>&1 || measures="$measures|fake"
  $ for command in $commands; do
  >   paradl $command -h | sed -n '/^examples$/,/^$/p' | sed '1d; s/^  //' > examples
  >   [ $(grep -c "^paradl $command\|| paradl $command\|&& paradl $command" examples) -eq 2 ] || echo "$command: two examples"
  >   mkdir $command; grep -vE "$measures" examples > $command/examples
  >   grep -q paradl $command/examples || continue
  >   (cd $command; PATH="$OLDPWD/bin:$PATH" sh -e examples > answer 2> errors) || cat $command/examples $command/errors
  >   [ -s $command/answer ] || [ $(ls $command | wc -l) -gt 3 ] || echo "$command: no answer"
  > done

Letters and names are options that do not mean the same here; the longer help counts, in any order:

  $ paradl list -h > short; paradl list --help > long; cmp -s short long
  [1]
  $ paradl list -qh | cmp - short; paradl list models -h --json | cmp - short
  $ paradl list -h --help | cmp - long; paradl list --help -h | cmp - long
  $ paradl help -h | head -n 1
  paradl help: open the manual of a command, or explain plans, changes, exit-codes

What cannot be answered for want of something names the short help; an option that is none, the long one:

  $ paradl whatif resnet50 --hw abci
  paradl: whatif needs -s PLAN, such as data=64, or --best
    hint: 'paradl whatif -h' shows the usual options and examples
  [2]
  $ paradl whatif resnet50 --hw abci --bets
  paradl: unknown option '--bets' for whatif; did you mean '--best'?
  [2]
  $ paradl whatif resnet50 --hw abci --frobnicate
  paradl: unknown option '--frobnicate' for whatif
    hint: 'paradl whatif --help' lists the options
  [2]
