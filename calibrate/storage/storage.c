/* SPDX-License-Identifier: BSD-3-Clause */
#include "storage.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "bench.h"
#include "data.h"

enum { LINE_LENGTH = 4096, TYPE_LENGTH = 64 };

static struct {
	bool direct, shared;
} storage;

bool storage_direct(void)
{
	return storage.direct;
}

const char *storage_tier(void)
{
	return storage.shared ? "shared" : "local";
}

/* Types of file systems that many hosts mount at the same time, as Linux calls them. */
static bool is_shared(const char *type)
{
	static const char *const types[] = {"nfs", "nfs4", "lustre", "gpfs", "beegfs", "ceph", "panfs",
		"orangefs", "pvfs2", "cifs", "smb3", "smbfs", "9p", "afs", "glusterfs", "fuse.glusterfs",
		"fuse.ceph", "fuse.sshfs", "fuse.juicefs", "daos", "fuse.daos", "weka", "wekafs", "vastnfs",
		"ocfs2", "gfs2"};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i], type) == 0)
			return true;
	return false;
}

#ifdef __linux__

/* The line of /proc/self/mountinfo with the device of `directory`: "36 35 98:0 /root /mnt options - TYPE source ...". */
static bool find_type(const char *directory, char type[TYPE_LENGTH])
{
	char line[LINE_LENGTH];
	struct stat status;
	FILE *mounts = fopen("/proc/self/mountinfo", "r");
	bool found = false;
	while (mounts && !found && stat(directory, &status) == 0 && fgets(line, sizeof line, mounts)) {
		unsigned major_number, minor_number;
		const char *rest = strstr(line, " - ");
		found = rest && sscanf(line, "%*s %*s %u:%u", &major_number, &minor_number) == 2 &&
			major_number == major(status.st_dev) && minor_number == minor(status.st_dev) &&
			sscanf(rest, " - %63s", type) == 1;
	}
	if (mounts)
		(void)fclose(mounts);
	return found;
}

#else

static bool find_type(const char *directory, char type[TYPE_LENGTH])
{
	(void)directory;
	(void)type;
	return false;
}

#endif

void storage_describe(const char *directory)
{
	char type[TYPE_LENGTH];
	struct statvfs status;
	storage.direct = data_direct_works(directory);
	if (find_type(directory, type)) {
		storage.shared = is_shared(type);
		environment_add("file system", "%s", type);
	}
	if (statvfs(directory, &status) == 0)
		environment_add("file system size", "%.0f GB",
			(double)status.f_blocks * (double)status.f_frsize / 1e9);
	environment_add("directory", "%s", directory);
	environment_add(
		"direct", "%s", storage.direct ? "yes" : "no: reads may come from the cache of this host");
}
