Constants from measured training times.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$TESTDIR/../.." DATA="$TESTDIR/../data/fit"
  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" > fit.txt
  $ sed 's/  *$//' fit.txt
   profile  * (glob)
   a100-sxm4-80gb  * (glob)
   megatron-deepspeed  * (glob)
   megatron-2021  * (glob)
   megatron-2021  * (glob)
   internevo  *  no rows (glob)
  
   set  * (glob)
   korthikanti  * (glob)
   megatron1-v100  * (glob)
   vtrain-single  * (glob)
  
   5 constants, 36 rows, objective 0.6541 (3.224 at the priors)

The same rows and list give the same constants, whatever they were before.

  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --csv > first.csv
  $ mkdir into && cp -r "$TESTDIR/../../hw-profiles" into/hw-profiles && chmod -R u+w into
  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --into into/hw-profiles -q > /dev/null
  $ PARADL_PATH="$PWD/into" paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --csv > second.csv
  $ cut -d, -f1-3 first.csv > first; cut -d, -f1-3 second.csv > second; cmp first second
  $ diff -r "$TESTDIR/../../hw-profiles" into/hw-profiles | grep -c '^diff'
  3
  $ paradl check --strict into/hw-profiles/devices/a100-sxm4-80gb.json
  into/hw-profiles/devices/a100-sxm4-80gb.json: paradl-device, nothing found

  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --leave-out korthikanti --json > fit.json
  $ schema < fit.json
  paradl-fit-1
  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --leave-each-out --jsonl | wc -l | tr -d ' '
  5

Mistakes

  $ paradl fit
  paradl: fit needs FILES of samples ('paradl calibrate' takes them), or --measured CSV
    hint: 'paradl fit -h' shows the usual options and examples
  [2]
  $ paradl fit --measured "$DATA/published.csv" --constants "$DATA/constants.csv" --leave-out nobody
  paradl: no set "nobody" has rows to fit to
    hint: sets are named in the column "set"
  [2]
  $ printf 'file,name,prior,low,high,tied_to,factor,meaning\ndevices/x,product.wave,3 us,1 us,2 us,,,\n' > wrong.csv
  $ paradl fit --measured "$DATA/published.csv" --constants wrong.csv
  wrong.csv:2:1: column "prior": "3 us" is not between its bounds
      2 | devices/x,product.wave,3 us,1 us,2 us,,,
        | ^
    hint: "low" must be below "high", and "prior" from one to the other
  [3]
  $ paradl fit --measured wrong.csv
  wrong.csv: is no table of published training results
    hint: columns "gpu", "layers" and others: paradl-measured(5)
  [3]
