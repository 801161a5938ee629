#!/bin/bash
# io_uring forbidden, half forbidden or short of locked memory; a cipher that is missing.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

forbid() { "$HELPERS/seccomp-run" "$@"; }

run forbid getrandom ENOSYS true
[ "$RC" = 77 ] && skip_all "no seccomp here"

for call in io_uring_setup io_uring_enter; do
    for error in EPERM ENOSYS EINVAL ENOMEM; do
        old_data image 3M
        run forbid $call $error "$STORMWIPE" wipe --yes --keep-key --progress none --record-dir "$STATE" "$TMP/image"
        is "$call $error: wiped" "$RC,$(grep -ac LEFTOVER "$TMP/image")" 0,0
        is "$call $error: the record says how" "$(record .passes[0].io.backend)" sync
        unlike "$call $error: no complaint" "$ERR" '(uring|permitted|not implemented)'
    done
done
run forbid io_uring_setup EPERM "$STORMWIPE" wipe --yes --verbose --no-record "$TMP/image"
like "with --verbose the reason is named" "$ERR" 'io_uring cannot be used here \(Operation not permitted\)'
run forbid io_uring_setup EPERM "$STORMWIPE" wipe --yes --io uring --no-record "$TMP/image"
is "--io uring where it is forbidden: status" "$RC" 5
run forbid io_uring_register EPERM "$STORMWIPE" wipe --yes --record-dir "$STATE" "$TMP/image"
is "no registered buffers: status" "$RC" 0

before=$(sha256sum <"$TMP/image")
run forbid getrandom EIO "$STORMWIPE" wipe --yes --no-record "$TMP/image"
is "no random key: status" "$RC" 5
is "no random key: nothing was written" "$(sha256sum <"$TMP/image")" "$before"
run forbid getrandom EIO "$STORMWIPE" stream --bytes 9
is "no random key: no stream" "$RC,$OUT" 5,
is "no random key: said" "$ERR" "stormwipe: the kernel's generator: cannot read the key: Input/output error."
cat >"$TMP/openssl.cnf" <<'EOF'
openssl_conf = a
[a]
providers = b
[b]
null = c
[c]
activate = 1
EOF
run wipe "$TMP/image"
keystream=$(record .passes[0].keystream)
before=$(sha256sum <"$TMP/image")
run env OPENSSL_CONF="$TMP/openssl.cnf" "$STORMWIPE" wipe --yes --no-record "$TMP/image"
if [ "$keystream" = openssl ]; then
    is "no cipher: status" "$RC" 5
    like "no cipher: said" "$ERR" 'self-test'
    is "no cipher: nothing was written" "$(sha256sum <"$TMP/image")" "$before"
else
    is "no cipher from OpenSSL, but another implementation" "$keystream $RC" "ipsec-mb 0"
fi

run env OPENSSL_CONF="$TMP/openssl.cnf" "$STORMWIPE" stream --cipher chacha20 --bytes 9
is "no cipher: no stream" "$RC,$OUT" 5,
like "no cipher: no stream, said" "$ERR" 'self-test'

run forbid fdatasync EIO "$STORMWIPE" wipe --yes --record-dir "$STATE" "$TMP/image"
is "a flush that fails: status" "$RC" 1
is "a flush that fails: record" "$(record .verdict)" unwritten
like "a flush that fails: said" "$ERR" 'NOT completely wiped.*flush'

nobody() {
    if [ "$(id -u)" = 0 ]; then
        setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    else
        "$@"
    fi
}
mkdir -m 777 "$TMP/nobody"
chmod 755 "$TMP"
for drives in 1 8; do
    targets=()
    for i in $(seq $drives); do
        old_data "nobody/$i" 4M
        chmod 666 "$TMP/nobody/$i"
        targets+=("$TMP/nobody/$i")
    done
    for limit in 0 65536 1048576; do
        run nobody prlimit --memlock=$limit "$STORMWIPE" wipe --yes --quiet --no-record "${targets[@]}"
        is "$drives drives, $limit bytes of locked memory" "$RC,$ERR" 0,
    done
    is "$drives drives: wiped" "$(cat "${targets[@]}" | grep -ac LEFTOVER)" 0
done

done_testing
