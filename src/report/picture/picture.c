/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds pictures by command and name, and draws them: script and data in memory, then files or SVG by gnuplot. */
#include "report/picture/picture.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "report/picture/canvas.h"

const struct picture *const pictures[] = {
#define X(id) &picture_##id,
#include "report/picture/list.def"
#undef X
	NULL,
};

/* The endings of names of pictures, each with gnuplot's terminal. */
static const struct terminal {
	const char *ending, *name, *family, *options;
	double unit;        /* pixels in the terminal's unit of length */
	const char *length; /* name of that unit; "": pixels */
	unsigned points;    /* size of the usual font */
} terminals[] = {
	{".png", "pngcairo", "Liberation Sans", "enhanced rounded background '#ffffff' linewidth 1.2", 1, "",
		15},
	/* The family is generic: for a font that they do not have, viewers take one with serifs. */
	{".svg", "svg", "sans-serif", "enhanced rounded background '#ffffff'", 1, "", 15},
	{".pdf", "pdfcairo", "Liberation Sans", "enhanced rounded background '#ffffff' linewidth 1.2", 72,
		"in", 15},
	{".sixel", "sixelgd", "Liberation Sans", "enhanced truecolor background '#ffffff' linewidth 1.2", 1,
		"", 11},
};
enum { TERMINALS = sizeof terminals / sizeof terminals[0] };

const char *const picture_endings[] = {".png", ".svg", ".pdf", ".sixel", ".gp", NULL};

static bool is_word_of(const char *list, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = list; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
		if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
			return true;
	return false;
}

const struct picture *picture_find(const char *command, const char *name)
{
	for (size_t i = 0; pictures[i]; i++)
		if (is_word_of(pictures[i]->commands, command) &&
			(!name || strcmp(pictures[i]->name, name) == 0))
			return pictures[i];
	return NULL;
}

const char *picture_names(struct paradl_arena *arena, const char *command)
{
	const char *names = "";
	for (size_t i = 0; names && pictures[i]; i++)
		if (is_word_of(pictures[i]->commands, command))
			names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "", pictures[i]->name);
	return names ? names : "";
}

static const char *ending_of(const char *path)
{
	const char *const dot = strrchr(path, '.');
	return dot && dot > path && dot[-1] != '/' ? dot : NULL;
}

bool picture_is_file(const char *path)
{
	const char *const ending = ending_of(path);
	for (size_t i = 0; ending && picture_endings[i]; i++)
		if (strcmp(picture_endings[i], ending) == 0)
			return true;
	return false;
}

/* Returns the terminal of an ending; that of PNG where the ending is NULL or has none. */
static const struct terminal *terminal_of(const char *ending)
{
	for (size_t i = 0; ending && i < TERMINALS; i++)
		if (strcmp(terminals[i].ending, ending) == 0)
			return &terminals[i];
	return &terminals[0];
}

/* ---- the script and the data, in memory ------------------------------------------------------------------- */

struct painting {
	struct canvas canvas;
	char *script, *data;
	size_t script_length, data_length;
};

static void painting_free(struct painting *painting)
{
	free(painting->script);
	free(painting->data);
}

static bool paint(struct paradl_arena *arena, const struct picture *picture, const void *what,
	struct painting *painting, struct paradl_error *error)
{
	struct canvas *const canvas = &painting->canvas;
	*painting = (struct painting){.canvas.sink.arena = arena};
	canvas->script = open_memstream(&painting->script, &painting->script_length);
	canvas->data = open_memstream(&painting->data, &painting->data_length);
	const bool opened = canvas->script && canvas->data;
	const bool painted = opened && picture->paint(canvas, what, error);
	const bool script_whole = canvas->script && fclose(canvas->script) == 0;
	const bool data_whole = canvas->data && fclose(canvas->data) == 0;
	if (opened && !painted)
		return false;
	if (script_whole && data_whole && !canvas->sink.out_of_memory)
		return true;
	return out_of_memory(error);
}

