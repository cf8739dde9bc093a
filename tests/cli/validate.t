Projections against measurements.

  $ . "$TESTDIR/setup.sh"
  $ cat > measured.csv <<'EOF'
  > model,hw,strategy,batch,precision,unit,compute_s,communication_s,total_s,memory_bytes,framework,includes,set,source
  > tiny,toy,data=2,16,fp32,iter,0.00094,0.000002,0.00094,,toy,,first,me
  > tiny,toy,"data=2,filter=2",32,fp32,iter,,,0.001,,toy,,first,me
  > tiny,toy,filter=4,32,fp32,iter,,,0.0022,,toy,,second,me
  > tiny,toy,pipeline=8,32,fp32,iter,,,0.002,,toy,,second,me
  > tiny,nowhere,data=2,32,fp32,iter,,,0.002,,toy,,second,me
  > EOF
  $ paradl validate --measured measured.csv --ideal
   model  strategy         GPUs  measured  projected   error  compute  communication  set
   tiny   data=2              2    940 us     947 us  +0.7 %    100 %           81 %  first
   tiny   data=2,filter=2     4   1.00 ms    1.01 ms  +1.4 %        -              -  first
   tiny   filter=4            4   2.20 ms    2.40 ms  +8.9 %        -              -  second
  
   skipped
   line 5, tiny pipeline=8: needs 8 stages; the network can be cut into 4 (branches stay together);
     at most pipeline=4
   line 6, tiny data=2: there is no hardware profile "nowhere"; there are *toy* (glob)
     * (glob)
     * (glob)
     * (glob)
     * (glob)
  
   mean accuracy  rows  compute  communication  total
   data              2    100 %           81 %   50 %
   data+filter       1        -              -   99 %
   filter            1        -              -   91 %
   pipeline          1        -              -    0 %
   all               5    100 %           81 %   58 %
  
   set     rows  skip  error  skips as 100 %    bias  inside  memory  tau  regret  most
   first      2     -  1.1 %           1.1 %  +1.1 %       -       -    -       -     -
   second     3     2  8.9 %          69.6 %  +8.9 %       -       -    -       -     -
  
   mean accuracy 57.8 % (5 rows, 2 skipped as 0 %), rank order right in 1 of 1 pairs; tolerance 15 %: missed
  [1]
  $ paradl validate --measured measured.csv --ideal --json | schema
  paradl-validate-1
  $ paradl validate --measured measured.csv --ideal --tolerance 100% > /dev/null
  $ sed -n 1,4p measured.csv > runs.csv
  $ paradl validate --measured runs.csv --ideal -q
   model  strategy         GPUs  measured  projected   error  compute  communication  set
   tiny   data=2              2    940 us     947 us  +0.7 %    100 %           81 %  first
   tiny   data=2,filter=2     4   1.00 ms    1.01 ms  +1.4 %        -              -  first
   tiny   filter=4            4   2.20 ms    2.40 ms  +8.9 %        -              -  second
  
   mean accuracy 96.3 % (3 rows), rank order right in 1 of 1 pairs; tolerance 15 %: met
  $ paradl validate --measured runs.csv --ideal --csv | cut -d, -f1-7,10,16
  line,model,hw,strategy,family,batch,unit,measured_communication_s,projected_total_s
  2,tiny,toy,data=2,data,16,iter,2e-06,0.0009466068
  3,tiny,toy,"data=2,filter=2",data+filter,32,,7.03384e-05
  4,tiny,toy,filter=4,filter,32,iter,,0.0023960835
  $ paradl validate --measured runs.csv --ideal --tolerance 1% | tail -n 1
   mean accuracy 96.3 % (3 rows), rank order right in 1 of 1 pairs; tolerance 1.0 %: missed

