/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds models, profiles and data sets by name: DIR/models/NAME.json and so on, in the directories of the session.
 * It also loads the ones that a command names, and passes on the warnings from importing files of other tools.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/error.h"
#include "cli/session.h"

static const char *const folders[SHIPPED_COUNT] = {
	[SHIPPED_MODELS] = "models",
	[SHIPPED_DATASETS] = "datasets",
	[SHIPPED_HW] = "hw-profiles",
	[SHIPPED_FRAMEWORKS] = "hw-profiles/frameworks",
	[SHIPPED_DEVICES] = "hw-profiles/devices",
};

static const char *const topics[SHIPPED_COUNT] = {
	[SHIPPED_MODELS] = "models",
	[SHIPPED_DATASETS] = "datasets",
	[SHIPPED_HW] = "hw",
	[SHIPPED_FRAMEWORKS] = "frameworks",
	[SHIPPED_DEVICES] = "devices",
};

static bool is_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_file(const char *path)
{
	struct stat status;
	return path && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/*
 * Returns the folder that the cache of the hub has for "org/name": models--org--name/snapshots/HASH, where refs/main
 * has the hash. NULL: the name has another form, or it is not in the cache.
 */
static const char *hub_snapshot(struct session *session, const char *name)
{
	char hash[80] = "";
	const char *const slash = strchr(name, '/');
	if (!session->hub || !slash || slash == name || !slash[1] || strchr(slash + 1, '/') || name[0] == '.')
		return NULL;
	const char *const folder = arena_printf(
		session->arena, "%s/models--%.*s--%s", session->hub, (int)(slash - name), name, slash + 1);
	const char *const main = folder ? arena_printf(session->arena, "%s/refs/main", folder) : NULL;
	FILE *const file = main ? fopen(main, "r") : NULL;
	const bool is_read = file && fgets(hash, sizeof hash, file);
	if (file)
		fclose(file);
	hash[strcspn(hash, "\r\n")] = '\0';
	return is_read ? arena_printf(session->arena, "%s/snapshots/%s", folder, hash) : NULL;
}

const char *config_find_file(struct session *session, const char *name)
{
	const char *const folder = is_folder(name) ? name
				   : is_file(name) ? NULL
						   : hub_snapshot(session, name);
	const char *const path = folder ? arena_printf(session->arena, "%s%sconfig.json", folder,
						  folder[strlen(folder) - 1] == '/' ? "" : "/")
					: NULL;
	return is_file(path) ? path : NULL;
}

const char *shipped_find(struct session *session, enum shipped shipped, const char *name)
{
	static const char *const nouns[SHIPPED_COUNT] = {
		"model", "data set", "machine", "framework", "device"};
	if (strcmp(name, "-") == 0)
		return name;
	const char *const config =
		shipped == SHIPPED_MODELS && *name ? config_find_file(session, name) : NULL;
	if (config)
		return config;
	const char *const path =
		paradl_find(session->arena, name, folders[shipped], session->directories, &session->error);
	if (path ? is_folder(path) : !*name || is_folder(name)) {
		if (*name)
			session_usage(session, "%s is a folder, not the file of a %s", name, nouns[shipped]);
		else
			session_usage(session, "the name of a %s is empty", nouns[shipped]);
		error_hint(&session->error, "'paradl list %s' shows the names; a file of your own is a path",
			topics[shipped]);
		return NULL;
	}
	if (!path && *session->error.hint)
		error_hint(&session->error,
			"'paradl list %s' shows the names; a file of your own is a path: ./%s.json",
			topics[shipped], name);
	if (!path && shipped == SHIPPED_HW)
		session_name_device(session, name);
	return path;
}

const char *shipped_any(struct session *session, const char *name)
{
	struct paradl_error error;
	const char *path = NULL;
	if (is_file(name) || strchr(name, '/') || !*name || strcmp(name, "-") == 0)
		return NULL;
	for (size_t i = 0; !path && i < SHIPPED_COUNT; i++)
		path = paradl_find(session->arena, name, folders[i], session->directories, &error);
	return is_file(path) ? path : NULL;
}

static bool is_known(const struct shipped_files *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->files[i].name, name) == 0)
			return true;
	return false;
}

static bool list_add(struct paradl_arena *arena, struct shipped_files *list, struct shipped_file file)
{
	struct shipped_file *const added = LIST_ADD(arena, list->files, list->count);
	if (!added)
		return false;
	*added = file;
	return file.name && file.path;
}

static void add_folder(struct paradl_arena *arena, struct shipped_files *list, const char *folder)
{
	static const char extension[] = ".json";
	DIR *const directory = folder ? opendir(folder) : NULL;
	const struct dirent *entry;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the stream is ours */
	while (directory && (entry = readdir(directory))) {
		const char *const dot = strrchr(entry->d_name, '.');
		if (entry->d_name[0] == '.' || !dot || strcmp(dot, extension) != 0)
			continue;
		const char *const name = arena_copy(arena, entry->d_name, (size_t)(dot - entry->d_name));
		const char *const path = arena_printf(arena, "%s/%s", folder, entry->d_name);
		if (name && !is_known(list, name) &&
			!list_add(arena, list, (struct shipped_file){name, path}))
			break;
	}
	if (directory)
		closedir(directory);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct shipped_file *)a)->name, ((const struct shipped_file *)b)->name);
}

