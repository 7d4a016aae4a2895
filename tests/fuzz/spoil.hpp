// SPDX-License-Identifier: BSD-3-Clause
// Values of a recording changed at random, in whatever field: what an index can say whose sums are right.
#pragma once

#include "traces/index/fields.hpp"

#include <cstring>
#include <limits>
#include <random>

namespace fuzz {

class Spoiler {
public:
    /// Changes about one in `rarity` of the values it comes to.
    Spoiler(std::uint64_t seed, std::uint64_t rarity) : random_{seed}, rarity_{rarity} {}

    template <class... T>
    void operator()(T&... values) {
        (spoil(values), ...);
    }

private:
    bool chosen() { return random_() % rarity_ == 0; }

    template <class Number>
    void number(Number& value) {
        constexpr Number telling[]{0,
                                   1,
                                   2,
                                   static_cast<Number>(-1),
                                   std::numeric_limits<Number>::max(),
                                   std::numeric_limits<Number>::min(),
                                   std::numeric_limits<Number>::max() / 2};
        switch (random_() % 3) {
            case 0: value = telling[random_() % std::size(telling)]; break;
            case 1: value = static_cast<Number>(value + static_cast<Number>(random_() % 5) - 2); break;
            default:
                value = static_cast<Number>(value ^ static_cast<Number>(Number{1} << random_() % (8 * sizeof value)));
        }
    }
    /// What lies in memory as it is: one of its words.
    template <class T>
    void raw(T& value) {
        if constexpr (sizeof(T) >= sizeof(std::int32_t)) {
            std::int32_t word = 0;
            char* const place = reinterpret_cast<char*>(&value) + random_() % (sizeof(T) / sizeof word) * sizeof word;
            std::memcpy(&word, place, sizeof word);
            number(word);
            std::memcpy(place, &word, sizeof word);
        } else {
            std::uint8_t byte = 0;
            std::memcpy(&byte, &value, 1);
            number(byte);
            std::memcpy(&value, &byte, 1);
        }
    }

    template <class T>
    void spoil(T& value) {
        if constexpr (std::is_same_v<T, bool>) value = value != chosen();
        else if constexpr (std::is_integral_v<T>) {
            if (chosen()) number(value);
        } else if constexpr (traces::index::AsItLies<T>::value) {
            if (chosen()) raw(value);
        } else {
            traces::index::fields(*this, value);
        }
    }
    void spoil(std::string& words) {
        if (chosen() && !words.empty()) words[random_() % words.size()] = static_cast<char>(random_());
    }
    void spoil(std::vector<bool>& bits) {
        if (chosen() && !bits.empty()) bits.pop_back();
    }
    template <class T>
    void spoil(std::vector<T>& values) {
        for (T& value : values) spoil(value);
        if (chosen() && !values.empty()) values.pop_back();
        else if (chosen() && !values.empty()) values.push_back(values.back());
    }
    template <class Key, class Value>
    void spoil(std::map<Key, Value>& entries) {
        for (auto& [key, value] : entries) spoil(value);
        if (chosen() && !entries.empty()) entries.erase(entries.begin());
    }
    template <class T>
    void spoil(std::optional<T>& value) {
        if (value) spoil(*value);
        if (chosen()) value.reset();
    }
    template <class T>
    void spoil(traces::Column<T>& column) {
        std::vector<T> values(column.begin(), column.end());
        spoil(values);
        column = std::move(values);
    }

    std::mt19937_64 random_;
    std::uint64_t rarity_;
};

}  // namespace fuzz
