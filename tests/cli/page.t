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

  $ paradl report tiny --hw toy --hw toy
  paradl: report is about one machine
    hint: --interactive puts up to three side by side; so does paradl compare
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
  $ echo '<script></script>' > built/page/interactive.html
  $ paradl report tiny --hw toy --interactive
  paradl: page/interactive.html is none of this program's
  [3]
