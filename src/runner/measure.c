/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/error.h"
#include "base/utf8.h"

enum { NANOSECONDS = 1000000000, LOOK_AGAIN_NS = 20000000, SIGNALLED = 128, EXEC_FAILED = 127 };

static volatile sig_atomic_t caught;
static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signal(int number)
{
	if (!caught)
		caught = number;
}

int measure_caught(void)
{
	return caught;
}

/* Installs the handler of signals, and returns the signals that are caught from now on. */
static sigset_t install(void)
{
	struct sigaction action = {.sa_handler = catch_signal};
	struct sigaction before;
	sigset_t set;
	sigemptyset(&set);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof caught_signals / sizeof caught_signals[0]; i++) {
		/* A signal that is ignored stays ignored, as nohup wants it. */
		if (sigaction(caught_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
			continue;
		sigaction(caught_signals[i], &action, NULL);
		sigaddset(&set, caught_signals[i]);
	}
	/* A file over its size limit is then an error when writing, here and in started programs. */
	signal(SIGXFSZ, SIG_IGN);
	return set;
}

void measure_note_signals(void)
{
	install();
}

/* Keeps the signals blocked everywhere but in pselect, so that none is missed between looking and waiting. */
void measure_catch_signals(void)
{
	const sigset_t set = install();
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	sigprocmask(SIG_BLOCK, &set, NULL);
}

double measure_now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / NANOSECONDS;
}

/*
 * Turns the child into the program, in a process group of its own, with nothing to read and with signals at their
 * defaults unless they are ignored. If exec fails, writes errno into `trouble`.
 */
static _Noreturn void become(const char *const *words, int lines, int complaints, int trouble, pid_t parent)
{
	sigset_t none;
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	setpgid(0, 0);
	for (size_t i = 0; i < sizeof caught_signals / sizeof caught_signals[0]; i++)
		if (signal(caught_signals[i], SIG_DFL) == SIG_IGN)
			signal(caught_signals[i], SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
		dup2(lines, STDOUT_FILENO) >= 0 && dup2(complaints, STDERR_FILENO) >= 0) {
		/* execvp does not change the words, though its type allows it. */
		union {
			/* cppcheck-suppress unusedStructMember */
			const char *const *typed;
			char *const *taken;
		} list = {.typed = words};
		execvp(words[0], list.taken);
	}
	const int reason = errno;
	const ssize_t told = write(trouble, &reason, sizeof reason);
	_exit(told == (ssize_t)sizeof reason ? EXEC_FAILED : EXEC_FAILED - 1);
}

/* Makes a pipe that started programs do not inherit; false: errno has the reason. */
static bool make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static void close_pipe(const int ends[2])
{
	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
}

static bool cannot_start(const char *program, int reason, struct paradl_error *error)
{
	if (reason != ENOENT) {
		char text[REASON_BYTES];
		return error_set(error, PARADL_NO_TOOL, "%s cannot be started: %s", program,
			report_reason(text, reason));
	}
	error_set(error, PARADL_NO_TOOL, "%s not found", program);
	error_hint(error, "install it, or put its folder into PATH");
	return false;
}

/* Returns the errno that kept the program from running; 0: it runs. */
static int exec_trouble(int trouble)
{
	int reason = 0;
	ssize_t got;
	do
		got = read(trouble, &reason, sizeof reason);
	while (got < 0 && errno == EINTR);
	return got == (ssize_t)sizeof reason ? reason : 0;
}

bool measure_start(
	struct measure_process *process, const char *const *words, bool echoes, struct paradl_error *error)
{
	int lines[2] = {-1, -1}, complaints[2] = {-1, -1}, trouble[2] = {-1, -1};
	const pid_t self = getpid();
	int reason = 0;
	*process = (struct measure_process){.lines = -1, .complaints = -1, .echoes = echoes};
	if (make_pipe(lines) && make_pipe(complaints) && make_pipe(trouble))
		process->id = fork();
	else
		process->id = -1;
	if (process->id == 0)
		become(words, lines[1], complaints[1], trouble[1], self);
	if (process->id < 0) {
		reason = errno;
	} else {
		setpgid(process->id, process->id); /* parent and child both do this: either may be first */
		close(trouble[1]);
		trouble[1] = -1;
		reason = exec_trouble(trouble[0]);
	}
	if (reason != 0) {
		if (process->id > 0)
			waitpid(process->id, NULL, 0);
		close_pipe(lines);
		close_pipe(complaints);
		close_pipe(trouble);
		process->id = 0;
		return cannot_start(words[0], reason, error);
	}
	close(lines[1]);
	close(complaints[1]);
	close(trouble[0]);
	process->lines = lines[0];
	process->complaints = complaints[0];
	return true;
}

/*
 * Echoes a whole line of standard error if wanted, and keeps it where it is more telling than `complaint` is. What
 * would drive a terminal is replaced.
 */
static void keep_complaint(struct measure_process *process)
{
	static const char own[] = "paradl-measure-";
	const bool is_own = strncmp(process->spoken, own, sizeof own - 1) == 0;
	utf8_make_printable(process->spoken);
	if (!process->spoken[strspn(process->spoken, "- \t")]) {
		if (strncmp(process->spoken, "--", 2) ==
			0) /* mpirun frames its messages so; the first line inside has the gist */
			process->framed_lines = process->framed_lines > 0 ? 0 : 1;
		return;
	}
	if (process->echoes)
		fprintf(stderr, "%s\n", process->spoken);
	const bool is_detail = process->framed_lines > 1;
	process->framed_lines += process->framed_lines > 0;
	if (!is_own && (process->is_own || is_detail))
		return;
	memcpy(process->complaint, process->spoken, sizeof process->complaint);
	process->is_own = is_own;
}

