/* SPDX-License-Identifier: MIT */
/* Never waits for a drive: whatever a drive does, signals are answered and the screen goes on. */
#include "cli/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "base/cleanup.h"
#include "base/clock.h"

static const int watched_signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1 };
static const int ignored_signals[] = { SIGPIPE, SIGTTOU, SIGXFSZ,
				       SIGUSR1 }; /* USR1: until watched */

struct loop {
	struct watch *watch;
	struct job_snapshot *snapshots; /* one for each started job */
	unsigned shown;
	unsigned stops; /* signals that asked to stop */
	uint64_t next_record_ns;
	bool hung_up;
};

/* What was ignored from the start, as nohup(1) has it, stays so: a blocked signal would come all
 * the same. (Not SIGINT: shells ignore it for what scripts run in the background, which shall be
 * stoppable.) */
static bool inherited_ignored(int signo)
{
	struct sigaction action;

	return signo == SIGHUP && !sigaction(signo, NULL, &action) && action.sa_handler == SIG_IGN;
}

static void watched_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(watched_signals) / sizeof(*watched_signals); i++)
		if (!inherited_ignored(watched_signals[i]))
			sigaddset(set, watched_signals[i]);
}

void watch_ignore_signals(void)
{
	for (size_t i = 0; i < sizeof(ignored_signals) / sizeof(*ignored_signals); i++)
		(void)signal(ignored_signals[i], SIG_IGN);
}

void watch_block_signals(void)
{
	sigset_t set;

	watched_set(&set);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
}

int watch_open_signals(void)
{
	sigset_t set;
	int fd;

	watched_set(&set);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd >= 0 ? fd : -errno;
}

static void take_snapshots(struct loop *l)
{
	l->shown = 0;
	for (unsigned i = 0; i < l->watch->count; i++)
		if (l->watch->targets[i].job)
			job_snapshot(l->watch->targets[i].job, &l->snapshots[l->shown++]);
}

static void stop_all(struct loop *l)
{
	for (unsigned i = 0; i < l->watch->count; i++)
		if (l->watch->targets[i].job)
			job_stop(l->watch->targets[i].job);
	if (!l->stops++)
		console_say(l->watch->console,
			    "Stopping: what is under way is finished and flushed. "
			    "A second signal leaves at once.");
}

static void take_signals(struct loop *l, int signal_fd)
{
	struct signalfd_siginfo info;

	while (read(signal_fd, &info, sizeof(info)) == sizeof(info)) {
		switch (info.ssi_signo) {
		case SIGHUP:
			l->hung_up = true;
			break;
		case SIGUSR1:
			take_snapshots(l);
			progress_report(l->watch->progress, l->snapshots, l->shown);
			break;
		default:
			stop_all(l);
		}
	}
}

/* A job that settled gets its record first and only then lets go of the drive. */
static bool tend_jobs(struct loop *l)
{
	bool due = clock_monotonic_ns() >= l->next_record_ns, running = false;

	for (unsigned i = 0; i < l->watch->count; i++) {
		struct target *t = &l->watch->targets[i];
		enum job_state state = t->job ? job_state(t->job) : JOB_ENDED;

		running |= state != JOB_ENDED;
		if (state == JOB_SETTLED && !t->settled) {
			t->settled = true;
			l->watch->record(t, l->watch->arg);
			job_close(t->job);
		} else if (state == JOB_RUNNING && due) {
			l->watch->record(t, l->watch->arg);
		}
	}
	if (due)
		l->next_record_ns = clock_monotonic_ns() + RECORD_INTERVAL_S * NS_PER_S;
	return running;
}

static void wait_for_news(struct loop *l, int signal_fd)
{
	struct pollfd fds[] = { { .fd = signal_fd, .events = POLLIN },
				{ .fd = l->watch->news_fd, .events = POLLIN } };
	eventfd_t news;

	if (poll(fds, 2, PROGRESS_TICK_MS) <= 0)
		return;
	if (fds[0].revents)
		take_signals(l, signal_fd);
	if (fds[1].revents)
		(void)eventfd_read(l->watch->news_fd, &news);
}

bool watch_jobs(struct watch *watch)
{
	_cleanup_free_ struct job_snapshot *snapshots = calloc(watch->count, sizeof(*snapshots));
	_cleanup_close_ int signal_fd = watch_open_signals();
	struct loop l = { .watch = watch, .snapshots = snapshots };
	bool running = true;

	/* Without them nothing can be shown or stopped by hand; what was started is still finished.
	 */
	if (!snapshots || signal_fd < 0)
		stop_all(&l);
	l.next_record_ns = clock_monotonic_ns() + RECORD_INTERVAL_S * NS_PER_S;
	while (running && l.stops < 2) {
		if (snapshots && !l.hung_up) {
			take_snapshots(&l);
			progress_update(watch->progress, snapshots, l.shown);
		}
		wait_for_news(&l, signal_fd);
		running = tend_jobs(&l);
	}
	if (snapshots && !l.hung_up) {
		take_snapshots(&l);
		progress_finish(watch->progress, snapshots, l.shown);
	}
	return !running;
}
