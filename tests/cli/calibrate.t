Measuring a machine. A script stands for the programs that measure: it is where they are looked for, beside the program.

  $ . "$TESTDIR/setup.sh"
  $ mkdir -p bin/calibrate/fake && cp "$PARADL" bin/paradl
  $ cp "$TESTDIR/programs/measure.py" bin/calibrate/fake/paradl-measure-fake
  $ PARADL="$PWD/bin/paradl"; export TELL=
  $ time_out() { sed -E '/^ /s/ +(time|[0-9.]+ (ms|s|min))$/  TIME/' "$@"; } # how wide it is depends on how long that took

What would be measured:

  $ roughly() { sed -E 's/ +(1\.[0-4]|59|[6-8].)[0-9.]* (min|s)/ ABOUT A MINUTE/' "$@"; } # until programs have listed their points counts, too
  $ paradl calibrate --fake --dry-run -o a.jsonl | roughly
   program  launches  points      time
   fake            5       6 ABOUT A MINUTE
  
   in all      30 measurements at least, in ABOUT A MINUTE
   file        a.jsonl, at most 480 KiB
  $ paradl calibrate --fake --dry-run --quick -v --only memory | sed -E 's/  +[3-9][0-9.]* s$/  TIME/; s/in [3-9][0-9.]* s/in TIME/'
  fake memory/0
  fake memory/1
  fake memory/2
   program  launches  points    time
   fake            2       3  TIME
  
   in all      6 measurements at least, in TIME
   file        *-samples.jsonl, at most * (glob)
  $ paradl calibrate --fake --dry-run --time-limit 3s --json | grep -E 'planned_s|dry'
    "dry_run": true,
    "planned_s": 3,
  $ ls
  bin

Measuring:

  $ paradl calibrate --fake -o a.jsonl | time_out
   program  launches  points  measured  kept  failed  absent  TIME
   fake            5       6        30     -       -       -  TIME
  
   samples     a.jsonl
   next        paradl fit a.jsonl --into my.json
  $ paradl check a.jsonl
  a.jsonl: paradl-samples, nothing found
  $ ls
  a.jsonl
  bin

Nothing is overwritten; what is there is kept.

  $ paradl calibrate --fake -o a.jsonl
  a.jsonl: has samples already
    hint: --resume goes on with it; or give a new name with -o
  [2]
  $ paradl calibrate --fake -o a.jsonl --resume --json > a.json; schema < a.json; grep -E 'measured|kept' a.json
  paradl-calibrate-1
        "measured": 0,
        "kept": 30,
  $ echo other > other.txt; paradl calibrate --fake -o other.txt --resume; cat other.txt
  other.txt: is no file of samples
    hint: give a new name with -o
  other
  $ paradl calibrate --fake -o /dev/full
  /dev/full: is no file that samples can be kept in
  [2]
  $ TELL=wait=go paradl calibrate --fake --launches 1 -o b.jsonl > b.txt &
  $ until [ -s b.jsonl ]; do sleep 0.1; done
  $ paradl calibrate --fake -o b.jsonl --resume
  b.jsonl: another calibration writes to it
    hint: wait until it is done, or give another name with -o
  [2]
  $ touch go; wait; head -n 2 b.txt | time_out
   program  launches  points  measured  kept  failed  absent  TIME
   fake            1       6         6     -       -       -  TIME

