/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/session.h"

enum { USUAL_WIDTH = 100, LEAST_WIDTH = 20, MOST_WIDTH = 1000 };

/* Returns the value of an environment variable; "" when it is not set. */
static const char *variable(const char *name)
{
	const char *const value = getenv(name); /* NOLINT(concurrency-mt-unsafe): nothing changes it */
	return value ? value : "";
}

static bool add_path_list(struct paradl_arena *arena, struct text_list *list, const char *paths)
{
	while (*paths) {
		const size_t length = strcspn(paths, ":");
		if (length > 0 && !text_list_add(arena, list, arena_copy(arena, paths, length)))
			return false;
		paths += length + (paths[length] == ':');
	}
	return true;
}

/* Adds the user's data folder. By the XDG Base Directory Specification a relative XDG_DATA_HOME counts as not set. */
static bool add_data_home(struct paradl_arena *arena, struct text_list *list)
{
	const char *const data = variable("XDG_DATA_HOME"), *const home = variable("HOME");
	if (data[0] == '/')
		return text_list_add(arena, list, arena_printf(arena, "%s/paradl", data));
	if (*home)
		return text_list_add(arena, list, arena_printf(arena, "%s/.local/share/paradl", home));
	return true;
}

bool environment_folder(char folder[ENVIRONMENT_PATH_BYTES])
{
	const ssize_t length = readlink("/proc/self/exe", folder, ENVIRONMENT_PATH_BYTES - 1);
	if (length <= 0)
		return false;
	folder[length] = '\0';
	char *const slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash != NULL;
}

/*
 * Adds the folder of the sources of a program that was not installed. Its path is in a file beside the program,
 * which meson writes and does not install.
 */
static bool add_source(struct paradl_arena *arena, struct text_list *list)
{
	char folder[ENVIRONMENT_PATH_BYTES], source[ENVIRONMENT_PATH_BYTES] = "";
	const char *const path =
		environment_folder(folder) ? arena_printf(arena, "%s/paradl.source", folder) : NULL;
	FILE *const file = path ? fopen(path, "r") : NULL;
	if (!file)
		return true;
	const bool is_read = fgets(source, sizeof source, file) != NULL;
	fclose(file);
	source[strcspn(source, "\n")] = '\0';
	return !is_read || text_list_add(arena, list, arena_text(arena, source));
}

const char *environment_installed(void)
{
#ifdef PARADL_DATADIR
	return PARADL_DATADIR;
#else
	return NULL;
#endif
}

static bool add_shipped(struct paradl_arena *arena, struct text_list *list)
{
#ifdef PARADL_DATADIR
	if (!text_list_add(arena, list, environment_installed()))
		return false;
#endif
	return add_source(arena, list);
}

const char *const *environment_directories(struct paradl_arena *arena)
{
	struct text_list list = {0};
	const bool ok = text_list_add(arena, &list, ".") &&
			add_path_list(arena, &list, variable("PARADL_PATH")) && add_data_home(arena, &list) &&
			add_shipped(arena, &list);
	text_list_add(arena, &list, NULL);
	return ok ? list.items : NULL;
}

const char *const *environment_shipped(struct paradl_arena *arena)
{
	struct text_list list = {0};
	const bool ok = add_shipped(arena, &list);
	text_list_add(arena, &list, NULL);
	return ok ? list.items : NULL;
}

/*
 * Returns the cache of the Hugging Face hub, which is looked for as huggingface_hub does: HF_HUB_CACHE, HF_HOME/hub,
 * XDG_CACHE_HOME/huggingface/hub, ~/.cache/huggingface/hub. NULL: none of these variables is set, or out of memory.
 */
const char *environment_hub(struct paradl_arena *arena)
{
	static const struct {
		const char *variable, *below;
	} places[] = {{"HF_HUB_CACHE", ""}, {"HF_HOME", "/hub"}, {"XDG_CACHE_HOME", "/huggingface/hub"},
		{"HOME", "/.cache/huggingface/hub"}};
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (*variable(places[i].variable))
			return arena_printf(arena, "%s%s", variable(places[i].variable), places[i].below);
	return NULL;
}

static size_t text_width(const struct arguments *arguments, bool to_file)
{
	if (arguments->width > 0)
		return (size_t)arguments->width;
	const long columns = strtol(variable("COLUMNS"), NULL, 10);
	if (columns >= LEAST_WIDTH && columns <= MOST_WIDTH)
		return (size_t)columns;
	struct winsize size;
	if (!to_file && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
		size.ws_col >= LEAST_WIDTH)
		return size.ws_col;
	return USUAL_WIDTH;
}

/*
 * Returns whether to write colors, by https://no-color.org and https://bixense.com/clicolors; --color overrides
 * both.
 */
static bool wants_color(const struct arguments *arguments, bool to_file)
{
	if (arguments->color != COLOR_AUTO)
		return arguments->color == COLOR_ALWAYS;
	if (*variable("NO_COLOR") || to_file)
		return false;
	if (*variable("CLICOLOR_FORCE") && strcmp(variable("CLICOLOR_FORCE"), "0") != 0)
		return true;
	return isatty(STDOUT_FILENO) && *variable("TERM") && strcmp(variable("TERM"), "dumb") != 0;
}

static enum report_colors kind_of_colors(void)
{
	const char *const kind = variable("COLORTERM");
	const bool is_rgb = strcmp(kind, "truecolor") == 0 || strcmp(kind, "24bit") == 0;
	return is_rgb ? COLORS_RGB : COLORS_256;
}

struct report_style environment_style(const struct arguments *arguments)
{
	const char *const characters = nl_langinfo(CODESET); /* NOLINT(concurrency-mt-unsafe) */
	const bool to_file = arguments->output && strcmp(arguments->output, "-") != 0;
	return (struct report_style){
		.detailed = arguments->verbose,
		.width = text_width(arguments, to_file),
		.width_asked = arguments->width > 0,
		.ascii = arguments->ascii || strcmp(characters, "UTF-8") != 0,
		.colors = wants_color(arguments, to_file) ? kind_of_colors() : COLORS_NONE,
		.brief = arguments->quiet,
	};
}

unsigned environment_threads(void)
{
	enum { MOST = 1024 };
	const long count = strtol(variable("OMP_NUM_THREADS"), NULL, 10); /* the first of a list */
	return count > 0 && count <= MOST ? (unsigned)count : 0;
}
