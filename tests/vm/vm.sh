#!/bin/bash
# SPDX-License-Identifier: MIT
# Boots a Debian kernel in QEMU, without KVM, and runs tests/vm/guest in it on drives that the host does not have.
#
# Debian packages: qemu-system-x86 cpio kmod xz-utils dmsetup e2fsprogs fdisk mount util-linux diffutils grep jq openssl
# The kernel and mdadm are downloaded without being installed and kept in $STORMWIPE_VM_CACHE (~/.cache/stormwipe-vm).
# STORMWIPE_VM_LOG=FILE keeps what the guest's kernel printed.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

BOOT_LIMIT_S=300 # four times what it takes, for machines that do something else as well
here=$ROOT/tests/vm
cache=${STORMWIPE_VM_CACHE:-${HOME:-/tmp}/.cache/stormwipe-vm}

modules=(virtio_pci virtio_blk virtio_scsi sd_mod sr_mod ahci nvme xhci_pci usb_storage
    brd null_blk scsi_debug loop dm_mod dm_flakey raid1 ext4 crc32c_generic configfs)
host_programs=(qemu-system-x86_64 cpio depmod modprobe xz apt-get dpkg-deb ldd)
guest_programs=(bash blockdev cat cmp cut dd dirname dmsetup find grep head id jq ln losetup mkdir mkfs.ext4 mkswap
    mktemp modprobe mount mv openssl readlink rm sed sfdisk sleep sort stat swapoff swapon tail timeout tr true
    truncate umount unshare wc yes)

PATH=$PATH:/usr/sbin:/sbin
for program in "${host_programs[@]}" "${guest_programs[@]}"; do
    type -P "$program" >/dev/null || skip_all "needs $program"
done
[ "$(uname -m)" = x86_64 ] || skip_all "the guest is an x86-64 machine"

bail_out() { # REASON [TEXT]
    echo "Bail out! ${1//$'\n'/ }"
    printf '%s\n' "${2:-}" | sed 's/^/# /'
    exit 1
}

# ---- what stays: kernel and modules ----

download() ( # FOLDER
    cd "$1" || exit
    for refresh in true "apt-get -q update"; do
        $refresh
        kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
        if [ -n "$kernel" ] && apt-get -q download "$kernel" mdadm; then exit; fi
    done
    false
)

# The ELF file within Debian's bzImage boots in half the time: QEMU can start it without the kernel's own unpacking.
extract_vmlinux() { # BZIMAGE
    local sectors offset length
    sectors=$(od -An -tu1 -j $((0x1f1)) -N 1 "$1")
    offset=$(od -An -tu4 -j $((0x248)) -N 4 "$1")
    length=$(od -An -tu4 -j $((0x24c)) -N 4 "$1")
    tail -c +$(((sectors + 1) * 512 + offset + 1)) "$1" | head -c "$length" | xz -dc --single-stream
}

