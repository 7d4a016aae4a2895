// SPDX-License-Identifier: BSD-3-Clause
// How this program writes every file: completely or not at all, and never in the place of another one.
#pragma once

#include "engine/base/temporary_files.hpp"

#include <filesystem>
#include <memory>
#include <ostream>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>

namespace engine {

/// What becomes of a file that has the name already.
enum class Existing { refuse, replace };

/// A file that is written under a name which nobody else has, in the folder it is meant for, and gets its own name when
/// it is complete. It is gone again when it was not published, whatever the reason.
class NewFile {
public:
    /// How the names of files begin that are still being written.
    static constexpr std::string_view draftPrefix = ".collscope-";

    /// Throws Error when `file` is there and is not to be replaced or no regular file, or when nothing can be made in
    /// its folder. Once `stop` asks for it, writing throws Cancelled.
    explicit NewFile(std::filesystem::path file, Existing existing = Existing::refuse, std::stop_token stop = {});
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    /// Writes to it. What cannot be written throws Error at once: nobody need ask for the state of the stream.
    [[nodiscard]] std::ostream& out();

    /// Where it is so far, for those who write to it by its name, or by its descriptor at places of their own.
    [[nodiscard]] const std::filesystem::path& draft() const;
    [[nodiscard]] int descriptor() const;

    /// Gives it its name. Throws Error, also when somebody else took the name meanwhile and `existing` says refuse.
    void publish();

private:
    class Buffer;

    std::filesystem::path file_;
    Existing existing_;
    std::filesystem::path draft_;
    std::unique_ptr<Leftover> leftover_;
    std::unique_ptr<Buffer> buffer_;
    std::ostream out_;
};

/// The whole content of a file at once. Throws Error as NewFile does.
void writeFile(const std::filesystem::path& file, std::string_view content, Existing existing = Existing::refuse);

/// Renames, within one file system. With `refuse` a name that is taken stays as it is, also when it was taken a moment
/// ago; the answer is then file_exists.
std::error_code moveTo(const std::filesystem::path& from, const std::filesystem::path& to, Existing existing);

/// "the disk is full": what an errno of open, write or rename means to whom the file belongs.
std::string whyUnwritable(int code);

}  // namespace engine
