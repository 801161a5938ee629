/* SPDX-License-Identifier: MIT */
/* The makers of OpenSSL's keystreams, for the table of kinds. */
#ifndef KEYSTREAM_OPENSSL_H
#define KEYSTREAM_OPENSSL_H

#include "keystream/keystream.h"

keystream_maker openssl_aes_new, openssl_chacha20_new;

#endif
