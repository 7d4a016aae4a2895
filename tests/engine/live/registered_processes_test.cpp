// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/hang_diagnosis/registered_processes.hpp"

#include "engine/live/child_process.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include <stdlib.h>
#include <unistd.h>

namespace engine::live {
namespace {

TEST(RegisteredProcesses, knowsWhoIsGoneAndEndsTheRest) {
    std::string name = testing::TempDir() + "attendance-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const std::filesystem::path folder{name};
    EXPECT_EQ(registeredProcesses(folder).began, 0);
    registerProcess(folder);
    const auto own = folder / ("began-" + std::to_string(getpid()));
    const std::string here = [&] {
        std::string words;
        std::getline(std::ifstream{own}, words);
        return words;
    }();
    std::filesystem::remove(own);

    // One that is there and was told the folder, one with its number but of another run, one that ended, one elsewhere.
    const std::string script = "echo $$; while :; do sleep 1; done; : " + folder.string();
    Child there{{"sh", "-c", script}};
    while (there.words().find('\n') == std::string::npos && there.watch(100)) {
    }
    const auto began = [&](const std::string& pid, const std::string& where) {
        std::ofstream{folder / ("began-" + pid)} << where;
    };
    const std::string pid = there.words().substr(0, there.words().find('\n'));
    began(pid, here);
    began(std::to_string(getpid()), here);
    began("999999999", here);
    began("1", "another machine");
    const RegisteredProcesses found = registeredProcesses(folder);
    EXPECT_EQ(found.began, 4);
    EXPECT_EQ(found.here, (std::vector<pid_t>{static_cast<pid_t>(std::stoi(pid))}));
    EXPECT_EQ(found.gone, 2);
    terminateProcesses(folder);
    while (there.watch(100)) {
    }
    EXPECT_EQ(there.code(), 128 + SIGKILL);
    EXPECT_EQ(registeredProcesses(folder).gone, 3);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace engine::live
