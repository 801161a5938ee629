/* SPDX-License-Identifier: MIT */
/* The values of options that several commands have. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "device/gate.h"
#include "engine/backend.h"

enum { TARGETS_MAX = 256 };

/* What is wrong with the names of targets, as the end of a sentence; NULL: nothing. */
const char *value_names_mistake(char *const *names, unsigned count);

/* --expect KEY=VALUE: adds it to @policy, whose text then points to @argument. Returns 0; an error
 * if it is none, or one too many. */
int value_expect(const char *argument, struct gate_policy *policy);

/* --io auto|uring|sync. Returns 0; -EINVAL if it is none of them. */
int value_io(const char *argument, enum io_choice *ret_io);

#endif