/* Writes the part of the script that depends on the terminal: encoding, terminal and size. */
static void write_head(FILE *file, const struct canvas *canvas, const struct terminal *terminal)
{
	fputs("set encoding utf8\nset datafile separator tab\n", file);
	fprintf(file, "family = '%s'\nset terminal %s size %.6g%s,%.6g%s font family.',%u' %s\n",
		terminal->family, terminal->name, (double)canvas->width / terminal->unit, terminal->length,
		(double)canvas->height / terminal->unit, terminal->length, terminal->points,
		terminal->options);
}

static void write_body(FILE *file, const struct painting *painting)
{
	fputs("set style line 101 lc rgb '" INK_FAINT "' lw 1\nset style fill solid 1 noborder\n"
	      "set tics nomirror out scale 0.6 textcolor rgb '" INK_AXIS "'\nunset key\n"
	      "set multiplot\n\n",
		file);
	fwrite(painting->script, 1, painting->script_length, file);
	fputs("unset multiplot\n", file);
}

/* ---- files -------------------------------------------------------------------------------------------------- */

struct files {
	const char *picture, *script, *data; /* paths; picture: where the script draws when run again */
};

/*
 * Derives the paths of the picture, its script and its data. Relative paths get "./" in front, since gnuplot takes
 * names that begin with '<', '|', '$' or '-' for something else. Returns false where the path has control
 * characters, or memory ran out.
 */
static bool name_files(
	struct paradl_arena *arena, const char *path, struct files *files, struct paradl_error *error)
{
	for (const char *c = path; *c; c++)
		if (iscntrl((unsigned char)*c)) {
			error_set(error, PARADL_USAGE, "a picture's name cannot have control characters");
			return false;
		}
	const char *const ending = ending_of(path);
	const int stem = (int)(ending ? (size_t)(ending - path) : strlen(path));
	const char *const here = path[0] == '/' ? "" : "./";
	const bool is_script = ending && strcmp(ending, ".gp") == 0;
	files->script = arena_printf(arena, "%s%.*s.gp", here, stem, path);
	files->data = arena_printf(arena, "%s%.*s.dat", here, stem, path);
	files->picture = arena_printf(
		arena, "%s%.*s%s", here, stem, path, is_script || !ending ? terminals[0].ending : ending);
	if (files->script && files->data && files->picture)
		return true;
	return out_of_memory(error);
}

static bool write_files(struct paradl_arena *arena, const struct painting *painting,
	const struct files *files, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, files->data, error))
		return false;
	fwrite(painting->data, 1, painting->data_length, output.file);
	if (!file_commit(&output, error) || !file_create(&output, files->script, error))
		return false;
	fprintf(output.file, "# To draw it again from where paradl ran: gnuplot -d %s\n",
		canvas_quote(arena, files->script));
	fprintf(output.file, "if (!exists('output')) output = %s\n", canvas_quote(arena, files->picture));
	fprintf(output.file, "data = %s\n\n", canvas_quote(arena, files->data));
	write_head(output.file, &painting->canvas, terminal_of(ending_of(files->picture)));
	fputs("set output output\n\n", output.file);
	write_body(output.file, painting);
	return file_commit(&output, error);
}

