#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bare.sh COMMAND...: runs a command in a fresh clone of HEAD inside a minimal Debian, which has what debootstrap puts there
# and no more. As root; packages come from where this machine gets its own. BARE_FILE is a file that lies there in /srv.
set -eu
[ $# -gt 0 ] && [ "$(id -u)" = 0 ] || {
	sed -n '3,4s/^# //p' "$0" >&2
	exit 2
}
source_of_packages=$(sed -n 's/^URIs: *//p; s/^deb [^h]*\(http[^ ]*\).*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
	grep -m 1 debian) || {
	echo 'bare: this machine has no source of Debian packages' >&2
	exit 77
}
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
top=$(mktemp -d)
root=$top/root

tidy()
{
	umount "$root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$top"
}
trap tidy EXIT

debootstrap --variant=minbase "$release" "$root" "$source_of_packages" >"$top/log" 2>&1 || {
	tail -n 5 "$top/log" >&2
	exit 4
}
# How packages are fetched, and who vouches for where they are from, is the machine's affair.
for file in /etc/resolv.conf /etc/hosts /etc/apt/apt.conf.d/99* /etc/ssl/certs/ca-certificates.crt; do
	[ ! -e "$file" ] || { mkdir -p "$root${file%/*}" && cp -L "$file" "$root$file"; }
done
git clone -q --no-hardlinks . "$root/srv/clone"
[ -z "${BARE_FILE:-}" ] || cp "$BARE_FILE" "$root/srv/"
mount --bind /proc "$root/proc"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
	sh -c 'cd /srv/clone && exec "$@"' sh "$@"
