/* SPDX-License-Identifier: MIT */
/* More threads for a drive that waits for data. */
#include "engine/crew.h"

#include "keystream/keystream.h"

enum { STACK_BYTES = 256 * 1024 };

void crew_begin(struct crew *crew, struct run *run, uint32_t chunk, unsigned depth)
{
	crew->run = run;
	crew->chunk = chunk;
	crew->depth_left = ENGINE_DEPTH_MAX - depth;
	crew->count = 0;
	crew->busy = false;
}

static void helper_work(struct helper *helper, struct lane *lane)
{
	struct run *run = helper->crew->run;
	const struct engine_help *help = run->params->help;
	struct backend *backend = NULL;
	struct keystream *ks = NULL;

	if (help->make_keystream(help->arg, &ks) ||
	    help->open_backend(help->arg, lane_buffers(lane), &backend))
		goto out;
	helper->worked = true;
	lane_begin(lane, run, backend, ks);
	while (lane_step(lane))
		;
	helper->lowest = lane_lowest(lane);
out:
	backend_free(backend);
	keystream_free(ks);
}

static void *helper_thread(void *arg)
{
	struct helper *helper = arg;
	struct lane *lane;

	if (lane_new(helper->crew->chunk, ENGINE_HELPER_DEPTH, &lane))
		return NULL;
	helper_work(helper, lane);
	lane_free(lane);
	return NULL;
}

/* A core that no other drive's thread needs. */
static bool take_core(const struct engine_help *help)
{
	if (!help->spare_cores)
		return true;
	if (atomic_fetch_sub(help->spare_cores, 1) > 0)
		return true;
	atomic_fetch_add(help->spare_cores, 1);
	return false;
}

static void give_core(const struct engine_help *help)
{
	if (help->spare_cores)
		atomic_fetch_add(help->spare_cores, 1);
}

/* A thread whose drive waits is a thread that computes. It goes on whether or not a core is free.
 */
static void count_first(struct crew *crew)
{
	const struct engine_help *help = crew->run->params->help;

	if (!crew->busy && help->spare_cores)
		atomic_fetch_sub(help->spare_cores, 1);
	crew->busy = true;
}

static int start(struct helper *helper)
{
	pthread_attr_t attr;
	int r = pthread_attr_init(&attr);

	if (r)
		return r;
	(void)pthread_attr_setstacksize(&attr, STACK_BYTES);
	r = pthread_create(&helper->thread, &attr, helper_thread, helper);
	(void)pthread_attr_destroy(&attr);
	return r;
}

void crew_hire(struct crew *crew)
{
	const struct engine_help *help = crew->run->params->help;
	struct helper *helper = &crew->helpers[crew->count];

	if (!help)
		return;
	count_first(crew);
	if (crew->count + 1 >= help->threads_max || crew->depth_left < ENGINE_HELPER_DEPTH ||
	    !take_core(help))
		return;
	*helper = (struct helper){ .crew = crew, .lowest = UINT64_MAX };
	if (start(helper)) {
		give_core(help);
		return;
	}
	crew->count++;
	crew->depth_left -= ENGINE_HELPER_DEPTH;
}

uint64_t crew_join(struct crew *crew)
{
	uint64_t lowest = UINT64_MAX;

	for (unsigned i = 0; i < crew->count; i++) {
		struct helper *helper = &crew->helpers[i];

		(void)pthread_join(helper->thread, NULL);
		give_core(crew->run->params->help);
		crew->run->result->threads += helper->worked;
		lowest = helper->lowest < lowest ? helper->lowest : lowest;
	}
	if (crew->busy)
		give_core(crew->run->params->help);
	crew->count = 0;
	return lowest;
}
