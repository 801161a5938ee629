/* SPDX-License-Identifier: MIT */
/* AES-256-CTR by Intel's ipsec-mb, for CPUs with VAES: several blocks an instruction. */
#include "keystream/ipsec-mb.h"

#include <cpuid.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <intel-ipsec-mb.h>

#include "base/secret.h"
#include "keystream/zeros.h"

/* The library counts in the last 32 bits of the counter block only: a request must not pass 2^32
 * blocks. */
#define COUNTER_SPAN ((uint64_t)AES_BLOCK_BYTES << 32)

enum { SCHEDULE_BYTES = AES_BLOCK_BYTES * 15 };

struct schedules {
	_Alignas(16) uint8_t encrypt[SCHEDULE_BYTES];
	_Alignas(16) uint8_t decrypt[SCHEDULE_BYTES]; /* the library makes both */
};

struct ipsec_mb {
	struct keystream base;
	IMB_MGR *manager; /* at the start of the next */
	void *memory;
	size_t memory_bytes;
	struct schedules *schedules; /* secret memory */
};

/* @length bytes from the start of block @block, at most ZEROS_BYTES and within one COUNTER_SPAN. */
static int encrypt(struct ipsec_mb *own, uint64_t block, const uint8_t *from, uint8_t *to,
		   size_t length)
{
	uint8_t counter[AES_BLOCK_BYTES];
	IMB_JOB *job = IMB_GET_NEXT_JOB(own->manager);

	keystream_counter(block, counter);
	memset(job, 0, sizeof(*job));
	job->cipher_mode = IMB_CIPHER_CNTR;
	job->cipher_direction = IMB_DIR_ENCRYPT;
	job->chain_order = IMB_ORDER_CIPHER_HASH;
	job->hash_alg = IMB_AUTH_NULL;
	job->enc_keys = own->schedules->encrypt;
	job->dec_keys = own->schedules->decrypt;
	job->key_len_in_bytes = KEYSTREAM_KEY_BYTES;
	job->iv = counter;
	job->iv_len_in_bytes = sizeof(counter);
	job->src = from;
	job->dst = to;
	job->msg_len_to_cipher_in_bytes = length;
	job = IMB_SUBMIT_JOB(own->manager);
	return job && job->status == IMB_STATUS_COMPLETED ? 0 : -EIO;
}

/* A request that begins inside a block: the rest of that block. */
static int encrypt_head(struct ipsec_mb *own, uint64_t position, const uint8_t *from, uint8_t *to,
			size_t length)
{
	uint8_t in[AES_BLOCK_BYTES] = { 0 }, out[AES_BLOCK_BYTES];
	uint64_t inside = position % AES_BLOCK_BYTES;
	int r;

	memcpy(in + inside, from, length);
	r = encrypt(own, position / AES_BLOCK_BYTES, in, out, sizeof(out));
	if (!r)
		memcpy(to, out + inside, length);
	return r;
}

/* @in may be NULL: zeros. */
static int ipsec_mb_xor(struct keystream *ks, uint64_t position, const void *in, void *out,
			size_t length)
{
	struct ipsec_mb *own = (struct ipsec_mb *)ks;
	const uint8_t *from = in ? in : keystream_zeros;
	uint8_t *to = out;
	int r = 0;

	while (!r && length) {
		uint64_t inside = position % AES_BLOCK_BYTES;
		uint64_t step =
			inside ? AES_BLOCK_BYTES - inside : COUNTER_SPAN - position % COUNTER_SPAN;

		if (step > ZEROS_BYTES)
			step = ZEROS_BYTES;
		if (step > length)
			step = length;
		r = inside ? encrypt_head(own, position, from, to, step)
			   : encrypt(own, position / AES_BLOCK_BYTES, from, to, step);
		position += step;
		from += in ? step : 0;
		to += step;
		length -= step;
	}
	return r;
}

static int ipsec_mb_fill(struct keystream *ks, uint64_t position, void *buf, size_t length)
{
	return ipsec_mb_xor(ks, position, NULL, buf, length);
}

/*
 * A manager that no keystream uses: making one takes a millisecond and more, and at the start one
 * keystream follows another. It holds nothing of a key, which is in the schedules.
 */
static _Atomic(IMB_MGR *) spare_manager;

/* Ready to be used, all by itself: the library's own allocation does not bring the memory in at one
 * go. NULL without memory, or if the library cannot do with this CPU. */
static IMB_MGR *new_manager(void)
{
	void *memory = mmap(NULL, imb_get_mb_mgr_size(), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	IMB_MGR *manager = memory == MAP_FAILED ? NULL : imb_set_pointers_mb_mgr(memory, 0, 1);

	if (!manager)
		return NULL;
	init_mb_mgr_auto(manager, NULL);
	if (!imb_get_errno(manager))
		return manager;
	(void)munmap(manager, imb_get_mb_mgr_size());
	return NULL;
}

static IMB_MGR *take_manager(void)
{
	IMB_MGR *manager = atomic_exchange(&spare_manager, NULL);

	return manager ? manager : new_manager();
}

static void give_manager(IMB_MGR *manager)
{
	IMB_MGR *other = atomic_exchange(&spare_manager, manager);

	if (other)
		(void)munmap(other, imb_get_mb_mgr_size());
}

static void ipsec_mb_free(struct keystream *ks)
{
	struct ipsec_mb *own = (struct ipsec_mb *)ks;

	if (own->manager)
		give_manager(own->manager);
	secret_free(own->schedules, sizeof(*own->schedules));
	free(own);
}

static const struct keystream_ops ipsec_mb_ops = { .fill = ipsec_mb_fill,
						   .xor = ipsec_mb_xor,
						   .free = ipsec_mb_free };

/*
 * Elsewhere OpenSSL is as fast, and the library is not touched: it may use what the CPU has not.
 * VAES is leaf 7, ECX bit 9; that the system saves the wide registers is what "avx2" asks for too.
 */
static bool cpu_has_vaes(void)
{
	unsigned eax, ebx, ecx, edx;

	__builtin_cpu_init();
	return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) &&
	       ecx & 1U << 9;
}

int ipsec_mb_new(const uint8_t key[KEYSTREAM_KEY_BYTES], struct keystream **ret_ks)
{
	struct ipsec_mb *own;

	if (!cpu_has_vaes())
		return -ENOTSUP;
	own = calloc(1, sizeof(*own));
	if (!own)
		return -ENOMEM;
	own->base.ops = &ipsec_mb_ops;
	own->schedules = secret_new(sizeof(*own->schedules));
	own->manager = take_manager();
	if (!own->schedules || !own->manager) {
		ipsec_mb_free(&own->base);
		return -ENOMEM;
	}
	IMB_AES_KEYEXP_256(own->manager, key, own->schedules->encrypt, own->schedules->decrypt);
	*ret_ks = &own->base;
	return 0;
}
