// SPDX-License-Identifier: BSD-3-Clause
// Elements of XML files that hold schedules, whose complaints name file and place.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

// The drop-in library must show nothing of Boost to programs, but Boost's own exceptions ask to be seen.
#define BOOST_EXCEPTION_DISABLE
#include <boost/property_tree/ptree.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace engine::schedules {

using XmlTree = boost::property_tree::ptree;

/// Reads up to 16 MiB of XML. Throws Error{"FILE:LINE: ..."} for what is none; `file` is what complaints call it.
XmlTree parsedXml(std::string_view content, std::string_view file);

/// An element of a file; `tree` must outlive it.
class XmlElement {
public:
    XmlElement(const XmlTree& tree, std::string name, std::string where)
        : tree_{tree}, name_{std::move(name)}, where_{std::move(where)} {}

    template <class... Words>
    [[noreturn]] void refuse(const Words&... words) const {
        throw Error{text(where_, ": ", words...)};
    }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& where() const { return where_; }
    [[nodiscard]] bool says(const char* attribute) const { return find(attribute) != nullptr; }
    /// Control characters are blanks.
    [[nodiscard]] std::string words(const char* attribute) const;
    [[nodiscard]] std::int64_t number(const char* attribute, std::int64_t low, std::int64_t high) const;
    [[nodiscard]] std::int32_t small(const char* attribute, std::int64_t low, std::int64_t high) const {
        return static_cast<std::int32_t>(number(attribute, low, high));
    }
    [[nodiscard]] std::int64_t numberOr(std::int64_t otherwise, const char* attribute, std::int64_t low,
                                        std::int64_t high) const {
        return says(attribute) ? number(attribute, low, high) : otherwise;
    }

    /// `each(tree)` for every element within, all of which must be called `name`.
    template <class Each>
    void children(const char* name, const Each& each) const {
        for (const auto& [found, tree] : tree_)
            if (found == name) each(tree);
            else if (!found.starts_with('<')) refuse('<', found, "> means nothing here; <", name, "> may stand here");
    }

private:
    [[nodiscard]] const XmlTree* find(const char* attribute) const {
        const auto all = tree_.find("<xmlattr>");
        if (all == tree_.not_found()) return nullptr;
        const auto found = all->second.find(attribute);
        return found == all->second.not_found() ? nullptr : &found->second;
    }

    const XmlTree& tree_;
    std::string name_;
    std::string where_;
};

/// A file's words within a sentence, if they are not too long.
std::string quoted(const std::string& words);

}  // namespace engine::schedules
