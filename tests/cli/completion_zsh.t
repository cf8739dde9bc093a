zsh completes commands, options, their values, and names of models and machines.

  $ . "$TESTDIR/setup.sh"
  $ command -v zsh > /dev/null && [ -e /dev/ptmx ] || exit 80
  $ mkdir bin && ln -s "$PARADL" bin/paradl && PATH="$PWD/bin:$PATH"
  $ paradl completion zsh > _paradl
  $ zsh -f "$TESTDIR/programs/complete.zsh" "$PWD" 'paradl adv' 'paradl advise tiny-c' 'paradl advise tiny --frame' 'paradl advise tiny --hw to' 'paradl advise tiny --goal=thr' 'paradl list mod' | sed 's/ $//'
  paradl advise
  paradl advise tiny-cnn
  paradl advise tiny --framework=
  paradl advise tiny --hw toy
  paradl advise tiny --goal=throughput
  paradl list models
