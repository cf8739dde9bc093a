/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what the OSU micro-benchmarks print. "Size" is one message. In an allgather, gather or all-to-all it is what
 * a rank has for each other rank, so the vector is the size times the ranks; in other operations it is the whole
 * vector. A bandwidth test keeps messages in flight: its time is size over rate, and no latency ("way" is "stream").
 * Each run in a file is a launch: a job's log may have several.
 */
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "fit/reader/reader.h"

struct test {
	struct foreign *foreign;
	struct foreign_group group;
	bool is_rate;            /* values are in MB/s instead of us */
	bool both_ways;          /* rates are the sum of both directions, as of osu_bibw */
	bool has_columns;        /* "# Size ..." was read */
	bool per_peer;           /* sizes are those for each other rank */
	size_t points;           /* points of the runs before */
	int line;                /* number of the line that is read */
	unsigned nodes, devices; /* of the last command; 0: it does not say */
};

static bool knows(const char *text, size_t length)
{
	return text_has_line(text, length, "# OSU ", 4096);
}

/*
 * Returns whether each word of a title, up to its version, is of messages between pairs of ranks. One-sided tests
 * (MPI_Put, SHMEM), other collectives (Scatter, Barrier) and fans have a word more, and also print a latency.
 */
static bool is_of_pairs(const char *title)
{
	static const char *const words[] = {"Latency", "Bandwidth", "Multi", "Multiple", "Multi-Pair",
		"Bi-Directional", "Bidirectional", "Message", "Rate", "Persistent", "/", "Test"};
	while (title[strspn(title, " \t\r")]) {
		title += strspn(title, " \t\r");
		const size_t length = strcspn(title, " \t\r");
		bool known = (strncmp(title, "MPI", 3) == 0 && !memchr(title, '_', length)) ||
			     (length >= 4 && strncmp(title + 1, "CCL", 3) == 0);
		for (size_t i = 0; i < sizeof words / sizeof *words && !known; ++i)
			known = strlen(words[i]) == length && strncasecmp(title, words[i], length) == 0;
		if (*title == 'v' && title[1] >= '0' && title[1] <= '9')
			return true;
		if (!known)
			return false;
		title += length;
	}
	return true;
}

/* Returns whether the times of a collective are those of it alone: others have compute or few neighbours in them. */
static bool is_alone(const char *title)
{
	return !strstr(title, "locking") && !strstr(title, "Neighbor");
}

/* Refuses a test whose times are of something else than a collective or messages between pairs. Returns false. */
static bool refuse(const struct test *test, const char *title)
{
	foreign_fail(test->foreign, test->line, "is of a test that nothing is learnt from: %.80s", title);
	error_hint(test->foreign->error, "take this run out of the file; latency, bandwidth and blocking "
					 "collectives are read");
	return false;
}

/* Begins a run with its title, without "# OSU ", as in "MPI-CUDA Allreduce Latency Test v7.5". */
static bool title_read(struct test *test, const char *line)
{
	struct foreign_group *group = &test->group;
	const char *operation = operation_of(line);
	struct foreign *foreign = test->foreign;
	if (foreign->points > 0) {
		test->points += foreign->points;
		if (!foreign_begin(
			    foreign, foreign->arena, foreign->set, foreign->path, "OSU", foreign->error))
			return false;
	}
	test->per_peer = false;
	group->way = group->distance = NULL;
	group->groups = 1;
	group->buffer =
		strstr(line, "-CUDA") || strstr(line, "-ROCM") || strstr(line, "NCCL") || strstr(line, "RCCL")
			? "device"
			: "host";
	group->library = strstr(line, "NCCL") ? "nccl" : strstr(line, "RCCL") ? "rccl" : "mpi";
	if (operation && !is_alone(line))
		return refuse(test, line);
	if (operation) {
		group->operation = operation;
		test->per_peer = strcmp(operation, "allgather") == 0 ||
				 strcmp(operation, "all-to-all") == 0 || strcmp(operation, "gather") == 0;
		return true;
	}
	test->is_rate = strstr(line, "Bandwidth") != NULL;
	test->both_ways = strstr(line, "Bi-Directional") || strstr(line, "Bidirectional");
	if (!is_of_pairs(line) || (!test->is_rate && !strstr(line, "Latency")))
		return refuse(test, line);
	group->operation = "point-to-point";
	group->way = test->is_rate ? "stream" : NULL;
	return true;
}

/* Reads the number of pairs that send at the same time: "# [ pairs: 4 ] [ window size: 64 ]" */
static void pairs_read(struct test *test, const char *line)
{
	const char *pairs = strstr(line, "pairs:");
	unsigned count = 0;
	if (!pairs)
		return;
	for (pairs += 6 + strspn(pairs + 6, " "); *pairs >= '0' && *pairs <= '9' && count < 100000; ++pairs)
		count = count * 10 + (unsigned)(*pairs - '0');
	if (count > 0)
		test->group.groups = count;
}

