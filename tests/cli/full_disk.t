A disk without room, here files of 512 bytes at most: each command that writes a file says which, and why. The status is 5, what was there before
stays, and nothing is left behind.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$TESTDIR/../.." DATA="$TESTDIR/../data" && touch files
  $ full()
  > {
  >   file=$1 && shift && { [ -e "$file" ] || echo before > "$file"; } && cp "$file" "$file.before" && find . -type f | sort > files
  >   (trap '' XFSZ; ulimit -f 1; paradl "$@" "$file" -q > /dev/null); echo "exit $?"
  >   cmp "$file" "$file.before"; find . -type f | sort | diff files -
  > }
  $ full a.txt search resnet50 --hw abci --gpus 16 -o
  a.txt: cannot write: File too large
  exit 5
  $ full a.csv sweep resnet50 --hw laptop --gpus 1 --vary batch=1..99+1 -o
  a.csv: cannot be written: File too large
  exit 5
  $ full a.html report resnet50 --hw abci --gpus 16 -o
  a.html: cannot be written: File too large
  exit 5
  $ full a.svg advise resnet50 --hw abci --gpus 16 --plot
  a.svg: cannot be drawn: ./a.dat: cannot write: File too large
  exit 5
  $ full a.xml export simgrid --hw laptop -o
  a.xml: cannot write: File too large
  exit 5
  $ full model.json import "$DATA/huggingface/bloom-176b.json" -o
  model.json: cannot write: File too large
  exit 5

Profiles, too, and samples, which grow while they are measured.

  $ cp "$PARADL_PATH/hw-profiles/laptop.json" old.json && cp "$DATA/logs/two-cores.fio-3.33.json" .
  $ full old.json fit two-cores.fio-3.33.json --into
  old.json: cannot write: File too large
  exit 5
  $ mkdir devices && cp "$PARADL_PATH/hw-profiles/devices/h100-sxm5-80gb.json" devices/h100.json
  $ full devices/h100.json fit "$DATA"/kernels/gemm.csv --device h100-sxm5-80gb --into
  devices/h100.json: cannot write: File too large
  exit 5
  $ (trap '' XFSZ; ulimit -f 1; paradl calibrate --fake --quick -o samples.jsonl -q > /dev/null); echo "exit $?"
  paradl: samples.jsonl: cannot be written: File too large
  exit 5
  $ ls samples.jsonl
  ls: cannot access 'samples.jsonl': No such file or directory
  [2]
