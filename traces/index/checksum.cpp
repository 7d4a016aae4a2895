// SPDX-License-Identifier: BSD-3-Clause
#include "traces/index/checksum.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace traces::index {
namespace {

constexpr std::uint64_t first = 0x9E3779B185EBCA87ULL, second = 0xC2B2AE3D27D4EB4FULL;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) { return std::rotl(sum + word * second, 31) * first; }

}  // namespace

std::uint64_t checksum(const void* place, std::size_t bytes, std::uint64_t seed) {
    const auto* at = static_cast<const unsigned char*>(place);
    std::array<std::uint64_t, 4> lanes{seed + first + second, seed + second, seed, seed - first};
    std::array<std::uint64_t, 4> words{};
    std::size_t left = bytes;
    for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        std::memcpy(words.data(), at, sizeof words);
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = mixed(lanes[lane], words[lane]);
    }
    words = {};
    if (left > 0) std::memcpy(words.data(), at, left);
    std::uint64_t sum = bytes * first;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) sum = mixed(sum, mixed(lanes[lane], words[lane]));
    sum = (sum ^ (sum >> 33)) * second;
    return sum ^ (sum >> 29);
}

}  // namespace traces::index
