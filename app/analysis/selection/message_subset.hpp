// SPDX-License-Identifier: BSD-3-Clause
// Which messages of a recording are looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace app::analysis {

/// Indices, rising. Those of all messages take no memory.
class ChosenMessages {
public:
    static ChosenMessages all(std::size_t count) { return {count, {}, true}; }
    static ChosenMessages some(std::vector<std::uint32_t> indices) {
        const std::size_t count = indices.size();
        return {count, std::move(indices), false};
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint32_t operator[](std::size_t place) const {
        return isAll_ ? static_cast<std::uint32_t>(place) : indices_[place];
    }

private:
    ChosenMessages(std::size_t size, std::vector<std::uint32_t> indices, bool isAll)
        : size_{size}, indices_{std::move(indices)}, isAll_{isAll} {}

    std::size_t size_;
    std::vector<std::uint32_t> indices_;
    bool isAll_;
};

}  // namespace app::analysis
