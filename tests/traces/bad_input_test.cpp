// SPDX-License-Identifier: BSD-3-Clause
// What is no archive, or no longer one, is refused in one sentence; nothing is printed and nothing crashes.
#include "engine/base/error.hpp"
#include "tests/traces/samples.hpp"
#include "traces/recording/archive.hpp"

namespace {

using traces::samples::contentOf;
using traces::samples::put;
using traces::samples::Scratch;
using traces::samples::tokenRing;
namespace fs = std::filesystem;

/// The sentence with which reading `path` is refused; empty when it is read.
std::string refusal(const fs::path& path) {
    try {
        traces::read(path);
    } catch (const engine::Error& error) {
        return error.what();
    }
    return {};
}

void expectSentence(const std::string& words, const std::string& part) {
    EXPECT_NE(words.find(part), std::string::npos) << words;
    EXPECT_EQ(words.find('\n'), std::string::npos) << words;
    EXPECT_NE(words.find("; "), std::string::npos) << "says what would be right: " << words;
}

class Reading : public testing::Test {
protected:
    void SetUp() override { testing::internal::CaptureStderr(); }
    void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

    [[nodiscard]] fs::path sample() const {
        traces::write(tokenRing(), scratch / "a", traces::Overwrite::replace);
        return scratch / "a";
    }

    const Scratch scratch;
};

TEST_F(Reading, takesTheAnchorOrItsFolder) {
    const fs::path folder = sample();
    EXPECT_EQ(traces::read(folder), tokenRing());
    EXPECT_EQ(traces::read(folder / "traces.otf2"), tokenRing());
    fs::rename(folder / "traces.otf2", folder / "other.otf2");
    fs::rename(folder / "traces.def", folder / "other.def");
    fs::rename(folder / "traces", folder / "other");
    EXPECT_EQ(traces::read(folder), tokenRing());
}

TEST_F(Reading, refusesWhatIsNotThere) {
    expectSentence(refusal(scratch / "no"), (scratch / "no").string() + " does not exist");
    expectSentence(refusal(scratch.path()), "contains no OTF2 archive");
    fs::create_directory(scratch / "hung.records");
    expectSentence(refusal(scratch / "hung.records"), "collscope-mpi collect");
    expectSentence(refusal(scratch / "hung.records/"), "hung.records OUT makes an archive of them");
    expectSentence(refusal(""), "does not exist");
}

TEST_F(Reading, isRefusedBeforeItBeginsWhereThatShows) {
    const fs::path folder = sample();
    EXPECT_NO_THROW(traces::requireOpenable(folder));
    const auto sentence = [](const fs::path& path) -> std::string {
        try {
            traces::requireOpenable(path);
        } catch (const engine::Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(sentence(scratch / "no"), refusal(scratch / "no"));
    fs::remove_all(folder / "traces");
    EXPECT_EQ(sentence(folder), "") << "of files of events nothing is known yet";
    fs::remove(folder / "traces.def");
    EXPECT_EQ(sentence(folder), refusal(folder));
    EXPECT_NE(sentence(folder), "");
    put(folder / "traces.otf2", "nothing of the kind");
    EXPECT_EQ(sentence(folder), refusal(folder));
    EXPECT_NE(sentence(folder), "");
}

TEST_F(Reading, refusesOtherFiles) {
    put(scratch / "notes.txt", "words");
    expectSentence(refusal(scratch / "notes.txt"), "is not a trace");
    put(scratch / "text.otf2", "these are just words, quite a few of them, but no archive");
    expectSentence(refusal(scratch / "text.otf2"), "cannot read the archive " + (scratch / "text.otf2").string());
    put(scratch / "empty.otf2", "");
    expectSentence(refusal(scratch / "empty.otf2"), "cannot read the archive " + (scratch / "empty.otf2").string());
    expectSentence(refusal(scratch.path()), "holds 2 archives, empty.otf2 and text.otf2 among them; name one");
}

TEST_F(Reading, refusesAnArchiveWithoutOneOfItsFiles) {
    for (const char* file : {"traces.def", "traces/1.evt", "traces"}) {
        const fs::path folder = sample();
        fs::remove_all(folder / file);
        expectSentence(refusal(folder), "cannot read the archive");
        fs::remove_all(folder);
    }
}

TEST_F(Reading, refusesACutArchive) {
    for (const char* file : {"traces.otf2", "traces.def", "traces/0.evt", "traces/2.evt"}) {
        const fs::path folder = sample();
        const std::string whole = contentOf(folder / file);
        for (std::size_t length = 0; length + 2 < whole.size(); length += 1 + whole.size() / 60) {
            const std::string part = whole.substr(0, length);
            if (part.ends_with("\2\1")) continue;  // ends as a whole file does
            put(folder / file, part);
            SCOPED_TRACE(file + (" cut to " + std::to_string(length)));
            expectSentence(refusal(folder), "cannot read the archive");
        }
        fs::remove_all(folder);
    }
}

TEST_F(Reading, refusesANewerFormat) {
    const fs::path folder = sample();
    std::string anchor = contentOf(folder / "traces.otf2");
    const std::string name = "COLLSCOPE::FORMAT";
    anchor[anchor.find(name) + name.size() + 1] = '9';
    put(folder / "traces.otf2", anchor);
    expectSentence(refusal(folder), "is an archive of format 9; this program reads format 1");
}

TEST_F(Reading, stopsWhenCancelled) {
    const fs::path folder = sample();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(traces::read(folder, {.stop = stop.get_token()}), engine::Cancelled);
}

}  // namespace
