// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/source_lines.hpp"

#include "engine/base/text.hpp"
#include "engine/live/records/collective_records.hpp"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
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

/// The functions of an ELF file, by its symbols.
class Functions {
public:
    /// Of a file that is no such one nothing is known.
    explicit Functions(const std::string& object) : in_{object, std::ios::binary} {
        Elf64_Ehdr header{};
        if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr))
            return;
        std::optional<Elf64_Shdr> table;  // all symbols, else those that other files may use
        for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
            Elf64_Shdr section{};
            if (!read(header.e_shoff + i * sizeof section, section)) return;
            if (section.sh_type == SHT_SYMTAB || (section.sh_type == SHT_DYNSYM && !table)) table = section;
        }
        if (!table) return;
        readSymbols(*table);
        Elf64_Shdr names{};
        if (read(header.e_shoff + table->sh_link * sizeof names, names)) namesAt_ = names.sh_offset;
    }

    /// Whether the address lies in one of them, or that is not known.
    [[nodiscard]] bool mayContain(std::int64_t offset) const {
        const auto next = std::ranges::upper_bound(all_, static_cast<std::uint64_t>(offset), {}, &Function::begin);
        return all_.empty() || (next != all_.begin() && static_cast<std::uint64_t>(offset) < std::prev(next)->end);
    }

    [[nodiscard]] bool has(std::string_view name) {
        std::string its(name.size() + 1, ' ');
        return std::ranges::any_of(all_, [&](const Function& one) {
            in_.clear();
            in_.seekg(static_cast<std::streamoff>(namesAt_ + one.name));
            in_.read(its.data(), static_cast<std::streamsize>(its.size()));
            return its.back() == '\0' && its.starts_with(name);
        });
    }

private:
    struct Function {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;   ///< of this one, or one before it that ends later
        std::uint32_t name = 0;  ///< place among the names
    };

    template <class Value>
    bool read(std::uint64_t place, Value& value) {
        in_.seekg(static_cast<std::streamoff>(place));
        return static_cast<bool>(in_.read(reinterpret_cast<char*>(&value), sizeof value));
    }

    void readSymbols(const Elf64_Shdr& table) {
        in_.seekg(static_cast<std::streamoff>(table.sh_offset));
        Elf64_Sym symbol{};
        for (std::uint64_t left = table.sh_size / sizeof symbol; left > 0; --left) {
            if (!in_.read(reinterpret_cast<char*>(&symbol), sizeof symbol)) break;
            const auto type = ELF64_ST_TYPE(symbol.st_info);
            if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF)
                all_.push_back(
                    {symbol.st_value, symbol.st_value + std::max<std::uint64_t>(symbol.st_size, 1), symbol.st_name});
        }
        std::ranges::sort(all_, {}, &Function::begin);
        for (std::size_t i = 1; i < all_.size(); ++i) all_[i].end = std::max(all_[i].end, all_[i - 1].end);
    }

    std::ifstream in_;
    std::uint64_t namesAt_ = 0;  ///< in the file
    std::vector<Function> all_;
};

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
    std::optional<Functions> functions;
    std::size_t address = 0;  // whose lines come now, counted from 1
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (answer[i].starts_with("0x")) {
            ++address;
            continue;
        }
        if (address == 0 || address > offsets.size() || i + 1 >= answer.size()) return;
        Site site = siteFrom(answer[i], answer[i + 1]);
        ++i;
        // Without debugging information addr2line names the nearest symbol before an address, however far away.
        if (site.line == 0 && !functions) functions.emplace(object);
        if (site.line == 0 && !functions->mayContain(offsets[address - 1])) site.function.clear();
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

bool definesFunction(const std::string& object, std::string_view name) { return Functions{object}.has(name); }

}  // namespace engine::live
