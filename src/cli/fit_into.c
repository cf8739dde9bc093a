/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the numbers of `paradl fit` may be written. Links are followed, as they are when a file is written. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/fit_into.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Returns the folder part of a path, "." where it has none; NULL: out of memory. */
static const char *folder_of(struct session *session, const char *path)
{
	const char *const slash = strrchr(path, '/');
	if (!slash)
		return ".";
	return slash == path ? "/" : arena_copy(session->arena, path, (size_t)(slash - path));
}

/* Returns the real path of a file, of its folder where it is not there yet, to be freed, or NULL. */
static char *real_path(struct session *session, const char *path)
{
	char *const real = realpath(path, NULL);
	const char *const folder = real ? NULL : folder_of(session, path);
	return folder ? realpath(folder, NULL) : real;
}

/* Returns whether a path leads to hw-profiles of the folder `root`, or below it. */
static bool is_within(struct session *session, const char *root, const char *path)
{
	const char *const profiles = arena_join(session->arena, root, "/hw-profiles", "");
	char *const folder = profiles ? realpath(profiles, NULL) : NULL;
	char *const real = real_path(session, path);
	const size_t length = folder ? strlen(folder) : 0;
	const bool within = folder && real && strncmp(folder, real, length) == 0 &&
			    (real[length] == '\0' || real[length] == '/');
	free(folder);
	free(real);
	return within;
}

static bool is_shipped(struct session *session, const char *path)
{
	bool is_shipped = false;
	for (size_t i = 0; session->shipped[i] && !is_shipped; i++)
		is_shipped = is_within(session, session->shipped[i], path);
	return is_shipped;
}

bool fit_into_shipped(struct session *session)
{
	const char *const into = session->arguments.into;
	if (!is_shipped(session, into))
		return false;
	session_usage(session, "%s is a shipped profile, which stays as it is", into);
	error_hint(&session->error, "write a copy: --into ./my.json");
	return true;
}

bool fit_device_shipped(struct session *session, const char *name)
{
	const char *const folder = folder_of(session, session->arguments.into);
	const char *const path = folder ? arena_join(session->arena, folder, "/devices/", name) : NULL;
	if (path && !is_shipped(session, path))
		return false;
	if (!path)
		out_of_memory(&session->error);
	else {
		session_usage(session, "%s is a shipped device, which stays as it is", path);
		error_hint(&session->error, "remove the link, or name a profile in another folder");
	}
	return true;
}

bool fit_folder_installed(struct session *session)
{
	static const char *const parts[] = {"", "/devices", "/frameworks"};
	const char *const into = session->arguments.into;
	for (size_t i = 0; session->installed && i < sizeof parts / sizeof *parts; i++) {
		const char *const path = arena_join(session->arena, into, parts[i], "");
		if (path && !is_within(session, session->installed, path))
			continue;
		if (!path)
			return !out_of_memory(&session->error);
		session_usage(session, "%s has the installed profiles, which stay as they are", path);
		error_hint(&session->error, "write into a copy of the folder, and name its parent in "
					    "PARADL_PATH");
		return true;
	}
	return false;
}
