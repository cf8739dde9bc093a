Pictures are made by gnuplot from two files that stay beside them.

  $ . "$TESTDIR/setup.sh"
  $ most=serial,data,data+filter,data+channel,filter,channel,pipeline
  $ ask="advise tiny --hw toy --gpus 8 --ideal --strategies $most"

--plot draws beside the answer, -o instead of it:

  $ paradl $ask --plot=rank.png | head -n 1
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  $ ls
  rank.dat
  rank.gp
  rank.png
  $ paradl $ask -o other.svg
  $ ls other.*
  other.dat
  other.gp
  other.svg
  $ paradl $ask --plot -q > /dev/null; ls paradl-advise.*
  paradl-advise.dat
  paradl-advise.gp
  paradl-advise.png
  $ python3 - rank.png <<'EOF'
  > import sys, zlib
  > data = open(sys.argv[1], "rb").read()
  > width, height = (int.from_bytes(data[at:at + 4], "big") for at in (16, 20))
  > pixels, at = b"", 8
  > while at < len(data):
  >     size = int.from_bytes(data[at:at + 4], "big")
  >     pixels += data[at + 8:at + 8 + size] if data[at + 4:at + 8] == b"IDAT" else b""
  >     at += 12 + size
  > print(data[:8] == b"\x89PNG\r\n\x1a\n", width >= 1400, height >= 480, len(set(zlib.decompress(pixels))) > 20)
  > EOF
  True True True True

The picture says what the table says: every strategy, its time, the phases in use, why others fell out.

  $ python3 - "$ask" <<'EOF'
  > import json, os, re, subprocess, sys
  > svg = open("other.svg").read()
  > shown = [re.sub("<[^>]*>", "", text).strip() for text in re.findall("<text.*?</text>", svg, re.S)]
  > document = json.loads(subprocess.run(
  >     [os.environ["PARADL"], *sys.argv[1].split(), "--json"], stdout=subprocess.PIPE).stdout)
  > results = document["results"][:10]
  > print([r["strategy"] for r in results if r["strategy"] not in shown])
  > print([i["strategy"] for i in document["infeasible"][:8] if i["strategy"] not in shown or i["reason"] not in shown])
  > print(any(text.startswith("106 ms") and text.endswith("1.00") for text in shown))
  > print([p for p in ("forward", "backward", "gradient exchange", "halo exchange") if p in shown])
  > print("Tiny on Toy, 8 GPUs: time per epoch by strategy" in shown, "milliseconds per epoch" in shown)
  > EOF
  []
  []
  True
  ['forward', 'backward', 'gradient exchange']
  True True

A picture is what its name ends in; --picture chooses, and what a command does not draw it says:

  $ paradl $ask -o form.pdf; head -c 5 form.pdf; echo
  %PDF-
  $ paradl $ask -o form.sixel; grep -qa "$(printf '\033P')" form.sixel && echo sixel # gnuplot 6 moves the cursor first
  sixel
  $ paradl $ask --plot=rank.gif
  paradl: --plot=rank.gif must end in .png, .svg, .pdf, .sixel or .gp
  [2]
  $ paradl $ask --picture timeline
  paradl: advise does not draw 'timeline'
    hint: ranking, scaling, memory
  [2]
  $ paradl list pictures --names
  ranking
  scaling
  memory
  pareto
  map
  timeline
  collective
  calibration
  measured
  kernels
  tornado
  machines

