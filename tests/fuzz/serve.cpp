// SPDX-License-Identifier: BSD-3-Clause
// The command line as a server: one command after the other from stdin, each in a process of its own that is ready at
// once. Starting the program anew takes longer under sanitizers than most commands.
//
//   in   count, then as many words: where to work, seconds of processor time (0: in the server itself, for commands
//   that
//        are known to end), the words of the command
//   out  the number of the process; when it is over how it ended (as wait tells it), processor time [ms], memory [KiB]
//
// Numbers are 32 bits as the machine has them, words are a length and bytes. What a command prints goes to FOLDER.out
// and FOLDER.err.
#include "app/cli/cli.hpp"
#include "app/cli/output/printable.hpp"
#include "app/cli/output/terminal.hpp"
#include "app/cli/pictures.hpp"
#include "app/gui/gui.hpp"
#include "engine/base/error.hpp"
#include "tests/fuzz/readers.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace {

bool getNumber(std::int32_t& number) { return std::fread(&number, sizeof number, 1, stdin) == 1; }

void putNumber(std::int32_t number) { std::fwrite(&number, sizeof number, 1, stdout); }

std::vector<std::string> request() {
    std::int32_t count = 0;
    if (!getNumber(count)) return {};
    std::vector<std::string> words(static_cast<std::size_t>(count));
    for (std::string& word : words) {
        std::int32_t length = 0;
        if (!getNumber(length)) return {};
        word.resize(static_cast<std::size_t>(length));
        if (length > 0 && std::fread(word.data(), 1, word.size(), stdin) != word.size()) return {};
    }
    return words;
}

void redirect(const std::string& file, int descriptor) {
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(opened, descriptor);
    ::close(opened);
}

/// As main.cpp does it.
int commandLine(const std::vector<std::string>& words) {
    app::cli::Interrupt interrupt;
    app::cli::Surroundings around = app::cli::terminal(interrupt);
    around.window = [](const app::gui::Beginning&) { return app::cli::done; };
    app::cli::drawWithTheWindow(around);
    return app::cli::run(words, std::cout, std::cerr, around);
}

int reader(const std::vector<std::string>& command) {
    try {
        return fuzz::read(command);
    } catch (const engine::Error& error) {
        // As the command line says it: in one line, and visibly.
        std::string words = error.what();
        std::replace_if(
            words.begin(), words.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
        std::cerr << "collscope: " << app::cli::visibly(words, false) << '\n';
        return app::cli::userMistake;
    } catch (const std::bad_alloc&) {
        std::cerr << "collscope: there is not enough memory\n";
        return app::cli::userMistake;
    } catch (const std::exception& defect) {
        std::cerr << "collscope: defect in this program: " << defect.what() << '\n';
        return app::cli::checkFailed;
    }
}

[[noreturn]] void obey(const std::vector<std::string>& words) {
    ::setpgid(0, 0);
    redirect("/dev/null", STDIN_FILENO);
    redirect(words[0] + ".out", STDOUT_FILENO);
    redirect(words[0] + ".err", STDERR_FILENO);
    const auto seconds = static_cast<rlim_t>(std::atoi(words[1].c_str()));
    const rlimit time{seconds, seconds + 2}, cores{0, 0};
    ::setrlimit(RLIMIT_CPU, &time);
    ::setrlimit(RLIMIT_CORE, &cores);
    if (::chdir(words[0].c_str()) != 0) std::_Exit(3);
    const std::vector<std::string> command{words.begin() + 2, words.end()};
    const int code = !command.empty() && command[0].starts_with('@') ? reader(command) : commandLine(command);
    std::exit(code);
}

/// The exit code as wait tells it.
int obeyHere(const std::vector<std::string>& words) {
    std::ofstream out{words[0] + ".out"}, err{words[0] + ".err"};
    return app::cli::run({words.begin() + 2, words.end()}, out, err, {}) << 8;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (;;) {
        const std::vector<std::string> words = request();
        if (words.size() < 2) return 0;
        if (words[1] == "0") {
            for (const std::int32_t number : {::getpid(), obeyHere(words), 0, 0}) putNumber(number);
            std::fflush(stdout);
            continue;
        }
        const pid_t child = ::fork();
        if (child == 0) obey(words);
        putNumber(child);
        std::fflush(stdout);
        int status = 0;
        rusage used{};
        ::wait4(child, &status, 0, &used);
        ::kill(-child, SIGKILL);  // whoever it left behind
        putNumber(status);
        putNumber(static_cast<std::int32_t>((used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
                                            (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000));
        putNumber(static_cast<std::int32_t>(used.ru_maxrss));
        std::fflush(stdout);
    }
}
