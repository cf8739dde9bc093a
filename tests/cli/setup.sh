# SPDX-License-Identifier: GPL-3.0-or-later
# What every session starts with: a toy network, a toy machine, and nothing of the user's surroundings.
# $PARADL is the program; numbers are those of --ideal, which formulas fix, or are matched loosely.
export LC_ALL=C.UTF-8 TERM=dumb COLUMNS=100 HOME="$PWD" PARADL_PATH="$TESTDIR/data"
unset NO_COLOR CLICOLOR_FORCE COLORTERM XDG_DATA_HOME
paradl()
{
	"$PARADL" "$@"
}
schema()
{
	python3 -W ignore "$TESTDIR/schema.py" "$TESTDIR/../../schemas"
}
