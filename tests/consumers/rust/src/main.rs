//! A stranger's program in Rust: prints a checksum and the version, and checks a packet. SPDX-License-Identifier: MIT

use onesum::packet::{check, link, Options, Verdict};

fn main() {
    // RFC 1071 section 3.
    let sum = onesum::checksum(&[0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7]);
    println!("{:04x} {}", sum.value(), onesum::implementations::version());
    // An IPv4 header whose checksum is right.
    let header = *b"\x45\0\0\x14\0\x01\0\0\x40\xfd\x65\xea\x0a\0\0\x01\x0a\0\0\x02";
    let results = check(&header, link::IPV4, &Options::default());
    assert_eq!((results.len(), results[0].verdict()), (1, Verdict::Good));
    assert_eq!(onesum::implementations::selftest(), None);
}
