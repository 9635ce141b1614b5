#!/bin/sh
# record-sample.sh OUT.pcapng: records a sample capture from real traffic between two network namespaces of this
# machine. Needs root, iproute2, ethtool, tcpdump, python3 and mergecap (of wireshark). SPDX-License-Identifier: MIT
#
# Two pairs of virtual cards join the namespaces. One leaves checksums to the card, as most cards have them, so that
# its sender's capture shows partial sums and segments larger than the wire allows; the other computes them. The
# files of four tcpdumps with three link types become one.
set -eu

[ $# -eq 1 ] || { echo "usage: $0 OUT.pcapng" >&2; exit 2; }
here=onesum-a there=onesum-b
work=$(mktemp -d)
tcpdumps=

clean() {
    for pid in $tcpdumps; do kill "$pid" 2>/dev/null || true; done
    ip netns delete $here 2>/dev/null || true
    ip netns delete $there 2>/dev/null || true
    rm -rf "$work"
}
trap clean EXIT

in_here() { ip netns exec $here "$@"; }
in_there() { ip netns exec $there "$@"; }

# address NAMESPACE CARD IPV4 IPV6
address() {
    ip -n "$1" address add "$3" dev "$2"
    ip -n "$1" address add "$4" dev "$2" nodad
    ip -n "$1" link set "$2" up
}

ip netns add $here
ip netns add $there
ip -n $here link set lo up
ip -n $there link set lo up
for card in offload plain; do
    ip -n $here link add $card type veth peer name $card netns $there
done
for inside in in_here in_there; do
    $inside ethtool -K plain tx off >/dev/null
done
address $here offload 192.0.2.1/24 2001:db8:1::1/64
address $there offload 192.0.2.2/24 2001:db8:1::2/64
address $here plain 198.51.100.1/24 2001:db8:2::1/64
address $there plain 198.51.100.2/24 2001:db8:2::2/64
# A VXLAN tunnel through the plain pair.
ip -n $here link add tunnel type vxlan id 7 local 198.51.100.1 remote 198.51.100.2 dev plain dstport 4789
ip -n $there link add tunnel type vxlan id 7 local 198.51.100.2 remote 198.51.100.1 dev plain dstport 4789
address $here tunnel 203.0.113.1/24 2001:db8:7::1/64
address $there tunnel 203.0.113.2/24 2001:db8:7::2/64

# record NAMESPACE FILE tcpdump-options
record() {
    namespace=$1 file=$2
    shift 2
    : >"$work/$file.log"
    ip netns exec "$namespace" tcpdump -Z root -U -w "$work/$file" "$@" 2>"$work/$file.log" &
    tcpdumps="$tcpdumps $!"
    until grep -q 'listening on' "$work/$file.log"; do sleep 0.1; done
}
record $here 1.pcap -i offload
record $here 2.pcap -i plain
record $here 3.pcap -i lo
record $there 4.pcap -i any -y LINUX_SLL2 'icmp or icmp6'

in_there python3 - <<'SERVER' &
# Answers on TCP and UDP port 12345 until it is told to stop.
import select, socket, sys
tcp = socket.create_server(('::', 12345), family=socket.AF_INET6, dualstack_ipv6=True)
udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
udp.bind(('::', 12345))
while True:
    for ready in select.select([tcp, udp], [], [])[0]:
        if ready is udp:
            data, peer = udp.recvfrom(65536)
            if data == b'stop':
                sys.exit()
            udp.sendto(data[::-1], peer)
        else:
            talk = tcp.accept()[0]
            while data := talk.recv(65536):
                talk.sendall(data[::-1])
            talk.close()
SERVER
sleep 1

in_here python3 - <<'CLIENT'
import socket, struct, threading, time

def tcp(address, size, port=12345):
    with socket.create_connection((address, port)) as talk:
        talk.sendall(b'What is 0xffff? ' * (size // 16) + b'!')
        talk.shutdown(socket.SHUT_WR)
        while talk.recv(65536):
            pass

def udp(address, size, *options, port=12345, answer=True):
    family = socket.AF_INET6 if ':' in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as talk:
        for option in options:
            talk.setsockopt(*option)
        talk.connect((address, port))
        talk.send(bytes(i & 0xff for i in range(size)))
        try:
            answer and talk.recv(65536)
        except ConnectionRefusedError:
            pass

def ping(address, size):
    six = ':' in address
    family, protocol = (socket.AF_INET6, socket.IPPROTO_ICMPV6) if six else (socket.AF_INET, socket.IPPROTO_ICMP)
    echo = struct.pack('>BBHHH', 128 if six else 8, 0, 0, 0x1071, 1) + bytes(range(size))
    if not six:  # over IPv6 the kernel does it
        words = sum(struct.unpack('>%dH' % (len(echo) // 2), echo))
        words = (words & 0xffff) + (words >> 16)
        echo = echo[:2] + struct.pack('>H', ~words & 0xffff) + echo[4:]
    with socket.socket(family, socket.SOCK_RAW, protocol) as talk:
        talk.sendto(echo, (address, 0))
        talk.recv(65536)

NO_CHECK = (socket.SOL_SOCKET, 11, 1)
for four, six in [('192.0.2.2', '2001:db8:1::2'), ('198.51.100.2', '2001:db8:2::2'), ('203.0.113.2', '2001:db8:7::2')]:
    for address in four, six:
        ping(address, 56)
        tcp(address, 4000)
        udp(address, 1)
        udp(address, 35)
        udp(address, 9, port=12346)  # nobody there: an ICMP error that quotes it
    udp(four, 20, NO_CHECK)
udp('198.51.100.2', 2500)  # in fragments
udp('2001:db8:2::2', 2500)

server = socket.create_server(('127.0.0.1', 12347))
def answer():
    with server.accept()[0] as talk:
        talk.sendall(talk.recv(65536))
threading.Thread(target=answer).start()
with socket.create_connection(('127.0.0.1', 12347)) as talk:
    talk.sendall(b'from here to here, by the loopback device: ' * 4)
    talk.recv(65536)
time.sleep(1)
udp('192.0.2.2', 0, answer=False)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
    talk.sendto(b'stop', ('198.51.100.2', 12345))
CLIENT

sleep 1
for pid in $tcpdumps; do kill "$pid"; wait "$pid" || true; done
tcpdumps=
mergecap -F pcapng -w "$1" "$work"/[1-4].pcap
