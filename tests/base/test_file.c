/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

struct folder {
	char path[40];
	struct paradl_arena *arena;
};

static int make_folder(void **state)
{
	static struct folder folder;
	snprintf(folder.path, sizeof folder.path, "/tmp/paradl-file-XXXXXX");
	folder.arena = paradl_arena_create();
	*state = &folder;
	return mkdtemp(folder.path) && folder.arena ? 0 : -1;
}

static const char *in(const struct folder *folder, const char *name)
{
	return arena_printf(folder->arena, "%s/%s", folder->path, name);
}

static size_t count_files(const struct folder *folder)
{
	DIR *const directory = opendir(folder->path);
	size_t count = 0;
	assert_non_null(directory);
	for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

static int remove_folder(void **state)
{
	const struct folder *const folder = *state;
	DIR *const directory = opendir(folder->path);
	for (const struct dirent *entry = directory ? readdir(directory) : NULL; entry;
		entry = readdir(directory))
		if (entry->d_name[0] != '.')
			remove(in(folder, entry->d_name));
	closedir(directory);
	remove(folder->path);
	paradl_arena_free(folder->arena);
	return 0;
}

static void write_file(const char *path, const char *text, size_t length)
{
	FILE *const file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static void assert_holds(const struct folder *folder, const char *path, const char *want)
{
	size_t length;
	const char *const text = file_read(folder->arena, path, 1000, &length, NULL);
	assert_non_null(text);
	assert_string_equal(text, want);
}

static void reads_up_to_the_limit(void **state)
{
	const struct folder *const folder = *state;
	const char *const path = in(folder, "a");
	struct paradl_error error;
	size_t length = 0;
	write_file(path, "ab\0cd", 5);
	const char *const text = file_read(folder->arena, path, 5, &length, &error);
	assert_non_null(text);
	assert_int_equal(length, 5);
	assert_memory_equal(text, "ab\0cd", 6);
	assert_null(file_read(folder->arena, path, 4, &length, &error));
	assert_string_equal(error.message, "is larger than 4 bytes, the most that is read");
	assert_string_equal(error.path, path);
	write_file(path, "", 0);
	assert_string_equal(file_read(folder->arena, path, 0, &length, &error), "");
	assert_int_equal(length, 0);
}

static void reads_large_files(void **state)
{
	const struct folder *const folder = *state;
	enum { SIZE = 3000000 };
	char *const bytes = malloc(SIZE);
	size_t length;
	assert_non_null(bytes);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)(i * 7 + i / 251);
	write_file(in(folder, "a"), bytes, SIZE);
	const char *const text = file_read(folder->arena, in(folder, "a"), SIZE, &length, NULL);
	assert_int_equal(length, SIZE);
	assert_memory_equal(text, bytes, SIZE);
	assert_null(file_read(folder->arena, in(folder, "a"), SIZE - 1, &length, NULL));
	free(bytes);
}

static void says_why_it_cannot_read(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_error error;
	size_t length;
	assert_null(file_read(folder->arena, in(folder, "missing"), 10, &length, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.message, "cannot open: No such file or directory");
	assert_null(file_read(folder->arena, folder->path, 10, &length, &error));
	assert_string_equal(error.message, "cannot read: Is a directory");
	assert_null(file_read(folder->arena, "", 10, &length, &error));
	if (geteuid() != 0) {
		write_file(in(folder, "secret"), "a", 1);
		assert_int_equal(chmod(in(folder, "secret"), 0), 0);
		assert_null(file_read(folder->arena, in(folder, "secret"), 10, &length, &error));
		assert_string_equal(error.message, "cannot open: Permission denied");
	}
	write_file(in(folder, "a"), "abc", 3);
	struct paradl_arena *const small = arena_create_limited(3);
	assert_null(file_read(small, in(folder, "a"), 10, &length, &error));
	assert_int_equal(error.status, PARADL_NO_MEMORY);
	paradl_arena_free(small);
}

static void *feed(void *descriptor)
{
	const int out = *(int *)descriptor;
	for (int i = 0; i < 1000; i++)
		if (write(out, "0123456789", 10) != 10)
			break;
	close(out);
	return NULL;
}

static void reads_pipes_and_standard_input(void **state)
{
	const struct folder *const folder = *state;
	static const char *const names[] = {"-", "/dev/fd/0"};
	const int saved = dup(STDIN_FILENO);
	for (size_t i = 0; i < 2; i++) {
		int ends[2];
		size_t length;
		pthread_t thread;
		assert_int_equal(pipe(ends), 0);
		assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
		close(ends[0]);
		assert_int_equal(pthread_create(&thread, NULL, feed, &ends[1]), 0);
		const char *const text = file_read(folder->arena, names[i], 1 << 20, &length, NULL);
		pthread_join(thread, NULL);
		assert_non_null(text);
		assert_int_equal(length, 10000);
		assert_memory_equal(text + 9990, "0123456789", 11);
	}
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	}
}

static void a_new_file_appears_when_committed(void **state)
{
	const struct folder *const folder = *state;
	const char *const path = in(folder, "out.json");
	struct file_output output;
	struct stat status;
	const mode_t mask = umask(0027);
	assert_true(file_create(&output, path, NULL));
	umask(mask);
	fputs("new", output.file);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_true(file_commit(&output, NULL));
	assert_holds(folder, path, "new");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	assert_int_equal(count_files(folder), 1);
}

static void an_old_file_stays_until_then(void **state)
{
	const struct folder *const folder = *state;
	const char *const path = in(folder, "out.json");
	struct file_output output;
	struct stat status;
	write_file(path, "old", 3);
	assert_int_equal(chmod(path, 0604), 0);
	assert_true(file_create(&output, path, NULL));
	fputs("never", output.file);
	file_abandon(&output);
	file_abandon(&output);
	assert_holds(folder, path, "old");
	assert_int_equal(count_files(folder), 1);
	assert_true(file_create(&output, path, NULL));
	fputs("new", output.file);
	fflush(output.file);
	assert_holds(folder, path, "old");
	assert_true(file_commit(&output, NULL));
	assert_holds(folder, path, "new");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0604);
	assert_int_equal(count_files(folder), 1);
}

