// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/subprocess.hpp"

#include "engine/base/text.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <csignal>
#include <new>

namespace app::cli {
namespace {

constexpr int outOfMemory = 3;

void restrictTo(const Allowance& allowance) {
    const auto seconds = static_cast<rlim_t>(allowance.time.count() / 1000 + 1);
    const rlimit time{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &time);
    const rlimit memory{static_cast<rlim_t>(allowance.memory), static_cast<rlim_t>(allowance.memory)};
    ::setrlimit(RLIMIT_DATA, &memory);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

void say(int out, const std::string& line) {
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t step = ::write(out, rest.data(), rest.size());
        if (step <= 0) ::_exit(1);
        rest.remove_prefix(static_cast<std::size_t>(step));
    }
}

/// A process that is gone when this is.
class Child {
public:
    explicit Child(pid_t id) : id_{id} {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (id_ > 0) end();
    }
    void kill() const { ::kill(id_, SIGKILL); }
    /// How it ended.
    int await() {
        int status = 0;
        while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        id_ = 0;
        return status;
    }

private:
    void end() {
        kill();
        await();
    }

    pid_t id_;
};

std::string troubleOf(int status, bool late, const Allowance& allowance) {
    if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return engine::text("it takes more than ", static_cast<double>(allowance.time.count()) / 1000, " s");
    if (WIFEXITED(status) && WEXITSTATUS(status) == outOfMemory)
        return engine::text("it needs more than ", engine::showBytes(allowance.memory), " of memory");
    if (WIFSIGNALED(status)) return engine::text("it was ended by signal ", WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "it did not end";
}

}  // namespace

Apart inAProcess(const std::function<void(const std::function<void(const std::string&)>& say)>& work,
                 const Allowance& allowance, const engine::Progress& progress) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw engine::Error{"no process can be started: there are too many files open"};
    const pid_t id = ::fork();
    if (id < 0) {
        ::close(ends[0]);
        ::close(ends[1]);
        throw engine::Error{"no process can be started: there are too many"};
    }
    if (id == 0) {
        ::close(ends[0]);
        restrictTo(allowance);
        int code = 0;
        try {
            work([&](const std::string& line) { say(ends[1], line + '\n'); });
        } catch (const std::bad_alloc&) {
            code = outOfMemory;
        } catch (...) {
            code = 1;
        }
        ::_exit(code);
    }
    ::close(ends[1]);
    Child child{id};
    const auto end = std::chrono::steady_clock::now() + allowance.time;
    std::string said;
    bool late = false;
    for (std::array<char, 4096> part{};;) {
        try {
            progress.at(0);
        } catch (...) {
            ::close(ends[0]);
            throw;
        }
        pollfd wait{.fd = ends[0], .events = POLLIN, .revents = 0};
        constexpr int patience = 50;  // milliseconds
        if (::poll(&wait, 1, patience) > 0) {
            const ssize_t got = ::read(ends[0], part.data(), part.size());
            if (got == 0) break;
            if (got > 0) said.append(part.data(), static_cast<std::size_t>(got));
        }
        if (!late && std::chrono::steady_clock::now() > end) {
            late = true;
            child.kill();
        }
    }
    ::close(ends[0]);
    Apart result;
    result.trouble = troubleOf(child.await(), late, allowance);
    result.lines = engine::split(said, '\n');
    result.lines.pop_back();  // behind the last line's end, or a line that was not finished
    return result;
}

}  // namespace app::cli
