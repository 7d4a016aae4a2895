// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/tune/installed.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/library_names.hpp"
#include "engine/live/child_process.hpp"

#include <algorithm>
#include <regex>

namespace app::tune {
namespace {

/// What a program prints in at most 20 s; empty where it is missing. Child keeps 64 KiB, so the listing is filtered by
/// the shell.
std::string wordsOf(const std::string& program, const std::string& command) {
    if (engine::live::findProgram(program).empty()) return {};
    engine::live::Child child{{"sh", "-c", command}};
    for (int i = 0; i < 400 && child.watch(50);) ++i;
    child.end();
    return child.words();
}

Installed listedOpenMpi() {
    Installed all{.version = "Open MPI"};
    for (const engine::LibraryAlgorithm& one : engine::libraryAlgorithms()) {
        if (one.known.library != "Open MPI") continue;
        std::vector<std::string>& names = all.algorithms[one.known.call];
        const auto number = static_cast<std::size_t>(one.known.number);
        names.resize(std::max(names.size(), number + 1));
        names[number] = one.known.name;
    }
    return all;
}

/// "MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial - Force Binomial Treenb - Force nonblocking ...": MPICH describes a value
/// after the other, without a blank between them. The n-th value is n.
void takeValues(const std::string& line, Installed& all) {
    constexpr std::string_view prefix = "MPIR_CVAR_";
    constexpr std::string_view suffix = "_INTRA_ALGORITHM";
    const std::size_t end = line.find(suffix);
    if (!line.starts_with(prefix) || end == std::string::npos) return;
    const std::string call = engine::lowered(line.substr(prefix.size(), end - prefix.size()));
    const auto known = all.algorithms.find(call);
    if (known == all.algorithms.end()) return;
    std::vector<std::string>& names = all.values[call];
    names = {""};
    static const std::regex value{R"((\S+)\s+- Force)"};
    const std::string rest = line.substr(end + suffix.size());
    for (auto at = std::sregex_iterator{rest.begin(), rest.end(), value}; at != std::sregex_iterator{}; ++at) {
        std::string longest;
        for (const std::string& name : known->second)
            if ((*at)[1].str().ends_with(name) && name.size() > longest.size()) longest = name;
        names.push_back(longest);
    }
}

}  // namespace

std::string Installed::nameOf(const std::string& call, std::int64_t number) const {
    const auto found = algorithms.find(call);
    if (found == algorithms.end() || number < 0 || number >= static_cast<std::int64_t>(found->second.size())) return {};
    return found->second[static_cast<std::size_t>(number)];
}

Installed openMpiFrom(const std::string& words) {
    Installed all{.version = "Open MPI"};
    static const std::regex value{R"(coll_tuned_(\w+)_algorithm:enumerator:value:(\d{1,3}):(\S+))"};
    static const std::regex version{R"(Open MPI v(\S+))"};
    for (const std::string& line : engine::split(words, '\n')) {
        std::smatch found;
        if (std::regex_search(line, found, version)) {
            all.version = "Open MPI " + found[1].str();
        } else if (std::regex_search(line, found, value)) {
            std::vector<std::string>& names = all.algorithms[found[1].str()];
            const auto number = static_cast<std::size_t>(std::stoi(found[2].str()));
            names.resize(std::max(names.size(), number + 1));
            names[number] = found[3].str();
        }
    }
    all.present = !all.algorithms.empty();
    return all;
}

Installed mpichFrom(const std::string& words, const std::string& version) {
    constexpr std::string_view choices = "choices ";
    constexpr std::string_view integer = "integer ";
    Installed all{.version = version.empty() ? "MPICH" : "MPICH " + version};
    constexpr std::string_view prefix = "algorithm=MPIR_";
    constexpr std::string_view group = "_intra_";
    for (const std::string& line : engine::split(words, '\n')) {
        const std::size_t within = line.find(group);
        if (line.starts_with(prefix)) all.selectable.push_back(line.substr(prefix.find("MPIR")));
        if (line.starts_with('{')) all.selection = line;
        if (line.starts_with("MPIR_CVAR_")) {
            all.variables.push_back(line);
        } else if (line.starts_with(prefix) && within != std::string::npos) {
            const std::string call = engine::lowered(line.substr(prefix.size(), within - prefix.size()));
            all.algorithms[call].push_back(line.substr(within + group.size()));
        }
    }
    for (auto& [call, names] : all.algorithms) std::ranges::sort(names);
    for (const std::string& line : engine::split(words, '\n')) {
        if (line.starts_with(choices)) takeValues(line.substr(choices.size()), all);
        const std::size_t value = line.rfind(' ');
        if (line.starts_with(integer) && value > integer.size())
            all.integers["MPIR_CVAR_" + line.substr(integer.size(), value - integer.size())] = line.substr(value + 1);
    }
    std::ranges::sort(all.variables);
    std::ranges::sort(all.selectable);
    all.present = !all.algorithms.empty();
    return all;
}

const Installed& installedOpenMpi() {
    static const Installed all = [] {
        Installed asked =
            openMpiFrom(wordsOf("ompi_info",
                                "{ ompi_info --version; ompi_info --param coll tuned --level 9 --parsable; } "
                                "2>/dev/null | grep -E 'Open MPI v|enumerator:value'"));
        return asked.present ? asked : listedOpenMpi();
    }();
    return all;
}

const Installed& installedMpich() {
    static const Installed all = [] {
        const std::string version =
            wordsOf("mpichversion", "mpichversion 2>/dev/null | sed -n 's/^MPICH Version:[ \\t]*//p'");
        // The names that a selection file may use are found only in the library's own text.
        return mpichFrom(wordsOf("mpivars",
                                 "mpivars 2>/dev/null | grep -o 'MPIR_CVAR_[A-Z0-9_]*' | sort -u; "
                                 "mpivars 2>/dev/null | sed -n 's/^[ \t]*\\(MPIR_CVAR_[A-Z_]*_INTRA_ALGORITHM\\) *="
                                 ".*FILE)/choices \\1 /p'; "
                                 "mpivars 2>/dev/null | sed -n 's/^[ \t]*MPIR_CVAR_\\([A-Z0-9_]*\\) *=\\([-0-9]*\\)\t"
                                 ".*\tMPI_INT\t.*/integer \\1 \\2/p' | grep -v '_ALGORITHM '; "
                                 "library=$(ldd \"$(command -v mpivars)\" | grep -o '/[^ ]*libmpich[^ ]*'); "
                                 "grep -ao 'algorithm=MPIR_[A-Za-z_]*' \"$library\" | sort -u; "
                                 "grep -ao '{\"collective=[][a-zA-Z0-9_\":{}<=,]*' \"$library\" | grep ineighbor"),
                         version.substr(0, version.find('\n')));
    }();
    return all;
}

}  // namespace app::tune