Every picture has the numbers and the names that the text has:

  $ cat > texts.py <<'EOF'
  > import re, sys
  > svg = open(sys.argv[1]).read()
  > shown = [re.sub("<[^>]*>", "", text).strip() for text in re.findall("<text.*?</text>", svg, re.S)]
  > for text in sys.argv[2:]:
  >     if not any(text in line for line in shown):
  >         print("no", text)
  > print(len(shown) > 10, svg.count("nan"))
  > EOF
  $ paradl advise tiny --hw toy --ideal --strategies $most -o scaling.svg
  $ python3 texts.py scaling.svg "Tiny on Toy: weak scaling" "samples per second" "efficiency of a GPU" "100 %" \
  >     data data+filter "pipeline stops at 4 GPUs: on 8 it needs 8 stages"
  True 0
  $ paradl $ask -o memory.svg --picture memory
  $ python3 texts.py memory.svg "memory of the fullest" "1.00 GiB per GPU" weights activations data=4,filter=2
  True 0
  $ search="search tiny --hw toy --ideal --gpus 2..8 --strategies $most"
  $ paradl $search --pareto time,memory --top 5 -o pareto.svg
  $ python3 texts.py pareto.svg "peak memory per GPU against time per epoch" "no plan is better in both" "8 GPUs: "
  True 0
  $ paradl search tiny --hw toy --ideal --gpus 8 --map data,filter -o map.svg
  $ python3 texts.py map.svg "degree of data" "degree of filter" best "106 ms"
  True 0
  $ paradl estimate tiny --hw toy -s data=2,pipeline=4,micro=8 --batch 64 --timeline -o timeline.svg
  $ python3 texts.py timeline.svg "Tiny on Toy: a step on 4 stages" "stage 4" forward backward "4 micro-batches"
  True 0
  $ paradl estimate tiny --hw toy -s data=2,pipeline=4,micro=8 --batch 64 --timeline --csv | cut -d, -f 1-4 | sort | uniq -c | sort -rn | awk '{print $1}' | uniq
  1
  $ paradl estimate tiny --hw toy -s data=8 --timeline
  paradl: a timeline is of training with pipeline=2 or more
  [2]
  $ paradl collective allreduce --hw toy -o collective.svg
  $ python3 texts.py collective.svg "allreduce on Toy" "64 KiB" ring
  True 0
  $ paradl validate --measured "$SOURCE/tests/data/measured/abci.csv" -o measured.svg
  $ python3 texts.py measured.svg "Projected over measured times: 30 rows" "mean error" data+filter "furthest off"
  True 0
  $ kernels="$SOURCE/tests/data/kernels/gemm.csv"; files="--kernels $kernels --kernels $SOURCE/tests/data/kernels/moe.csv"
  $ PARADL_PATH="$SOURCE" paradl validate $files --device h100-sxm5-80gb -o kernels.svg
  $ python3 texts.py kernels.svg "h100-sxm5-80gb: 480 kernels, mean error" "gemm: 360, " "experts: 120, " "slope: memory " \
  >     "bf16 989 Tflop/s" "fp8, mxfp8 1.98 Pflop/s" "as device files say" "flop per byte"
  True 0
  $ awk '/^#/ || /^device/ || NR % 4 == 0' "$kernels" > some.csv; PARADL_PATH="$SOURCE" paradl fit some.csv --shapes 10 -o fitted.svg
  $ python3 texts.py fitted.svg "b200-sxm-180gb: 120 kernels" "fp4: 30, " "l40s-48gb: 90 kernels" "fp8, mxfp8 733 Tflop/s" \
  >     "with constants that were fitted without them"
  True 0

The script can be edited and run again:

  $ rm rank.png; gnuplot -d rank.gp; ls rank.png
  rank.png
  $ head -n 4 rank.gp
  # To draw it again from where paradl ran: gnuplot -d './rank.gp'
  if (!exists('output')) output = './rank.png'
  data = './rank.dat'
  
  $ cut -f 1,12,13 rank.dat | head -n 4
  # name	feasible	note
  "data=4,filter=2"	1	"106 ms  ×1.00"
  "data=4,channel=2"	1	"106 ms  ×1.00"
  "data=8"	1	"109 ms  ×1.03"

.gp alone runs nothing:

  $ PATH= paradl $ask -o script.gp; ls script.*
  script.dat
  script.gp

Several numbers of GPUs: where the time goes on each.

  $ paradl advise tiny --hw toy --ideal --strategies $most -o sweep.svg --picture ranking; grep -o '>[0-9]*: [a-z0-9=,]*<' sweep.svg
  >1: serial<
  >2: data=2<
  >4: data=4<
  >8: data=4,filter=2<

No gnuplot: the files are kept, exit status 4. The answer stands all the same.

  $ mkdir empty; PATH=empty paradl $ask --plot=lost.png -q > answer
  paradl: gnuplot not found; wrote lost.gp and lost.dat, run 'gnuplot -d lost.gp' where it works
  [4]
  $ ls lost.*; head -n 1 answer
  lost.dat
  lost.gp
  Tiny on Toy: 8 GPUs in 4 nodes, global batch 64, fp32, ideal, 1.00 GiB/GPU
  $ mkdir broken; printf '#!/bin/sh\necho "no such terminal" >&2\nexit 3\n' > broken/gnuplot; chmod +x broken/gnuplot
  $ PATH=broken paradl $ask -o failed.png
  paradl: gnuplot failed: no such terminal; wrote failed.gp and failed.dat, run 'gnuplot -d failed.gp' where it works
  [4]
  $ ls failed.*
  failed.dat
  failed.gp
  $ paradl $ask -o no/such/folder.png
  no/such/folder.png: cannot be drawn: ./no/such/folder.dat: cannot write: No such file or directory
  [5]

