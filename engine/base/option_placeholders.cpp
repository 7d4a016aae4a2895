// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/option_placeholders.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace engine {
namespace {

// Control characters, which no sentence has of its own.
constexpr char namedMark = '\x02';
constexpr char unnamedMark = '\x05';
constexpr char optionMark = '\x06';
constexpr char listingMark = '\x0e';
constexpr char endMark = '\x03';

/// Calls onWords(words) and onMark(key, kind) for the pieces of `words` in their order.
template <class OnWords, class OnMark>
void walkMarks(std::string_view words, OnWords onWords, OnMark onMark) {
    constexpr char marks[] = {namedMark, unnamedMark, optionMark, listingMark, '\0'};
    while (true) {
        const auto begin = words.find_first_of(marks);
        const auto end = begin == std::string_view::npos ? begin : words.find(endMark, begin);
        if (end == std::string_view::npos) return onWords(words);
        onWords(words.substr(0, begin));
        onMark(std::string{words.substr(begin + 1, end - begin - 1)}, words[begin]);
        words.remove_prefix(end + 1);
    }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, Field field) {
    const char kind = field.named == Field::Named::yes  ? namedMark
                      : field.named == Field::Named::no ? unnamedMark
                                                        : optionMark;
    return out << kind << field.key << endMark;
}

std::ostream& operator<<(std::ostream& out, Listing listing) { return out << listingMark << listing.key << endMark; }

std::string worded(std::string_view words, const NameOfKey& field, const NameOfKey& listing) {
    std::string said;
    walkMarks(
        words, [&](std::string_view piece) { said += piece; },
        [&](const std::string& key, char kind) {
            if (kind == namedMark) said += field(key);
            if (kind == optionMark) said += key;
            if (kind == listingMark) said += listing(key);
        });
    return said;
}

std::string plain(std::string_view words) {
    return worded(
        words, [](const std::string& key) { return key; }, [](const std::string& key) { return "the list of " + key; });
}

std::vector<std::string> fieldsIn(std::string_view words) {
    std::vector<std::string> keys;
    walkMarks(
        words, [](std::string_view) {},
        [&](const std::string& key, char kind) {
            if (kind != listingMark) keys.push_back(key);
        });
    return keys;
}

Error::Error(Field about, const std::string& words) : Error{text(about.unnamed(), words)} {}

std::string wordsOf(const std::exception& failure) {
    const auto* error = dynamic_cast<const Error*>(&failure);
    return error != nullptr ? error->words() : failure.what();
}

}  // namespace engine
