# SPDX-License-Identifier: GPL-3.0-or-later
# What zsh makes of each line after a tab, with the completions in FOLDER: complete.zsh FOLDER LINE...
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; unsetopt beep; PS1=; show() { print -r -- \"<\$BUFFER>\"; BUFFER= }; zle -N show; bindkey '^I' complete-word '^Xs' show; print begun"
zpty -r shell out '*begun*begun*'
shift
for line; do
	zpty -w -n shell "$line"$'\t\C-xs'
	zpty -r shell out '*<*>*'
	print -r -- ${${out##*<}%%>*}
done
