/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/draw.h"

#include "base/error.h"
#include "cli/command.h"

bool draw_wanted(const struct session *session)
{
	return session->picture || session->arguments.plot || session->arguments.picture;
}

bool draw_check(struct session *session)
{
	const char *const name = session->arguments.picture, *const command = session->command->name;
	if (!name || picture_find(command, name))
		return true;
	session_usage(session, "%s does not draw '%s'", command, name);
	error_hint(&session->error, "%s", picture_names(session->arena, command));
	return false;
}

const struct picture *draw_choice(const struct session *session, const struct picture *usual)
{
	const char *const name = session->arguments.picture;
	return name ? picture_find(session->command->name, name) : usual;
}

/* "Name on Machine.png" would need quotes everywhere. */
static const char *file_name(struct session *session)
{
	const char *const asked = session->arguments.plot;
	if (session->picture)
		return session->picture;
	return asked && *asked ? asked
			       : arena_printf(session->arena, "paradl-%s.png", session->command->name);
}

enum exit_status draw_picture(struct session *session, const struct picture *picture, const void *what)
{
	const char *const path = file_name(session);
	if (!path)
		error_set(&session->error, PARADL_NO_MEMORY, "out of memory");
	if (!path || !picture_draw(session->arena, picture, what, path, &session->error))
		return session_fail_writing(session);
	if (session->arguments.verbose)
		diagnostic_print(session, "paradl: wrote %s", path);
	return EXIT_ANSWER;
}

bool draw_goes_on(const struct session *session, enum exit_status status)
{
	const bool failure_is_document = session->arguments.json || session->arguments.jsonl;
	return !session->picture && (status == EXIT_ANSWER || !failure_is_document);
}
