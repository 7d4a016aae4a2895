// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/files.hpp"

#include "engine/base/text.hpp"

namespace app::cli {

void requireFree(const std::filesystem::path& file, bool force, std::string_view flag) {
    // Also a link that leads nowhere is something of the user's.
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown))
        throw engine::Error{engine::text(flag, ": ", file.string(), " is a folder; name a file")};
    if (!force && std::filesystem::exists(std::filesystem::symlink_status(file, unknown)))
        throw engine::Error{
            engine::text(flag, ": ", file.string(), " is there already; choose another name or add --force")};
    // Whether it can be made is found by beginning to: nothing of it stays.
    const engine::NewFile trial{file, existing(force)};
}

engine::Existing existing(bool force) { return force ? engine::Existing::replace : engine::Existing::refuse; }

void writeFile(const std::filesystem::path& file, engine::Existing existing, const std::stop_token& stop,
               const std::function<void(std::ostream&)>& write) {
    engine::NewFile made{file, existing, stop};
    write(made.out());
    made.publish();
}

void sayWritten(const std::filesystem::path& file, const Console& console) {
    console.out << "wrote " << file.string();
    if (file.extension() == ".html")
        console.out << " (" << engine::showBytes(static_cast<engine::Bytes>(std::filesystem::file_size(file))) << ')';
    console.out << '\n';
}

}  // namespace app::cli