Where nothing could be compared there is no bias, and -q does not hide why:

  $ sed -n '1p;6p' measured.csv > nowhere.csv
  $ paradl validate --measured nowhere.csv --ideal | tail -n 5
  
   set     rows  skip  error  skips as 100 %  bias  inside  memory  tau  regret  most
   second     1     1      -         100.0 %     -       -       -    -       -     -
  
   mean accuracy 0.0 % (1 row, 1 skipped as 0 %); tolerance 15 %: missed
  $ paradl validate --measured nowhere.csv --ideal -q
  paradl: line 2 is skipped: there is no hardware profile "nowhere"; there are *toy* (glob)
  
   mean accuracy 0.0 % (1 row, 1 skipped as 0 %); tolerance 15 %: missed
  [1]

Measuring here: what can be known to be wrong is said before anything is started.

  $ paradl validate --run
  paradl: validate --run needs --hw HW: the profile of this machine, which 'paradl fit' makes
    hint: 'paradl validate -h' shows the usual options and examples
  [2]
  $ paradl validate --run resnet50 --hw toy
  paradl: ResNet-50 cannot be run here: layer norm1 is of type norm batch
    hint: the program has conv (one group), linear, relu, max and avg pool, and a cross-entropy loss, each layer after the other; tiny-cnn is such a network
  [2]
  $ paradl validate --run --hw toy --strategies data,tensor
  paradl: --strategies: "tensor" is not run here
    hint: one axis at a time is: data, spatial, filter, channel, pipeline
  [2]
  $ paradl validate --run --hw toy --mpirun ' '
  paradl: --mpirun names no program
  [2]
  $ touch old.jsonl
  $ paradl validate --run --hw toy --samples-file old.jsonl
  paradl: --samples-file old.jsonl: there is such a file
    hint: name another, or remove it
  [2]
  $ paradl validate tiny --measured runs.csv
  paradl: a MODEL is for --run: rows of --measured name theirs
  [2]

Steps of PyTorch are those of one device; what they are run in is said with them, and by rows that there are already.

  $ paradl validate --run resnet50 --hw toy --framework pytorch-nhwc --ranks 2
  paradl: pytorch-nhwc is run on one device
    hint: leave out --ranks and --strategies
  [2]
  $ paradl validate --run resnet50 --hw toy --framework pytorch-compile --strategies data
  paradl: pytorch-compile is run on one device
    hint: leave out --ranks and --strategies
  [2]

A profile of one's own that extends one of PyTorch is of PyTorch, too; which program runs it is a key of the profile.

  $ mkdir -p own/hw-profiles/frameworks
  $ cp "$SOURCE"/hw-profiles/frameworks/nccl.json "$SOURCE"/hw-profiles/frameworks/pytorch-n*.json own/hw-profiles/frameworks
  $ cat > own/hw-profiles/frameworks/mine.json << 'END'
  > {"format": "paradl-framework", "version": 1, "extends": "pytorch-nhwc", "name": "mine", "summary": "PyTorch here"}
  > END
  $ paradl validate --run resnet50 --hw toy --framework own/hw-profiles/frameworks/mine.json --ranks 2
  paradl: */own/hw-profiles/frameworks/mine.json is run on one device (glob)
    hint: leave out --ranks and --strategies
  [2]
  $ paradl validate --run resnet50 --hw toy --framework pytorch-nhw 2>&1 | grep -c 'did you mean'
  1
  $ paradl validate --run --hw toy --precision bf16-mixed
  paradl: --precision is of steps of PyTorch: others are run in fp32, of images
    hint: --framework pytorch-nhwc, pytorch-nchw or pytorch-compile
  [2]
  $ paradl validate --run --hw toy --seq 128
  paradl: --seq is of steps of PyTorch: others are run in fp32, of images
    hint: --framework pytorch-nhwc, pytorch-nchw or pytorch-compile
  [2]
  $ paradl validate --measured runs.csv --precision fp32
  paradl: --precision is about --run: rows say theirs
  [2]

