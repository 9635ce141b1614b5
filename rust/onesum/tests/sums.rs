//! Against literals and the definition, byte by byte. SPDX-License-Identifier: MIT

use onesum::*;

/// The canonical partial sum: 0 only for nothing but zeros.
fn canonical(sum: u64) -> u64 {
    if sum == 0 {
        0
    } else {
        (sum - 1) % 0xffff + 1
    }
}
fn defined(data: &[u8], seed: u32) -> u64 {
    let words = data.chunks(2).map(|pair| u16::from_ne_bytes([pair[0], *pair.get(1).unwrap_or(&0)]));
    canonical(u64::from(seed) + words.map(u64::from).sum::<u64>())
}
fn noise(size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    (0..size)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        })
        .collect()
}
/// Noise, nothing, and all carries.
fn patterns(size: usize) -> [Vec<u8>; 3] {
    [noise(size, 1), vec![0; size], vec![0xff; size]]
}

const UDP: [u8; 30] =
    *b"\x45\0\0\x1e\0\x01\0\0\x40\x11\x66\xcc\x0a\0\0\x01\x0a\0\0\x02\x12\x34\x56\x78\0\x0a\xff\xff\x83\x2b";

#[test]
fn literals() {
    assert_eq!(checksum(&[0, 1]), Checksum::new(0xfffe));
    assert_eq!(checksum(&[1]).to_bytes(), [0xfe, 0xff]);
    assert_eq!(checksum(&[]).value(), 0xffff);
    assert_eq!(checksum(&[0xaa, 0xbb, 0xcc, 0xdd, 0xee]).value(), 0x9a65);
    assert_eq!(partial(&[], 0x12345678), 0x12345678);
    assert_eq!(Checksum::from_bytes([0xab, 0xcd]).value(), 0xabcd);
    assert_eq!(Checksum::new(0xabcd).to_bytes(), [0xab, 0xcd]);
    assert_eq!(format!("{} {:?}", Checksum::new(0xabc), Checksum::new(0)), "0x0abc Checksum(0x0000)");
}

#[test]
fn every_size_and_seed() {
    for data in patterns(400) {
        for size in 0..400 {
            for seed in [0, 1, 0xffff, 0x10000, u32::MAX] {
                let expected = defined(&data[..size], seed);
                assert_eq!(canonical(partial(&data[..size], seed).into()), expected);
                let mut copied = vec![0xa5; size + 2];
                assert_eq!(canonical(copy(&mut copied[1..=size], &data[..size], seed).into()), expected);
                assert_eq!(&copied[1..=size], &data[..size]);
                assert_eq!((copied[0], copied[size + 1]), (0xa5, 0xa5));
            }
            let check = checksum(&data[..size]);
            assert_eq!(check.to_bytes(), (!(defined(&data[..size], 0) as u16)).to_ne_bytes());
            assert_eq!(check, fold(partial(&data[..size], 0)));
        }
    }
}

#[test]
#[should_panic(expected = "not of one length")]
fn a_copy_of_another_length() {
    copy(&mut [0; 3], &[0; 4], 0);
}

#[test]
fn arithmetic() {
    assert_eq!(add(u32::MAX, 1), 1);
    assert_eq!(add(u32::MAX, u32::MAX), u32::MAX);
    assert_eq!(fold(0).value(), 0xffff);
    assert!(fold(0xffff).is_zero());
    assert_eq!(fold_udp(0xffff).value(), 0xffff);
    for data in patterns(64) {
        let whole = defined(&data, 0);
        for cut in 0..=64 {
            let (head, tail) = data.split_at(cut);
            let (first, second) = (partial(head, 0), partial(tail, 0));
            assert_eq!(canonical(block_add(first, second, cut).into()), whole);
            assert_eq!(u64::from(block_sub(whole as u32, second, cut)) % 0xffff, u64::from(first) % 0xffff);
            assert_eq!(canonical(push(second, head).into()), whole);
            assert_eq!(u64::from(pull(whole as u32, head)) % 0xffff, u64::from(second) % 0xffff);
            let mut state = State::new(0);
            let copy = state.update(head).clone();
            assert_eq!(canonical(state.update(tail).partial().into()), whole);
            assert_eq!(state.checksum(), checksum(&data));
            assert_eq!(canonical(copy.partial().into()), defined(head, 0));
        }
    }
}

