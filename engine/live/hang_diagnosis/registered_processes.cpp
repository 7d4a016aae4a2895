// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/registered_processes.hpp"

#include "engine/base/text.hpp"

#include <unistd.h>
#include <charconv>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace engine::live {
namespace {

constexpr std::string_view prefix = "began-";

/// Where a number of a process means something: this machine since it was started, and who sees whom on it.
std::string numbering() {
    std::string id;
    std::ifstream{"/proc/sys/kernel/random/boot_id"} >> id;
    std::error_code ignored;
    return id + ' ' + std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
}

std::string contentOf(const std::filesystem::path& file) {
    std::ostringstream words;
    words << std::ifstream{file}.rdbuf();
    return words.str();
}

/// Whether `pid` is a process of the run in `folder`, and no other one that got its number later. One that has ended
/// and that nobody has asked after yet has no words any more.
bool isThere(pid_t pid, const std::filesystem::path& folder) {
    return contentOf(text("/proc/", pid, "/cmdline")).find(folder.string()) != std::string::npos;
}

}  // namespace

void registerProcess(const std::filesystem::path& folder) noexcept try {
    std::ofstream{folder / text(prefix, getpid())} << numbering();
} catch (const std::exception&) {
}

RegisteredProcesses registeredProcesses(const std::filesystem::path& folder) {
    RegisteredProcesses found;
    const std::string own = numbering();
    for (const auto& entry : std::filesystem::directory_iterator{folder}) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(prefix)) continue;
        ++found.began;
        pid_t pid = 0;
        const auto [end, code] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), pid);
        if (code != std::errc{} || pid <= 0 || contentOf(entry.path()) != own) continue;
        if (isThere(pid, folder)) found.here.push_back(pid);
        else ++found.gone;
    }
    return found;
}

void terminateProcesses(const std::filesystem::path& folder) noexcept try {
    for (const pid_t pid : registeredProcesses(folder).here) kill(pid, SIGKILL);
} catch (const std::exception&) {
}

}  // namespace engine::live
