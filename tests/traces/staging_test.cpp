// SPDX-License-Identifier: BSD-3-Clause
// An archive appears whole or not at all, and nothing that is not of an archive is ever removed.
#include "engine/base/error.hpp"
#include "tests/traces/samples.hpp"
#include "traces/recording/archive.hpp"

#include <csignal>

#include <sys/resource.h>

namespace {

using traces::Overwrite;
using traces::samples::contentOf;
using traces::samples::listing;
using traces::samples::put;
using traces::samples::Scratch;
using traces::samples::tokenRing;
namespace fs = std::filesystem;

const std::vector<std::string> archive{"traces.def", "traces.otf2", "traces/"};

/// The sentence with which writing the token ring to `folder` is refused.
std::string refusal(const fs::path& folder, Overwrite overwrite = Overwrite::refuse) {
    try {
        traces::write(tokenRing(), folder, overwrite);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "not refused";
}

engine::Run otherRun() {
    engine::Run run = tokenRing();
    run.remarks = {"the other one"};
    return run;
}

TEST(Writing, leavesTheArchiveAndNothingElse) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "a");
    EXPECT_EQ(listing(scratch.path()), std::vector<std::string>{"a/"});
    EXPECT_EQ(listing(scratch / "a"), archive);
    EXPECT_EQ(listing(scratch / "a" / "traces"),
              (std::vector<std::string>{"0.def", "0.evt", "1.def", "1.evt", "2.def", "2.evt"}));
}

TEST(Writing, makesTheFoldersAboveIt) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "x" / "y" / "z/");
    EXPECT_EQ(traces::read(scratch / "x" / "y" / "z"), tokenRing());
}

TEST(Writing, takesAnEmptyFolderAsItIs) {
    const Scratch scratch;
    fs::create_directory(scratch / "a");
    fs::permissions(scratch / "a", fs::perms::owner_all);
    traces::write(tokenRing(), scratch / "a");
    EXPECT_EQ(listing(scratch / "a"), archive);
    EXPECT_EQ(fs::status(scratch / "a").permissions(), fs::perms::owner_all);
}

TEST(Writing, writesWhereALinkPoints) {
    const Scratch scratch;
    fs::create_directory(scratch / "real");
    fs::create_directory_symlink("real", scratch / "link");
    traces::write(tokenRing(), scratch / "link");
    EXPECT_TRUE(fs::is_symlink(scratch / "link"));
    EXPECT_EQ(listing(scratch / "real"), archive);
}

TEST(Writing, refusesAnArchiveThatIsThere) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "a");
    EXPECT_EQ(refusal(scratch / "a"),
              (scratch / "a").string() + " contains an archive already; name another folder, or replace it with force");
    EXPECT_EQ(traces::read(scratch / "a"), tokenRing());
}

TEST(Writing, refusesAFolderWithOtherFiles) {
    const Scratch scratch;
    put(scratch / "notes.txt", "mine");
    EXPECT_NE(refusal(scratch.path()).find("contains other files; name a new or an empty folder"), std::string::npos);
    EXPECT_EQ(listing(scratch.path()), std::vector<std::string>{"notes.txt"});
}

TEST(Writing, replacesAnArchiveAndKeepsForeignFiles) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "a");
    put(scratch / "a" / "notes.txt", "mine");
    put(scratch / "a" / "traces" / "more.txt", "mine too");
    put(scratch / "a" / "traces" / "17.evt", "of the former archive");
    traces::write(otherRun(), scratch / "a", Overwrite::replace);
    EXPECT_EQ(traces::read(scratch / "a"), otherRun());
    EXPECT_EQ(listing(scratch / "a"), (std::vector<std::string>{"notes.txt", "traces.def", "traces.otf2", "traces/"}));
    EXPECT_EQ(contentOf(scratch / "a" / "notes.txt"), "mine");
    EXPECT_EQ(contentOf(scratch / "a" / "traces" / "more.txt"), "mine too");
    EXPECT_FALSE(fs::exists(scratch / "a" / "traces" / "17.evt"));
}

