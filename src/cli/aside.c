/* SPDX-License-Identifier: MIT */
/* Work aside: a thread, an eventfd for its end, and a loop over that, the signals and the clock. */
#include "cli/aside.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/watch.h"

/* Of its own memory, for a thread that is left behind goes on. */
struct hand {
	void (*work)(void *arg);
	void *arg;
	int ended_fd; /* eventfd */
	pthread_t thread;
};

static void *hand_thread(void *arg)
{
	struct hand *hand = arg;

	hand->work(hand->arg);
	(void)eventfd_write(hand->ended_fd, 1);
	return NULL;
}

static void hand_free(struct hand *hand)
{
	if (hand->ended_fd >= 0)
		(void)close(hand->ended_fd);
	free(hand);
}

static int hand_new(const struct aside *aside, struct hand **ret_hand)
{
	struct hand *hand = malloc(sizeof(*hand));
	int r;

	if (!hand)
		return -ENOMEM;
	*hand = (struct hand){ .work = aside->work, .arg = aside->arg };
	hand->ended_fd = eventfd(0, EFD_CLOEXEC);
	r = hand->ended_fd < 0 ? -errno : -pthread_create(&hand->thread, NULL, hand_thread, hand);
	if (r) {
		hand_free(hand);
		return r;
	}
	*ret_hand = hand;
	return 0;
}

static unsigned count_stops(int signal_fd)
{
	struct signalfd_siginfo info;
	unsigned stops = 0;

	while (read(signal_fd, &info, sizeof(info)) == sizeof(info))
		stops += info.ssi_signo != SIGUSR1;
	return stops;
}

/* Returns how many signals came; false in @ret_ended if there were too many, or it took too long.
 */
static unsigned wait_for_end(const struct aside *aside, int ended_fd, int signal_fd,
			     bool *ret_ended)
{
	struct pollfd fds[] = { { .fd = ended_fd, .events = POLLIN },
				{ .fd = signal_fd, .events = POLLIN } };
	uint64_t stop_ns = 0, patience_ns = aside->patience_ms * NS_PER_MS;
	unsigned stops = 0;

	for (;;) {
		bool hurry = stops && patience_ns;

		if (stops > 1 || (hurry && clock_monotonic_ns() - stop_ns >= patience_ns)) {
			*ret_ended = false;
			return stops;
		}
		if (poll(fds, 2, hurry ? (int)aside->patience_ms : -1) < 0)
			continue;
		if (fds[0].revents) {
			*ret_ended = true;
			return stops + count_stops(signal_fd);
		}
		if (!fds[1].revents)
			continue;
		stops += count_stops(signal_fd);
		if (stops && !stop_ns) {
			stop_ns = clock_monotonic_ns();
			atomic_store(aside->stop, true);
		}
	}
}

int aside_run(const struct aside *aside, enum aside_end *ret_end)
{
	_cleanup_close_ int signal_fd = -EBADF;
	struct hand *hand = NULL;
	unsigned stops;
	sigset_t before;
	bool ended;
	int r;

	(void)pthread_sigmask(SIG_SETMASK, NULL, &before);
	watch_block_signals();
	signal_fd = watch_open_signals();
	r = signal_fd < 0 ? signal_fd : hand_new(aside, &hand);
	if (!r) {
		stops = wait_for_end(aside, hand->ended_fd, signal_fd, &ended);
		if (ended) {
			(void)pthread_join(hand->thread, NULL);
			hand_free(hand);
		}
		*ret_end = !ended ? ASIDE_LEFT : stops ? ASIDE_STOPPED : ASIDE_ENDED;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}
