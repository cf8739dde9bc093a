Mistakes in files.

  $ . "$TESTDIR/setup.sh"
  $ cp "$PARADL_PATH/models/tiny.json" good.json
  $ sed 's/"kernel": 3, "pad": 1/"kernel": 3, "pad": 1, "bias": false/' good.json > odd.json
  $ sed 's/"kernel": 3/"kernel": 300/' good.json > bad.json
  $ paradl check good.json
  good.json: paradl-model, nothing found
  $ paradl check odd.json
  odd.json: line 9: /layers/0: a conv without bias is followed by conv: is the bias or a norm missing?
  $ paradl check odd.json --strict > /dev/null
  [1]
  $ paradl check good.json --strict > /dev/null
  $ paradl check good.json bad.json
  bad.json:9:60: /layers/0/kernel: kernel is 300 but its input is 16x16 with pad 1
      9 |     { "name": "conv1", "type": "conv", "out": 8, "kernel": 300, "pad": 1 },
        |                                                            ^
  good.json: paradl-model, nothing found
  [3]
  $ paradl check bad.json odd.json --json 2>/dev/null
  {
    "schema": "paradl-check-1",
    "files": [
      {
        "path": "bad.json",
        "valid": false,
        "format": null,
        "warnings": [],
        "note": null,
        "error": {
          "code": "schema",
          "message": "kernel is 300 but its input is 16x16 with pad 1",
          "file": "bad.json",
          "line": 9,
          "column": 60,
          "pointer": "/layers/0/kernel",
          "hint": null
        }
      },
      {
        "path": "odd.json",
        "valid": true,
        "format": "paradl-model",
        "warnings": [
          "line 9: /layers/0: a conv without bias is followed by conv: is the bias or a norm missing?"
        ],
        "note": null,
        "error": null
      }
    ]
  }
  [3]
  $ paradl check good.json odd.json --csv
  path,valid,format,finding
  good.json,true,paradl-model,
  odd.json,true,paradl-model,line 9: /layers/0: a conv without bias is followed by conv: is the bias or a norm missing?

A run on some number of nodes that was slow as a whole.

  $ paradl check "$SOURCE/hw-profiles/abci-2.json" 2>&1 | sed "s/.*abci-2.json: //"
  line 38: /curves/3: 8 nodes take up to 1.9 times what the other counts say (32.0 MiB), at 3 of 4 large sizes; no other times are made of these
  line 78: /curves/11: 8 nodes take up to 1.9 times what the other counts say (32.0 MiB), at 4 of 4 large sizes; no other times are made of these
  line 93: /curves/14: 4 nodes take up to 2.4 times what the other counts say (8.00 MiB), at 2 of 4 large sizes; no other times are made of these
  line 98: /curves/15: 8 nodes take up to 6.7 times what the other counts say (16.0 MiB), at 4 of 4 large sizes; no other times are made of these
