// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/child_process.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace engine::live {
namespace {

constexpr std::size_t mostWords = 65536;

/// In the new process, between fork and exec: only calls that are safe there. Never returns.
[[noreturn]] void become(char* const* arguments, int output, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(arguments[0], arguments);
    _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& arguments) {
    const std::string program = findProgram(arguments.at(0));
    if (program.empty()) throw Error{text("program '", arguments[0], "' not found")};
    std::vector<std::string> words = arguments;
    words[0] = program;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error{text("no pipe can be made: ", std::strerror(errno))};
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) become(pointers.data(), ends[1], parent);
    close(ends[1]);
    pipe_ = ends[0];
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
    if (pid_ > 0) return;
    close(pipe_);
    throw Error{text("'", program, "' cannot be started: ", std::strerror(errno))};
}

Child::~Child() {
    end();
    close(pipe_);
}

bool Child::watch(int milliseconds) {
    pollfd what{.fd = pipe_, .events = POLLIN, .revents = 0};
    poll(&what, 1, milliseconds);
    std::array<char, 4096> buffer;
    ssize_t got = 0;
    while ((got = read(pipe_, buffer.data(), buffer.size())) > 0)
        if (words_.size() < mostWords) words_.append(buffer.data(), asSize(got));
    reap(WNOHANG);
    // A closed pipe is always ready: do not spin until the program is gone.
    if (got == 0 && !ended_) usleep(1000), reap(WNOHANG);
    return !ended_;
}

void Child::reap(int options) {
    int status = 0;
    if (ended_ || waitpid(pid_, &status, options) != pid_) return;
    ended_ = true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::end() {
    if (ended_) return;
    kill(pid_, SIGTERM);
    for (int i = 0; i < 60 && watch(50);) ++i;
    if (ended_) return;
    kill(-pid_, SIGKILL);
    reap(0);
}

int runToEnd(const std::vector<std::string>& arguments, const Variables& variables, const std::stop_token& stop) {
    const std::string program = findProgram(arguments.at(0));
    if (program.empty()) throw Error{text("program '", arguments[0], "' not found")};
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::vector<std::string> set;
    for (const auto& [name, value] : variables) set.push_back(name + '=' + value);
    for (char** its = environ; *its != nullptr; ++its) {
        const std::string_view own{*its};
        const std::string_view name = own.substr(0, own.find('='));
        if (std::none_of(variables.begin(), variables.end(), [&](const auto& one) { return one.first == name; }))
            set.emplace_back(own);
    }
    std::vector<char*> environment;
    for (std::string& one : set) environment.push_back(one.data());
    environment.push_back(nullptr);
    pid_t pid = -1;
    // This process blocks the signals that its watcher waits for; the program shall get them.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int fault = posix_spawn(&pid, program.c_str(), nullptr, &attributes, pointers.data(), environment.data());
    posix_spawnattr_destroy(&attributes);
    if (fault != 0) throw Error{text("'", program, "' cannot be started: ", std::strerror(fault))};
    constexpr int pause = 10;  // ms
    constexpr int patience = 2000;
    int status = 0;
    for (int stopped = 0;;) {
        const pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR)) break;
        usleep(pause * 1000);
        // On Ctrl-C the terminal signals the program, too: it gets time to end by itself.
        if (stop.stop_requested() && stopped <= patience && (stopped += pause) > patience) kill(pid, SIGTERM);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string findProgram(const std::string& program) {
    const auto usable = [](const std::string& path) { return access(path.c_str(), X_OK) == 0; };
    if (program.find('/') != std::string::npos) return usable(program) ? program : "";
    const char* path = std::getenv("PATH");
    for (const std::string& folder : split(path != nullptr ? path : "", ':'))
        if (const std::string whole = folder + "/" + program; !folder.empty() && usable(whole)) return whole;
    return {};
}

}  // namespace engine::live
