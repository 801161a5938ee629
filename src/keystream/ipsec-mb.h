/* SPDX-License-Identifier: MIT */
/* The maker of ipsec-mb's keystream (a build option), for the table of kinds. */
#ifndef KEYSTREAM_IPSEC_MB_H
#define KEYSTREAM_IPSEC_MB_H

#include "keystream/keystream.h"

/* Only on CPUs with VAES: on others the library is not touched. Locks a page for the key. */
keystream_maker ipsec_mb_new;

#endif
