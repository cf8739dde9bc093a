/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models and machines of a command, and what importing those of other tools warned of. */
#include "base/error.h"
#include "cli/session.h"

static void warn_of(struct session *session, const char *path, const struct paradl_findings *imported)
{
	for (size_t i = 0; imported && i < imported->count; i++)
		session_warn(session, "%s: %s", path, imported->warnings[i]);
}

const struct paradl_model *session_model(
	struct session *session, const char *name, const struct paradl_changes *changes)
{
	const char *const path = shipped_find(session, SHIPPED_MODELS, name);
	const struct paradl_model *const model =
		path ? paradl_model_load_changed(session->arena, path, changes, &session->error) : NULL;
	if (model)
		warn_of(session, path, paradl_model_info(model).imported);
	return model;
}

const struct paradl_machine *session_machine(
	struct session *session, const char *name, const struct paradl_changes *changes)
{
	const char *const path = shipped_find(session, SHIPPED_HW, name);
	const struct paradl_machine *const machine =
		path ? paradl_machine_load_changed(
			       session->arena, path, session->directories, changes, &session->error)
		     : NULL;
	if (machine)
		warn_of(session, path, paradl_machine_info(machine).imported);
	return machine;
}
