Questions as JSON.

  $ . "$TESTDIR/setup.sh"

The answer is the document of the command, which it names:

  $ echo '{"ask": "estimate", "model": "tiny", "hw": "toy", "strategy": "data=4", "ideal": true}' | paradl ask > answer; schema < answer
  paradl-estimate-2
  $ paradl estimate tiny --hw toy --strategy data=4 --ideal --json | cmp - answer

A list is a list of values, or an option several times; a file may be named:

  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": [2, 8], "per_gpu": 8, "set": ["hw.levels.1.latency=x2", "model.training.batch_per_gpu=4"]}' > question.json
  $ paradl ask question.json | python3 -c 'import json,sys; print(*json.load(sys.stdin)["command"])'
  paradl advise tiny --hw toy --gpus 2,8 --per-gpu 8 --set hw.levels.1.latency=x2 --set model.training.batch_per_gpu=4 --json
  $ paradl ask question.json -o answer.json; python3 -c 'import json; print(json.load(open("answer.json"))["schema"])'
  paradl-advise-2

Files may stand in it:

  $ python3 - "$TESTDIR/data" > whole.json <<'EOF'
  > import json, pathlib, sys
  > data = pathlib.Path(sys.argv[1])
  > print(json.dumps({"ask": "advise", "model": json.loads((data / "models/tiny.json").read_text()), "hw": json.loads((data / "hw-profiles/toy.json").read_text()), "gpus": 8}))
  > EOF
  $ paradl ask whole.json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["results"][0]["strategy"], *[i["path"] for i in d["inputs"]][:2])'
  data=8,zero=1 question/model.json question/hw.json

Commands that read them again, with something changed, find them, too; texts are files that are no JSON:

  $ python3 - "$TESTDIR/data" <<'EOF'
  > import json, pathlib, sys
  > data = pathlib.Path(sys.argv[1])
  > files = {"model": json.loads((data / "models/tiny.json").read_text()), "hw": json.loads((data / "hw-profiles/toy.json").read_text())}
  > names = {"model": "tiny", "hw": "toy"}
  > phases = "phase,seconds\nforward,1\ntotal,5\n"
  > pathlib.Path("phases.csv").write_text(phases)
  > for ask, more in ("sweep", {"vary": "precision=fp32,fp16", "gpus": 2}), ("whatif", {"strategy": "data=2"}), ("diagnose", {"strategy": "data=2", "measured": {"text": phases}}):
  >     for which in files, names:
  >         question = {"ask": ask, **which, **more, **({"measured": "phases.csv"} if which is names and "measured" in more else {})}
  >         pathlib.Path(f"{ask}-{'file' if which is files else 'name'}.json").write_text(json.dumps(question))
  > EOF
  $ for ask in sweep whatif diagnose; do
  >   for which in file name; do
  >     paradl ask -q $ask-$which.json | python3 -c 'import json,sys; d=json.load(sys.stdin); print(json.dumps({k: d[k] for k in d if k not in ("command", "inputs")}))' > $ask-$which.answer
  >   done
  >   cmp $ask-file.answer $ask-name.answer && cut -d '"' -f 4 $ask-file.answer
  > done
  paradl-sweep-1
  paradl-whatif-1
  paradl-diagnose-1

The answer as people read it, as a table, or as a picture:

  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 8, "as": "text"}' | paradl ask > text; paradl advise tiny --hw toy --gpus 8 | cmp - text
  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 8, "as": "csv"}' | paradl ask > csv; paradl advise tiny --hw toy --gpus 8 --csv | cmp - csv
  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 8, "as": "svg"}' | paradl ask | grep -o '</svg>'
  </svg>
  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 8, "as": "svg", "picture": "tiny"}' | paradl ask 2>/dev/null | schema
  paradl-error-1
  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "picture": "memory"}' | paradl ask 2>&1 | head -1
  <stdin>:1:60: /picture: 'picture' has no meaning in a question, whose answer is what is returned
  $ echo '{"ask": "sweep", "model": "tiny", "hw": "toy", "vary": "gpus=4", "as": "svg"}' | paradl ask 2>&1 | head -1
  <stdin>:1:72: /as: sweep draws no picture
  $ echo '{"ask": "list", "topic": "models", "as": "yaml"}' | paradl ask 2>&1 | head -1
  <stdin>:1:42: /as: must be json, jsonl, csv, text or svg

What is wrong with it is said where it is:

  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "gpu": 8}' | paradl ask 2>&- | schema
  paradl-error-1
  $ echo '{"ask": "collective", "operation": "allreduce", "hw": "toy", "gpus": 4}' | paradl ask 2>&1 | head -1
  <stdin>:1:70: /gpus: collective has no 'gpus'; did you mean 'ranks'?
  $ echo '{"ask": "advice"}' | paradl ask 2>&1 | head -2
  <stdin>:1:9: /ask: 'advice' cannot be asked; did you mean 'advise'?
  {
  $ echo '{"ask": "estimate", "model": "tiny", "hw": "toy", "strategy": "data=4", "explain": "yes"}' | paradl ask 2>&1 | head -1
  <stdin>:1:84: /explain: must be true or false
  $ echo '{"ask": "advise", "model": "-", "hw": "toy"}' | paradl ask 2>&1 | head -1
  <stdin>:1:28: /model: cannot be '-': a question has no standard input
  $ echo '{"ask": "advise", "model": "tiny", "hw": "toy", "output": "x"}' | paradl ask 2>&1 | head -1
  <stdin>:1:59: /output: 'output' has no meaning in a question, whose answer is what is returned
  $ echo '[1' | paradl ask > /dev/null
  <stdin>:1:1: '[' without its ']'
  [3]
  $ paradl ask nothing.json > /dev/null
  nothing.json: cannot open: No such file or directory
  [3]

Warnings are in the answer, and beside it unless -q; -v names the files that were read:

  $ echo '{"ask": "collective", "operation": "broadcast", "hw": "toy", "density": 0.1}' > broadcast.json
  $ paradl ask broadcast.json -o loud.json
  paradl: warning: --density has no effect: there are no sparse algorithms for broadcast
  $ paradl ask broadcast.json -q -o quiet.json; python3 -c 'import json; print(json.load(open("quiet.json"))["warnings"])'
  ['--density has no effect: there are no sparse algorithms for broadcast']
  $ paradl ask -v whole.json -o whole-answer.json 2>&1 | head -2
  paradl: read question/model.json
  paradl: read question/hw.json
  $ paradl ask --help | head -1
  usage: paradl ask [QUESTION.json] [-o FILE]

"No" is an answer, with its exit status:

  $ echo '{"ask": "estimate", "model": "tiny", "hw": "toy", "strategy": "pipeline=8"}' | paradl ask 2> /dev/null | schema
  paradl-estimate-2
