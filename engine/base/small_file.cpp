// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/small_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>

namespace engine {
namespace {

/// Closes itself.
class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& file)
        : number_{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

}  // namespace

std::string bytesOf(const std::filesystem::path& file, std::int64_t most, std::string_view complaint) {
    const auto refuse = [&](std::string_view reason) { throw Error{text(complaint, ": ", reason)}; };
    const auto refuseFor = [&](int code) { refuse(std::generic_category().message(code)); };
    const auto refuseSize = [&] { refuse(text("it is larger than ", showBytes(most), ", the most that is read")); };
    const Descriptor in{file};
    if (in.number() < 0 && errno == ENOENT) refuse("it does not exist");
    if (in.number() < 0) refuseFor(errno);
    struct stat facts {};
    if (::fstat(in.number(), &facts) != 0) refuseFor(errno);
    if (S_ISDIR(facts.st_mode)) refuse("it is a folder");
    if (!S_ISREG(facts.st_mode)) refuse("it is no file of a fixed size");
    if (facts.st_size > most) refuseSize();
    // Files of the system say that they are empty, whatever they hold.
    std::string content(
        static_cast<std::size_t>(std::min<std::int64_t>(most, std::max<std::int64_t>(facts.st_size, 4096))) + 1, '\0');
    std::size_t got = 0;
    for (;;) {
        if (got == content.size()) content.resize(std::min(2 * got, static_cast<std::size_t>(most) + 1));
        if (got == content.size()) refuseSize();
        const ssize_t step = ::read(in.number(), content.data() + got, content.size() - got);
        if (step < 0 && errno == EINTR) continue;
        if (step < 0) refuseFor(errno);
        if (step == 0) break;
        got += static_cast<std::size_t>(step);
    }
    content.resize(got);
    return content;
}

std::string contentOf(const std::filesystem::path& file, std::int64_t most, std::string_view complaint) {
    // Editors of some systems begin a file in UTF-8 with this mark, which no format has a use for.
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    std::string content = bytesOf(file, most, complaint);
    if (content.starts_with(byteOrderMark)) content.erase(0, byteOrderMark.size());
    return content;
}

}  // namespace engine
