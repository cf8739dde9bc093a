#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the linker and the compiler were told against attacks is in the programs: hardened.sh PROGRAM... Exits with 77 where it cannot be read.
command -v readelf >/dev/null && readelf -h "$1" 2>/dev/null | grep -q 'Machine:.*\(X86-64\|AArch64\)' || exit 77
status=0
# lacks PROGRAM OPTIONS_OF_READELF PATTERN WHAT
lacks()
{
	readelf -W "$2" "$1" | grep -q "$3" && return
	echo "$1: $4"
	status=1
}
for program; do
	lacks "$program" -h 'Type: *DYN' 'is at the same address in each run'
	lacks "$program" -l 'GNU_RELRO' 'has tables of the linker that stay writable'
	lacks "$program" -d '\(BIND_NOW\|FLAGS.*NOW\)' 'looks functions up late, by tables that stay writable'
	lacks "$program" -l 'GNU_STACK.* RW ' 'has a stack that may be run'
	lacks "$program" --dyn-syms '__stack_chk_fail' 'does not guard its stack'
done
exit $status
