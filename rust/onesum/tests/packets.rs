//! Packets judged, filled and cut. SPDX-License-Identifier: MIT

use onesum::gso;
use onesum::packet::{
    check, check_list, fill, fill_list, link, link_known, Options, Protocol, Reason, Verdict,
};
use onesum::{Buffer, Checksum, Writable};

const UDP: [u8; 30] =
    *b"\x45\0\0\x1e\0\x01\0\0\x40\x11\x66\xcc\x0a\0\0\x01\x0a\0\0\x02\x12\x34\x56\x78\0\x0a\xff\xff\x83\x2b";

#[test]
fn judged() {
    let options = Options::default();
    let results = check(&UDP, link::IPV4, &options);
    assert_eq!(results.len(), 2);
    let (ip, udp) = (results[0], results[1]);
    assert_eq!((ip.protocol(), ip.verdict(), ip.offset()), (Protocol::Ipv4, Verdict::Good, 10));
    assert_eq!((ip.stored(), ip.expected()), (Checksum::new(0x66cc), Some(Checksum::new(0x66cc))));
    assert_eq!(
        (udp.protocol(), udp.verdict(), udp.covered()[0].clone()),
        (Protocol::Udp, Verdict::Good, 20..30)
    );
    assert!(
        udp.pseudo_header() && !ip.pseudo_header() && !udp.quoted() && !udp.presumed_tso() && !udp.filled()
    );
    assert_eq!(udp.reason(), None);

    let cut = check(&UDP[..29], link::RAW, &options);
    assert_eq!((cut[1].verdict(), cut[1].reason()), (Verdict::Unverifiable, Some(Reason::Truncated)));
    assert_eq!(cut[1].expected(), None);
    assert!(check(&UDP, 12345, &options).is_empty() && !link_known(12345) && link_known(link::ETHERNET));
    assert!(check(&[], link::IPV4, &options).is_empty());

    let mut bad = UDP;
    bad[28] ^= 1;
    let whole = check(&bad, link::IPV4, &options);
    assert_eq!(whole[1].verdict(), Verdict::Bad);
    let pieces = [Buffer::new(&bad[..9]), Buffer::new(&[]), Buffer::new(&bad[9..27]), Buffer::new(&bad[27..])];
    assert_eq!(format!("{:?}", check_list(&pieces, link::IPV4, &options)), format!("{whole:?}"));
}

#[test]
fn filled() {
    let mut bad = UDP;
    bad[10] ^= 1;
    bad[26..28].copy_from_slice(&[0x12, 0x34]);
    let mut packet = bad;
    let results = fill(&mut packet, link::IPV4, &Options::default());
    assert_eq!(packet, UDP);
    assert!(results.iter().all(|one| one.verdict() == Verdict::Bad && one.filled() && !one.followed()));

    let mut packet = bad;
    fill(&mut packet, link::IPV4, &Options { fill_protocols: &[Protocol::Udp], ..Options::default() });
    assert_eq!((&packet[..26], &packet[26..]), (&bad[..26], &UDP[26..]));
    packet[26..28].fill(0);
    fill(&mut packet, link::IPV4, &Options { fill_verdicts: &[Verdict::Absent], ..Options::default() });
    assert_eq!((&packet[..26], &packet[26..]), (&bad[..26], &UDP[26..]));

    let (mut one, mut two) = (bad[..27].to_vec(), bad[27..].to_vec());
    fill_list(&mut [Writable::new(&mut one), Writable::new(&mut two)], link::IPV4, &Options::default());
    assert_eq!([one, two].concat(), UDP);
}

#[test]
fn zeros_over_ipv6() {
    let mut packet = [0; 50];
    packet[..8].copy_from_slice(b"\x60\0\0\0\0\x0a\x11\x40");
    packet[8] = 0xfe;
    packet[24] = 0xfe;
    packet[40..].copy_from_slice(b"\x12\x34\x56\x78\0\x0a\0\0ab");
    let verdict = |allow_zero_udp6, zero_udp6_ports: &[u16]| {
        check(&packet, link::IPV6, &Options { allow_zero_udp6, zero_udp6_ports, ..Options::default() })[0]
            .verdict()
    };
    assert_eq!(verdict(false, &[]), Verdict::IllegalZero);
    assert_eq!(verdict(true, &[]), Verdict::Absent);
    assert_eq!(verdict(true, &[0x5678]), Verdict::Absent);
    assert_eq!(verdict(true, &[4789]), Verdict::IllegalZero);
}

#[test]
fn cut_into_packets() {
    let payload: Vec<u8> = (0..1000).map(|i| (i * 7) as u8).collect();
    let packet = gso::Packet::new(&UDP[..28], 0, &payload, 300);
    assert_eq!(packet.count(), 4);
    let mut dst = vec![0; 4 * 328];
    assert_eq!(packet.write(&mut dst, 328), 4);
    let mut joined = Vec::new();
    for i in 0..4 {
        let one = &dst[i * 328..i * 328 + packet.size(i)];
        assert!(check(one, link::IPV4, &Options::default())
            .iter()
            .all(|result| result.verdict() == Verdict::Good));
        joined.extend_from_slice(&one[28..]);
    }
    assert_eq!(joined, payload);
    // More than there is, and nothing.
    let mut dst = vec![0; 1028];
    assert_eq!(gso::Packet::new(&UDP[..28], 0, &payload, usize::MAX).write(&mut dst, 1028), 1);
    assert_eq!(&dst[28..], &payload);
    assert_eq!(gso::Packet::new(&UDP[..28], 0, &[], 300).write(&mut dst, 28), 1);
    assert_eq!(gso::Packet::new(&UDP[..28], 0, &payload, 0).count(), 0);
    assert_eq!(gso::Packet::new(b"nonsense", 0, &payload, 1000).write(&mut dst, 1028), 0);
}

#[test]
#[should_panic(expected = "do not fit")]
fn packets_that_do_not_fit() {
    gso::Packet::new(&UDP[..28], 0, &[0; 1000], 300).write(&mut [0; 1111], 328);
}
