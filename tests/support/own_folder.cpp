// SPDX-License-Identifier: BSD-3-Clause
// A folder for temporary files (testing::TempDir()) of each test program's own, gone when the program ends: ctest runs
// the tests of one program as processes beside each other, and two of them may write a file of one name.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

class OwnFolder {
public:
    OwnFolder() {
        const char* set = std::getenv("TEST_TMPDIR");
        path_ = (set != nullptr && *set != '\0' ? std::filesystem::path{set} : std::filesystem::temp_directory_path()) /
                "collscope-test-XXXXXX";
        if (::mkdtemp(path_.data()) == nullptr) path_.clear();
        if (!path_.empty()) ::setenv("TEST_TMPDIR", path_.c_str(), 1);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() {
        if (path_.empty() || ::getpid() != process_) return;
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

private:
    std::string path_;
    ::pid_t process_ = ::getpid();
};

const OwnFolder ownFolder;

}  // namespace
