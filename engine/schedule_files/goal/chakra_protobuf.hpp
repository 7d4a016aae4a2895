// SPDX-License-Identifier: BSD-3-Clause
// The bytes of Chakra's execution traces: protobuf messages, each behind its length.
// Source: mlcommons/chakra, schema/protobuf/et_def.proto.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::chakra {

/// Kinds of nodes.
enum class NodeKind : std::uint64_t { load = 2, store = 3, compute = 4, send = 5, receive = 6, collective = 7 };

/// What the readers take of a node.
struct Node {
    std::uint64_t id = 0;
    std::uint64_t kind = 0;
    std::uint64_t duration = 0;  ///< microseconds
    std::uint64_t size = 0;      ///< bytes
    std::uint64_t type = 0;      ///< of a collective
    std::uint64_t source = 0, target = 0, tag = 0;
    std::string name{};
    std::string group{};
    bool onHost = false;
    std::vector<std::uint64_t> waitsFor{};
};

/// A field of a protobuf message: a number, or bytes.
struct Field {
    std::uint64_t number = 0;
    std::uint64_t value = 0;
    std::string_view bytes{};
    bool isBytes = false;
};

/// Reads protobuf's wire format.
class Wire {
public:
    Wire(std::string_view bytes, std::string_view file) : bytes_{bytes}, file_{file} {}

    [[nodiscard]] bool ended() const { return at_ == bytes_.size(); }
    /// Bytes that were read.
    [[nodiscard]] std::size_t at() const { return at_; }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (ended()) refuse();
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
        refuse();
    }
    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_) refuse();
        at_ += count;
        return bytes_.substr(at_ - count, count);
    }
    Field field() {
        const std::uint64_t key = number();
        Field field{.number = key >> 3};
        switch (key & 7) {
            case 0: field.value = number(); break;
            case 1: take(8); break;
            case 2:
                field.isBytes = true;
                field.bytes = take(number());
                break;
            case 5: take(4); break;
            default: refuse();
        }
        return field;
    }
    template <class Each>
    void fields(const Each& each) {
        while (!ended()) each(field());
    }

private:
    [[noreturn]] void refuse() const { throw Error{text(file_, ": not a Chakra execution trace, or cut off")}; }

    std::string_view bytes_;
    std::string_view file_;
    std::size_t at_ = 0;
};

/// Throws Error, which begins with `file`, for what is no message.
Node nodeFrom(std::string_view message, std::string_view file);

}  // namespace engine::schedules::chakra
