/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onnx PARADL DIRECTORY: writes ONNX files of 100 MB and of 2.3 GB (with holes) there, and tells how long `PARADL import` of
 * each takes and how much memory at most. Figures, not a test.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 21 };

struct bytes {
	uint8_t *data;
	size_t used;
};

static void put_number(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes->data[bytes->used++] = (uint8_t)(value | 0x80);
	bytes->data[bytes->used++] = (uint8_t)value;
}

static void put_key(struct bytes *bytes, unsigned field, unsigned type)
{
	put_number(bytes, (uint64_t)field << 3 | type);
}

static void put_bytes(struct bytes *bytes, unsigned field, const void *data, size_t length)
{
	put_key(bytes, field, 2);
	put_number(bytes, length);
	memcpy(bytes->data + bytes->used, data, length);
	bytes->used += length;
}

static void put_text(struct bytes *bytes, unsigned field, const char *text)
{
	put_bytes(bytes, field, text, strlen(text));
}

static double write_or_exit(int file, const struct bytes *bytes)
{
	if (write(file, bytes->data, bytes->used) != (ssize_t)bytes->used) {
		perror("write");
		exit(1);
	}
	return (double)bytes->used;
}

/* Convolutions of 512 x 512 x 3 x 3 (9.4 MB each), one after the other. */
static size_t node(struct bytes *bytes, unsigned i)
{
	uint8_t space[256];
	struct bytes inner = {space, 0}, attribute;
	uint8_t attribute_space[64];
	char name[32];
	bytes->used = 0;
	(void)snprintf(name, sizeof name, "x%u", i);
	put_text(&inner, 1, name);
	(void)snprintf(name, sizeof name, "conv%u.weight", i);
	put_text(&inner, 1, name);
	(void)snprintf(name, sizeof name, "x%u", i + 1);
	put_text(&inner, 2, name);
	put_text(&inner, 4, "Conv");
	attribute = (struct bytes){attribute_space, 0};
	put_text(&attribute, 1, "pads");
	for (unsigned p = 0; p < 4; p++) {
		put_key(&attribute, 8, 0);
		put_number(&attribute, 1);
	}
	put_bytes(&inner, 5, attribute.data, attribute.used);
	put_bytes(bytes, 1, inner.data, inner.used);
	return bytes->used;
}

/* All of a tensor but its raw data, which `raw` bytes follow. */
static size_t tensor_head(struct bytes *bytes, unsigned i, uint64_t raw)
{
	static const unsigned dims[] = {512, 512, 3, 3};
	uint8_t space[256];
	struct bytes inner = {space, 0};
	char name[32];
	bytes->used = 0;
	for (unsigned d = 0; d < 4; d++) {
		put_key(&inner, 1, 0);
		put_number(&inner, dims[d]);
	}
	put_key(&inner, 2, 0);
	put_number(&inner, 1);
	(void)snprintf(name, sizeof name, "conv%u.weight", i);
	put_text(&inner, 8, name);
	put_key(&inner, 9, 2);
	put_number(&inner, raw);
	put_key(bytes, 5, 2);
	put_number(bytes, inner.used + raw);
	memcpy(bytes->data + bytes->used, inner.data, inner.used);
	bytes->used += inner.used;
	return bytes->used;
}

static void value_info(struct bytes *bytes, unsigned field, const char *name)
{
	static const unsigned dims[] = {1, 512, 14, 14};
	uint8_t shape_space[64], tensor_space[96], type_space[128], info_space[192];
	struct bytes shape = {shape_space, 0}, tensor = {tensor_space, 0}, type = {type_space, 0},
		     info = {info_space, 0};
	for (unsigned d = 0; d < 4; d++) {
		uint8_t dim_space[16];
		struct bytes dim = {dim_space, 0};
		put_key(&dim, 1, 0);
		put_number(&dim, dims[d]);
		put_bytes(&shape, 1, dim.data, dim.used);
	}
	put_key(&tensor, 1, 0);
	put_number(&tensor, 1);
	put_bytes(&tensor, 2, shape.data, shape.used);
	put_bytes(&type, 1, tensor.data, tensor.used);
	put_text(&info, 1, name);
	put_bytes(&info, 2, type.data, type.used);
	put_bytes(bytes, field, info.data, info.used);
}

