"""A stranger's program in Python: prints a checksum and the version, and checks a packet. SPDX-License-Identifier: MIT"""
import sys

import onesum
import onesum.packet

# RFC 1071 section 3.
print(f'{onesum.checksum(bytes.fromhex("0001f203f4f5f6f7")):04x} {onesum.version()}')
# An IPv4 header whose checksum is right.
(result,) = onesum.packet.check(bytes.fromhex('4500001400010000 40fd65ea 0a000001 0a000002'), onesum.packet.Link.IPV4)
sys.exit(result.verdict.name != 'GOOD' or onesum.selftest() is not None)
