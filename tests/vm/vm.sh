#!/bin/bash
# SPDX-License-Identifier: MIT
# Boots a Debian system in QEMU, without KVM, and runs tests/vm/guest in it on drives that the host does not have.
#
# The system lies on a drive of its own, with an ESP and swap beside it, as on a real machine: initramfs finds it and
# starts init from it. Nothing here needs root.
#
# Debian packages: tools/packages vm. The kernel and what is only for the guest (packages below) are downloaded
# without being installed and kept in $STORMWIPE_VM_CACHE (~/.cache/stormwipe-vm).
# STORMWIPE_VM_PARTS=NAME,NAME runs only these parts (guest-NAME.sh). STORMWIPE_VM_LOG=FILE keeps what the guest's kernel printed.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

BOOT_LIMIT_S=500 # four times what it takes, for machines that do something else as well
here=$ROOT/tests/vm
parts=${STORMWIPE_VM_PARTS:-kinds,system,use,layers,same,replug,udev,list,faults} # the last one breaks drives
cache=${STORMWIPE_VM_CACHE:-${HOME:-/tmp}/.cache/stormwipe-vm}

boot_modules=(virtio_pci virtio_blk ext4 crc32c_generic)
modules=("${boot_modules[@]}" virtio_scsi sd_mod sr_mod ahci nvme xhci_pci usb_storage virtio_console vfat nls_cp437
    nls_ascii brd null_blk scsi_debug loop zram floppy dm_mod dm_flakey dm_crypt dm_multipath dm_service_time raid1 bcache
    btrfs overlay xts aesni_intel algif_skcipher configfs)
# What the guest alone needs: 5 MB. The libraries are those that few hosts have.
packages=(mdadm lvm2 cryptsetup-bin bcache-tools udev dosfstools
    libcryptsetup12 libargon2-1 libjson-c5 libpopt0 libdevmapper-event1.02.1 libaio1 libedit2 libbsd0)
guest_files=(bin/udevadm sbin/{mdadm,lvm,cryptsetup,mkfs.fat} usr/sbin/make-bcache
    lib/udev/{ata_id,scsi_id,rules.d/{50-udev-default,60-block,60-persistent-storage,64-md-raid-assembly}.rules})
host_programs=(qemu-system-x86_64 cpio depmod modprobe xz apt-get dpkg-deb ldd mke2fs sfdisk mkswap)
boot_programs=(bash mkdir modprobe mount switch_root)
guest_programs=(bash blkid blockdev btrfs cat cmp cp cut date dd dirname dmsetup e2fsck env find flock grep head id jq ln
    losetup ls mkdir mkfs.btrfs mkfs.ext4 mkfifo mkswap mktemp modprobe mount mv openssl readlink rm rmdir script sed
    seq sfdisk sleep sort stat swapoff swapon sync tail tee timeout touch tr true truncate umount uname uniq unshare wc
    xargs yes)

PATH=$PATH:/usr/sbin:/sbin
for program in "${host_programs[@]}" "${boot_programs[@]}" "${guest_programs[@]}"; do
    type -P "$program" >/dev/null || skip_all "needs $program"
done
[ "$(uname -m)" = x86_64 ] || skip_all "the guest is an x86-64 machine"

bail_out() { # REASON [TEXT]
    echo "Bail out! ${1//$'\n'/ }"
    printf '%s\n' "${2:-}" | sed 's/^/# /'
    exit 1
}

# ---- what stays: kernel, modules, programs that are only for the guest ----