Training steps of one H200, to which no constant was fitted, and how far off projections of them are. The commit that changes
these lines says why:

  $ paradl validate --measured "$SOURCE/tests/data/measured/h200.csv" | sed -n '/^ set/,$p'
   set                rows   error     bias  inside  memory  tau  regret  most
   alexnet               4  23.5 %   +9.0 %    75 %  91.3 %    -       -     -
   densenet121           4  59.1 %  +59.1 %    25 %  16.8 %    -       -     -
   efficientnet-b0       4  26.9 %  +26.9 %    75 %  30.0 %    -       -     -
   googlenet             4  40.0 %  +40.0 %    50 %  28.6 %    -       -     -
   gpt2-like             4  10.2 %  +10.2 %   100 %  34.4 %    -       -     -
   gpt2-xl               3   6.6 %   -4.5 %   100 %  18.5 %    -       -     -
   llama-like            3  10.3 %   +6.9 %   100 %  20.7 %    -       -     -
   llama-wide            3   5.2 %   +4.0 %   100 %  21.9 %    -       -     -
   mobilenet-v2          4  21.5 %  +17.0 %    75 %  20.8 %    -       -     -
   resnet101             4  19.9 %  +18.6 %    75 %  20.0 %    -       -     -
   resnet152             4  43.7 %  +43.0 %    50 %  15.2 %    -       -     -
   resnet50              4  54.0 %  +52.2 %    50 %  27.6 %    -       -     -
   resnet50-compiled     1  22.1 %  +22.1 %   100 %  10.9 %    -       -     -
   resnet50-searched     2  13.7 %   +9.4 %   100 %  19.9 %    -       -     -
   vgg16                 4   8.9 %   -0.0 %   100 %  12.0 %    -       -     -
   vgg16-searched        2   8.4 %   +8.4 %   100 %  26.1 %    -       -     -
   vgg19                 4   7.8 %   -4.1 %   100 %  11.7 %    -       -     -
   vit-b16               4  30.4 %  -30.4 %    25 %  40.7 %    -       -     -
  
   mean accuracy 76.1 % (62 rows); tolerance 15 %: missed