/* Reads ranks and nodes of a command that was kept with the output: "mpirun -np 16 ...", "srun -N 2 -n 16 ...". */
static void command_read(struct test *test, char *line)
{
	const char *words[WORDS_MAX];
	const unsigned count = words_split(line, words);
	double number;
	for (unsigned i = 0; i + 1 < count; ++i) {
		if (!word_number(words[i + 1], &number) || !(number >= 1) || number > 1e7)
			continue;
		if (!strcmp(words[i], "-np") || !strcmp(words[i], "-n") || !strcmp(words[i], "--ntasks"))
			test->devices = (unsigned)number;
		if (!strcmp(words[i], "-N") || !strcmp(words[i], "--nodes"))
			test->nodes = (unsigned)number;
	}
}

/*
 * Finds how far apart two ranks were: by the shape that the command or the file's name has, else by a word of the
 * name.
 */
static bool distance_find(struct test *test)
{
	struct foreign_group *group = &test->group;
	const char *path = test->foreign->path;
	if (group->nodes == 0 || group->devices == 0) {
		const bool is_near = name_has(path, "intra") || name_has(path, "socket");
		if (!is_near && !name_has(path, "inter") && !name_has(path, "far")) {
			foreign_fail(test->foreign, 0, "does not say how far apart the two ranks were");
			error_hint(test->foreign->error, "name the file with nodes x ranks, such as "
							 "osu_latency_2x2.txt, or 1x2 within a node");
			return false;
		}
		group->nodes = is_near ? 1 : 2;
	}
	group->devices = 2;
	group->distance = group->nodes > 1 ? "far" : name_has(path, "socket") ? "socket" : "node";
	group->nodes = group->nodes > 1 ? 2 : 1;
	return true;
}

static bool shape_find(struct test *test)
{
	struct foreign_group *group = &test->group;
	name_shape(test->foreign->path, &group->nodes, &group->devices);
	if (group->devices == 0) {
		group->nodes = test->nodes;
		group->devices = test->devices;
	}
	if (strcmp(group->operation, "point-to-point") == 0)
		return distance_find(test);
	if (group->devices >= 2 && group->nodes >= 1 && group->devices % group->nodes == 0)
		return true;
	foreign_fail(test->foreign, 0, "does not say how many ranks on how many nodes took part");
	error_hint(test->foreign->error, "these benchmarks do not print it: name the file with nodes x "
					 "ranks, such as osu_allreduce_2x16.txt");
	return false;
}

/* Begins the table at "# Size       Avg Latency(us)": now all that stands above it is known. */
static bool columns_read(struct test *test, const char *line)
{
	if (!test->group.operation)
		return foreign_fail(test->foreign, 0, "has no title: keep the line \"# OSU ...\"");
	test->is_rate = strstr(line, "MB/s") != NULL;
	test->has_columns = true;
	return shape_find(test);
}

static bool row_read(struct test *test, int number, char *line)
{
	const char *words[WORDS_MAX];
	const unsigned count = words_split(line, words);
	double size, value;
	if (count < 2 || !word_number(words[0], &size))
		return true; /* some program's message */
	if (!word_number(words[1], &value) || !(value > 0))
		return foreign_fail(test->foreign, number, "the second column is not a positive number");
	if (!(size > 0))
		return true;
	const double pairs = test->group.groups;
	double seconds = value * 1e-6;
	if (test->is_rate)
		seconds = size * pairs / (value * 1e6) * (test->both_ways ? 2 : 1);
	return foreign_add(test->foreign, &test->group, number,
		test->per_peer ? size * test->group.devices : size, &seconds, 1);
}

static bool line_read(struct test *test, struct lines *lines)
{
	char *line = lines->line + strspn(lines->line, " \t");
	test->line = lines->number;
	if (strncmp(line, "# OSU ", 6) == 0) {
		test->has_columns = false;
		return title_read(test, line + 6);
	}
	if (*line == '#' && strncmp(line + 1 + strspn(line + 1, " "), "Size", 4) == 0)
		return columns_read(test, line);
	if (*line == '#') {
		pairs_read(test, line);
		if (strstr(line, "DEVICE (D)"))
			test->group.buffer = "device";
		return true;
	}
	if (test->has_columns && *line >= '0' && *line <= '9')
		return row_read(test, lines->number, line);
	if (strstr(line, "osu_"))
		command_read(test, line);
	return true;
}

static bool read(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct sample_set *set, struct paradl_error *error)
{
	struct foreign foreign;
	struct lines lines = lines_of(text, length);
	struct test test = {.foreign = &foreign};
	if (!foreign_begin(&foreign, arena, set, path, "OSU", error))
		return false;
	while (lines_next(&lines))
		if (!line_read(&test, &lines))
			return false;
	return foreign.points + test.points > 0 || foreign_fail(&foreign, 0, "has no times");
}

const struct sample_reader reader_osu = {
	.name = "OSU",
	.summary = "tables that the OSU micro-benchmarks print",
	.knows = knows,
	.read = read,
};
