// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/source_lines.hpp"

#include "engine/base/text.hpp"
#include "engine/live/records/collective_records.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <set>

extern char** environ;

namespace engine::live {
namespace {

using Clock = std::chrono::steady_clock;

/// The address of a call in a file.
using Address = std::pair<std::string, std::int64_t>;

/// Reads until the other end closes, or `deadline`.
std::string readAll(int pipe, Clock::time_point deadline) {
    std::string words;
    std::array<char, 4096> buffer;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd what{.fd = pipe, .events = POLLIN, .revents = 0};
        if (left <= 0 || poll(&what, 1, static_cast<int>(left)) <= 0) return words;
        const ssize_t got = read(pipe, buffer.data(), buffer.size());
        if (got <= 0) return words;
        words.append(buffer.data(), asSize(got));
    }
}

/// What a program writes to stdout; nothing where there is none. Not by fork: this may be a process whose memory a
/// network reads, and that must not be copied on being written.
std::string said(std::vector<std::string> command, Clock::time_point deadline) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    pid_t child = -1;
    const int failure = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string answer;
    if (failure == 0) {
        answer = readAll(ends[0], deadline);
        if (Clock::now() >= deadline) kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    close(ends[0]);
    return answer;
}

/// Function, file and line, as far as they are known.
Site siteFrom(std::string_view function, std::string_view place) {
    Site site;
    if (!function.starts_with('?')) site.function = function;
    const auto colon = place.rfind(':');
    if (colon == std::string_view::npos || place.starts_with('?')) return site;
    std::string number;
    for (const char c : place.substr(colon + 1)) {
        if (c < '0' || c > '9') break;
        number += c;
    }
    if (number.empty() || number.size() > 8 || number == "0") return site;
    site.file = place.substr(0, colon);
    site.line = std::stoi(number);
    return site;
}

/// What is known of an address: its function, then those into which the compiler put that one.
using Lines = std::map<Address, std::vector<Site>>;

void ask(const std::string& object, const std::vector<std::int64_t>& offsets, Lines& lines,
         Clock::time_point deadline) {
    // Without what is loaded before this program: it is not meant for that one.
    std::vector<std::string> command{"env", "-u", "LD_PRELOAD", "addr2line", "-a", "-f",
                                     "-i",  "-C", "-e",         object,      "--"};
    for (const std::int64_t offset : offsets) {
        std::ostringstream digits;
        digits << "0x" << std::hex << offset;
        command.push_back(std::move(digits).str());
    }
    const std::vector<std::string> answer = split(said(std::move(command), deadline), '\n');
    std::size_t address = 0;  // whose lines come now, counted from 1
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (answer[i].starts_with("0x")) {
            ++address;
            continue;
        }
        if (address == 0 || address > offsets.size() || i + 1 >= answer.size()) return;
        const Site site = siteFrom(answer[i], answer[i + 1]);
        ++i;
        if (!site.function.empty() || site.line != 0) lines[{object, offsets[address - 1]}].push_back(site);
    }
}

/// The places that a file names, by their numbers. What its process did not come to write whole is not there.
std::map<std::uint16_t, Site> sitesOf(const std::string& file) {
    const std::vector<std::string> one{file};
    return teamsOf(one).sites.front();
}

}  // namespace

void addLines(std::vector<std::string>& teamFiles) {
    std::map<std::string, std::set<std::int64_t>> asked;
    std::vector<std::map<std::uint16_t, Site>> sites;
    for (const std::string& file : teamFiles) {
        sites.push_back(sitesOf(file));
        for (const auto& [number, site] : sites.back())
            if (site.line == 0) asked[site.object].insert(site.offset);
    }
    constexpr std::size_t mostAtOnce = 500;
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds{10};
    Lines lines;
    for (const auto& [object, offsets] : asked) {
        std::vector<std::int64_t> some;
        for (const std::int64_t offset : offsets) {
            some.push_back(offset);
            if (some.size() < mostAtOnce && offset != *offsets.rbegin()) continue;
            if (Clock::now() < deadline) ask(object, some, lines, deadline);
            some.clear();
        }
    }
    for (std::size_t i = 0; i < teamFiles.size(); ++i) {
        teamFiles[i].resize(teamFiles[i].rfind('\n') + 1);
        for (const auto& [number, site] : sites[i])
            for (const Site& known : lines[{site.object, site.offset}])
                if (site.line == 0) teamFiles[i] += lineLine(number, known);
    }
}

}  // namespace engine::live
