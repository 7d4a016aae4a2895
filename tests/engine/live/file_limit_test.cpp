// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/file_limit.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

namespace engine::live {
namespace {

/// In a process of its own, whose files may have 10 bytes. Ends with the errno of writing more.
[[noreturn]] void writeTooMuch() {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{.rlim_cur = 10, .rlim_max = 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string name = testing::TempDir() + "file-limit-XXXXXX";
    const int file = mkstemp(name.data());
    unlink(name.c_str());
    int code = 0;
    {
        const FileLimit quiet;
        if (write(file, "0123456789", 10) == 10 && write(file, "more", 4) < 0) code = errno;
    }
    _exit(code);
}

TEST(FileLimit, isAnErrorAndNotTheEnd) { EXPECT_EXIT(writeTooMuch(), testing::ExitedWithCode(EFBIG), ""); }

}  // namespace
}  // namespace engine::live
