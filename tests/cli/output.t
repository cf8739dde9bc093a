Where answers go.

  $ . "$TESTDIR/setup.sh"
  $ ask='advise tiny --hw toy --gpus 4 --ideal'

-o writes at once or not at all; the name says what.

  $ for kind in txt csv json jsonl; do paradl $ask -o answer.$kind || echo $?; done
  $ ls
  answer.csv
  answer.json
  answer.jsonl
  answer.txt
  $ paradl $ask > text; cmp answer.txt text
  $ paradl $ask --csv > csv; cmp answer.csv csv
  $ paradl $ask --jsonl > jsonl; cmp answer.jsonl jsonl
  $ schema < answer.json
  paradl-advise-2
  $ paradl $ask --csv -o answer; cmp answer csv; rm answer
  $ paradl $ask --csv -o answer.json
  paradl: -o answer.json contradicts --csv
    hint: leave one of them out
  [2]
  $ paradl $ask --csv -o - | cmp - csv
  $ paradl $ask -o no/such/folder.json
  no/such/folder.json: cannot write: No such file or directory
  [5]
  $ echo kept > answer.csv; paradl $ask --gpu 3 -o answer.csv; cat answer.csv
  paradl: unknown option '--gpu' for advise; did you mean '--gpus'?
  kept
  $ paradl import nothing.net -o imported.json; ls imported.json
  nothing.net: cannot open: No such file or directory
  ls: cannot access 'imported.json': No such file or directory
  [2]

The same question has the same bytes for an answer:

  $ paradl $ask --json > one; paradl $ask --json > two; cmp one two

Writing that fails is 5, and says why:

  $ paradl $ask > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]
  $ paradl $ask --json > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]
  $ paradl --help > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]
  $ paradl --version > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]
  $ paradl completion bash > /dev/full
  paradl: cannot write to standard output: No space left on device
  [5]
  $ paradl $ask >&-
  paradl: cannot write to standard output: Bad file descriptor
  [5]
  $ paradl $ask -o full.txt 2>&-; ls full.txt
  full.txt

A reader that has seen enough is no error, with or without the signal:

  $ paradl $ask --all --top 0 | head -n 1
  Tiny on Toy: 4 GPUs in 2 nodes, global batch 32, fp32, ideal, 1.00 GiB/GPU
  $ paradl $ask --all --json 2>err | head -n 1; cat err
  {
  $ cat > ignore.py <<'EOF'
  > import os, signal, subprocess, sys
  > signal.signal(signal.SIGPIPE, signal.SIG_IGN)
  > read, write = os.pipe()
  > os.close(read)
  > ran = subprocess.run(sys.argv[1:], stdout=write, stderr=subprocess.PIPE, restore_signals=False)
  > print(ran.returncode, ran.stderr.decode())
  > EOF
  $ python3 ignore.py "$PARADL" $ask
  0 
