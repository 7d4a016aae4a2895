// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/launchers.hpp"

#include "engine/base/error.hpp"
#include "engine/base/new_file.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "engine/live/child_process.hpp"
#include "engine/live/network_namespaces/lab_hosts.hpp"
#include "engine/live/source_lines.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace app {

using engine::Error;
using engine::text;
using engine::live::Child;
using engine::live::findProgram;

namespace {

bool beginsAsElf(const std::string& path) {
    std::array<char, 4> begin{};
    std::ifstream file{path, std::ios::binary};
    return file.read(begin.data(), begin.size()) && std::string_view{begin.data(), begin.size()} ==
                                                        "\x7f"
                                                        "ELF";
}

bool isThere(const std::filesystem::path& file, int how) { return access(file.c_str(), how) == 0; }

}  // namespace

LauncherKind launcherKindOf(const std::string& program) {
    engine::live::Child version{{program, "--version"}};
    for (int i = 0; i < 100 && version.watch(50);) ++i;
    const auto says = [&](const char* words) { return version.words().find(words) != std::string::npos; };
    if (says("Open MPI") || says("OpenRTE")) return LauncherKind::openMpi;
    return says("HYDRA") ? LauncherKind::mpich : LauncherKind::other;
}

std::filesystem::path besideThis(const std::string& name) {
    std::error_code failed;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::path{name} : own.parent_path() / name;
}

Linked linkedOf(const std::string& path) {
    Linked its{.isElf = beginsAsElf(path)};
    if (!its.isElf || findProgram("ldd").empty()) return its;
    Child ldd{{"ldd", path}};
    for (int i = 0; i < 100 && ldd.watch(50);) ++i;
    its.isStatic = ldd.words().find("not a dynamic executable") != std::string::npos ||
                   ldd.words().find("statically linked") != std::string::npos;
    for (const std::string& line : engine::split(ldd.words(), '\n')) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string::npos) continue;
        const std::string library = line.substr(begin, line.find_first_of(" \t", begin) - begin);
        std::optional<LauncherKind> kind;
        if (library.starts_with("libmpi.so.40")) kind = LauncherKind::openMpi;
        else if (library.starts_with("libmpich.so.")) kind = LauncherKind::mpich;
        else if (library.starts_with("libmpi.so.")) kind = LauncherKind::other;
        if (!kind || its.mpi) continue;
        its.mpi = kind;
        its.library = library;
    }
    its.containsMpi = !its.mpi && engine::live::definesFunction(path, "MPI_Init");
    return its;
}

std::filesystem::path workerForMpich() { return besideThis("collscope-mpi-mpich"); }

std::string workerFor(LauncherKind launcher) {
    const auto path = launcher == LauncherKind::mpich && isThere(workerForMpich(), X_OK) ? workerForMpich()
                                                                                         : besideThis("collscope-mpi");
    if (!isThere(path, X_OK))
        throw Error{text(engine::field::on, " mpi needs the program ", path.string(),
                         ", which is built where libopenmpi-dev is installed")};
    if (launcher == LauncherKind::mpich && path != workerForMpich() &&
        linkedOf(path.string()).mpi == LauncherKind::openMpi)
        throw Error{text(engine::field::mpirun, ": the launcher belongs to MPICH, but ", path.filename().string(),
                         " was built with Open MPI; name Open MPI's mpirun, or build Collscope where libmpich-dev is "
                         "installed")};
    return path.string();
}

std::filesystem::path dropInFor(LauncherKind launcher) {
    const std::string mpich = "libcollscope-pmpi-mpich.so";
    // One that is built for MPICH alone has the plain name.
    for (const std::string& name : launcher == LauncherKind::mpich
                                       ? std::vector{mpich, std::string{"libcollscope-pmpi.so"}}
                                       : std::vector{std::string{"libcollscope-pmpi.so"}})
        for (const std::string& folder : {std::string{}, std::string{COLLSCOPE_PMPI_FOLDER} + '/'})
            if (const auto file = besideThis(folder + name); isThere(file, R_OK))
                return std::filesystem::weakly_canonical(file);
    throw Error{text(launcher == LauncherKind::mpich ? mpich : "libcollscope-pmpi.so", " not found beside ",
                     besideThis("collscope").string(), "; it is built where MPI's header files are installed")};
}