static const char *without_here(const char *path)
{
	return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static bool draw(struct paradl_arena *arena, const struct files *files, struct paradl_error *error)
{
	const char *const temporary = arena_printf(arena, "%s.part", files->picture);
	const char *const before =
		temporary ? arena_printf(arena, "output = %s", canvas_quote(arena, temporary)) : NULL;
	char reason[REASON_BYTES];
	if (!before)
		return out_of_memory(error);
	if (!gnuplot_file(arena, files->script, before, error)) {
		char message[sizeof error->message];
		const char *const script = without_here(files->script);
		remove(temporary);
		memcpy(message, error->message, sizeof message);
		return error_set(error, error->status,
			"%.200s; wrote %.90s and %.90s, run 'gnuplot -d %.90s' where it works", message,
			script, without_here(files->data), script);
	}
	if (rename(temporary, files->picture) == 0)
		return true;
	return error_at(error, PARADL_IO, files->picture, 0, 0, "cannot be written: %s",
		report_reason(reason, errno));
}

/*
 * Sets an error of a script or data file on the picture instead, which is the file that the user asked for;
 * returns false.
 */
static bool blame_picture(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	const char *const file = arena_text(arena, error->path), *const why =
									 arena_text(arena, error->message);
	if (!file || !why)
		return out_of_memory(error);
	return error_at(error, error->status, path, 0, 0, "cannot be drawn: %s: %s", file, why);
}

bool picture_draw(struct paradl_arena *arena, const struct picture *picture, const void *what,
	const char *path, struct paradl_error *error)
{
	struct files files = {.picture = path};
	struct painting painting = {.script = NULL};
	const char *const ending = ending_of(path);
	bool ok = name_files(arena, path, &files, error) && paint(arena, picture, what, &painting, error);
	if (ok && !write_files(arena, &painting, &files, error))
		ok = blame_picture(arena, path, error);
	painting_free(&painting);
	return ok && ((ending && strcmp(ending, ".gp") == 0) || draw(arena, &files, error));
}

/* ---- in memory ---------------------------------------------------------------------------------------------- */

/* Reads a whole file into the arena, from its beginning. */
static bool read_back(
	struct paradl_arena *arena, FILE *file, const char **text, size_t *length, struct paradl_error *error)
{
	const long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
	char *const bytes = end < 0 ? NULL : arena_alloc(arena, (size_t)end + 1, 1);
	rewind(file);
	if (!bytes || fread(bytes, 1, (size_t)end, file) != (size_t)end)
		return error_set(error, PARADL_IO, "the picture cannot be read back");
	*text = bytes;
	*length = (size_t)end;
	return true;
}

static bool stream(struct paradl_arena *arena, const struct painting *painting,
	const struct terminal *terminal, const struct gnuplot_ends *ends, struct paradl_error *error)
{
	/* No row of data is this word: rows begin with a digit, a sign, a quote or '#'. */
	fputs("$data << END_OF_DATA\n", ends->script);
	fwrite(painting->data, 1, painting->data_length, ends->script);
	fputs("END_OF_DATA\ndata = '$data'\n", ends->script);
	write_head(ends->script, &painting->canvas, terminal);
	write_body(ends->script, painting);
	if (fflush(ends->script) != 0 || ferror(ends->script) || fseek(ends->script, 0, SEEK_SET) != 0) {
		char reason[REASON_BYTES];
		return error_set(error, PARADL_IO, "a temporary file cannot be written: %s",
			report_reason(reason, errno));
	}
	return gnuplot_stream(arena, ends, error);
}

bool picture_svg(struct paradl_arena *arena, const struct picture *picture, const void *what,
	const char **svg, size_t *length, struct paradl_error *error)
{
	struct painting painting;
	struct gnuplot_ends ends = {NULL, NULL};
	bool ok = paint(arena, picture, what, &painting, error);
	if (ok) {
		ends = (struct gnuplot_ends){tmpfile(), tmpfile()};
		ok = ends.script && ends.picture;
		if (!ok) {
			char reason[REASON_BYTES];
			error_set(error, PARADL_IO, "no temporary file can be made: %s",
				report_reason(reason, errno));
		}
	}
	ok = ok && stream(arena, &painting, terminal_of(".svg"), &ends, error) &&
	     read_back(arena, ends.picture, svg, length, error);
	if (ends.script)
		fclose(ends.script);
	if (ends.picture)
		fclose(ends.picture);
	painting_free(&painting);
	return ok;
}