A program that hangs is ended, and the point tried again once; one that crashes, too.

  $ TELL=hang=gemm/1 paradl calibrate --fake --launches 1 --patience 2s -o hang.jsonl -v > hang.txt 2>&1 &
  $ TELL=crash-once=gemm/1 paradl calibrate --fake --launches 1 -o once.jsonl -q | time_out
   program  launches  points  measured  kept  failed  absent  TIME
   fake            1       6         6     -       -       -  TIME
   lost: fake gemm/1: its program was ended by signal 6
  $ TELL=crash=gemm/1 paradl calibrate --fake -o crash.jsonl -q > crash.txt
  [1]
  $ time_out crash.txt
   program  launches  points  measured  kept  failed  absent  TIME
   fake            5       6        20     -       3       -  TIME
   dropped: fake gemm, which hung or crashed too often
   lost: fake gemm/1: its program was ended by signal 9
   lost: fake gemm/1: its program was ended by signal 9
   lost: fake gemm/1: its program was ended by signal 9
  $ grep -c '"failed":"its program was ended by signal 9"' crash.jsonl
  6
  $ paradl check crash.jsonl
  crash.jsonl: line 5: gemm/1 failed: its program was ended by signal 9 (3 of 23 points did)
  crash.jsonl: line 3: gemm/1 was measured again, after: its program was ended by signal 9 (3 of 23 points were)
  $ wait; grep -E 'gemm/1|fake  ' hang.txt | time_out
  fake: gemm/1: hung: no word for 2 s; once more
  fake: gemm/1: hung: no word for 2 s
  [2/6] launch 1/1 fake gemm/1 failed: hung: no word for 2 s* (glob)
   fake            1       6         5     -       1       -  TIME
   lost: fake gemm/1: hung: no word for  TIME
  $ paradl check hang.jsonl
  hang.jsonl: fake: 1 launch: fitted numbers will have ranges, no intervals
  hang.jsonl: line 5: gemm/1 failed: hung: no word for 2 s (1 of 6 points did)
  hang.jsonl: line 3: gemm/1 was measured again, after: hung: no word for 2 s (1 of 6 points were)

What was lost is in the file and in the summary; points that failed can be measured again.

  $ grep -c '"again":true' once.jsonl
  1
  $ rm crashed; TELL=crash-once=gemm/1 paradl calibrate --fake --launches 1 -o lost.jsonl | grep lost:
   lost: fake gemm/1: its program was ended by signal 6
  $ paradl check lost.jsonl; paradl fit lost.jsonl --json | grep -A1 '"lost"'
  lost.jsonl: fake: 1 launch: fitted numbers will have ranges, no intervals
  lost.jsonl: line 3: gemm/1 was measured again, after: its program was ended by signal 6 (1 of 6 points were)
        "judge": "lost",
        "text": "at 1 point a program or one of its ranks was lost, which then measured again; the first time: its program was ended by signal 6",
  $ TELL=fail-once=gemm/1 paradl calibrate --fake --launches 1 -o retry.jsonl --csv | cut -d, -f1,5,7
  program,measured,failed
  fake,5,1
  $ paradl calibrate --fake --launches 1 -o retry.jsonl --resume --csv | cut -d, -f1,5,6,7
  program,measured,kept,failed
  fake,0,6,0
  $ paradl calibrate --fake --launches 1 -o retry.jsonl --retry-failed --csv | cut -d, -f1,5,6,7
  program,measured,kept,failed
  fake,1,5,0
  $ paradl check retry.jsonl
  retry.jsonl: fake: 1 launch: fitted numbers will have ranges, no intervals
  retry.jsonl: line 3: gemm/1 was measured again, after: out of luck (1 of 6 points were)
  $ TELL=hang-list paradl calibrate --fake --patience 1s -o hang.jsonl --dry-run | tail -n 1
   fake        says nothing: ended after 1 s
  $ TELL=least=3 paradl calibrate --fake --quick --launches 1 --dry-run --json | grep -cE '"planned_s": (18[.]|19|2[0-9])'
  1
  $ cp -r bin/calibrate/fake bin/calibrate/mpi && mv bin/calibrate/mpi/paradl-measure-fake bin/calibrate/mpi/paradl-measure-mpi
  $ cp -r bin/calibrate/mpi bin/calibrate/cpu && mv bin/calibrate/cpu/paradl-measure-mpi bin/calibrate/cpu/paradl-measure-cpu

