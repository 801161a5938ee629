# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What bash offers after `stormwipe`; tools/check-options compares it with the program.

_stormwipe_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

_stormwipe_files() { # ACTION WORD
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -A "$1" -- "$2")
}

_stormwipe_wipe() { # WORD WORD-BEFORE
    case $2 in
    --verify) _stormwipe_words 'full none' "$1" ;;
    --progress) _stormwipe_words 'auto bar plain json none' "$1" ;;
    --cipher) _stormwipe_words 'auto aes-256-ctr chacha20' "$1" ;;
    --io) _stormwipe_words 'auto uring sync' "$1" ;;
    --expect)
        compopt -o nospace 2>/dev/null
        _stormwipe_words 'serial= wwn= size= diskseq=' "$1"
        ;;
    --record-dir) _stormwipe_files directory "$1" ;;
    --exclude | --limit-rate | --threads | serial | wwn | size | diskseq) ;;
    *)
        if [[ $1 == -* ]]; then
            _stormwipe_words '-n --dry-run --all --exclude --verify --keep-key --yes --expect --progress --json
                --record-dir --no-record -q --quiet -v --verbose --io --limit-rate --cipher --threads -h --help' "$1"
        else
            _stormwipe_files file "${1:-/dev/}"
        fi
        ;;
    esac
}

_stormwipe_list() { # WORD WORD-BEFORE
    local before='' columns='DEVICE SIZE MODEL SERIAL BUS MEDIA WIPE USE ON-IT REASON NOTES TWINS NAME PATH BY-ID
        VENDOR FIRMWARE WWN PORT BRIDGE TYPE SIZE-BYTES SECTORS RO ROTA REMOVABLE DISKSEQ DEVNO BACKING'

    case $2 in
    --output)
        [[ $1 != *,* ]] || before=${1%,*},
        compopt -o nospace 2>/dev/null
        _stormwipe_words "$columns" "${1##*,}"
        COMPREPLY=("${COMPREPLY[@]/#/$before}")
        ;;
    *)
        if [[ $1 == -* ]]; then
            _stormwipe_words '--all --output --noheadings --json -h --help' "$1"
        else
            _stormwipe_files file "${1:-/dev/}"
        fi
        ;;
    esac
}

_stormwipe_stream() { # WORD WORD-BEFORE
    case $2 in
    --cipher) _stormwipe_words 'auto aes-256-ctr chacha20' "$1" ;;
    --key-file) _stormwipe_files file "$1" ;;
    --bytes | --seek) ;;
    *) _stormwipe_words '--bytes --seek --key-file --cipher --to-terminal -h --help' "$1" ;;
    esac
}

_stormwipe_bench() { # WORD WORD-BEFORE
    case $2 in
    --io) _stormwipe_words 'auto uring sync' "$1" ;;
    --expect)
        compopt -o nospace 2>/dev/null
        _stormwipe_words 'serial= wwn= size= diskseq=' "$1"
        ;;
    serial | wwn | size | diskseq) ;;
    *)
        if [[ $1 == -* ]]; then
            _stormwipe_words '--write --yes --expect --json -q --quiet --io -h --help' "$1"
        else
            _stormwipe_files file "${1:-/dev/}"
        fi
        ;;
    esac
}

_stormwipe() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}

    if [ "$COMP_CWORD" -le 1 ]; then
        _stormwipe_words 'list wipe stream bench -h --help -V --version' "$word"
        return
    fi
    if [ "$before" = '=' ]; then # "=" is a word of its own for bash
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "$word" = '=' ]; then
        word=''
    fi
    case ${COMP_WORDS[1]} in
    bench) _stormwipe_bench "$word" "$before" ;;
    list) _stormwipe_list "$word" "$before" ;;
    wipe) _stormwipe_wipe "$word" "$before" ;;
    stream) _stormwipe_stream "$word" "$before" ;;
    esac
}

complete -F _stormwipe stormwipe