/* Reads standard error, and closes it at its end. */
static void read_complaints(struct measure_process *process)
{
	char text[512];
	const ssize_t got = read(process->complaints, text, sizeof text);
	if (got < 0 && errno == EINTR)
		return;
	for (ssize_t i = 0; i < got; i++) {
		if (text[i] == '\n') {
			keep_complaint(process);
			memset(process->spoken, 0, sizeof process->spoken);
			process->spoken_used = 0;
		} else if (process->spoken_used + 1 < sizeof process->spoken) {
			process->spoken[process->spoken_used++] = text[i];
		}
	}
	if (got > 0)
		return;
	keep_complaint(process);
	close(process->complaints);
	process->complaints = -1;
}

/* Returns a line that is complete in the buffer, else NULL; a line longer than the buffer is returned in pieces. */
static const char *next_line(struct measure_process *process)
{
	char *const begin = process->line + process->next;
	const size_t length = process->used - process->next;
	char *const end = memchr(begin, '\n', length);
	if (end) {
		*end = '\0';
		process->next += (size_t)(end - begin) + 1;
		return begin;
	}
	memmove(process->line, begin, length);
	process->next = 0;
	process->used = length;
	if (length + 1 < sizeof process->line)
		return NULL;
	process->line[length] = '\0';
	process->used = 0;
	return process->line;
}

/*
 * Reads standard output, and closes it at its end; a last line without an end was cut off and may be wrong: it is
 * dropped.
 */
static void read_lines(struct measure_process *process)
{
	const ssize_t got =
		read(process->lines, process->line + process->used, sizeof process->line - 1 - process->used);
	if (got > 0)
		process->used += (size_t)got;
	if (got > 0 || (got < 0 && errno == EINTR))
		return;
	close(process->lines);
	process->lines = -1;
}

static struct timespec time_left(double until_s)
{
	const double left_s = fmax(until_s - measure_now_s(), 0);
	const double whole_s = floor(left_s);
	return (struct timespec){
		.tv_sec = (time_t)whole_s, .tv_nsec = (long)((left_s - whole_s) * (NANOSECONDS - 1))};
}

/* Waits for text of either stream or for a signal; false: nothing came before `until_s` (0: no limit). */
static bool wait_for_text(const struct measure_process *process, double until_s, fd_set *ready)
{
	sigset_t open_mask;
	const int most = process->lines > process->complaints ? process->lines : process->complaints;
	const struct timespec left = until_s > 0 ? time_left(until_s) : (struct timespec){0};
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	sigprocmask(SIG_SETMASK, NULL, &open_mask);
	for (size_t i = 0; i < sizeof caught_signals / sizeof caught_signals[0]; i++)
		sigdelset(&open_mask, caught_signals[i]);
	FD_ZERO(ready);
	if (process->lines >= 0)
		FD_SET(process->lines, ready);
	if (process->complaints >= 0)
		FD_SET(process->complaints, ready);
	const int count = pselect(most + 1, ready, NULL, NULL, until_s > 0 ? &left : NULL, &open_mask);
	if (count < 0)
		FD_ZERO(ready);
	return count != 0;
}

enum measure_event measure_read(struct measure_process *process, double patience_s, const char **line)
{
	const double until_s = patience_s > 0 ? measure_now_s() + patience_s : 0;
	fd_set ready;
	for (;;) {
		*line = next_line(process);
		if (*line)
			return MEASURE_LINE;
		if (caught)
			return MEASURE_INTERRUPTED;
		if (process->lines < 0 && process->complaints < 0)
			return MEASURE_ENDED;
		if (!wait_for_text(process, until_s, &ready))
			return MEASURE_SILENT;
		if (process->complaints >= 0 && FD_ISSET(process->complaints, &ready))
			read_complaints(process);
		if (process->lines >= 0 && FD_ISSET(process->lines, &ready))
			read_lines(process);
	}
}

/*
 * Returns whether a process ends by then. It is not reaped yet, so that its id, and that of its group, are not
 * reused.
 */
static bool ends_until(pid_t id, double until_s)
{
	static const struct timespec pause = {.tv_nsec = LOOK_AGAIN_NS};
	for (;;) {
		siginfo_t info = {.si_pid = 0};
		const int result = waitid(P_PID, (id_t)id, &info, WEXITED | WNOHANG | WNOWAIT);
		if ((result == 0 && info.si_pid == id) || (result < 0 && errno != EINTR))
			return true;
		if (measure_now_s() >= until_s)
			return false;
		nanosleep(&pause, NULL);
	}
}

int measure_end(struct measure_process *process, double grace_s)
{
	int status = 0;
	if (process->id <= 0)
		return 0;
	if (process->lines >= 0 || process->complaints >= 0)
		kill(process->id, SIGTERM);
	ends_until(process->id, measure_now_s() + grace_s);
	kill(-process->id, SIGKILL); /* with the processes that it may have left in its group */
	while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
		;
	if (process->lines >= 0)
		close(process->lines);
	if (process->complaints >= 0)
		close(process->complaints);
	process->id = 0;
	process->lines = process->complaints = -1;
	return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}