struct shipped_files shipped_list(struct session *session, enum shipped shipped)
{
	struct shipped_files list = {NULL, 0};
	for (size_t i = 0; session->directories[i]; i++) {
		const bool is_here = strcmp(session->directories[i], ".") == 0;
		add_folder(session->arena, &list,
			is_here ? folders[shipped]
				: arena_printf(session->arena, "%s/%s", session->directories[i],
					  folders[shipped]));
	}
	if (list.count > 0)
		qsort(list.files, list.count, sizeof *list.files, by_name);
	return list;
}

bool shipped_has(struct session *session, enum shipped shipped, const char *name)
{
	const struct shipped_files list = shipped_list(session, shipped);
	return is_known(&list, name);
}

const char *shipped_names(struct session *session, enum shipped shipped)
{
	const struct shipped_files list = shipped_list(session, shipped);
	const char *names = "";
	for (size_t i = 0; names && i < list.count; i++)
		names = arena_printf(session->arena, "%s%s%s", names, i > 0 ? ", " : "", list.files[i].name);
	return names && *names ? names : "none found";
}

static void warn_of(struct session *session, const char *path, const struct paradl_findings *imported)
{
	for (size_t i = 0; imported && i < imported->count; i++)
		session_warn(session, "%s: %s", path, imported->warnings[i]);
}

bool session_check_sequence(struct session *session, const struct paradl_model_info *model)
{
	const struct option_texts *const set = &session->arguments.set;
	const double seq = session->arguments.seq;
	if (!(seq > 0) || !(model->sequence < seq || model->sequence > seq))
		return true;
	for (size_t i = 1; i < set->count; i++) /* the first one is --seq */
		if (strncmp(set->items[i], "model.dims.seq=", strlen("model.dims.seq=")) == 0)
			return true;
	return session_usage(session,
		model->sequence > 0 ? "--seq: %s does not have its sequence as seq in dims"
				    : "--seq: %s takes no tokens",
		model->name);
}

/*
 * Imports a file of another tool under the assumption of --assume, and gives the arena the network as the text of
 * that path: later reads of the path find the same network.
 */
static bool assume_type(struct session *session, const char *path)
{
	const struct paradl_import_options options = {.assume = session->arguments.import_assume};
	struct paradl_findings findings = {0};
	const char *const text = paradl_import(session->arena, path, &options, &findings, &session->error);
	if (!text)
		return false;
	warn_of(session, path, &findings);
	return paradl_file_give(session->arena, path, text, strlen(text)) || out_of_memory(&session->error);
}

/* Reads a model. --assume counts only where that fails with PARADL_SCHEMA: known types are read as what they are. */
static const struct paradl_model *load_model(
	struct session *session, const char *path, const struct paradl_changes *changes)
{
	const struct paradl_source source = {.path = path, .changes = changes};
	const struct paradl_model *const model = paradl_model_load(session->arena, &source, &session->error);
	if (model || !session->arguments.import_assume || session->error.status != PARADL_SCHEMA)
		return model;
	session->error = (struct paradl_error){.status = PARADL_OK};
	return assume_type(session, path) ? paradl_model_load(session->arena, &source, &session->error)
					  : NULL;
}

const struct paradl_model *session_model(
	struct session *session, const char *name, const struct paradl_changes *changes)
{
	const char *const path = shipped_find(session, SHIPPED_MODELS, name);
	const struct paradl_model *const model = path ? load_model(session, path, changes) : NULL;
	if (!model && session->arguments.seq > 0 && strstr(session->error.message, "model.dims.seq"))
		error_hint(&session->error, "--seq is of networks of tokens, whose sequence is seq in dims");
	if (!model)
		return NULL;
	const struct paradl_model_info info = paradl_model_info(model);
	warn_of(session, path, info.imported);
	return session_check_sequence(session, &info) ? model : NULL;
}

const struct paradl_machine *session_machine(
	struct session *session, const char *name, const struct paradl_changes *changes)
{
	const char *const path = shipped_find(session, SHIPPED_HW, name);
	const struct paradl_machine *const machine =
		path ? paradl_machine_load(session->arena,
			       &(struct paradl_source){
				       .path = path, .directories = session->directories, .changes = changes},
			       &session->error)
		     : NULL;
	if (machine)
		warn_of(session, path, paradl_machine_info(machine).imported);
	return machine;
}

const struct paradl_machine *session_machine_priced(struct session *session, const char *name, int basis,
	const struct option_texts *set, const struct paradl_changes **changes)
{
	const struct paradl_machine *const machine = session_machine(session, name, *changes);
	if (!machine || basis < 0)
		return machine;
	const struct paradl_machine_info info = paradl_machine_info(machine);
	if (!info.has_both_prices || info.owned == (basis == 1))
		return machine;
	const char **const texts = arena_alloc(session->arena, set->count + 1, sizeof *texts);
	if (!texts)
		return out_of_memory_null(&session->error);
	for (size_t i = 0; i < set->count; i++)
		texts[i] = set->items[i];
	texts[set->count] = basis == 1 ? "hw.price.basis=purchase" : "hw.price.basis=rent";
	*changes = paradl_changes_parse(session->arena, texts, set->count + 1, &session->error);
	return *changes ? session_machine(session, name, *changes) : NULL;
}
