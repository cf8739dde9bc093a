#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library exports paradl_* only, holds no mutable state but the JSON parser's lock, and neither prints,
# exits nor reads the environment: symbols.sh LIBRARY
set -eu
failed=0

exported=$(nm -D --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $NF); print $NF}')
# Some linkers export these marks of the end of sections.
foreign=$(printf '%s\n' "$exported" | grep -vE '^(paradl_.*|_init|_fini|_edata|_end|__bss_start)$' || true)
if [ -n "$foreign" ] || ! printf '%s\n' "$exported" | grep -qx paradl_estimate; then
	echo "exported beside paradl_*: ${foreign:-nothing, but paradl_estimate is missing}"
	failed=1
fi

forbidden=$(nm -D --undefined-only "$1" | awk '{print $NF}' | sed 's/@.*//' |
	grep -xE 'exit|_exit|abort|printf|__printf_chk|vprintf|puts|putchar|perror|stdout|stderr|getenv|secure_getenv|setlocale|system|popen' || true)
if [ -n "$forbidden" ]; then
	echo "a library must not use: $forbidden"
	failed=1
fi

# Objects in .data and .bss, without those of the C start-up files.
mutable=$(objdump -t "$1" | awk 'NF > 2 && $(NF-2) ~ /^\.(data|bss|tdata|tbss)$/ && / O / {print $NF}' |
	grep -vE '^(completed\.[0-9]+|__dso_handle|cjson_mutex|__TMC_END__)$' || true)
if [ -n "$mutable" ]; then
	echo "mutable state: $mutable"
	failed=1
fi
exit "$failed"