download() ( # FOLDER
    cd "$1" || exit
    for refresh in true "apt-get -q update"; do
        $refresh
        kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
        if [ -n "$kernel" ] && apt-get -q download "$kernel" "${packages[@]}"; then exit; fi
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
copy_modules() { # FROM TO MODULE...
    local version module
    version=$(ls "$1/lib/modules")
    for module in "${@:3}"; do
        modprobe -d "$1" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | sort -u | while read -r module; do
        mkdir -p "$2$(dirname "${module#"$1"}")"
        cp "$module" "$2${module#"$1"}"
    done
    cp "$1/lib/modules/$version"/modules.{builtin,order} "$2/lib/modules/$version"
    depmod -b "$2" "$version"
}

archive() { (cd "$1" && find . | cpio --quiet -o -H newc); }

make_base() ( # the files vmlinux and boot.cpio, and the folder system, from the packages in debs, in the folder $1
    set -e
    cd "$1"
    mkdir -p unpacked {boot,system}/usr/{bin,lib/x86_64-linux-gnu} system/usr/lib/udev/rules.d
    for deb in debs/*.deb; do dpkg-deb -x "$deb" unpacked; done
    extract_vmlinux unpacked/boot/vmlinuz-* >vmlinux
    depmod -b unpacked "$(ls unpacked/lib/modules)"
    ln -s usr/lib boot/lib
    copy_modules "$1/unpacked" "$1/boot" "${boot_modules[@]}"
    archive boot >boot.cpio
    ln -s usr/lib system/lib
    copy_modules "$1/unpacked" "$1/system" "${modules[@]}"
    for file in "${guest_files[@]}"; do
        case $file in
        lib/*) cp "unpacked/$file" "system/usr/$file" ;;
        *) cp "unpacked/$file" system/usr/bin ;;
        esac
    done
    cp -P unpacked{/usr,}/lib/x86_64-linux-gnu/*.so.* system/usr/lib/x86_64-linux-gnu
    rm -r debs unpacked boot
)

# Made anew when how it is made changes. A newer kernel comes when the folder is deleted.
prepare() {
    local how
    how=$(declare -p boot_modules modules packages guest_files && declare -f make_base copy_modules extract_vmlinux)
    base=$cache/$(cksum <<<"$how" | cut -d ' ' -f 1)
    mkdir -p "$cache" || skip_all "cannot write $cache"
    exec 8>"$cache/lock"
    flock 8
    if [ ! -e "$base" ]; then
        rm -rf "$cache/new" "$cache"/[0-9]*
        mkdir -p "$cache/new/debs"
        run download "$cache/new/debs"
        [ "$RC" = 0 ] || skip_all "cannot download Debian's kernel and programs for the guest: $(grep '^E:' <<<"$ERR" | tail -n 1)"
        run make_base "$cache/new"
        [ "$RC" = 0 ] || bail_out "cannot prepare the kernel: $ERR"
        mv "$cache/new" "$base"
    fi
    exec 8>&-
}

# ---- what every run makes: the program, the tests, the tools they use; a drive with a system on it ----

# Programs under the names they have here, and the libraries that they and the FILEs name.
copy_programs() { # ROOT PROGRAM... -- FILE...
    local to=$1 library arguments
    shift
    arguments=" $* "
    # shellcheck disable=SC2086
    cp -L ${arguments%% -- *} "$to/usr/bin"
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$base/system/usr/lib/x86_64-linux-gnu ldd ${arguments/ -- / } 2>/dev/null >"$TMP/libraries"
    library=$(sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' "$TMP/libraries" | sort -u | tr '\n' ' ')
    [ -z "$library" ] || skip_all "needs $library"
    grep -o '/lib[^ ]*' "$TMP/libraries" | sort -u | while read -r library; do
        [[ $library == /lib64/* ]] || library=/lib/x86_64-linux-gnu/${library##*/}
        [ -e "$to$library" ] || cp -L "$library" "$to$library"
    done
}

make_folders() { # ROOT FOLDER...
    local name
    mkdir -p "$1"/{dev,proc,sys,usr/bin,usr/lib/x86_64-linux-gnu,usr/lib64} "${@:2}"
    for name in bin sbin lib lib64; do ln -sfn "usr/${name/sbin/bin}" "$1/$name"; done
    ln -s bin "$1/usr/sbin"
    ln -s bash "$1/usr/bin/sh"
}

make_initrd() {
    local root=$TMP/boot programs
    make_folders "$root" "$root/root"
    mapfile -t programs < <(type -P "${boot_programs[@]}")
    copy_programs "$root" "${programs[@]}"
    cp "$here/initramfs" "$root/init"
    archive "$root" | cat "$base/boot.cpio" - >"$TMP/initrd"
    rm -r "$root"
}

make_root() {
    local programs own
    root=$TMP/root
    cp -a "$base/system" "$root"
    make_folders "$root" "$root"/{boot/efi,etc/lvm,m,run,tmp,var/lib,tree/tests/vm}
    mapfile -t programs < <(type -P "${guest_programs[@]}")
    mapfile -t own < <(find "$root/usr/bin" -type f)
    copy_programs "$root" "${programs[@]}" "$STORMWIPE" -- "${own[@]}"
    ln -s udevadm "$root/usr/bin/systemd-udevd"
    cp "$ROOT/tests/lib.sh" "$root/tree/tests"
    cp "$here"/guest* "$root/tree/tests/vm"
    cp "$here/init" "$root/init"
    : >"$root/etc/mdadm.conf"
    printf '%s\n' 'root:x:0:' 'disk:x:6:' >"$root/etc/group"
    echo 'root:x:0:0:root:/tmp:/bin/sh' >"$root/etc/passwd"
    cat >"$root/etc/lvm/lvm.conf" <<'END'
devices { obtain_device_list_from_udev=0 external_device_info_source="none" use_devicesfile=0 }
activation { udev_sync=0 udev_rules=0 monitoring=0 }
backup { backup=0 archive=0 }
END
}

# A GPT with ESP, swap and root, in this order. Sizes in MiB; the last one is of the whole drive.
ESP=2 SWAP=2 SYSTEM=160
make_system() {
    local file=$TMP/system
    make_root || return
    truncate -s "${SYSTEM}M" "$file"
    {
        echo "label: gpt"
        echo "size=${ESP}MiB, type=uefi"
        echo "size=${SWAP}MiB, type=swap"
        echo "type=linux"
    } | sfdisk -q "$file" &&
        "$base/system/usr/bin/mkfs.fat" -n ESP --offset 2048 "$file" $((ESP * 1024)) &&
        truncate -s "${SWAP}M" "$TMP/swap" && chmod 600 "$TMP/swap" &&
        mkswap -L vm-swap "$TMP/swap" &&
        dd if="$TMP/swap" of="$file" bs=1M seek=$((1 + ESP)) conv=notrunc status=none &&
        mke2fs -q -F -t ext4 -L vm-root -d "$root" -E "offset=$(((1 + ESP + SWAP) << 20)),lazy_itable_init=0,root_owner=0:0" \
            "$file" $((SYSTEM - ESP - SWAP - 2))M &&
        rm -r "$root" "$TMP/swap"
}

# ---- the guest ----

# Every drive has a size of its own, by which the tests know it without believing what it says of itself.
backing() { # ID MIB [OPTION]: an argument for -drive
    truncate -s "$2M" "$TMP/$1"
    echo "if=none,id=$1,format=raw,cache=unsafe,file=$TMP/$1${3:-}"
}

boot() { # Westmere: AES, but none of the wide registers, whose emulation is slow
    truncate -s 16M "$TMP/paths"
    # The guest talks to QEMU's monitor through a port of its own: it plugs and unplugs drives there.
    timeout --foreground "$BOOT_LIMIT_S" qemu-system-x86_64 -accel tcg -machine pc -cpu Westmere -smp 2 -m 1024 \
        -nodefaults -no-user-config -display none -no-reboot \
        -kernel "$base/vmlinux" -initrd "$TMP/initrd" \
        -append "console=ttyS0 edd=off panic=-1 quiet mitigations=off parts=$parts" \
        -serial "file:$TMP/console" -serial "file:$TMP/tap" \
        -chardev "socket,id=monitor,path=$TMP/monitor,server=on,wait=off" -mon chardev=monitor,mode=readline \
        -chardev "socket,id=port,path=$TMP/monitor" \
        -device virtio-serial-pci -device virtserialport,chardev=port,name=monitor \
        -drive "if=none,id=system,format=raw,cache=unsafe,file=$TMP/system" \
        -device virtio-blk-pci,drive=system,serial=VM-SYSTEM \
        -drive "$(backing nvme 9)" -device nvme,drive=nvme,serial=VM-NVME-9 \
        -device ahci,id=ahci \
        -drive "$(backing sata 10)" -device ide-hd,bus=ahci.0,drive=sata,serial=VM-SATA-10 \
        -drive "$(backing cd 4 ,readonly=on)" -device ide-cd,bus=ahci.1,drive=cd \
        -drive "$(backing virtio 11)" -device virtio-blk-pci,drive=virtio,serial=VM-VIRTIO-11 \
        -device virtio-scsi-pci,id=hba \
        -drive "$(backing scsi 12)" -device scsi-hd,bus=hba.0,drive=scsi,serial=VM-SCSI-12 \
        -drive "$(backing locked 13 ,readonly=on)" -device scsi-hd,bus=hba.0,drive=locked,serial=VM-LOCKED-13 \
        -device qemu-xhci \
        -drive "$(backing usb 14)" -device usb-storage,drive=usb,serial=VM-USB-14 \
        -drive "$(backing layers 40)" -device scsi-hd,bus=hba.0,drive=layers,serial=VM-LAYERS-40 \
        -drive "$(backing second 41)" -device scsi-hd,bus=hba.0,drive=second,serial=VM-SECOND-41 \
        -blockdev "driver=file,node-name=paths,filename=$TMP/paths" \
        -device scsi-hd,bus=hba.0,drive=paths,share-rw=on,serial=VM-PATHS-16,wwn=0x5000c50000000016 \
        -device scsi-hd,bus=hba.0,drive=paths,share-rw=on,serial=VM-PATHS-16,wwn=0x5000c50000000016 \
        -device nvme,id=spaces,serial=VM-SPACES \
        -drive "$(backing space1 17)" -device nvme-ns,bus=spaces,drive=space1,nsid=1 \
        -drive "$(backing space2 18)" -device nvme-ns,bus=spaces,drive=space2,nsid=2 \
        -drive "$(backing same1 19)" -device usb-storage,drive=same1,serial=VM-SAME \
        -drive "$(backing same2 20)" -device usb-storage,drive=same2,serial=VM-SAME \
        -drive "$(backing old 21)" -device scsi-hd,id=old,bus=hba.0,drive=old,serial=VM-OLD-21 \
        -drive "$(backing new 21)" -drive "$(backing newer 21)" -drive "$(backing newest 21)" \
        -drive if=floppy
}

prepare
make_initrd
run make_system
[ "$RC" = 0 ] || bail_out "cannot make the guest's system: $ERR"
: >"$TMP/console"
: >"$TMP/tap"
run boot
[ -z "${STORMWIPE_VM_LOG:-}" ] || cp "$TMP/console" "$STORMWIPE_VM_LOG"
tr -d '\r' <"$TMP/tap"
if ! grep -q '^1\.\.' "$TMP/tap"; then
    bail_out "the guest did not come to its end (QEMU's status $RC): $ERR" "$(tail -n 60 "$TMP/console" | tr -d '\r')"
fi
