/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mutated files and questions, in this process, by a seed: mutator ROOT [--cases N] [--seed N] [--first N] [--bound SECONDS] [--print]
 * [--write DIR]
 *
 * A child does the cases in turn. One that crashes it, breaks a promise, or takes longer than --bound (BOUND_S) of a processor is named
 * with what brings it back, and the next child goes on behind it. Leaks are looked for after every LEAKS_EVERY cases.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "case.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifdef HAS_SANITIZER
#include <sanitizer/lsan_interface.h>
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "hard_rss_limit_mb=3000:allocator_may_return_null=1:handle_abort=0";
}
static bool leaks(void)
{
	return __lsan_do_recoverable_leak_check() != 0;
}
#else
static bool leaks(void)
{
	return false;
}
#endif

enum { BOUND_S = 10, LEAKS_EVERY = 2000, VIOLATIONS_MOST = 50 };

struct wanted {
	const char *root, *folder; /* to write cases to; NULL: they are done */
	uint64_t seed, first, cases, bound_s;
	bool print;
};

/* What the child has done, where its parent sees it. */
struct progress {
	uint64_t at, accepted;
	double slowest_s;
	uint64_t slowest;
};

static double processor_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void bound(uint64_t seconds)
{
	const struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
	setitimer(ITIMER_PROF, &timer, NULL);
}

static void do_cases(const struct wanted *wanted, const struct corpus *corpus, struct progress *progress)
{
	struct case_text made = {NULL, {NULL, 0, 0}};
	for (; progress->at < wanted->first + wanted->cases; ++progress->at) {
		struct chance chance;
		const double begin_s = processor_s();
		bound(wanted->bound_s);
		case_make(corpus, wanted->seed, progress->at, &made, &chance);
		progress->accepted += case_run(&made, wanted->root, &chance);
		const double took_s = processor_s() - begin_s;
		if (took_s > progress->slowest_s) {
			progress->slowest_s = took_s;
			progress->slowest = progress->at;
		}
		if (progress->at % LEAKS_EVERY == LEAKS_EVERY - 1 && leaks()) {
			fprintf(stderr, "of the last %d cases one leaks\n", LEAKS_EVERY);
			_exit(3);
		}
	}
	bound(0);
	text_free(&made.text);
	_exit(leaks() ? 3 : 0);
}

static void say_why(const struct wanted *wanted, int status, uint64_t at)
{
	const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	printf("case %llu: %s", (unsigned long long)at,
		signal == SIGPROF   ? "takes too long"
		: signal == SIGABRT ? "breaks a promise"
		: signal            ? strsignal(signal)
				    : "ends the program");
	printf(": mutator %s --seed %llu --first %llu --cases 1 --print\n", wanted->root,
		(unsigned long long)wanted->seed, (unsigned long long)at);
	fflush(stdout);
}

/* Returns the number of violations. */
static unsigned run(const struct wanted *wanted, const struct corpus *corpus, struct progress *progress)
{
	unsigned violations = 0;
	progress->at = wanted->first;
	while (progress->at < wanted->first + wanted->cases && violations < VIOLATIONS_MOST) {
		int status = 0;
		fflush(stdout);
		const pid_t child = fork();
		if (child == 0)
			do_cases(wanted, corpus, progress);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return violations + 1;
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		++violations;
		say_why(wanted, status, progress->at++);
	}
	return violations;
}

static void print(const struct wanted *wanted, const struct corpus *corpus)
{
	struct case_text made = {NULL, {NULL, 0, 0}};
	for (uint64_t i = wanted->first; i < wanted->first + wanted->cases; i++) {
		struct chance chance;
		char path[1024];
		case_make(corpus, wanted->seed, i, &made, &chance);
		snprintf(path, sizeof path, "%s/%llu-%s-%s", wanted->folder ? wanted->folder : ".",
			(unsigned long long)i, made.seed ? made.seed->kind : "question",
			made.seed ? made.seed->name : "x.json");
		FILE *const file = wanted->folder ? fopen(path, "wb") : stdout;
		if (!file || fwrite(made.text.bytes, 1, made.text.length, file) != made.text.length)
			exit(2);
		if (wanted->folder)
			fclose(file);
	}
	text_free(&made.text);
}

static bool read_words(int argc, char **argv, struct wanted *wanted)
{
	*wanted = (struct wanted){
		.root = argc > 1 ? argv[1] : NULL, .seed = 1, .cases = 2000, .bound_s = BOUND_S};
	for (int i = 2; i < argc; i++) {
		const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
		uint64_t *const number = strcmp(argv[i], "--cases") == 0   ? &wanted->cases
					 : strcmp(argv[i], "--seed") == 0  ? &wanted->seed
					 : strcmp(argv[i], "--first") == 0 ? &wanted->first
					 : strcmp(argv[i], "--bound") == 0 ? &wanted->bound_s
									   : NULL;
		if (number && value) {
			*number = strtoull(value, NULL, 10);
			++i;
		} else if (strcmp(argv[i], "--write") == 0 && value) {
			wanted->folder = value;
			++i;
		} else if (strcmp(argv[i], "--print") == 0) {
			wanted->print = true;
		} else {
			return false;
		}
	}
	return wanted->root;
}

int main(int argc, char **argv)
{
	struct wanted wanted;
	struct corpus corpus;
	struct rusage used;
	if (!read_words(argc, argv, &wanted)) {
		fprintf(stderr, "mutator ROOT [--cases N] [--seed N] [--first N] [--bound SECONDS] [--print] "
				"[--write DIR]\n");
		return 2;
	}
	if (!freopen("/dev/null", "r", stdin))
		return 2;
	corpus_read(&corpus, wanted.root);
	if (wanted.print || wanted.folder) {
		print(&wanted, &corpus);
		corpus_free(&corpus);
		return 0;
	}
	struct progress *const progress =
		mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED)
		return 2;
	const unsigned violations = run(&wanted, &corpus, progress);
	getrusage(RUSAGE_CHILDREN, &used);
	const double took_s = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
			      1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
	const double done = (double)(progress->at - wanted.first);
	printf("%.0f cases of %zu files and %zu questions (seed %llu): %u violations; %.0f accepted; %.0f "
	       "cases a second of a core; "
	       "slowest %.2f s (case %llu)\n",
		done, corpus.count, corpus.question_count, (unsigned long long)wanted.seed, violations,
		(double)progress->accepted, took_s > 0 ? done / took_s : 0, progress->slowest_s,
		(unsigned long long)progress->slowest);
	corpus_free(&corpus);
	return violations > 0;
}