#[test]
fn pseudo_headers() {
    let sum = pseudo_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 10, 17, 0);
    assert!(fold(partial(&UDP[20..], sum)).is_zero());
    // The same bytes, written out.
    for (length, protocol, seed) in [(0, 6, 0), (0x12345678, 255, 7), (u32::MAX, 17, u32::MAX)] {
        let (src, dst) = ([10, 0, 0, 1], [255, 254, 253, 252]);
        let bytes = [&src[..], &dst, &u32::to_be_bytes(length), &[0, 0, 0, protocol]].concat();
        assert_eq!(canonical(pseudo_ipv4(src, dst, length, protocol, seed).into()), defined(&bytes, seed));
        for fill in [0, 1, 0xff] {
            let (src, dst) = ([fill; 16], [0xfe; 16]);
            let bytes = [&src[..], &dst, &u32::to_be_bytes(length), &[0, 0, 0, protocol]].concat();
            assert_eq!(canonical(pseudo_ipv6(src, dst, length, protocol, seed).into()), defined(&bytes, seed));
        }
    }
}

#[test]
fn headers() {
    assert!(ipv4_header(&UDP[..20]).is_zero());
    let mut header = UDP;
    header[10..12].fill(0);
    assert_eq!(ipv4_header(&header[..20]).value(), 0x66cc);
    let options = b"\x46\0\0\x23\0\x01\0\0\x40\x11\x63\xc5\x0a\0\0\x01\x0a\0\0\x02\x01\x01\x01\x01";
    assert!(ipv4_header(options).is_zero());

    let mut many = [&UDP[..20], b"between"].concat().repeat(50);
    many[27 * 3 + 8] ^= 1;
    many[27 * 5] = 0x44;
    let mut results = [Checksum::default(); 50];
    assert_eq!(ipv4_headers(&many, 27, &mut results), 2);
    assert!(!results[3].is_zero() && results[5].value() == 0xffff);
    ipv4_headers_fill(&mut many, 27, 50);
    assert_eq!(ipv4_headers(&many, 27, &mut results), 1);
    assert_eq!(ipv4_headers(&[], 20, &mut []), 0);
}

#[test]
#[should_panic(expected = "header 1 passes the end")]
fn a_header_that_passes_the_end() {
    let mut headers = [0x45; 79];
    headers[20] = 0x4f;
    ipv4_headers(&headers, 20, &mut [Checksum::default(); 2]);
}

#[test]
fn updates() {
    // RFC 1624 section 4.
    assert!(Checksum::new(0xdd2f).replace16([0x55, 0x55], [0x32, 0x85]).is_zero());
    for round in 0..500 {
        let mut data = noise(60, round);
        let before = data.clone();
        let check = checksum(&data);
        let at = round as usize % 40;
        let size = round as usize % 17;
        data[at..at + size].copy_from_slice(&noise(size, round + 1000));
        let change = Change { from: &before[at..at + size], to: &data[at..at + size], offset: at };
        assert_eq!(check.replace_diff(diff(&[change, Change::default()])), checksum(&data));
    }
    let check = Checksum::new(0x66cc);
    assert_eq!(check.replace32([10, 0, 0, 1], [192, 168, 0, 1]).value(), 0xb023);
    let (from, to) = (noise(16, 1), noise(16, 2));
    let (before, after) = (checksum(&[&UDP[..], &from].concat()), checksum(&[&UDP[..], &to].concat()));
    assert_eq!(before.replace128(from.try_into().unwrap(), to.try_into().unwrap()), after);
    assert_eq!(Checksum::new(0).replace_diff_udp(5), Checksum::new(0));
    assert_eq!(
        Checksum::new(1).replace_diff_udp(u32::from(u16::from_be_bytes([0, 1]).to_be())).value(),
        0xffff
    );
    assert_eq!(
        fold(outer(&noise(15, 3), pseudo_ipv4([10, 0, 0, 1], [10, 0, 0, 2], 10, 17, 0), 5)),
        fold(partial(&[&noise(15, 3)[..], &UDP[20..]].concat(), 5))
    );
}

