// SPDX-License-Identifier: BSD-3-Clause
// A column of a recording: values side by side that never change once they are there. Copies share them, so that a
// recording with corrected times costs its times only. They lie in memory or in a file that is mapped into it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace traces {

template <class T>
class Column {
public:
    Column() = default;
    Column(std::vector<T> values) {  // NOLINT(google-explicit-constructor): a vector is a column that may still grow
        if (values.empty()) return;
        auto kept = std::make_shared<const std::vector<T>>(std::move(values));
        values_ = *kept;
        keeper_ = std::move(kept);
    }
    /// Values that lie elsewhere, for as long as `keeper` lives.
    Column(std::shared_ptr<const void> keeper, std::span<const T> values)
        : keeper_{std::move(keeper)}, values_{values} {}

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }
    [[nodiscard]] auto begin() const { return values_.begin(); }
    [[nodiscard]] auto end() const { return values_.end(); }
    [[nodiscard]] const T* data() const { return values_.data(); }
    [[nodiscard]] std::span<const T> span() const { return values_; }

    friend bool operator==(const Column& a, const Column& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    std::shared_ptr<const void> keeper_;
    std::span<const T> values_;
};

}  // namespace traces
