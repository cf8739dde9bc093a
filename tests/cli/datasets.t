Data sets: what ships, mistakes in files, and others than the model's.

  $ . "$TESTDIR/setup.sh"
  $ paradl list datasets --width 100
   name           data set                        samples    sample  tokens   token    in all  classes
   alpaca         Alpaca                           52.0 k         -       -  4.00 B         -        -
   cifar-100      CIFAR-100                        50.0 k  3.00 KiB       -       -   147 MiB      100
   cosmoflow-128  CosmoFlow 128^3 (MLPerf)          262 k  2.70 MiB       -       -   691 GiB        -
   cosmoflow-512  CosmoFlow 512^3                   1,584  2.00 GiB       -       -  3.09 TiB        -
   deepcam        DeepCAM                           121 k  57.4 MiB       -       -  6.64 TiB        -
   imagenet-1k    ImageNet-1k                      1.28 M   107 KiB       -       -   131 GiB    1,000
   imagenet-21k   ImageNet-21k                     14.2 M  89.8 KiB       -       -  1.19 TiB   21.8 k
   kits19         KiTS19 (MLPerf Storage unet3d)      168   140 MiB       -       -  22.9 GiB        -
   openwebtext    OpenWebText                           -         -  9.04 B  2.00 B  16.8 GiB        -
   text-15t       15 T tokens                           -         -  15.0 T  4.00 B  54.6 TiB        -
   left out    files, layout, encoding, decoded, file: wider lines have them (--width)
  $ paradl list datasets --csv | sed -n '1p;/^cifar-100,/s|[^,]*/datasets|DIR|p'
  name,dataset,samples,sample_bytes,tokens,token_bytes,bytes,files,layout,encoding,decoded_bytes,classes,path
  cifar-100,CIFAR-100,50000,3074,,,153700000,1,shards,none,12288,100,DIR/cifar-100.json
  $ paradl list datasets --json | schema
  paradl-list-1
  $ paradl check --strict "$SOURCE"/datasets/*.json | grep -vc 'nothing found'
  0
  [1]
  $ paradl check --strict "$SOURCE"/hw-profiles/*.json 2>&1 | grep -v 'nothing found\|^    ' | grep -vc '/curves/.* nodes take up to'
  0
  [1]

One of our own beside what ships, by its name or as a file; it is checked as machines are.

  $ mkdir datasets
  $ printf '{"format": "paradl-dataset", "version": 1, "samples": 4096, "sample_size": "3 kB"}' > datasets/ours.json
  $ paradl list datasets --names | grep ours
  ours
  $ paradl check datasets/ours.json
  datasets/ours.json: line 1: /samples: no origin; say in "from" where the number is from
  datasets/ours.json: line 1: /sample_size: no origin; say in "from" where the number is from
  $ paradl estimate tiny --hw toy -s data=4 --batch 64 --dataset ours --csv > by-name.csv
  $ paradl estimate tiny --hw toy -s data=4 --batch 64 --dataset datasets/ours.json --csv > by-path.csv
  $ cmp by-name.csv by-path.csv
  $ paradl estimate tiny --hw toy -s data=4 --batch 64 --dataset ours | grep -o '64 iterations'
  64 iterations

What a network cannot be trained on:

  $ ask() { paradl estimate "$1" --hw "$2" -s data=4 --dataset "$3"; }
  $ ask tiny toy our
  paradl: there is no data set "our"; did you mean "ours"?
    hint: 'paradl list datasets' shows the names; a file of your own is a path: ./our.json
  [3]
  $ ask tiny toy ''
  paradl: the name of a data set is empty
    hint: 'paradl list datasets' shows the names; a file of your own is a path
  [2]
  $ ask resnet50 abci openwebtext 2>&1 | sed "s,$SOURCE/,,"
  datasets/openwebtext.json:5:13: /tokens: only a model whose input is tokens has a data set of tokens: give samples and sample_size
      5 |   "tokens": 9035582198,
        |             ^
  $ ask gpt2-xl abci imagenet-1k 2>&1 | sed "s,$SOURCE/,,"
  datasets/imagenet-1k.json:11:15: /encoding: is of images, but the input of GPT-2 XL is tokens
     11 |   "encoding": "jpeg",
        |               ^

Sizes and colours are compared, and classes; --force goes on.

  $ ask resnet50 abci deepcam
  paradl: --dataset deepcam is not for ResNet-50: a decoded sample has 57.4 MiB, the network takes 3 channels of 50176 points, 588 KiB in fp32
    hint: --force goes on as if it were
  [2]
  $ ask deepcam abci imagenet-1k
  paradl: --dataset imagenet-1k is not for DeepCAM: it has pictures of up to four colours, the network takes 16 channels in 2 dimensions
    hint: --force goes on as if it were
  [2]
  $ ask cosmoflow-128 abci cosmoflow-512
  paradl: --dataset cosmoflow-512 is not for CosmoFlow-128: a decoded sample has 2.00 GiB, the network takes 4 channels of 2.09715e+06 points, 32.0 MiB in fp32
    hint: --force goes on as if it were
  [2]
  $ paradl estimate resnet50 --hw abci -s data=4 --dataset deepcam --force 2>&1 | grep -E 'warning|^ total'
  paradl: warning: --dataset deepcam is not for ResNet-50: a decoded sample has 57.4 MiB, the network takes 3 channels of 50176 points, 588 KiB in fp32
   total                     18.6 s     2.44 h         474 iterations, 13.8 samples/s
  $ paradl advise wrn-16-8 --hw abci --gpus 4 --dataset cifar-100 --top 1 2>&1 >/dev/null
  paradl: warning: --dataset cifar-100: it has 100 classes, the network tells 10 apart; its last layer is estimated as it is
  $ ask cosmoflow-128 abci cosmoflow-128 | grep '^ total'
   total                    51.3 ms   56.1 min         65,536 iterations, 77.9 samples/s

  $ printf '{"format": "paradl-dataset", "version": 1, "tokens": 4096, "samples": 3}' > both.json
  $ paradl check both.json
  both.json:1:1: a data set is counted in tokens (tokens, token_size) or in samples (samples, sample_size)
      1 | {"format": "paradl-dataset", "version": 1, "tokens": 4096, "samples": 3}
        | ^
  [3]

A sweep evaluates points whose data set is for their network, unless it is told to go on.

  $ paradl sweep resnet50 --hw abci --gpus 4 -s data=4 --vary dataset=imagenet-1k,deepcam --csv 2>&1 | cut -c1-160
  paradl: DeepCAM is not for ResNet-50: a decoded sample has 57.4 MiB, the network takes 3 channels of 50176 points, 588 KiB in fp32
    hint: --force goes on as if it were
  $ paradl sweep resnet50 --hw abci --gpus 4 -s data=4 --vary dataset=imagenet-1k,deepcam --force --csv 2>&1 | cut -c1-160
  model,hw,strategy,gpus,batch,dataset,feasible,reason,iteration_s,epoch_s,compute_s,communication_s,exposed_communication_s,io_s,exposed_io_s,bubble_s,memory_byt
  ResNet-50,ABCI (V100),data=4,4,256,imagenet-1k,true,,0.1864027529300948,932.863499074964,0.1864027529300948,0.0017457425902285301,0,0.033927710843373496,0,0,687
  ResNet-50,ABCI (V100),data=4,4,256,deepcam,true,,18.567710843373494,8795.437590361445,0.1864027529300948,0.0017457425902285301,0,18.567710843373494,18.381308090