TEST(Writing, replacesNothingThatIsNoArchive) {
    const Scratch scratch;
    fs::create_directory(scratch / "traces");
    put(scratch / "traces" / "0.evt", "not an archive's");
    EXPECT_NE(refusal(scratch.path(), Overwrite::replace).find("is in the way and belongs to no archive"),
              std::string::npos);
    EXPECT_EQ(contentOf(scratch / "traces" / "0.evt"), "not an archive's");
}

TEST(Writing, refusesASecondArchiveInAFolder) {
    const Scratch scratch;
    put(scratch / "scorep.otf2", "of another tool");
    EXPECT_NE(refusal(scratch.path(), Overwrite::replace).find("holds the archive scorep.otf2; name another folder"),
              std::string::npos);
    EXPECT_EQ(listing(scratch.path()), std::vector<std::string>{"scorep.otf2"});
}

TEST(Writing, putsAnArchiveBesideOtherFilesWhenAskedTo) {
    const Scratch scratch;
    put(scratch / "notes.txt", "mine");
    traces::write(tokenRing(), scratch.path(), Overwrite::replace);
    EXPECT_EQ(traces::read(scratch.path()), tokenRing());
    EXPECT_EQ(contentOf(scratch / "notes.txt"), "mine");
}

TEST(Writing, refusesWhatIsNoFolder) {
    const Scratch scratch;
    put(scratch / "file", "mine");
    EXPECT_EQ(refusal(scratch / "file"), (scratch / "file").string() + " is a file; name a folder for the archive");
    EXPECT_EQ(refusal(scratch / "file" / "x" / "y"),
              (scratch / "file").string() + " is a file; name a folder for the archive");
    EXPECT_EQ(refusal(""), "the archive needs a folder; its name is empty");
    EXPECT_EQ(listing(scratch.path()), std::vector<std::string>{"file"});
}

TEST(Writing, refusesAPlaceThatCannotBeWritten) {
    // /proc takes no folders, from nobody.
    EXPECT_EQ(refusal("/proc/collscope/a").rfind("cannot write to /proc/collscope/a: ", 0), 0u);
    EXPECT_NE(refusal("/proc/a").find("; name a folder that can be written"), std::string::npos);
}

/// The largest file this process may write, as long as it lives: stands for a full disk.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes) : handler_{std::signal(SIGXFSZ, SIG_IGN)} {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST(Writing, leavesNothingWhenTheDiskIsFull) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "kept");
    for (const rlim_t limit : {0, 20, 100, 700}) {
        std::string fresh, replacing;
        {
            const FileLimit full{limit};
            fresh = refusal(scratch / "new" / "a");
            replacing = refusal(scratch / "kept", Overwrite::replace);
        }
        EXPECT_EQ(fresh.rfind("cannot write the archive " + (scratch / "new" / "a").string() + ": ", 0), 0u) << fresh;
        EXPECT_NE(fresh.find("; make room or name another folder"), std::string::npos) << fresh;
        EXPECT_EQ(replacing.rfind("cannot write the archive", 0), 0u) << replacing;
        EXPECT_EQ(listing(scratch.path()), std::vector<std::string>{"kept/"});
        EXPECT_EQ(listing(scratch / "kept"), archive);
    }
    EXPECT_EQ(traces::read(scratch / "kept"), tokenRing());
}

TEST(Writing, leavesNothingWhenCancelled) {
    const Scratch scratch;
    for (const double when : {0.0, 0.4, 0.9, 1.0}) {
        std::stop_source stop;
        engine::Progress progress;
        progress.stop = stop.get_token();
        progress.report = [&](double share) {
            if (share >= when) stop.request_stop();
        };
        EXPECT_THROW(traces::write(tokenRing(), scratch / "x" / "a", Overwrite::refuse, progress), engine::Cancelled);
        EXPECT_TRUE(listing(scratch.path()).empty());
    }
}

TEST(Writing, keepsTheFormerArchiveWhenCancelled) {
    const Scratch scratch;
    traces::write(tokenRing(), scratch / "a");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(traces::write(otherRun(), scratch / "a", Overwrite::replace, {.stop = stop.get_token()}),
                 engine::Cancelled);
    EXPECT_EQ(traces::read(scratch / "a"), tokenRing());
    EXPECT_EQ(listing(scratch / "a"), archive);
}

}  // namespace