The same of an H100, whose host was slower:

  $ paradl validate --measured "$SOURCE/tests/data/measured/h100.csv" | sed -n '/^ set/,$p'
   set                  rows   error     bias  inside  memory  tau  regret  most
   alexnet                 4  26.2 %  -16.1 %    25 %  91.3 %    -       -     -
   densenet121             4   3.1 %   +1.8 %   100 %  16.8 %    -       -     -
   efficientnet-b0         4  16.0 %  -10.6 %    50 %  30.0 %    -       -     -
   googlenet               4   8.9 %   +8.9 %   100 %  28.6 %    -       -     -
   gpt2-like               4  12.3 %   +6.8 %   100 %  34.4 %    -       -     -
   mobilenet-v2            4  11.6 %   -6.6 %   100 %  20.8 %    -       -     -
   resnet152               4   7.7 %   +6.8 %   100 %  15.2 %    -       -     -
   resnet50                4  17.6 %   +7.0 %    75 %  27.6 %    -       -     -
   resnet50-compiled       2  24.4 %  +24.4 %   100 %  13.8 %    -       -     -
   vgg16                   4   9.2 %   -2.4 %   100 %  12.0 %    -       -     -
   vit-b16                 4  35.5 %  -35.5 %     0 %  40.7 %    -       -     -
   gpt2-like-compiled      1  13.1 %  +13.1 %   100 %   8.4 %    -       -     -
   llama-like-compiled     1  17.1 %  -17.1 %   100 %   7.1 %    -       -     -
   llama-wide-compiled     1  18.8 %  +18.8 %   100 %  25.1 %    -       -     -
  
   mean accuracy 84.7 % (45 rows); tolerance 15 %: missed

  $ paradl validate --measured measured.csv --all-rows --quiet-network --framework toy --csv | wc -l
  6
  $ paradl validate --measured measured.csv --ideal --width 60 --ascii --color always --verbose -q
  paradl: line 5 is skipped: needs 8 stages; the network can be cut into 4 (branches stay together); at most pipeline=4
  paradl: line 6 is skipped: there is no hardware profile "nowhere"; there are toy, a100-8, abci-2, abci-routed, abci-simulated, abci, alps, aws-p4d, aws-p5, cloud-object, dgx-a100-superpod, dgx-h100-superpod, dgx1-simulated, dragonfly-fpga-272, frontier, fugaku, gb200-nvl72, jupiter, juwels-booster, ...; "paradl list hw-profiles" shows the names; a file of your own is a path such as ./nowhere.json
   [2mmodel[0m  [2mstrategy[0m         [2mGPUs[0m  [2mmeasured[0m  [2mprojected[0m   [2merror[0m
   tiny   data=2              2    940 us     947 us  +0.7 %
   tiny   data=2,filter=2     4   1.00 ms    1.01 ms  +1.4 %
   tiny   filter=4            4   2.20 ms    2.40 ms  +8.9 %
  
   mean accuracy 57.8 % (5 rows, 2 skipped as 0 %), rank order right in 1 of 1 pairs; tolerance 15 %: missed
  [1]
  $ paradl validate --measured measured.csv --ideal --jsonl -q | head -n 1 | cut -c1-9
  paradl: line 5 is skipped: needs 8 stages; the network can be cut into 4 (branches stay together); at most pipeline=4
  paradl: line 6 is skipped: there is no hardware profile "nowhere"; there are toy, a100-8, abci-2, abci-routed, abci-simulated, abci, alps, aws-p4d, aws-p5, cloud-object, dgx-a100-superpod, dgx-h100-superpod, dgx1-simulated, dragonfly-fpga-272, frontier, fugaku, gb200-nvl72, jupiter, juwels-booster, ...; "paradl list hw-profiles" shows the names; a file of your own is a path such as ./nowhere.json
  {"line":2
  $ paradl validate --run --hw toy --ranks 1 --launches 1 --quick --batch 8 --mpirun ' '
  paradl: --mpirun names no program
  [2]

Rows of serving: each token and the first are scored apart, against what estimate says of the same question.

  $ cat > served.csv <<'END'
  > model,hw,framework,strategy,precision,unit,batch,input_tokens,output_tokens,requests,spread,cached_prefix,prefill,token_s,first_s,set
  > llama3-8b,dgx-h100-superpod,vllm,tensor=2,,request,32,1024,256,320,0.2,,,0.0078,0.3,a
  > llama3-8b,dgx-h100-superpod,vllm,serial,,request,32,1024,256,,,0.5,,0.012,0.15,a
  > llama3-8b,dgx-h100-superpod,sglang,data=2,fp8-mixed,request,32,1024,256,,,,tensor=2,0.006,,b
  > tiny,dgx-h100-superpod,sglang,data=2,,request,32,,,,,,,0.006,,b
  > END
  $ paradl validate --measured served.csv
   model      strategy  GPUs  measured  projected   error  first token  projected    error  set
   llama3-8b  tensor=2     2   7.80 ms    8.17 ms  +4.7 %       300 ms     123 ms  -58.9 %  a
   llama3-8b  serial       1   12.0 ms    10.8 ms  -9.9 %       150 ms    98.3 ms  -34.5 %  a
   llama3-8b  data=2       2   6.00 ms    5.88 ms  -2.1 %            -     271 ms        -  b
  
   skipped
   line 5, tiny data=2: sglang answers prompts, Tiny generates no tokens
  
   mean accuracy  rows  compute  communication  total
   tensor            1        -              -   95 %
   serial            1        -              -   90 %
   data              2        -              -   49 %
   all               4        -              -   71 %
  
   set  rows  skip  error  skips as 100 %    bias  inside  memory  tau  regret  most
   a       2     -  7.3 %           7.3 %  -2.6 %   100 %       -    -       -     -
   b       2     1  2.1 %          51.0 %  -2.1 %   100 %       -    -       -     -
  
   each token  error 4.7 % in the middle, 29.2 % on average (skipped rows as 100 %); 100 % inside of
               the likely error
   first token error 46.7 % in the middle, 46.7 % on average (skipped rows as 100 %); 50 % inside of
               the likely error
  
   mean accuracy 70.8 % (4 rows, 1 skipped as 0 %); tolerance 15 %: missed
  [1]
  $ cat > check.py <<'END'
  > import csv, json, statistics, subprocess, sys
  > def ask(*words):
  >     return json.loads(subprocess.run([sys.argv[1], *words, "--json", "-q"], capture_output=True, text=True).stdout)
  > document, errors, firsts = ask("validate", "--measured", "served.csv"), [], []
  > for row, told in zip(csv.DictReader(open("served.csv")), document["rows"]):
  >     if row["model"] == "tiny":
  >         assert told["skipped"] and told["first_error"] is None
  >         continue
  >     words = ["estimate", row["model"], "--hw", row["hw"], "--framework", row["framework"], "-s", row["strategy"], "--batch", row["batch"], "--inference"]
  >     for name in ("precision", "input_tokens", "output_tokens", "requests", "spread", "cached_prefix", "prefill"):
  >         words += ["--" + name.replace("_", "-"), row[name]] if row[name] else []
  >     result = ask(*words)["results"][0]
  >     served = result["inference"]
  >     token = served["token_s"] / float(row["token_s"]) - 1
  >     errors.append(abs(token))
  >     assert told["projected"]["total_s"] == served["token_s"] and abs(told["error"] - token) < 1e-12 and told["error_share"] == result["error_share"]
  >     assert told["inside"] == (abs(float(row["token_s"]) - served["token_s"]) <= result["error_share"] * served["token_s"])
  >     if not row["first_s"]:
  >         assert told["first_error"] is None and told["first_inside"] is None
  >         continue
  >     first = served["prompts_s"] / float(row["first_s"]) - 1
  >     firsts.append(abs(first))
  >     assert told["projected"]["first_s"] == served["prompts_s"] and abs(told["first_error"] - first) < 1e-12
  >     assert told["first_error_share"] == served["first_error_share"]
  >     assert told["first_inside"] == (abs(float(row["first_s"]) - served["prompts_s"]) <= served["first_error_share"] * served["prompts_s"])
  > summary = document["summary"]
  > assert abs(summary["median"] - 100 * statistics.median(errors)) < 1e-9 and abs(summary["first_median"] - 100 * statistics.median(firsts)) < 1e-9
  > assert abs(summary["first_mape"] - 100 * statistics.mean(firsts)) < 1e-9 and abs(summary["projected_mape"] - 100 * statistics.mean(errors)) < 1e-9
  > print(len(errors), len(firsts), "rows as estimated")
  > END
  $ python3 check.py "$PARADL"
  3 2 rows as estimated
  $ paradl validate --measured served.csv --json | schema
  paradl-validate-1
  $ sed 's/,0.2,/,1,/' served.csv > wrong.csv; paradl validate --measured wrong.csv
  wrong.csv:2:1: column "spread": "1" is not below 1
      2 | llama3-8b,dgx-h100-superpod,vllm,tensor=2,,request,32,1024,256,320,1,,,0.0078,0.3,a
        | ^
  [3]
  $ sed 's/request,/answer,/' served.csv > wrong.csv; paradl validate --measured wrong.csv
  wrong.csv:2:1: column "unit": "answer" is none of iter, epoch and request
      2 | llama3-8b,dgx-h100-superpod,vllm,tensor=2,,answer,32,1024,256,320,0.2,,,0.0078,0.3,a
        | ^
  [3]