static double write_file(const char *path, unsigned count, bool sparse)
{
	const uint64_t raw = 4ULL * 512 * 512 * 9;
	uint8_t space[512], ends_space[512];
	struct bytes bytes = {space, 0}, ends = {ends_space, 0};
	uint64_t graph = 0;
	char last[32];
	(void)snprintf(last, sizeof last, "x%u", count);
	value_info(&ends, 11, "x0");
	value_info(&ends, 12, last);
	graph += ends.used;
	for (unsigned i = 0; i < count; i++)
		graph += node(&bytes, i) + tensor_head(&bytes, i, raw) + raw;
	const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0666);
	uint8_t *const block = calloc(1, raw);
	if (file < 0 || !block) {
		perror(path);
		exit(1);
	}
	memset(block, 0x3c, raw);
	bytes.used = 0;
	put_key(&bytes, 1, 0);
	put_number(&bytes, 8);
	put_key(&bytes, 7, 2);
	put_number(&bytes, graph);
	double size = write_or_exit(file, &bytes) + (double)graph;
	for (unsigned i = 0; i < count; i++) {
		node(&bytes, i);
		write_or_exit(file, &bytes);
	}
	for (unsigned i = 0; i < count; i++) {
		tensor_head(&bytes, i, raw);
		write_or_exit(file, &bytes);
		if (sparse ? lseek(file, (off_t)raw, SEEK_CUR) < 0 : write(file, block, raw) != (ssize_t)raw)
			exit(1);
	}
	write_or_exit(file, &ends);
	free(block);
	close(file);
	return size;
}

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double cpu_s(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static double import_s(const char *paradl, const char *path, long *most_kib, double *used_s)
{
	struct rusage usage;
	int status = 1;
	const double start = now_s();
	const pid_t child = fork();
	if (child == 0) {
		const int nowhere = open("/dev/null", O_WRONLY);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		execl(paradl, paradl, "import", path, (char *)NULL);
		_exit(127);
	}
	if (waitpid(child, &status, 0) < 0 || status != 0 || getrusage(RUSAGE_CHILDREN, &usage) != 0) {
		(void)fprintf(stderr, "%s import %s failed\n", paradl, path);
		exit(1);
	}
	*used_s = cpu_s(&usage); /* of all so far */
	*most_kib = usage.ru_maxrss > *most_kib ? usage.ru_maxrss : *most_kib;
	return now_s() - start;
}

static int ascending(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		unsigned convolutions;
		bool sparse;
	} files[] = {{"dense", 11, false}, {"sparse", 244, true}};
	if (argc != 3) {
		(void)fprintf(stderr, "usage: %s PARADL DIRECTORY\n", argv[0]);
		return 2;
	}
	for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
		char path[512];
		double times[RUNS], before_s = 0, used_s = 0;
		long most_kib = 0;
		struct rusage usage;
		(void)getrusage(RUSAGE_CHILDREN, &usage);
		before_s = cpu_s(&usage);
		(void)snprintf(path, sizeof path, "%s/%s.onnx", argv[2], files[f].name);
		const double size = write_file(path, files[f].convolutions, files[f].sparse);
		for (unsigned i = 0; i < RUNS; i++)
			times[i] = import_s(argv[1], path, &most_kib, &used_s);
		qsort(times, RUNS, sizeof *times, ascending);
		printf("%-7s %7.1f MB  median %5.1f ms, fastest %5.1f ms, processor %4.1f ms; at most %5.1f "
		       "MB resident\n",
			files[f].name, size / 1e6, times[RUNS / 2] * 1e3, times[0] * 1e3,
			(used_s - before_s) / RUNS * 1e3, (double)most_kib * 1024 / 1e6);
		remove(path);
	}
	return 0;
}