#[test]
#[should_panic(expected = "more or fewer")]
fn a_change_of_length() {
    let _ = diff(&[Change { from: b"12", to: b"123", offset: 0 }]);
}

#[test]
fn lists() {
    let data = noise(90, 4);
    for cut in 0..=90 {
        let (head, tail) = data.split_at(cut);
        let list = [Buffer::new(head), Buffer::from(&[]), Buffer::from(tail)];
        assert_eq!(canonical(partial_list(&list, 0, usize::MAX, 3).into()), defined(&data, 3));
        assert_eq!(canonical(partial_list(&list, 7, 40, 0).into()), defined(&data[7..47], 0));
        let (mut one, mut two) = (vec![0; 91 - cut], vec![0; cut]);
        let mut to = [Writable::new(&mut one), Writable::new(&mut two)];
        assert_eq!(canonical(copy_list(&mut to, 1, &list, 5, 80, 0).into()), defined(&data[5..85], 0));
        let joined = [one, two].concat();
        assert_eq!((joined[0], &joined[1..81], &joined[81..]), (0, &data[5..85], &[0; 10][..]));
        let mut checks = [Checksum::default(); 3];
        batch(&list, &[1, 2, 3], &mut checks);
        assert_eq!(checks[2], fold(partial(tail, 3)));
        batch(&list, &[], &mut checks);
        assert_eq!(checks[0], checksum(head));
    }
}

#[cfg(all(feature = "std", unix))]
#[test]
fn lists_of_the_standard_library() {
    use std::io::{IoSlice, IoSliceMut, Write};
    let data = noise(33, 5);
    let list = [IoSlice::new(&data[..11]), IoSlice::new(&data[11..])];
    assert_eq!(canonical(partial_list(Buffer::from_io_slices(&list), 0, 33, 0).into()), defined(&data, 0));
    let (mut one, mut two) = ([0; 20], [0; 13]);
    let mut to = [IoSliceMut::new(&mut one), IoSliceMut::new(&mut two)];
    let _ = copy_list(Writable::from_io_slices(&mut to), 0, Buffer::from_io_slices(&list), 0, 33, 0);
    assert_eq!([&one[..], &two].concat(), data);
    let mut state = State::default();
    state.write_all(&data).unwrap();
    assert_eq!(state.checksum(), checksum(&data));
}

#[test]
fn cut_into_segments() {
    let payload = noise(1000, 6);
    let (mut dst, mut sums) = (vec![0; 1240], [0; 4]);
    assert_eq!(segments(&mut dst, 310, 10, &payload, 300, &mut sums), 4);
    for (i, part) in payload.chunks(300).enumerate() {
        assert_eq!(&dst[i * 310 + 10..i * 310 + 10 + part.len()], part);
        assert_eq!(canonical(sums[i].into()), defined(part, 0));
    }
}

#[test]
#[should_panic(expected = "do not fit")]
fn segments_that_do_not_fit() {
    segments(&mut [0; 1039], 310, 10, &[0; 1000], 300, &mut [0; 4]);
}

#[test]
fn implementations() {
    use onesum::implementations::{all, current, forced, select, selftest, version, Forced, SelectError};
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(selftest(), None);
    assert_eq!(select(Some("nonsense")), Err(SelectError::Unknown));
    assert_eq!(select(Some(&"long".repeat(100))), Err(SelectError::Unknown));
    assert_eq!(select(Some("generic\0")), Err(SelectError::Unknown));
    assert!(all().any(|one| one.name == "generic" && one.supported));
    for one in all() {
        match select(Some(one.name)) {
            Ok(()) => {
                assert!(one.supported);
                assert_eq!(current(), one.name);
                assert!(all().all(|other| other.active == (other.name == one.name)));
                assert!(ipv4_header(&UDP[..20]).is_zero() && checksum(&UDP[..20]).is_zero());
            }
            Err(problem) => assert_eq!((problem, one.supported), (SelectError::Unsupported, false)),
        }
    }
    select(None).unwrap();
    if std::env::var_os("ONESUM_FORCE_IMPLEMENTATION").is_none() {
        assert_eq!(forced(), Forced::None);
    }
}
