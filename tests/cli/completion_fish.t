fish completes commands, options, their values, and names of models and machines.

  $ . "$TESTDIR/setup.sh"
  $ command -v fish > /dev/null || exit 80
  $ mkdir bin && ln -s "$PARADL" bin/paradl && PATH="$PWD/bin:$PATH"
  $ paradl completion fish > paradl.fish
  $ for line in 'paradl adv' 'paradl advise tiny-c' 'paradl advise tiny --frame' 'paradl advise tiny --hw to' 'paradl advise tiny --goal thr' 'paradl list mod'; do
  >     fish --no-config -c "source paradl.fish; complete -C '$line'" | cut -f 1
  > done
  advise
  tiny-cnn
  --framework
  toy
  throughput
  models
