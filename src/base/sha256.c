/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256, FIPS 180-4. Words are big-endian; names follow section 6.2: schedule W, constants K, working
 * variables a to h (here an array that is rotated by one place per round).
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

enum { BLOCK_BYTES = 64, ROUNDS = 64 };

/* Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static void expand(uint32_t schedule[ROUNDS], const unsigned char block[BLOCK_BYTES])
{
	for (size_t t = 0; t < 16; t++)
		schedule[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
			      (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (size_t t = 16; t < ROUNDS; t++) {
		const uint32_t near = schedule[t - 2], far = schedule[t - 15];
		schedule[t] = (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10) + schedule[t - 7] +
			      (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3) + schedule[t - 16];
	}
}

static void compress(uint32_t hash[8], const unsigned char block[BLOCK_BYTES])
{
	uint32_t schedule[ROUNDS], v[8];
	expand(schedule, block);
	memcpy(v, hash, sizeof v);
	for (size_t t = 0; t < ROUNDS; t++) {
		const uint32_t e = v[4], a = v[0];
		const uint32_t first = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
				       ((e & v[5]) ^ (~e & v[6])) + constants[t] + schedule[t];
		const uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
					((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof v[0]);
		v[4] += first;
		v[0] = first + second;
	}
	for (size_t i = 0; i < 8; i++)
		hash[i] += v[i];
}

/*
 * Appends the padding of section 5.1.1: a 1 bit, zeros, and the length in bits as 64 bits. `used` bytes of the block
 * hold text.
 */
static void finish(uint32_t hash[8], unsigned char block[BLOCK_BYTES], size_t used, uint64_t bytes)
{
	block[used++] = 0x80;
	memset(block + used, 0, BLOCK_BYTES - used);
	if (used > BLOCK_BYTES - 8) {
		compress(hash, block);
		memset(block, 0, BLOCK_BYTES);
	}
	for (size_t i = 0; i < 8; i++)
		block[BLOCK_BYTES - 1 - i] = (unsigned char)(bytes * 8 >> 8 * i);
	compress(hash, block);
}

static void digest_stream(FILE *file, char digest[65])
{
	/* Section 5.3.3: the fractional parts of the square roots of the first eight primes. */
	uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
		0x1f83d9ab, 0x5be0cd19};
	unsigned char block[BLOCK_BYTES];
	uint64_t bytes = 0;
	size_t used;
	while ((used = fread(block, 1, BLOCK_BYTES, file)) == BLOCK_BYTES) {
		compress(hash, block);
		bytes += BLOCK_BYTES;
	}
	finish(hash, block, used, bytes + used);
	for (size_t i = 0; i < 8; i++)
		snprintf(digest + 8 * i, 9, "%08lx", (unsigned long)hash[i]);
}

bool file_sha256(struct paradl_arena *arena, const char *path, char digest[65], struct paradl_error *error)
{
	FILE *const file = file_stream(arena, path, error);
	if (!file)
		return false;
	digest_stream(file, digest);
	const int reason = ferror(file) ? errno : 0;
	fclose(file);
	return reason == 0 || file_fail(path, "cannot read", reason, error);
}
