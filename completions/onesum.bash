# Completion of onesum(1) for bash. SPDX-License-Identifier: MIT

# The last of some words separated by commas; what stands before it stays.
_onesum_list() {
    local before=
    [[ $1 != *,* ]] || before=${1%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$2" -- "${1##*,}")
    compopt -o nospace 2>/dev/null
}

_onesum() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= i
    local commands="check fix report sum info selftest bench"
    local protocols="ipv4 tcp udp udplite icmp icmpv6 icmp_ext igmp gre ospf ospfv3 pim vrrp carp dccp mh rsvp esp sctp eigrp ospf_lls nhrp pgm hip"
    local verdicts="good bad partial absent illegal_zero unverifiable malformed"
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ " $commands " == *" ${COMP_WORDS[i]} "* ]]; then
            command=${COMP_WORDS[i]}
            break
        fi
    done

    case $before in
        --protocol | --only) _onesum_list "$word" "$protocols"; return ;;
        --verdict) _onesum_list "$word" "$verdicts"; return ;;
        --live) mapfile -t COMPREPLY < <(cd /sys/class/net 2>/dev/null && compgen -W "any $(echo *)" -- "$word"); return ;;
        --first | --threads | --seconds | -F | --filter) return ;;
        -o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    esac

    local options="-h --help"
    case $command in
        "") options+=" --version" ;;
        check)
            options+=" --live --json --quiet --verbose --first --protocol --verdict -F --filter"
            options+=" --allow-zero-udp6 --ignore-zero-ipv4 --threads" ;;
        fix)
            options+=" -o --output --only --partial --zero-udp6 --dry-run --json --quiet"
            options+=" --allow-zero-udp6 --ignore-zero-ipv4" ;;
        report) options+=" -o --output --first -F --filter --allow-zero-udp6 --ignore-zero-ipv4 --quiet" ;;
        sum) options+=" --quiet" ;;
        info) options+=" --json" ;;
        bench) options+=" --seconds --quiet" ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    elif [[ $command == @(check|fix|report|sum) ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

complete -o filenames -F _onesum onesum
