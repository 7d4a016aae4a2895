// SPDX-License-Identifier: BSD-3-Clause
#include "tests/engine/live_mpi/team.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>

namespace {

engine::mpi::World* theWorld = nullptr;
std::filesystem::path base;
int folders = 0;

}  // namespace

engine::mpi::World& support::Team::world() { return *theWorld; }

std::filesystem::path support::Team::freshFolder() {
    const std::filesystem::path folder = base / std::to_string(folders++);
    // Only the judge knows when it has read the one before.
    if (isJudge() && folders > 1) std::filesystem::remove_all(base / std::to_string(folders - 2));
    std::filesystem::create_directories(folder);
    return folder;
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    engine::mpi::World world{argc, argv};
    theWorld = &world;
    std::string name = (std::filesystem::temp_directory_path() / "collscope-tests-XXXXXX").string();
    if (world.process() == 0 && mkdtemp(name.data()) == nullptr) return 1;
    base = world.agree(name);
    if (world.process() != 0) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
    }
    const int code = RUN_ALL_TESTS();
    (void)world.agree("everyone is done");
    if (world.process() == 0) std::filesystem::remove_all(base);
    return code;
}
