/* SPDX-License-Identifier: MIT */
/* Real loop devices for tests that run as root, and running a program that makes file systems. */
#ifndef TESTS_LOOP_DEVICE_H
#define TESTS_LOOP_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* The kernel detaches a device when nobody has it open any more: a test that dies leaves none
 * behind. */
struct loop_device {
	int fd;
	char node[64];	/* "/dev/loop3" */
	char image[64]; /* a sparse file; "" for a loop on something else */
};

/* Leaves the test, saying why, unless loop devices can be made here. */
void need_loop_devices(void);

/* Attaches a new sparse image of @size bytes with sectors of @sector bytes. False: not possible. */
bool loop_new(struct loop_device *loop, uint64_t size, unsigned sector, bool read_only);

/* Attaches what is there already: a device, or a file. */
bool loop_on(struct loop_device *loop, const char *path);

/* Detaches, and removes the image. */
void loop_free(struct loop_device *loop);

/* Tells the kernel of a partition without any table; its node is /dev/loopNpM. */
bool loop_add_partition(const struct loop_device *loop, int number, uint64_t start, uint64_t size);

/* Runs a program to its end, silently. Returns its exit status; 127 if there is none of that name.
 */
int run_program(const char *const argv[]);

#endif
