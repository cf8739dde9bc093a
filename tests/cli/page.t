The page with controls: the command fills in a page that was built apart. Here is one that holds only what it gets.

  $ . "$TESTDIR/setup.sh"
  $ mkdir -p built/page
  $ echo '<script>{"paradl": null}</script>' > built/page/interactive.html
  $ export PARADL_PATH="$PWD/built:$PARADL_PATH"
  $ data() {
  >   python3 -c 'import json, sys
  > text = sys.stdin.read().strip()
  > assert text.count("<") == 2, text
  > data = json.loads(text[len("<script>"):-len("</script>")])
  > print(*(one["path"] for one in data["files"]), sep="\n")
  > print(*(json.dumps(one) for one in data["questions"]), sep="\n")
  > print(data["machines"], *data["remarks"])'
  > }

It holds the files, under the paths that their names lead to, or that were typed; and what it asks.

  $ sed 's/"name": "Toy"/"name": "<\/script>"/' "$TESTDIR/data/hw-profiles/toy.json" > my.json
  $ paradl report tiny --hw toy --hw my.json --gpus 4 --batch=8 --set hw.levels.1.bandwidth=x2 --micro 1 --interactive | data
  question/models/tiny.json
  question/hw-profiles/toy.json
  question/hw-profiles/devices/toy.json
  question/hw-profiles/frameworks/toy.json
  my.json
  {"question": {"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 4, "batch": "8", "micro": "1", "set": ["hw.levels.1.bandwidth=x2"]}, "lacking": 0}
  {"question": {"ask": "compare", "model": "tiny", "hw": "toy", "gpus": 4, "batch": "8", "set": ["hw.levels.1.bandwidth=x2"]}, "lacking": 1}
  {"question": {"ask": "whatif", "model": "tiny", "hw": "toy", "gpus": 4, "batch": "8", "set": ["hw.levels.1.bandwidth=x2"]}, "lacking": 1}
  ['toy', 'my.json']
  $ paradl report tiny --hw toy --interactive -o page.html && data < page.html | tail -n 1
  ['toy']

Models of other tools are there as what they became, with what was warned of.

  $ cp "$TESTDIR/../data/onnx/light_resnet50.onnx" "$TESTDIR/../data/huggingface/llama-3-8b.json" .
  $ paradl report light_resnet50.onnx --hw abci --gpus 8 --interactive -q | data | grep -v hw-profiles | cut -c -75
  light_resnet50.onnx
  {"question": {"ask": "advise", "model": "light_resnet50.onnx", "hw": "abci"
  {"question": {"ask": "compare", "model": "light_resnet50.onnx", "hw": "abci
  {"question": {"ask": "whatif", "model": "light_resnet50.onnx", "hw": "abci"
  ['abci']
  $ paradl report llama-3-8b.json --hw dgx-a100-superpod --gpus 8 --inference --interactive -q | data | grep -v hw-profiles | cut -c -75
  llama-3-8b.json
  {"question": {"ask": "advise", "model": "llama-3-8b.json", "hw": "dgx-a100-
  {"question": {"ask": "compare", "model": "llama-3-8b.json", "hw": "dgx-a100
  {"question": {"ask": "whatif", "model": "llama-3-8b.json", "hw": "dgx-a100-
  ['dgx-a100-superpod'] llama-3-8b.json: the file does not say how long seque

What it cannot be is said.

  $ paradl report tiny --hw toy --hw toy --top 3
  paradl: --top is for a report about one machine
  [2]
  $ paradl report tiny --hw toy --hw toy --hw toy --hw toy --interactive
  paradl: the page has room for 3 machines
  [2]
  $ paradl report tiny --hw toy --gpus 2,4 --interactive
  paradl: --interactive starts with one number of GPUs
  [2]
  $ paradl report tiny --hw ./none.json --interactive
  ./none.json: cannot open: No such file or directory
  [3]
  $ paradl report tiny --interactive 2>&1 | cut -c -50
  paradl: report needs --hw HW: a file, or one of a1
    hint: 'paradl report -h' shows the usual options
  $ echo '<script></script>' > built/page/interactive.html
  $ paradl report tiny --hw toy --interactive
  paradl: page/interactive.html is none of this program's
  [3]

Without controls several machines are the page of compare: no scripts, and files by their names alone.

  $ paradl report tiny --hw toy --hw "$PWD/my.json" --gpus 4 --epochs 10 -o several.html
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: </script> has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  $ paradl compare tiny --hw toy --hw "$PWD/my.json" --gpus 4 --epochs 10 -o compared.html
  paradl: warning: Toy has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  paradl: warning: </script> has no rate at which checkpoints are written: checkpoints and failures are left out of all machines (--checkpoint-rate RATE)
  $ diff several.html compared.html | sed -n 's/^[<>] */| /p'
  | <pre>paradl report tiny --hw toy --hw my.json --gpus 4 --epochs 10 -o several.html</pre>
  | <pre>paradl compare tiny --hw toy --hw my.json --gpus 4 --epochs 10 -o compared.html</pre>
  $ grep -c "$PWD" several.html
  0
  [1]
  $ grep -c '<img' several.html
  1
  $ grep -E '<h1|of the job|paid' several.html | sed 's/<[^>]*>/ /g; s/  */ /g; s/ $//' | grep -v 'The best plan of each machine: time'
   Toy and &lt;/script&gt;
   time of the job 1.96 s (1.16 s to 3.91 s) 1.96 s (1.16 s to 3.91 s)
   cost of the job 2.18 EUR (0.773 to 4.6) 2.18 EUR (0.773 to 4.6)
   paid by rent rent
   energy of the job 2.70 kJ (951 J to 1.6 Wh) 2.70 kJ (951 J to 1.6 Wh)
   GPUs paid for 4 4

What a whole job takes stands first.

  $ paradl report tiny --hw toy --gpus 4 --samples 64k -q -o job.html; grep -B 1 '<span>64\|for it' job.html | sed 's/<[^>]*>//g'
  1.96 s ±29 %
  64.0 k samples (10 epochs), nine of ten
  --
  2.18 EUR
  for it (rent)
  --
  2.70 kJ
  energy for it
  $ paradl report llama2-7b --hw dgx-h100-superpod --gpus 8 --tokens 1B --top 1 -q -o job.html; grep -c 'for it' job.html
  2
