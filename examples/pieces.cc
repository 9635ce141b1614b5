// A UDP datagram in two pieces, the second at an odd offset: copied and summed in one pass, then verified.
#include <cstring>
#include <iostream>
#include <onesum/onesum.hpp>
#include <vector>

int main() {
    const unsigned char source[4] = {10, 0, 0, 1}, destination[4] = {10, 0, 0, 2};
    const unsigned char head[11] = {0x12, 0x34, 0x56, 0x78, 0, 14, 0, 0, 'o', 'n', 'e'};
    const unsigned char rest[3] = {'s', 'u', 'm'};

    std::vector<std::byte> datagram(sizeof head + sizeof rest);
    std::uint32_t sum = onesum_pseudo_ipv4(source, destination, 14, 17, 0);
    sum = onesum::copy(datagram, std::as_bytes(std::span(head)), sum);
    const auto tail = std::span(datagram).subspan(sizeof head);
    sum = onesum::block_add(sum, onesum::copy(tail, std::as_bytes(std::span(rest))), sizeof head);

    const std::uint16_t check = onesum::fold(sum);
    std::memcpy(&datagram[6], &check, 2);
    const bool right =
        onesum::fold(onesum::partial(datagram, onesum_pseudo_ipv4(source, destination, 14, 17, 0))) == 0;
    std::cout << "summed by " << onesum::implementation() << ": " << (right ? "right" : "wrong") << '\n';
    return right ? 0 : 1;
}
