// SPDX-License-Identifier: BSD-3-Clause
// How an archive appears whole or not at all: it is written in a hidden folder beside its place and moved there when
// it is complete. Only files of an archive are ever removed; everything else a folder holds stays where it is.
#pragma once

#include "traces/recording/archive.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace traces {

/// Whether an archive of this name is a file, with others beside it, and not a folder.
inline bool isAnchor(const std::filesystem::path& target) { return target.extension() == ".otf2"; }

/// A place to write an archive named "traces". What was not published is removed again, and so is every folder that
/// was made for it.
class Staging {
public:
    /// Throws Error when `folder` is a file, cannot be written, or holds what must not be replaced.
    Staging(const std::filesystem::path& folder, Overwrite overwrite);
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    /// The folder to write into: does not exist yet.
    [[nodiscard]] const std::filesystem::path& place() const { return fresh_; }

    /// Moves the complete archive to its folder. Throws Error; an archive that was to be replaced is then back.
    void publish();

private:
    void makeFolder(const std::filesystem::path& folder);
    void exchange();

    std::filesystem::path target_;
    std::filesystem::path hidden_;  ///< holds all of the following
    std::filesystem::path fresh_;   ///< the archive being written
    std::filesystem::path former_;  ///< what it replaces
    std::vector<std::filesystem::path> made_;
    bool existed_ = false;
};

/// The same for an archive that is named by its anchor: part.otf2, with part.def and the folder part beside it. Nothing
/// of that name may be there before.
class AnchorStaging {
public:
    /// Throws Error when `anchor` does not end in .otf2, cannot be written, or something of its name is there.
    explicit AnchorStaging(const std::filesystem::path& anchor);
    AnchorStaging(const AnchorStaging&) = delete;
    AnchorStaging& operator=(const AnchorStaging&) = delete;
    ~AnchorStaging();

    /// The folder to write into, and the name of the archive in it.
    [[nodiscard]] const std::filesystem::path& place() const { return hidden_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Moves the complete archive to its place. Throws Error; nothing of it is there then.
    void publish();

private:
    std::filesystem::path anchor_;
    std::string name_;
    std::filesystem::path hidden_;
};

/// Writes an archive to `target`: into a folder, or, where that ends in .otf2, by the name of its anchor.
/// `write(folder, name)` fills a folder that is not `target` yet.
template <class Write>
void stage(const std::filesystem::path& target, Overwrite overwrite, Write write) {
    const auto through = [&](auto&& staging, const std::string& name) {
        write(staging.place(), name);
        staging.publish();
    };
    if (!isAnchor(target)) return through(Staging{target, overwrite}, "traces");
    AnchorStaging staging{target};
    through(staging, staging.name());
}

/// "17.evt": whether OTF2 keeps something of one location in a file of this name.
bool isOfLocation(const std::filesystem::path& file);

/// The one anchor file that `path` names: the file itself, or the only *.otf2 of a folder. Throws Error otherwise.
std::filesystem::path anchorOf(const std::filesystem::path& path);

}  // namespace traces