What does not fit into the time is left out, and said; tests/runner/test_calibrate.c compares promised and taken times.

  $ TELL=hang=gemm/2 paradl calibrate --cpu --quick --time-limit 2s -o left.jsonl | sed -nE 's/ +[0-9][.0-9]* s$/  TIME/; 1,5p' | cut -c 1-90
   program  launches  points  measured  kept  failed  absent  left out    time
   cpu             1       6         2     -       -       -        10  TIME
  
   stopped     the time of --time-limit is up
   samples     left.jsonl
  $ cat > bin/mpirun << 'EOF'
  > #!/bin/sh
  > echo 'mpirun has detected an attempt to run as root.' >&2; exit 1
  > EOF
  $ chmod +x bin/mpirun; TELL=points=1 PATH="$PWD/bin:$PATH" paradl calibrate --quick --launches 1 -o root.jsonl -q > root.txt
  [1]
  $ sed -n '/not measured/,/mpirun/p' root.txt
   not measured
   mpi         mpirun has detected an attempt to run as root. Allow it: --mpirun 'mpirun
   storage     is not measured unasked: --storage DIR
  $ rm -r bin/calibrate/mpi bin/calibrate/cpu bin/mpirun

What is not here is said; a full disk stops everything, and what is there can be gone on with.

  $ TELL=no-hardware paradl calibrate --fake -o none.jsonl | time_out
   program  launches  points  measured  kept  failed  absent  TIME
   fake            1       6         -     -       -       -  TIME
  
   not measured
   fake        no such hardware is here
  
  $ TELL=no-hardware paradl calibrate --fake -o none.jsonl > /dev/null
  [4]
  $ ls none.jsonl
  ls: cannot access 'none.jsonl': No such file or directory
  [2]
  $ paradl calibrate --mpi -o none.jsonl
  
   not measured
   mpi         paradl-measure-mpi was not built: it needs Open MPI (libopenmpi-dev); where paradl was
               built: meson setup --reconfigure build -Dmpi=enabled, and ninja -C build
  [4]
  $ (ulimit -f 1; paradl calibrate --fake -o full.jsonl > full.txt)
  paradl: full.jsonl: cannot be written: * (glob)
  [5]
  $ sed -n '$p' full.txt
   next        paradl calibrate --fake -o full.jsonl --resume
  $ paradl calibrate --fake -o full.jsonl --resume > /dev/null && paradl check full.jsonl
  full.jsonl: paradl-samples, nothing found

Ctrl-C:

  $ TELL=sleep=0.3 env --default-signal=INT "$PARADL" calibrate --fake -o stopped.jsonl > stopped.txt &
  $ until grep -qs point stopped.jsonl; do sleep 0.1; done; kill -INT $!; wait $!
  [130]
  $ tail -n 3 stopped.txt
   stopped     interrupted
   samples     stopped.jsonl
   next        paradl calibrate --fake -o stopped.jsonl --resume
  $ flock stopped.jsonl true # what the program had started may still run
  $ paradl calibrate --fake -o stopped.jsonl --resume --csv | sed 1d | cut -d, -f1-5,7-8 | awk -F, '{print ($5 < 30), $0}'
  1 fake,,5,6,*,0,0 (glob)
  $ paradl check stopped.jsonl
  stopped.jsonl: paradl-samples, nothing found

