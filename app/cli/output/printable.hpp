// SPDX-License-Identifier: BSD-3-Clause
// Names come from files of others and may hold anything; on a terminal they must be nothing but letters.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace app::cli {

/// `words` with every character that a terminal would obey or that turns the direction of text, and every byte that is
/// no UTF-8, written out: "\x1b". Line ends and tabs stay; so do our own colours with `coloured`.
std::string visibly(std::string_view words, bool coloured);

/// A name for a line of its own: line ends and tabs are written out, too.
std::string visibleName(std::string_view name);

/// Writes to another stream, line by line, visibly.
class VisibleStream final : private std::streambuf, public std::ostream {
public:
    VisibleStream(std::ostream& to, bool coloured) : std::ostream{this}, to_{to}, coloured_{coloured} {}
    VisibleStream(const VisibleStream&) = delete;
    VisibleStream& operator=(const VisibleStream&) = delete;
    ~VisibleStream() override { VisibleStream::sync(); }

private:
    using Letter = std::streambuf::int_type;

    Letter overflow(Letter next) override;
    std::streamsize xsputn(const char* words, std::streamsize count) override;
    int sync() override;

    std::ostream& to_;
    bool coloured_;
    std::string line_;
};

}  // namespace app::cli
