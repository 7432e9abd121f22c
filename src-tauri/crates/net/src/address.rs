//! Hosts as written, and the classes of addresses that are not on the public internet; the class appears in the error of
//! a refusal.
//!
//! The ranges are those of IANA's registries of special-purpose addresses; `IpAddr::is_global` is not stable yet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};
use kernel::{Form, form};

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, third: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, third, 0, 0, 0, 0, 0), prefix)
}

const SPECIAL_V4: [(Ipv4Net, Form); 20] = [
    (v4(0, 0, 0, 0, 8), form!("an unspecified address")),
    (v4(10, 0, 0, 0, 8), form!("a private address")),
    (v4(100, 64, 0, 0, 10), form!("an address inside a provider's network")),
    (v4(127, 0, 0, 0, 8), form!("a loopback address")),
    (v4(169, 254, 0, 0, 16), form!("a link-local address")),
    (v4(172, 16, 0, 0, 12), form!("a private address")),
    (v4(192, 0, 0, 0, 24), form!("an address of the protocol itself")),
    (v4(192, 0, 2, 0, 24), form!("a documentation address")),
    (v4(192, 31, 196, 0, 24), form!("an address of the protocol itself")),
    (v4(192, 52, 193, 0, 24), form!("an address of the protocol itself")),
    (v4(192, 88, 99, 0, 24), form!("a relay address")),
    (v4(192, 168, 0, 0, 16), form!("a private address")),
    (v4(192, 175, 48, 0, 24), form!("an address of the protocol itself")),
    (v4(198, 18, 0, 0, 15), form!("a benchmarking address")),
    (v4(198, 51, 100, 0, 24), form!("a documentation address")),
    (v4(203, 0, 113, 0, 24), form!("a documentation address")),
    (v4(224, 0, 0, 0, 4), form!("a multicast address")),
    (v4(233, 252, 0, 0, 24), form!("a documentation address")),
    (v4(255, 255, 255, 255, 32), form!("a broadcast address")),
    (v4(240, 0, 0, 0, 4), form!("a reserved address")),
];

const SPECIAL_V6: [(Ipv6Net, Form); 11] = [
    (v6(0xfc00, 0, 0, 7), form!("a private address")),
    (v6(0xfe80, 0, 0, 10), form!("a link-local address")),
    (v6(0xfec0, 0, 0, 10), form!("a private address")),
    (v6(0xff00, 0, 0, 8), form!("a multicast address")),
    (v6(0x64, 0xff9b, 1, 48), form!("a translated private address")),
    (v6(0x100, 0, 0, 64), form!("a discarded address")),
    // Teredo, benchmarking, overlay identifiers.
    (v6(0x2001, 0, 0, 23), form!("an address of the protocol itself")),
    (v6(0x2001, 0xdb8, 0, 32), form!("a documentation address")),
    (v6(0x2002, 0, 0, 16), form!("a 6to4 address")),
    (v6(0x3fff, 0, 0, 20), form!("a documentation address")),
    (v6(0x5f00, 0, 0, 16), form!("a segment-routing address")),
];

const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);
/// The NAT64 prefix through which IPv6-only networks reach IPv4; the embedded address is checked.
const NAT64_PREFIX: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

/// The class of an address that is not on the public internet.
pub fn refused_kind(address: IpAddr) -> Option<Form> {
    match address {
        IpAddr::V4(address) => kind_v4(address),
        IpAddr::V6(address) => kind_v6(address),
    }
}

fn kind_v4(address: Ipv4Addr) -> Option<Form> {
    SPECIAL_V4.iter().find(|(net, _)| net.contains(&address)).map(|(_, kind)| *kind)
}

fn kind_v6(address: Ipv6Addr) -> Option<Form> {
    if address == Ipv6Addr::LOCALHOST {
        return Some(form!("a loopback address"));
    }
    if address == Ipv6Addr::UNSPECIFIED {
        return Some(form!("an unspecified address"));
    }
    if let Some(inside) = address.to_ipv4_mapped() {
        return kind_v4(inside);
    }
    if NAT64_PREFIX.contains(&address) {
        let [.., a, b, c, d] = address.octets();
        return kind_v4(Ipv4Addr::new(a, b, c, d));
    }
    if let Some((_, kind)) = SPECIAL_V6.iter().find(|(net, _)| net.contains(&address)) {
        return Some(*kind);
    }
    // Includes the old form of an IPv4 address in IPv6.
    (!GLOBAL_V6.contains(&address)).then_some(form!("an address outside the public internet"))
}

/// Whether it is a loopback address.
pub(crate) fn is_loopback(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback(),
        IpAddr::V6(address) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|inside| inside.is_loopback())
        }
    }
}

/// The IP address of a numeric host.
pub(crate) fn number_of(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').parse().ok()
}

/// Whether a name is this domain or inside of it.
pub(crate) fn ends_in(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