Where a failure is a document, it is the only one:

  $ paradl $ask --json --plot=no/such/folder.png 2> /dev/null | schema
  paradl-error-1

gnuplot hears nothing of the user's settings and writes no half pictures:

  $ echo 'set terminal dumb' > .gnuplot; paradl $ask -o plain.png; head -c 4 plain.png | tail -c 3
  PNG (no-eol)
  $ ls | grep part
  [1]

Names cannot run commands. gnuplot would run backquotes in double quotes, pipes in file names, macros outside quotes.

  $ cat > hostile.py <<'EOF'
  > import json, os, sys
  > model = json.load(open(os.environ["PARADL_PATH"] + "/models/tiny.json"))
  > model["name"] = "'`touch pwned1`' \"@m\n{/:Bold x}"
  > model["dataset"]["name"] = "'; system('touch pwned2'); print '`touch pwned3` $(touch pwned4) \\ # %s @macro"
  > json.dump(model, open("hostile.json", "w"))
  > EOF
  $ python3 hostile.py
  $ paradl advise hostile.json --hw toy --gpus 8 --ideal -o hostile.svg
  $ grep -oE "(' *|'|&apos;).?touch pwned1.*Bold x|system.*print" hostile.svg
  '`touch pwned1`' "@m?{/:Bold x
  system('touch pwned2'); print
  $ paradl $ask "--plot=|touch pwned6;.png" -q > /dev/null; ls *pwned6*
  |touch pwned6;.dat
  |touch pwned6;.gp
  |touch pwned6;.png
  $ paradl $ask "--plot=<touch pwned7.png" -q > /dev/null; ls *pwned7*
  <touch pwned7.dat
  <touch pwned7.gp
  <touch pwned7.png
  $ paradl $ask "--plot='; system('touch pwned8'); '.png" -q > /dev/null; ls *pwned8*
  '; system('touch pwned8'); '.dat
  '; system('touch pwned8'); '.gp
  '; system('touch pwned8'); '.png
  $ paradl $ask "--plot=-x.png" -q > /dev/null; ls -- -x.png
  -x.png
  $ paradl $ask "--plot=$(printf 'a\nb').png" -q > /dev/null
  paradl: a picture's name cannot have control characters
  [2]
  $ ls | grep -c '^pwned'
  0
  [1]

Memory is drawn of an estimate and of a search, too:

  $ paradl estimate tiny --hw toy -s data=4 --ideal --picture memory --plot=estimate.gp -q | head -n 1
  Tiny on Toy: data=4 on 4 GPUs in 2 nodes, global batch 32, fp32, ideal, 1.00 GiB/GPU
  $ paradl search tiny --hw toy --ideal --gpus 4 --picture memory --plot=search.gp -q | head -n 1
  Tiny on Toy: 4 GPUs in 2 nodes, global batch 32, fp32, ideal, 1.00 GiB/GPU
  $ ls estimate.gp search.gp
  estimate.gp
  search.gp

What the times of a picture over numbers of GPUs are of is what the plans are for.

  $ export PARADL_PATH="$TESTDIR/../.."
  $ paradl advise resnet50 --hw abci --gpus 8,16 --picture ranking --plot=gpus.gp -q > /dev/null; grep -o 'time per [a-z]* at the end' gpus.gp
  time per epoch at the end
  $ paradl advise mixtral-8x7b --inference --hw dgx-h100-superpod --gpus 8,16 --batch 64 --picture ranking --plot=gpus.gp -q > /dev/null; grep -o 'time per [a-z]* at the end' gpus.gp
  time per request at the end

With an amount it is that training, and what lacks memory leaves the axis to what runs.

  $ paradl advise llama3-70b --hw dgx-h100-superpod --gpus 64 --tokens 2T --plot=run.gp -q > /dev/null; grep -o "^set label [123] '[^']*'" run.gp; grep -o '^set xrange \[0:6..' run.gp
  set label 1 'Llama-3-70B on DGX H100 SuperPOD, 64 GPUs: time of the training by strategy'
  set label 2 '2.00 T tokens · global batch 512, ±12 % (nine of ten) · bf16-mixed · 80.0 GiB/GPU · faded: not feasible, and why'
  set label 3 'days of the training'
  set xrange [0:657
