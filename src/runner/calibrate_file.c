/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of samples is never overwritten, and a lock lets only one calibration write to it at a time. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "runner/calibrate.h"

static bool fail(struct campaign *campaign, const char *what)
{
	char reason[REASON_BYTES];
	return error_at(campaign->runner->error, PARADL_IO, campaign->file, 0, 0, "%s: %s", what,
		report_reason(reason, errno));
}

/* Returns whether the file begins as samples do, with a launch; to any other file nothing may be added. */
static bool holds_samples(struct campaign *campaign)
{
	static const char begin[] = "{\"launch\":";
	char text[sizeof begin] = "";
	const ssize_t got = pread(campaign->descriptor, text, sizeof begin - 1, 0);
	/* A program that was killed at once may have left only a part of `begin`. */
	if (got >= 0 && strncmp(text, begin, (size_t)got) == 0)
		return true;
	error_at(campaign->runner->error, PARADL_USAGE, campaign->file, 0, 0, "is no file of samples");
	error_hint(campaign->runner->error, "give a new name with -o");
	return false;
}

static bool may_be_written(struct campaign *campaign)
{
	struct runner *const runner = campaign->runner;
	struct stat status;
	if (fstat(campaign->descriptor, &status) != 0)
		return fail(campaign, "cannot read");
	if (!S_ISREG(status.st_mode))
		return error_at(runner->error, PARADL_USAGE, campaign->file, 0, 0,
			"is no file that samples can be kept in");
	campaign->existed = status.st_size > 0;
	campaign->retry_before = campaign->options->retry_failed ? status.st_size : 0;
	if (campaign->existed && !campaign->options->resume && !campaign->options->retry_failed) {
		error_at(runner->error, PARADL_USAGE, campaign->file, 0, 0, "has samples already");
		error_hint(runner->error, "--resume goes on with it; or give a new name with -o");
		return false;
	}
	return !campaign->existed || holds_samples(campaign);
}

/* Takes the lock. Programs inherit it, so those that a lost calibration has left running keep other ones away. */
bool samples_claim(struct campaign *campaign)
{
	struct runner *const runner = campaign->runner;
	campaign->descriptor = open(campaign->file, O_RDWR | O_CREAT | O_NOCTTY, 0666);
	if (campaign->descriptor < 0)
		return fail(campaign, "cannot write");
	if (flock(campaign->descriptor, LOCK_EX | LOCK_NB) == 0)
		return may_be_written(campaign);
	if (errno != EWOULDBLOCK)
		return fail(campaign, "cannot lock");
	error_at(runner->error, PARADL_USAGE, campaign->file, 0, 0, "another calibration writes to it");
	error_hint(runner->error, "wait until it is done, or give another name with -o");
	close(campaign->descriptor);
	campaign->descriptor = -1;
	return false;
}

/* Removes an empty file, as it has no samples. */
void samples_release(struct campaign *campaign)
{
	struct stat status;
	if (campaign->cases)
		unlink(campaign->cases);
	if (campaign->descriptor < 0)
		return;
	if (fstat(campaign->descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
		unlink(campaign->file);
	close(campaign->descriptor);
	campaign->descriptor = -1;
}

/* Cuts away an unfinished last line, which a killed program has left; false: errno says why it cannot. */
static bool trim(struct campaign *campaign)
{
	enum { STEP_BYTES = 4096 };
	char text[STEP_BYTES];
	off_t end = lseek(campaign->descriptor, 0, SEEK_END);
	const off_t size = end;
	while (end > 0) {
		const off_t begin = end > STEP_BYTES ? end - STEP_BYTES : 0;
		const size_t length = (size_t)(end - begin);
		if (pread(campaign->descriptor, text, length, begin) != (ssize_t)length)
			return false;
		size_t kept = length;
		while (kept > 0 && text[kept - 1] != '\n')
			kept--;
		end = begin + (off_t)kept;
		if (kept > 0)
			break;
	}
	return end == size || ftruncate(campaign->descriptor, end) == 0;
}

static bool write_all(struct campaign *campaign, const char *text, size_t length)
{
	const off_t before = lseek(campaign->descriptor, 0, SEEK_END);
	size_t written = 0;
	while (written < length) {
		const ssize_t count = write(campaign->descriptor, text + written, length - written);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) { /* removes the unfinished line, which would be taken for damage */
			const int reason = errno;
			if (ftruncate(campaign->descriptor, before) != 0)
				return false;
			errno = reason;
			return false;
		}
		written += (size_t)count;
	}
	return fdatasync(campaign->descriptor) == 0;
}

bool samples_add_failed(struct campaign *campaign, const struct part *part, unsigned launch,
	const char *point, const char *bench, const char *why, bool again)
{
	struct report_sink sink = {.arena = campaign->runner->arena};
	char *text = NULL;
	size_t length = 0;
	sink.file = open_memstream(&text, &length);
	if (!sink.file)
		return out_of_memory(campaign->runner->error);
	struct json_writer writer = {.file = sink.file, .compact = true};
	json_begin_object(&writer, NULL);
	json_write_text(
		&writer, "launch", arena_printf(campaign->runner->arena, "%s.%u", part->name, launch));
	json_write_text(&writer, "point", point);
	json_write_text(&writer, "bench", bench);
	json_begin_object(&writer, "parameters");
	json_end_object(&writer);
	json_write_text(&writer, "failed", why);
	if (again)
		json_write_bool(&writer, "again", true);
	json_end_object(&writer);
	if (fclose(sink.file) != 0)
		return out_of_memory(campaign->runner->error);
	const bool written = trim(campaign) && write_all(campaign, text, length);
	if (!written)
		fail(campaign, "cannot write");
	free(text);
	return written;
}
