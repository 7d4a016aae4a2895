// SPDX-License-Identifier: BSD-3-Clause
// Another program, started and watched.
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace engine::live {

/// A program that runs beside this one, in a process group of its own. It is ended when this object goes, or when
/// this process dies.
class Child {
public:
    /// Starts `arguments[0]`, looked for along PATH. Throws Error when that cannot be done.
    explicit Child(const std::vector<std::string>& arguments);
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Reads what it says for up to `milliseconds`; false once it has ended.
    bool watch(int milliseconds);
    /// What it wrote to stdout and stderr so far, up to 64 KiB.
    [[nodiscard]] const std::string& words() const { return words_; }
    /// Exit code, 128 + signal when it was killed; valid when it has ended.
    [[nodiscard]] int code() const { return code_; }
    /// Asks it to end, and makes it end after three seconds.
    void end();

private:
    void reap(int options);

    pid_t pid_ = -1;
    int pipe_ = -1;
    int code_ = 0;
    bool ended_ = false;
    std::string words_;
};

/// Variables of an environment, by name.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs `arguments[0]`, looked for along PATH, to its end: with this process' input, output and environment, in which
/// `variables` are set. If it still runs two seconds after `stop`, it gets SIGTERM. Returns its exit code, or 128
/// + signal when it was killed. Throws Error when it cannot be started.
int runToEnd(const std::vector<std::string>& arguments, const Variables& variables, const std::stop_token& stop);

/// The path of `program` if it can be started: along PATH when it has no slash; empty otherwise.
std::string findProgram(const std::string& program);

}  // namespace engine::live
