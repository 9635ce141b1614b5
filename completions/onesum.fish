# Completion of onesum(1) for fish. SPDX-License-Identifier: MIT

set -l commands check fix report sum info selftest bench
set -l protocols ipv4 tcp udp udplite icmp icmpv6 icmp_ext igmp gre ospf ospfv3 pim vrrp carp dccp mh rsvp esp sctp eigrp ospf_lls nhrp pgm hip
set -l verdicts good bad partial absent illegal_zero unverifiable malformed

complete -c onesum -f
complete -c onesum -s h -l help -d 'Help, with examples'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -l version -d 'The version'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a check -d 'Verify every checksum in captures, or of what comes along'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a fix -d 'Copy a capture with its checksums repaired'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a report -d 'Write a page about the checksums of a capture'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a sum -d 'Print the checksum of files'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a info -d 'Show the CPU and the implementations for it'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a selftest -d 'Hold every implementation against the definition'
complete -c onesum -n "not __fish_seen_subcommand_from $commands" -a bench -d 'Measure every implementation on this machine'

complete -c onesum -n '__fish_seen_subcommand_from check fix report sum' -F

complete -c onesum -n '__fish_seen_subcommand_from check' -l live -x -a '(__fish_print_interfaces)' -d 'What comes along on an interface'
complete -c onesum -n '__fish_seen_subcommand_from check' -l verbose -d 'List every checksum, good ones too'
complete -c onesum -n '__fish_seen_subcommand_from check' -l protocol -x -a "(__fish_append , $protocols)" -d 'Count and list only these'
complete -c onesum -n '__fish_seen_subcommand_from check' -l verdict -x -a "(__fish_append , $verdicts)" -d 'Count and list only these'
complete -c onesum -n '__fish_seen_subcommand_from check' -l threads -x -d 'Judge packets in so many threads'

complete -c onesum -n '__fish_seen_subcommand_from fix' -l only -x -a "(__fish_append , $protocols)" -d 'Repair these protocols only'
complete -c onesum -n '__fish_seen_subcommand_from fix' -l partial -d 'Also complete sums that were left to a network card'
complete -c onesum -n '__fish_seen_subcommand_from fix' -l zero-udp6 -d 'Also fill zeros that are illegal, as in UDP over IPv6'
complete -c onesum -n '__fish_seen_subcommand_from fix' -l dry-run -d 'Report only, write nothing'

complete -c onesum -n '__fish_seen_subcommand_from fix report' -s o -l output -r -F -d 'The output; - is standard output'
complete -c onesum -n '__fish_seen_subcommand_from check report' -l first -x -d 'No more than so many'
complete -c onesum -n '__fish_seen_subcommand_from check report' -s F -l filter -x -d 'Only packets that fit, as in tcpdump'
complete -c onesum -n '__fish_seen_subcommand_from check fix report' -l allow-zero-udp6 -d 'A UDP checksum of 0 over IPv6 is allowed'
complete -c onesum -n '__fish_seen_subcommand_from check fix report' -l ignore-zero-ipv4 -d 'An IPv4 header checksum of 0 is left to the network card'
complete -c onesum -n '__fish_seen_subcommand_from check fix info' -l json -d 'Lines of JSON'
complete -c onesum -n '__fish_seen_subcommand_from check fix report sum bench' -l quiet -d 'Less to see'
complete -c onesum -n '__fish_seen_subcommand_from bench' -l seconds -x -d 'How long to measure'
