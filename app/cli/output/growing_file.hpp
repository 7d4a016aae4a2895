// SPDX-License-Identifier: BSD-3-Clause
// The table of a sweep while the sweep goes on.
#pragma once

#include "engine/base/new_file.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace app::cli {

/// What the lines of such a table are, without their ends.
struct RowForm {
    std::string header;
    std::function<bool(const std::string& line)> isRow;  ///< a whole one
};

/// Rows as they come, in FILE.part, so that a sweep that is stopped can go on; renamed to FILE when all are there.
/// FILE.part holds whole rows only, also on a full disk, and is of one sweep at a time.
class GrowingFile {
public:
    enum class Begin { anew, whereItStopped };

    /// Throws Error when FILE or FILE.part is there and neither `existing` nor `begin` allow for it, when FILE.part is
    /// not of such a sweep, or another sweep is writing it.
    GrowingFile(std::filesystem::path file, engine::Existing existing, Begin begin, RowForm form);
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;
    /// A part without any row goes.
    ~GrowingFile();

    /// The rows that were there.
    [[nodiscard]] const std::vector<std::string>& found() const { return found_; }

    void add(const std::string& row);

    /// All rows are there.
    void finish();

private:
    void open(bool isThere);
    std::int64_t takeUp(bool keep);
    void append(const std::string& line);

    std::filesystem::path file_;
    std::filesystem::path part_;
    engine::Existing existing_;
    int descriptor_ = -1;
    std::int64_t bytes_ = 0;  ///< of whole rows
    RowForm form_;
    std::vector<std::string> found_;
    bool empty_ = true;
};

}  // namespace app::cli