namespace {

constexpr const char* preload = "LD_PRELOAD";
constexpr const char* listName = "mca_base_env_list";
constexpr const char* listVariable = "OMPI_MCA_mca_base_env_list";

bool isExport(const std::string& word) { return word == "-x" || word == "--x"; }

/// The file whose lines describe programs; empty: none.
std::string appFileOf(const std::vector<std::string>& command) {
    for (std::size_t i = 1; i + 1 < command.size(); ++i)
        if (command[i] == "--app" || command[i] == "-app") return command[i + 1];
    return {};
}

/// Puts `own` before the libraries that the command preloads by itself, which would otherwise replace it.
void keepPreloaded(std::vector<std::string>& command, const std::string& own) {
    const std::string assigned = text(preload, '=');
    bool isOfEnv = false;
    for (std::size_t i = 1; i < command.size(); ++i) {
        std::string& word = command[i];
        const std::string& before = command[i - 1];
        isOfEnv = std::filesystem::path{before}.filename() == "env" ||
                  (isOfEnv && (before.starts_with('-') || before.find('=') != std::string::npos));
        if (word.starts_with(assigned) && (isExport(before) || isOfEnv)) word.insert(assigned.size(), own + ':');
        else if (word == preload && isExport(before)) word = assigned + own;
        else if (word == preload && (before.ends_with("-genv") || before.ends_with("-env")) && i + 1 < command.size())
            command[i + 1].insert(0, own + ':');
    }
}

/// In the form of Open MPI's list of variables.
std::string listOf(const engine::live::Variables& variables, const std::string& before) {
    std::string list = before;
    for (const auto& [name, value] : variables) list += (list.empty() ? "" : ";") + name + '=' + value;
    return list;
}

std::string listInEnvironment() {
    const char* const list = std::getenv(listVariable);
    return list == nullptr ? "" : list;
}

/// By the option -x, which belongs to one program, or else by the list of variables, which excludes -x.
HandedOver handedOverByOpenMpi(std::vector<std::string> command, const engine::live::Variables& variables) {
    if (const auto list = std::ranges::find(command, listName); list != command.end() && list + 1 != command.end()) {
        list[1] = listOf(variables, list[1]);
        return {.words = std::move(command)};
    }
    const std::string file = appFileOf(command);
    if (!file.empty() || !listInEnvironment().empty()) {
        if (exportsVariables(programWords(command)))
            throw Error{file.empty() ? text("the option -x and the variable ", listVariable,
                                            " exclude each other in Open MPI; use one of them")
                                     : text("--app ", file, ": Open MPI permits no option -x there together with a ",
                                            "recorder; write the programs in the command, with ':' between them")};
        return {.words = std::move(command), .variables = forOpenMpiInScripts(variables)};
    }
    std::vector<std::string> words;
    for (const std::string& word : command) {
        words.push_back(word);
        if (words.size() > 1 && word != ":") continue;
        for (const auto& [name, value] : variables) words.insert(words.end(), {"-x", name + '=' + value});
    }
    return {.words = std::move(words)};
}

}  // namespace

bool exportsVariables(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const char first = words[i + 1].empty() ? ' ' : words[i + 1].front();
        if (isExport(words[i]) && first >= 'A' && first <= 'Z') return true;
    }
    return false;
}

std::vector<std::string> programWords(const std::vector<std::string>& command) {
    std::vector<std::string> words{command.begin() + 1, command.end()};
    const std::string file = appFileOf(command);
    if (file.empty()) return words;
    std::ifstream in{file};
    for (std::string line; std::getline(in, line);) {
        std::istringstream rest{line.substr(0, line.find('#'))};
        words.emplace_back(":");
        for (std::string word; rest >> word;) words.push_back(word);
    }
    return words;
}

engine::live::Variables forOpenMpiInScripts(const engine::live::Variables& variables) {
    return {{listVariable, listOf(variables, listInEnvironment())}};
}

HandedOver handedOver(std::vector<std::string> command, LauncherKind kind, const engine::live::Variables& variables) {
    for (const auto& [name, value] : variables)
        if (name == preload) keepPreloaded(command, value);
    if (kind == LauncherKind::openMpi) return handedOverByOpenMpi(std::move(command), variables);
    std::vector<std::string> words;
    for (const auto& [name, value] : variables) words.insert(words.end(), {"-genv", name, value});
    command.insert(command.begin() + 1, words.begin(), words.end());
    return {.words = std::move(command)};
}

std::vector<std::string> openMpiArguments() {
    std::vector<std::string> words;
    if (geteuid() == 0) words.emplace_back("--allow-run-as-root");
    words.insert(words.end(), {"--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "--mca",
                               "btl_base_warn_component_unused", "0"});
    return words;
}

std::vector<std::string> labLauncherArguments(const std::string& program, LauncherKind kind, std::int32_t processes,
                                              const std::filesystem::path& folder) {
    const auto lab = engine::live::existingLab();
    if (!lab)
        throw Error{text(engine::field::lab,
                         ": no lab is set up; set one up with 'collscope lab up --hosts 16 --rate "
                         "100Mbit/s'")};
    if (!lab->whole()) throw Error{text(engine::field::lab, ": the lab is broken; 'collscope lab down' removes it")};
    if (kind == LauncherKind::other)
        throw Error{text(engine::field::lab, ": '", program,
                         "' is not a launcher of Open MPI or MPICH; the lab supports no other")};
    if (kind == LauncherKind::openMpi)
        return engine::live::labArguments(*lab, processes, workerFor(kind) + " host", folder / "hosts");
    // Hydra takes one word for the program in place of the remote shell.
    const std::filesystem::path agent = folder / "agent";
    engine::writeFile(agent, text("#!/bin/sh\nexec '", workerFor(kind), "' host \"$@\"\n"), engine::Existing::replace);
    std::filesystem::permissions(agent, std::filesystem::perms::owner_exec, std::filesystem::perm_options::add);
    return engine::live::labArgumentsOfMpich(*lab, agent, folder / "hosts");
}

}  // namespace app