Layers of networks, each distinct one once, whole and cut; what programs get is shown as names of points.

  $ paradl calibrate --fake --dry-run --layers-of tiny --batches 4 --shards filter=2,spatial=2 -o layers.jsonl -v 2>&1 | sed -n '/fake [cl]/p'
  fake convolution/layer=conv1/model=Tiny/batch=4/dimensions=2/channels=4/filters=8/groups=1/kernel=3x3x1/stride=1x1x1/pad=1x1x0/dilation=1x1x1/x=16x16x1/y=16x16x1/backward_data=0
  fake convolution/layer=conv2/model=Tiny/batch=4/dimensions=2/channels=8/filters=8/groups=1/kernel=3x3x1/stride=1x1x1/pad=1x1x0/dilation=1x1x1/x=16x16x1/y=16x16x1/backward_data=1
  fake linear/layer=fc/model=Tiny/batch=4/channels=8/filters=10/bias=1/backward_data=1
  fake convolution/layer=conv1/model=Tiny/batch=4/dimensions=2/channels=4/filters=4/groups=1/kernel=3x3x1/stride=1x1x1/pad=1x1x0/dilation=1x1x1/x=16x16x1/y=16x16x1/backward_data=0
  fake convolution/layer=conv2/model=Tiny/batch=4/dimensions=2/channels=8/filters=4/groups=1/kernel=3x3x1/stride=1x1x1/pad=1x1x0/dilation=1x1x1/x=16x16x1/y=16x16x1/backward_data=1
  fake linear/layer=fc/model=Tiny/batch=4/channels=8/filters=5/bias=1/backward_data=1
  fake convolution/layer=conv1/model=Tiny/batch=4/dimensions=2/channels=4/filters=8/groups=1/kernel=3x3x1/stride=1x1x1/pad=0x1x0/dilation=1x1x1/x=10x16x1/y=8x16x1/backward_data=0
  fake convolution/layer=conv2/model=Tiny/batch=4/dimensions=2/channels=8/filters=8/groups=1/kernel=3x3x1/stride=1x1x1/pad=0x1x0/dilation=1x1x1/x=10x16x1/y=8x16x1/backward_data=1
  $ ls layers.jsonl*
  ls: cannot access 'layers.jsonl*': No such file or directory
  [2]

Asking what would be measured takes no file away from a calibration that is under way.

  $ echo of another > layers.jsonl.cases
  $ paradl calibrate --fake --dry-run --layers-of tiny -o layers.jsonl -q > /dev/null
  $ cat layers.jsonl*; rm layers.jsonl.cases
  of another

Mistakes:

  $ paradl calibrate resnet50
  paradl: calibrate takes no 'resnet50'; --layers-of MODEL names a network
  [2]
  $ paradl calibrate --fake --only gemms
  paradl: --only: no program has a bench "gemms"; did you mean "gemm"?
  [2]
  $ paradl calibrate --fake --quick --full
  paradl: only one of --quick and --full is possible
  [2]
  $ paradl calibrate --fake --time-limit soon
  paradl: --time-limit must start with a number such as 12.5 or 1e9, is "soon": write "1.5 us", "20 ms", "30 min", "3 h" or "30 d"
  [2]
  $ paradl calibrate --fake --layers-of tiny --shards depth=2
  paradl: --shards: "depth=2" cuts no layer
    hint: write AXIS=DEGREE, AXIS one of filter, channel, spatial, tensor: filter=2,spatial=4
  [2]
  $ paradl calibrate --fake --batches 4
  paradl: --batches and --shards are of the layers of --layers-of MODEL
  [2]

Programs, and how they are started; nothing is measured.

  $ paradl calibrate --cpu --gpu --storage . --dry-run -o dry.jsonl --width 60 --ascii --color always
  
   [2mnot measured[0m
   cpu         paradl-measure-cpu was not built: it needs
               OpenBLAS (libopenblas-dev); where paradl was
               built: meson setup --reconfigure build
               -Dopenblas=enabled, and ninja -C build
   cuda        paradl-measure-cuda was not built: it needs
               nvcc (nvidia-cuda-toolkit); where paradl was
               built: meson setup --reconfigure build
               -Dcuda=enabled, and ninja -C build
   storage     paradl-measure-storage was not built or not
               installed; where paradl was built: ninja -C
               build, and meson install -C build
  [4]
  $ paradl calibrate --mpi --ranks 2 --hostfile hosts --mpirun nowhere --dry-run -o dry.jsonl
  
   not measured
   mpi         paradl-measure-mpi was not built: it needs Open MPI (libopenmpi-dev); where paradl was
               built: meson setup --reconfigure build -Dmpi=enabled, and ninja -C build
  [4]
  $ paradl calibrate --fake --seed 7 --dry-run -o dry.jsonl --jsonl | sed 's/:6[0-9.]*}/:60}/'
  {"program":"fake","skipped":null,"launches":5,"points":6,"measured":0,"kept":0,"failed":0,"absent":0,"left_out":0,"seconds":60}
