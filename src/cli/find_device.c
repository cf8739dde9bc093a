/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says which machines have a device, where its name was given for that of a machine: "h100", "8xH100", "a100-80g". Names
 * are compared without case and punctuation.
 */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "cli/session.h"

enum { NAME_BYTES = 64 };

/*
 * Writes the letters and digits of a name in lower case, and a "-" where two numbers meet; returns how many of them stand
 * before its first "-" or " ".
 */
static size_t plain(const char *name, char text[NAME_BYTES])
{
	size_t used = 0, first = 0;
	for (; *name && used + 1 < NAME_BYTES; name++) {
		if (isalnum((unsigned char)*name)) {
			text[used++] = (char)tolower((unsigned char)*name);
			continue;
		}
		first = first == 0 ? used : first;
		if (used > 0 && isdigit((unsigned char)text[used - 1]) && isdigit((unsigned char)name[1]))
			text[used++] = '-';
	}
	text[used] = '\0';
	return first > 0 ? first : used;
}

/* Returns a name without the number of GPUs before it: "8xH100", "4 x A100". */
static const char *without_count(const char *name)
{
	const char *rest = name + strspn(name, "0123456789");
	rest += strspn(rest, " ");
	return rest > name && (*rest == 'x' || *rest == 'X') ? rest + 1 + strspn(rest + 1, " -") : name;
}

/* Reports whether a name is the beginning of a device's, or both begin with one model: "a100-80g", A100-SXM4-80GB. */
static bool means(const char *name, const char *device)
{
	char a[NAME_BYTES], b[NAME_BYTES];
	const size_t first = plain(name, a), other = plain(device, b), length = strlen(a);
	if (length < 2)
		return false;
	if (strncmp(a, b, length) == 0)
		return !isdigit((unsigned char)a[length - 1]) || !isdigit((unsigned char)b[length]);
	return first == other && strcspn(a, "0123456789") < first && strncmp(a, b, first) == 0;
}

/* Returns the name of the shipped device that is meant: of several the one whose name goes on like it for longest. */
static const char *device_meant(struct session *session, const char *name)
{
	const struct shipped_files devices = shipped_list(session, SHIPPED_DEVICES);
	const char *best = NULL;
	size_t most = 0;
	char a[NAME_BYTES], b[NAME_BYTES];
	plain(name, a);
	for (size_t i = 0; i < devices.count; i++) {
		size_t alike = 0;
		plain(devices.files[i].name, b);
		while (a[alike] && a[alike] == b[alike])
			alike++;
		if (!means(name, devices.files[i].name) || (best && alike <= most))
			continue;
		best = devices.files[i].name;
		most = alike;
	}
	return best;
}

/* Returns the names of the machines that have such devices, with the devices: "a100-8 (A100-SXM4-40GB), ..."; "": none. */
static const char *machines_with(struct session *session, const char *name)
{
	const struct shipped_files machines = shipped_list(session, SHIPPED_HW);
	const char *names = "";
	for (size_t i = 0; names && i < machines.count; i++) {
		struct paradl_error error;
		const struct paradl_machine *const machine = paradl_machine_load(session->arena,
			&(struct paradl_source){
				.path = machines.files[i].path, .directories = session->directories},
			&error);
		if (!machine || !means(name, paradl_machine_info(machine).device))
			continue;
		names = arena_printf(session->arena, "%s%s%s (%s)", names, *names ? ", " : "",
			machines.files[i].name, paradl_machine_info(machine).device);
	}
	return names;
}

void session_name_device(struct session *session, const char *typed)
{
	const char *const name = without_count(typed);
	const char *const device = device_meant(session, name);
	const char *const machines = device ? machines_with(session, name) : NULL;
	if (!machines)
		return;
	error_set(&session->error, PARADL_IO,
		*machines ? "\"%s\" is a device; machines that have it: %s"
			  : "\"%s\" is a device, and no machine here has it%s",
		typed, machines);
	error_hint(&session->error,
		*machines ? "--gpus N takes a part of one of them"
			  : "--hw MACHINE --set hw.device=%s puts it into another machine ('paradl list hw')",
		device);
}
