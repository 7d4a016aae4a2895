// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/pmpi/replacement/environment.hpp"

#include "engine/base/small_file.hpp"

#include <algorithm>
#include <cstdlib>

namespace engine::mpi::pmpi {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t usualRoom = 262'144;
constexpr std::int64_t insidePerCall = 2;  ///< room for what happens within collectives, for each of a call
constexpr std::int64_t mostRules = std::int64_t{1} << 24;  // bytes of the file
constexpr int mostFolders = 10'000;

std::optional<std::string> variable(const char* name) {
    const char* words = std::getenv(name);
    return words != nullptr ? std::optional<std::string>{words} : std::nullopt;
}

bool isFree(const fs::path& folder) {
    std::error_code fault;
    return !fs::exists(folder, fault) || (fs::is_directory(folder, fault) && fs::is_empty(folder, fault));
}

/// The folder that is to hold the records is made on the way: whoever makes it has the name.
std::string freeFolder(const std::string& wished) {
    for (int i = 1; i <= mostFolders; ++i) {
        const std::string folder = i == 1 ? wished : text(wished, '.', i);
        if (!isFree(folder)) continue;
        std::error_code fault;
        fs::create_directories(live::recordsOf(folder).parent_path(), fault);
        if (fs::create_directory(live::recordsOf(folder), fault)) return fs::absolute(folder).string();
        if (fault && fault != std::errc::file_exists)
            throw Error{text("COLLSCOPE_TRACE: '", folder, "' cannot be made: ", fault.message())};
    }
    throw Error{text("COLLSCOPE_TRACE: '", wished, "' and ", mostFolders, " names after it are taken; choose another")};
}

RecorderOptions readRecorderOptions() {
    RecorderOptions options;
    options.room = usualRoom;
    try {
        if (const auto room = variable("COLLSCOPE_CALLS"))
            options.room = readInteger(*room, "COLLSCOPE_CALLS", 1, live::mostCallsRecorded);
        const std::string inside = variable("COLLSCOPE_INSIDE").value_or("yes");
        if (inside != "yes" && inside != "no")
            throw Error{text("COLLSCOPE_INSIDE: '", inside, "' is neither yes nor no")};
        // Records of calls and of messages within collectives travel in one message.
        if (inside == "yes")
            options.inside =
                std::clamp<std::int64_t>(live::mostCallsRecorded - options.room, 1, insidePerCall * options.room);
        options.collector = variable("COLLSCOPE_COLLECTOR").value_or("");
        if (const auto file = variable("COLLSCOPE_RULES"); file && !file->empty()) {
            options.rulesFile = *file;
            options.rules = contentOf(*file, mostRules, text("COLLSCOPE_RULES: cannot read '", *file, "'"));
            (void)live::rulesFromText(options.rules, *file);
        }
    } catch (const std::exception& mistake) {
        options.mistake = mistake.what();
        return options;
    }
    try {
        const std::string folder = variable("COLLSCOPE_TRACE").value_or("collscope-trace");
        if (!folder.empty()) options.folder = freeFolder(fs::path{folder}.lexically_normal().string());
    } catch (const std::exception& failure) {
        complain(text(failure.what(), "; the program runs without a record"));
    }
    return options;
}

void agree(std::string& words) {
    std::int64_t length = static_cast<std::int64_t>(words.size());
    check(PMPI_Bcast(&length, 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "agreeing");
    words.resize(asSize(length));
    check(PMPI_Bcast(words.data(), count(length), MPI_CHAR, 0, MPI_COMM_WORLD), "agreeing");
}

}  // namespace

RecorderOptions agreeOnRecorderOptions() {
    int process = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &process);
    RecorderOptions options;
    if (process == 0) options = readRecorderOptions();
    for (std::string RecorderOptions::*words :
         {&RecorderOptions::mistake, &RecorderOptions::folder, &RecorderOptions::rules, &RecorderOptions::rulesFile,
          &RecorderOptions::collector})
        agree(options.*words);
    for (std::int64_t RecorderOptions::*number : {&RecorderOptions::room, &RecorderOptions::inside})
        check(PMPI_Bcast(&(options.*number), 1, MPI_INT64_T, 0, MPI_COMM_WORLD), "agreeing");
    return options;
}

bool rulesAskForThreads() noexcept {
    try {
        const auto file = variable("COLLSCOPE_RULES");
        if (!file || file->empty()) return false;
        const auto rules = live::rulesFromText(contentOf(*file, mostRules, ""), *file);
        return std::any_of(rules.begin(), rules.end(), [](const live::Rule& rule) {
            return rule.algorithm != nullptr && !live::isBlocking(rule.called);
        });
    } catch (const std::exception&) {
        return false;  // process 0 tells all when the library has begun
    }
}

}  // namespace engine::mpi::pmpi