static void two_writers_do_not_meet(void **state)
{
	const struct folder *const folder = *state;
	const char *const path = in(folder, "out.json");
	struct file_output one, two;
	assert_true(file_create(&one, path, NULL));
	assert_true(file_create(&two, path, NULL));
	fputs("one", one.file);
	fputs("two", two.file);
	assert_true(file_commit(&two, NULL));
	assert_true(file_commit(&one, NULL));
	assert_holds(folder, path, "one");
	assert_int_equal(count_files(folder), 1);
}

static void links_are_followed(void **state)
{
	const struct folder *const folder = *state;
	struct file_output output;
	struct stat status;
	write_file(in(folder, "target"), "old", 3);
	assert_int_equal(symlink("target", in(folder, "link")), 0);
	assert_true(file_create(&output, in(folder, "link"), NULL));
	fputs("new", output.file);
	assert_true(file_commit(&output, NULL));
	assert_int_equal(lstat(in(folder, "link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_holds(folder, in(folder, "target"), "new");
}

static void devices_are_not_replaced(void **state)
{
	(void)state;
	struct file_output output;
	struct paradl_error error;
	struct stat status;
	assert_true(file_create(&output, "/dev/null", NULL));
	fputs("gone", output.file);
	assert_true(file_commit(&output, NULL));
	assert_int_equal(stat("/dev/null", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	assert_true(file_create(&output, "/dev/full", NULL)); /* every write: no space left on device */
	fputs("lost", output.file);
	assert_false(file_commit(&output, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.message, "cannot write: No space left on device");
	assert_string_equal(error.path, "/dev/full");
	assert_int_equal(stat("/dev/full", &status), 0);
	assert_true(file_create(&output, "/dev/full", NULL));
	for (int i = 0; i < 100000; i++)
		fputs("lost long before the end", output.file);
	assert_false(file_commit(&output, &error));
}

/* Where the system can do that, a file that is being written has no name that could be left behind. */
static void one_that_is_killed_leaves_nothing(void **state)
{
	const struct folder *const folder = *state;
	struct file_output output;
	const pid_t child = fork();
	if (child == 0) {
		if (!file_create(&output, in(folder, "out.json"), NULL))
			_exit(1);
		fputs("half", output.file);
		fflush(output.file);
		if (!output.nameless)
			unlink(output.temporary);
		raise(SIGKILL);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(count_files(folder), 0);
}

/* A name that is taken already is passed over. */
static void names_of_others_are_left_alone(void **state)
{
	const struct folder *const folder = *state;
	struct file_output output;
	const char *const path = in(folder, "out.json");
	const char *const taken = arena_printf(folder->arena, "%s.%ld-0.tmp", path, (long)getpid());
	write_file(taken, "theirs", 6);
	assert_true(file_create(&output, path, NULL));
	fputs("ours", output.file);
	assert_true(file_commit(&output, NULL));
	assert_holds(folder, path, "ours");
	assert_holds(folder, taken, "theirs");
}

static void devices_are_not_read(void **state)
{
	const struct folder *const folder = *state;
	static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/random"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct paradl_error error = {0};
		size_t length;
		assert_null(file_read(folder->arena, names[i], 1 << 30, &length, &error));
		assert_string_equal(error.message, "is a device, not a file");
		assert_null(file_stream(folder->arena, names[i], &error));
	}
}

static void *write_late(void *path)
{
	const struct timespec while_it_waits = {.tv_nsec = 50000000};
	nanosleep(&while_it_waits, NULL);
	FILE *const file = fopen(path, "w");
	if (file) {
		fputs("first", file);
		fflush(file);
		nanosleep(&while_it_waits, NULL);
		fputs(" second", file);
		fclose(file);
	}
	return NULL;
}

static void a_named_pipe_waits_for_its_writer(void **state)
{
	const struct folder *const folder = *state;
	const char *const path = in(folder, "pipe");
	pthread_t thread;
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, write_late, (void *)(uintptr_t)path), 0);
	size_t length = 0;
	const char *const text = file_read(folder->arena, path, 1000, &length, NULL);
	pthread_join(thread, NULL);
	assert_non_null(text);
	assert_string_equal(text, "first second");
}

static void says_why_it_cannot_write(void **state)
{
	const struct folder *const folder = *state;
	struct file_output output;
	struct paradl_error error;
	char name[2000];
	assert_false(file_create(&output, folder->path, &error));
	assert_string_equal(error.message, "cannot write: Is a directory");
	assert_false(file_create(&output, in(folder, "no/where"), &error));
	assert_string_equal(error.message, "cannot write: No such file or directory");
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_false(file_create(&output, name, &error));
	assert_string_equal(error.message, "cannot write: File name too long");
	assert_int_equal(error.status, PARADL_IO);
	file_abandon(&output);
	assert_int_equal(mkdir(in(folder, "gone"), 0700), 0);
	assert_true(file_create(&output, in(folder, "gone/a"), NULL));
	assert_true(output.nameless || remove(output.temporary) == 0);
	assert_int_equal(rmdir(in(folder, "gone")), 0);
	assert_false(file_commit(&output, &error));
	assert_string_equal(error.message, "cannot write: No such file or directory");
	assert_int_equal(count_files(folder), 0);
}

static void minus_is_standard_output(void **state)
{
	const struct folder *const folder = *state;
	struct file_output output;
	fflush(stdout);
	const int saved = dup(STDOUT_FILENO), file = open(in(folder, "a"), O_WRONLY | O_CREAT, 0600);
	assert_true(saved >= 0 && file >= 0);
	assert_int_equal(dup2(file, STDOUT_FILENO), STDOUT_FILENO);
	const bool is_open = file_create(&output, "-", NULL);
	if (is_open)
		fputs("text", output.file);
	const bool is_written = is_open && file_commit(&output, NULL);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(file);
	assert_true(is_written);
	assert_holds(folder, in(folder, "a"), "text");
}

/* FIPS 180-4's examples and the lengths at which padding needs another block (NIST CAVP, coreutils). */
static void digests_of_known_text(void **state)
{
	const struct folder *const folder = *state;
	static const struct {
		const char *text, *digest;
	} cases[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmn"
		 "opqrsm"
		 "nopqrstnopqrstu",
			"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	};
	char digest[65];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		write_file(in(folder, "a"), cases[i].text, strlen(cases[i].text));
		assert_true(file_sha256(folder->arena, in(folder, "a"), digest, NULL));
		assert_string_equal(digest, cases[i].digest);
	}
	char *const million = malloc(1000000);
	assert_non_null(million);
	memset(million, 'a', 1000000);
	write_file(in(folder, "a"), million, 1000000);
	free(million);
	assert_true(file_sha256(folder->arena, in(folder, "a"), digest, NULL));
	assert_string_equal(digest, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void digests_around_a_block(void **state)
{
	const struct folder *const folder = *state;
	static const struct {
		size_t length; /* of text of 'a' */
		const char *digest;
	} cases[] = {
		{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
	};
	char text[65], digest[65];
	memset(text, 'a', sizeof text);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		write_file(in(folder, "a"), text, cases[i].length);
		assert_true(file_sha256(folder->arena, in(folder, "a"), digest, NULL));
		assert_string_equal(digest, cases[i].digest);
	}
}

static void digests_need_a_file(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_error error;
	char digest[65];
	assert_false(file_sha256(folder->arena, in(folder, "missing"), digest, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_string_equal(error.message, "cannot open: No such file or directory");
	assert_false(file_sha256(folder->arena, folder->path, digest, &error));
	assert_string_equal(error.message, "cannot read: Is a directory");
}

/* What was read is kept where that is asked for, and stands for the file from then on, also in arenas beside. */
static void kept_files_are_read_once(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error;
	struct file_head head;
	const char *path;
	size_t length;
	write_file(in(folder, "a"), "first", 5);
	write_file(in(folder, "b"), "second", 6);
	assert_non_null(file_read(arena, in(folder, "a"), 100, &length, &error));
	assert_null(arena_kept(arena, 0, &path, &length));
	arena_keep_files(arena);
	assert_non_null(file_read(arena, in(folder, "a"), 100, &length, &error));
	assert_true(file_head_read(arena, in(folder, "b"), 3, 100, &head, &error));
	assert_false(head.is_whole);
	assert_null(arena_kept(arena, 1, &path, &length));
	assert_true(file_head_read(arena, in(folder, "b"), 6, 100, &head, &error));
	assert_string_equal(arena_kept(arena, 0, &path, &length), "second");
	assert_string_equal(path, in(folder, "b"));
	assert_int_equal(length, 6);
	assert_string_equal(arena_kept(arena, 1, &path, &length), "first");
	assert_null(arena_kept(arena, 2, &path, &length));
	unlink(in(folder, "a"));
	assert_string_equal(file_read(arena, in(folder, "a"), 100, &length, &error), "first");
	struct paradl_arena *const beside = arena_create_beside(arena);
	assert_string_equal(file_read(beside, in(folder, "a"), 100, &length, &error), "first");
	paradl_arena_free(beside);
	paradl_arena_free(arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

/* A part that was written long before the end still tells why it could not be. */
static void what_a_file_may_not_hold_is_said(void **state)
{
	(void)state;
	enum { LIMIT = 4096 };
	char path[] = "/tmp/paradl-limited-XXXXXX", text[LIMIT] = "";
	struct rlimit before, limited;
	struct file_output output;
	struct paradl_error error = {.status = PARADL_OK};
	assert_non_null(mkdtemp(path));
	char *const name = strcat(strcpy(text, path), "/large");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limited = (struct rlimit){LIMIT, before.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
	assert_true(file_create(&output, name, &error));
	for (unsigned i = 0; i < 8; i++)
		(void)fwrite(text, 1, sizeof text, output.file);
	const bool written = file_commit(&output, &error);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_false(written);
	assert_non_null(strstr(error.message, "File too large"));
	assert_int_equal(access(name, F_OK), -1);
	assert_int_equal(rmdir(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_up_to_the_limit),
		TEST(reads_large_files),
		TEST(says_why_it_cannot_read),
		TEST(reads_pipes_and_standard_input),
		TEST(a_new_file_appears_when_committed),
		TEST(an_old_file_stays_until_then),
		TEST(two_writers_do_not_meet),
		TEST(links_are_followed),
		TEST(devices_are_not_replaced),
		TEST(one_that_is_killed_leaves_nothing),
		TEST(names_of_others_are_left_alone),
		TEST(devices_are_not_read),
		TEST(a_named_pipe_waits_for_its_writer),
		TEST(says_why_it_cannot_write),
		TEST(minus_is_standard_output),
		TEST(digests_of_known_text),
		TEST(digests_around_a_block),
		TEST(digests_need_a_file),
		TEST(kept_files_are_read_once),
		cmocka_unit_test(what_a_file_may_not_hold_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
