/* SPDX-License-Identifier: MIT */
/* One SCSI command, and what its answer means. */
#include "device/reservation.h"

#include <scsi/sg.h>
#include <sys/ioctl.h>

#include "base/text.h"

/* SPC-4: the command, its service action, and the answer: generation, length of the descriptor,
 * descriptor. */
enum {
	PERSISTENT_RESERVE_IN = 0x5e,
	READ_RESERVATION = 0x01,
	LENGTH_OFFSET = 4,
	HEADER_BYTES = 8,
	DESCRIPTOR_BYTES = 16,
	ANSWER_BYTES = HEADER_BYTES + DESCRIPTOR_BYTES,
	SENSE_BYTES = 32,
	TIMEOUT_MS = 5000,
};

bool reservation_in_answer(const uint8_t *answer, size_t length)
{
	uint32_t descriptor;

	if (length < HEADER_BYTES)
		return false;
	descriptor = (uint32_t)answer[LENGTH_OFFSET] << 24 |
		     (uint32_t)answer[LENGTH_OFFSET + 1] << 16 |
		     (uint32_t)answer[LENGTH_OFFSET + 2] << 8 | answer[LENGTH_OFFSET + 3];
	return descriptor >= DESCRIPTOR_BYTES;
}

static bool may_be_shared(const struct drive_facts *facts)
{
	static const char *const buses[] = { "SAS", "FC", "iSCSI", "SCSI", NULL };

	return text_is_one_of(facts->bus, buses) &&
	       (facts->kind == DRIVE_DISK || facts->kind == DRIVE_PARTITION);
}

bool reservation_held(int fd, const struct drive_facts *facts)
{
	uint8_t command[10] = { PERSISTENT_RESERVE_IN, READ_RESERVATION },
		answer[ANSWER_BYTES] = { 0 };
	uint8_t sense[SENSE_BYTES];
	struct sg_io_hdr io = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmd_len = sizeof(command),
		.mx_sb_len = sizeof(sense),
		.dxfer_len = sizeof(answer),
		.dxferp = answer,
		.cmdp = command,
		.sbp = sense,
		.timeout = TIMEOUT_MS,
	};

	if (!may_be_shared(facts))
		return false;
	command[8] = sizeof(answer); /* the allocation length, of two bytes */
	if (ioctl(fd, SG_IO, &io) || (io.info & SG_INFO_OK_MASK) != SG_INFO_OK)
		return false;
	return reservation_in_answer(answer, sizeof(answer) - (size_t)io.resid);
}