# The wanted modules with all they need, as modprobe finds them.
copy_modules() { # FROM TO
    local version module
    version=$(ls "$1/lib/modules")
    depmod -b "$1" "$version"
    for module in "${modules[@]}"; do
        modprobe -d "$1" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | sort -u | while read -r module; do
        mkdir -p "$2$(dirname "${module#"$1"}")"
        cp "$module" "$2${module#"$1"}"
    done
    cp "$1/lib/modules/$version"/modules.{builtin,order} "$2/lib/modules/$version"
    depmod -b "$2" "$version"
}

archive() { (cd "$1" && find . | cpio --quiet -o -H newc); }

make_base() ( # the files vmlinux and base.cpio from the packages in debs, in the folder $1
    set -e
    cd "$1"
    mkdir -p unpacked root/usr/lib root/usr/bin
    for deb in debs/*.deb; do dpkg-deb -x "$deb" unpacked; done
    extract_vmlinux unpacked/boot/vmlinuz-* >vmlinux
    ln -s usr/lib root/lib
    copy_modules "$1/unpacked" "$1/root"
    cp unpacked/sbin/mdadm root/usr/bin
    archive root >base.cpio
    rm -r debs unpacked root
)

# Made anew when how it is made changes. A newer kernel comes when the folder is deleted.
prepare() {
    local how
    how=$(declare -p modules && declare -f make_base copy_modules extract_vmlinux)
    base=$cache/$(cksum <<<"$how" | cut -d ' ' -f 1)
    mkdir -p "$cache" || skip_all "cannot write $cache"
    exec 8>"$cache/lock"
    flock 8
    if [ ! -e "$base" ]; then
        rm -rf "$cache/new" "$cache"/[0-9]*
        mkdir -p "$cache/new/debs"
        run download "$cache/new/debs"
        [ "$RC" = 0 ] || skip_all "cannot download Debian's kernel and mdadm: $(grep '^E:' <<<"$ERR" | tail -n 1)"
        run make_base "$cache/new"
        [ "$RC" = 0 ] || bail_out "cannot prepare the kernel: $ERR"
        mv "$cache/new" "$base"
    fi
    exec 8>&-
}

# ---- what every run makes: the program, the tests, the tools they use ----

# Programs under the names they have here, and the libraries they name.
copy_programs() { # FILE...
    local library
    cp -L "$@" "$root/usr/bin"
    ldd "$@" 2>/dev/null | grep -o '/lib[^ ]*' | sort -u | while read -r library; do
        cp -L "$library" "$root$library"
    done
}

make_root() {
    local name programs
    root=$TMP/root
    mkdir -p "$root"/{dev,proc,sys,tmp,m,etc,usr/bin,usr/lib/x86_64-linux-gnu,usr/lib64,tree/tests/vm}
    for name in bin sbin lib lib64; do ln -s "usr/${name/sbin/bin}" "$root/$name"; done
    ln -s bin "$root/usr/sbin"
    mapfile -t programs < <(type -P "${guest_programs[@]}")
    copy_programs "${programs[@]}" "$STORMWIPE"
    ln -s bash "$root/usr/bin/sh"
    cp "$ROOT/tests/lib.sh" "$root/tree/tests"
    cp "$here/guest" "$root/tree/tests/vm"
    cp "$here/init" "$root/init"
}

# ---- the guest ----

# Every drive has a size of its own, by which the tests know it without believing what it says of itself.
backing() { # ID MIB [OPTION]: an argument for -drive
    truncate -s "$2M" "$TMP/$1"
    echo "if=none,id=$1,format=raw,cache=unsafe,file=$TMP/$1${3:-}"
}

boot() { # Westmere: AES, but none of the wide registers, whose emulation is slow
    timeout --foreground "$BOOT_LIMIT_S" qemu-system-x86_64 -accel tcg -machine pc -cpu Westmere -smp 2 -m 1024 \
        -nodefaults -no-user-config -display none -no-reboot \
        -kernel "$base/vmlinux" -initrd "$TMP/initrd" \
        -append "console=ttyS0 edd=off panic=-1 quiet mitigations=off" \
        -serial "file:$TMP/console" -serial "file:$TMP/tap" \
        -drive "$(backing nvme 9)" -device nvme,drive=nvme,serial=VM-NVME-9 \
        -device ahci,id=ahci \
        -drive "$(backing sata 10)" -device ide-hd,bus=ahci.0,drive=sata,serial=VM-SATA-10 \
        -drive "$(backing cd 4 ,readonly=on)" -device ide-cd,bus=ahci.1,drive=cd \
        -drive "$(backing virtio 11)" -device virtio-blk-pci,drive=virtio,serial=VM-VIRTIO-11 \
        -device virtio-scsi-pci,id=scsi \
        -drive "$(backing scsi 12)" -device scsi-hd,bus=scsi.0,drive=scsi,serial=VM-SCSI-12 \
        -drive "$(backing locked 13 ,readonly=on)" -device scsi-hd,bus=scsi.0,drive=locked,serial=VM-LOCKED-13 \
        -device qemu-xhci \
        -drive "$(backing usb 14)" -device usb-storage,drive=usb,serial=VM-USB-14
}

prepare
make_root
archive "$TMP/root" | cat "$base/base.cpio" - >"$TMP/initrd"
rm -r "$TMP/root"
: >"$TMP/console"
: >"$TMP/tap"
run boot
[ -z "${STORMWIPE_VM_LOG:-}" ] || cp "$TMP/console" "$STORMWIPE_VM_LOG"
tr -d '\r' <"$TMP/tap"
if ! grep -q '^1\.\.' "$TMP/tap"; then
    bail_out "the guest did not come to its end (QEMU's status $RC): $ERR" "$(tail -n 60 "$TMP/console" | tr -d '\r')"
fi
