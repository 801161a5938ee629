/* SPDX-License-Identifier: MIT */
/* Whether another host has reserved a shared SCSI drive (SPC-4, PERSISTENT RESERVE IN, READ
 * RESERVATION). */
#ifndef DEVICE_RESERVATION_H
#define DEVICE_RESERVATION_H

#include <stddef.h>

#include "device/facts.h"

/*
 * Asks the drive behind @fd. Only drives that can be shared are asked (SAS, Fibre Channel, iSCSI,
 * parallel SCSI): there are USB bridges that do not survive a command they do not know. False if it
 * is not reserved, does not know, or may not be asked (CAP_SYS_RAWIO).
 */
bool reservation_held(int fd, const struct drive_facts *facts);

/* PURE: what the answer of @length bytes says. */
bool reservation_in_answer(const uint8_t *answer, size_t length);

#endif
