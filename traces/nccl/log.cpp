// SPDX-License-Identifier: BSD-3-Clause
#include "traces/nccl/log.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

namespace traces::nccl {
namespace {

namespace fs = std::filesystem;
using std::string_view;

constexpr string_view mark = "NCCL INFO ", version = "NCCL version ";
constexpr std::int32_t mostRanks = 1 << 16, mostChannels = 1024;
constexpr std::size_t longestLine = 1 << 16;
constexpr std::size_t longestText = 1022;  ///< up to 2.21 with the prefix, up to 2.11 without

/// Words of a line, from left to right.
class Words {
public:
    explicit Words(string_view line) : rest_{line} {}

    bool skip(string_view words) {
        blanks();
        if (!rest_.starts_with(words)) return false;
        rest_.remove_prefix(words.size());
        return true;
    }
    std::optional<std::int64_t> number(int base = 10) {
        blanks();
        std::int64_t value = 0;
        const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
        if (fault != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    /// A rank, or nobody; nothing where it is neither.
    std::optional<std::int32_t> rank() {
        const auto value = number();
        if (!value || *value < nobody || *value >= mostRanks) return std::nullopt;
        return static_cast<std::int32_t>(*value);
    }
    /// Up to the next blank.
    string_view word() {
        blanks();
        const std::size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
        const string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }
    /// What stands behind `key` and a blank.
    static string_view behind(string_view line, string_view key) {
        const std::size_t at = line.find(key);
        return at == string_view::npos ? string_view{} : Words{line.substr(at + key.size())}.word();
    }
    /// Without what `bracketed` encloses, as in "0[1a000]".
    void skipBracket() {
        if (!rest_.starts_with('[')) return;
        const std::size_t end = rest_.find(']');
        rest_.remove_prefix(end == string_view::npos ? rest_.size() : end + 1);
    }
    [[nodiscard]] bool done() {
        blanks();
        return rest_.empty();
    }
    [[nodiscard]] string_view rest() const { return rest_; }

private:
    void blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    }
    string_view rest_;
};

std::optional<std::int64_t> wholeNumber(string_view words) {
    Words its{words};
    return its.number();
}

/// "host:pid:tid", the last word before "[device] NCCL INFO".
struct Writer {
    std::string host, process, thread;  ///< `process` and `thread` include what is before them
    std::string rank;                   ///< process and device
    std::size_t begin = 0;              ///< where it starts in the line
};

Writer writerOf(const string_view line) {
    string_view prefix = line, device;
    while (prefix.ends_with(' ')) prefix.remove_suffix(1);
    if (prefix.ends_with(']')) {
        const std::size_t open = std::min(prefix.rfind('['), prefix.size());
        device = prefix.substr(open);
        prefix = prefix.substr(0, open);
    }
    while (prefix.ends_with(' ')) prefix.remove_suffix(1);
    if (const std::size_t blank = prefix.rfind(' '); blank != string_view::npos) prefix.remove_prefix(blank + 1);
    Writer writer;
    writer.thread = prefix;
    writer.rank = prefix;
    writer.begin = static_cast<std::size_t>(prefix.data() - line.data());
    const std::size_t tid = prefix.rfind(':');
    const std::size_t pid = tid == string_view::npos || tid == 0 ? string_view::npos : prefix.rfind(':', tid - 1);
    if (pid == string_view::npos) return writer;
    writer.process = prefix.substr(0, tid);
    writer.rank = writer.process + std::string{device};
    const string_view before = prefix.substr(0, pid);
    const std::size_t colon = before.rfind(':');
    writer.host = colon == string_view::npos ? before : before.substr(colon + 1);
    writer.begin += colon == string_view::npos ? 0 : colon + 1;
    return writer;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Whether a line that begins so is one of NCCL's: it ends with "host:pid:tid [device] ". Programs and documents
/// contain NCCL's words, too.
bool isPrefix(string_view before) {
    const auto take = [&](auto isTaken) {
        const std::size_t size = before.size();
        while (!before.empty() && isTaken(before.back())) before.remove_suffix(1);
        return size > before.size();
    };
    const auto takeOne = [&](char c) {
        const bool is = before.ends_with(c);
        if (is) before.remove_suffix(1);
        return is;
    };
    const auto isBlank = [](char c) { return c == ' '; };
    const auto isOfHost = [](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
    };
    (void)take(isBlank);
    if (!takeOne(']') || !take(isDigit)) return false;
    (void)takeOne('-');
    if (!takeOne('[')) return false;
    (void)take(isBlank);
    if (!take(isDigit) || !takeOne(':') || !take(isDigit) || !takeOne(':') || !take(isOfHost)) return false;
    return before.empty() || std::string_view{"\"'`"}.find(before.back()) == std::string_view::npos;
}

constexpr std::array<int, 12> datatypeBytes{1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

std::string named(string_view word, std::initializer_list<const char*> names) {
    const auto number = wholeNumber(word);
    if (!number) return std::string{word};
    return *number >= 0 && std::cmp_less(*number, names.size()) ? names.begin()[*number] : std::string{word};
}

/// Whether ranks stand at every fourth column (before 2.23): of ranks with four digits the next one covers the last.
bool inColumns(string_view list) {
    if (list.starts_with(' ')) list.remove_prefix(1);
    for (; list.size() >= 4; list.remove_prefix(4))
        if (list[0] != ' ' || list[3] < '0' || list[3] > '9') return false;
    return true;
}

/// What a thread wrote between the start and the end of an initialisation.
struct Session {
    Communicator its{};
    std::string host{}, process{}, handle{};
    std::int32_t rank = nobody;
    std::int32_t ranks = 0;
    bool inTopology = false;
    std::vector<std::pair<std::size_t, std::string>> nesting{};  ///< column and name of nodes of the topology
    [[nodiscard]] bool empty() const {
        return its.channels.empty() && its.connections.empty() && its.topology.empty() && handle.empty();
    }
};

class Reader {
public:
    void line(string_view line) {
        if (const std::size_t at = line.find(version); at != string_view::npos && log_.version.empty())
            if (const string_view its = Words{line.substr(at + version.size())}.word();
                !its.empty() && isDigit(its.front()))
                log_.version = its;
        // Processes that share a stream write into each other's lines.
        const std::size_t at = line.rfind(mark);
        if (at == string_view::npos) return;
        std::string_view message = line.substr(at + mark.size());
        while (message.ends_with('\r') || message.ends_with(' ')) message.remove_suffix(1);
        const Writer writer = writerOf(line.substr(0, at));
        Session& session = sessions_[writer.thread];
        session.host = writer.host;
        session.process = writer.process;
        const bool tree = message.starts_with("Trees ");
        const bool channel = message.starts_with("Channel ") || message.starts_with("Ring ");
        const bool comm = message.find("comm 0x") != string_view::npos;
        // The end of a topology may be missing.
        if (session.inTopology && (tree || channel || comm)) endTopology(session);
        if (session.inTopology) topologyLine(session, message);
        else if (message.starts_with("=== System ")) session.inTopology = true;
        else if (tree) trees(session, message.substr(5), line.size() - writer.begin >= longestText);
        else if (channel) channelLine(session, message);
        else if (comm) commLine(session, message);
        else if (message.find(" Bytes -> Algo ") != string_view::npos) choice(writer.rank, message);
    }

    Log finish() {
        for (auto& [thread, session] : sessions_) assign(session);
        for (auto& [process, from, to, via] : later_)
            if (Communicator* its = onlyOf(process)) its->connections.emplace(std::pair{from, to}, via);
            else ++log_.unassigned;
        addCalls();
        for (const auto& [key, lines] : choices_) {
            std::int64_t& calls = log_.choices[key.first];
            calls = std::max(calls, lines);
        }
        for (Communicator& its : log_.communicators) {
            if (its.ranks == 0) its.ranks = largestRank(its) + 1;
            std::erase_if(its.hosts, [&](const auto& one) { return one.first >= its.ranks; });
            if (its.ranks <= 1000) continue;
            for (auto& [number, channel] : its.channels)
                if (channel.inColumns) channel.order.clear(), channel.cut = true;
        }
        return std::move(log_);
    }

private:
    static std::int32_t largestRank(const Communicator& its) {
        std::int32_t largest = nobody;
        for (const auto& [number, channel] : its.channels) {
            for (const std::int32_t rank : channel.order) largest = std::max(largest, rank);
            for (const auto& [rank, ring] : channel.ring) largest = std::max({largest, rank, ring.first, ring.second});
            for (const auto& [rank, node] : channel.tree) {
                largest = std::max({largest, rank, node.parent});
                for (const std::int32_t child : node.children) largest = std::max(largest, child);
            }
        }
        for (const auto& [pair, via] : its.connections) largest = std::max({largest, pair.first, pair.second});
        for (const auto& [name, host] : its.topology)
            for (const auto& [accelerator, rank] : host.accelerators) largest = std::max(largest, rank);
        return largest;
    }

    static void endTopology(Session& session) {
        session.inTopology = false;
        session.nesting.clear();
    }

    static void topologyLine(Session& session, string_view message) {
        if (message.starts_with("===")) return endTopology(session);
        const std::size_t column = message.find_first_not_of(' ');
        if (column == string_view::npos) return;
        Host& host = session.its.topology[session.host];
        const auto node = [&](string_view words) {
            const std::string name{Words{words}.word()};
            const std::size_t rank = words.find(" (");
            if (name.starts_with("GPU/") && rank != string_view::npos)
                if (const auto number = wholeNumber(words.substr(rank + 2));
                    number && *number >= 0 && *number < mostRanks)
                    host.accelerators[name] = static_cast<std::int32_t>(*number);
            return name;
        };
        if (message[column] != '+') {
            session.nesting = {{column, node(message.substr(column))}};
            return;
        }
        const std::size_t open = message.find('[', column), close = message.find("] - ", column);
        if (open == string_view::npos || close == string_view::npos || close < open) return;
        const std::size_t below = close + 4;
        while (!session.nesting.empty() && session.nesting.back().first > column) session.nesting.pop_back();
        if (session.nesting.empty() || session.nesting.back().first != column) return;
        HostLink link{session.nesting.back().second, node(message.substr(below)),
                      std::string{Words{message.substr(column + 1, open - column - 1)}.word()}};
        const string_view speed = message.substr(open + 1, close - open - 1);
        if (std::from_chars(speed.data(), speed.data() + speed.size(), link.gigabytes).ec != std::errc{} ||
            !(link.gigabytes > 0 && link.gigabytes < 1e6))
            return;
        const bool known = std::any_of(host.links.begin(), host.links.end(), [&](const HostLink& one) {
            return one.kind == link.kind &&
                   ((one.from == link.from && one.to == link.to) || (one.from == link.to && one.to == link.from));
        });
        session.nesting.emplace_back(below, link.to);
        if (!known) host.links.push_back(std::move(link));
    }

    static void trees(Session& session, string_view line, bool cut) {
        Words words{line};
        while (words.skip("[")) {
            const auto channel = words.number();
            if (!channel || *channel < 0 || *channel >= mostChannels || !words.skip("]")) return;
            std::string_view its = words.word();
            // A line that NCCL cut ends within its last tree.
            if (words.done() && cut) return;
            its = its.substr(0, its.find('|'));
            std::array<std::vector<std::int32_t>, 3> parts;
            std::size_t part = 0;
            Words numbers{its};
            while (!numbers.done()) {
                const auto rank = numbers.rank();
                if (!rank) return;
                parts[part].push_back(*rank);
                if (numbers.skip("/")) continue;
                if (!numbers.done() && (!numbers.skip("->") || ++part == parts.size())) return;
            }
            // 2.4 writes the parent first.
            if (part == 2 && parts[0].size() == 1 && parts[2].size() > 1) std::swap(parts[0], parts[2]);
            if (part != 2 || parts[1].size() != 1 || parts[2].size() != 1 || parts[1][0] == nobody) return;
            TreeNode node{parts[2][0], std::move(parts[0])};
            std::erase(node.children, nobody);
            session.rank = parts[1][0];
            session.its.channels[static_cast<std::int32_t>(*channel)].tree[session.rank] = std::move(node);
        }
    }

    /// Of a ring, or of a connection.
    void channelLine(Session& session, string_view message) {
        Words words{message};
        const bool ring = words.word() == "Ring";
        const auto number = words.number();
        if (!number || *number < 0 || *number >= mostChannels) return;
        const auto channelNumber = static_cast<std::int32_t>(*number);
        if (words.skip("/")) (void)words.number();
        if (!words.skip(":")) return;
        const bool columns = inColumns(words.rest());
        std::vector<std::int32_t> ranks;
        bool arrows = false, cut = false;
        while (const auto rank = words.rank()) {
            ranks.push_back(*rank);
            words.skipBracket();
            if (words.skip("->")) arrows = true;
            else if (arrows) break;
        }
        if (!arrows) {
            if (ring || ranks.empty()) return;
            // "..." stands for the rest, and may cut a number.
            if (words.skip("...")) {
                cut = true;
                if (words.rest().empty() && !ranks.empty() && !message.ends_with(" ...")) ranks.pop_back();
            } else if (!words.done()) {
                return;
            }
            Channel& its = session.its.channels[channelNumber];
            its.order = std::move(ranks);
            its.cut = cut;
            its.inColumns = columns;
        } else if (ring && ranks.size() == 3 && words.done()) {
            session.its.channels[channelNumber].ring[ranks[1]] = {ranks[0], ranks[2]};
        } else if (ranks.size() == 2) {
            if (words.skip("[send]") || words.skip("[receive]")) (void)words.done();
            if (!words.skip("via")) return;
            std::string via{words.word()};
            if (session.ranks == 0 && session.empty()) later_.push_back({session.process, ranks[0], ranks[1], via});
            else session.its.connections.emplace(std::pair{ranks[0], ranks[1]}, std::move(via));
        }
    }

    void commLine(Session& session, string_view message) {
        if (message.find(": opCount ") != string_view::npos) return call(session, message);
        const auto rank = wholeNumber(Words::behind(message, " rank "));
        auto ranks = wholeNumber(Words::behind(message, " nranks "));
        if (!ranks) ranks = wholeNumber(Words::behind(message, " nRanks "));
        if (!rank || !ranks || *ranks < 1 || *ranks > mostRanks || *rank < 0 || *rank >= *ranks) return;
        if (message.find("Destroy") != string_view::npos || message.find("Abort") != string_view::npos) {
            handles_.erase({session.process, std::string{Words::behind(message, "comm ")}});
            return;
        }
        const bool start = message.ends_with("Init START");
        // A session that did not complete.
        if (start && !session.empty()) {
            assign(session);
            session = {.host = session.host, .process = session.process};
        }
        session.rank = static_cast<std::int32_t>(*rank);
        session.ranks = static_cast<std::int32_t>(*ranks);
        session.handle = Words::behind(message, "comm ");
        if (const string_view id = Words::behind(message, "commId "); !id.empty()) session.its.id = id;
        if (message.find("Init COMPLETE") == string_view::npos) return;
        assign(session);
        session = {.host = session.host, .process = session.process};
    }

    void call(const Session& session, string_view message) {
        const auto count = wholeNumber(Words::behind(message, " count "));
        const auto datatype = wholeNumber(Words::behind(message, " datatype "));
        const auto ranks = wholeNumber(Words::behind(message, "[nranks="));
        const string_view operation = message.substr(0, message.find(": opCount"));
        if (!count || !datatype || *datatype < 0 || std::cmp_greater_equal(*datatype, datatypeBytes.size()) ||
            *count < 0 || *count > std::int64_t{1} << 50 || operation.size() > 64)
            return;
        const engine::Bytes bytes = *count * datatypeBytes[static_cast<std::size_t>(*datatype)];
        Call its{.process = session.process,
                 .handle = std::string{Words::behind(message, " comm ")},
                 .operation = std::string{operation},
                 .bytes = bytes,
                 .ranks = ranks ? static_cast<std::int32_t>(std::clamp<std::int64_t>(*ranks, 0, mostRanks)) : 0};
        // A later communicator may have the same handle.
        if (const auto known = handles_.find({its.process, its.handle}); known != handles_.end())
            its.place = known->second;
        ++calls_[its];
    }

    /// Adds calls to their communicators.
    void addCalls() {
        std::map<std::int32_t, std::optional<std::size_t>> ofSize;  ///< nothing: several
        for (std::size_t i = 0; i < log_.communicators.size(); ++i)
            if (const auto [one, first] = ofSize.try_emplace(log_.communicators[i].ranks, i); !first)
                one->second.reset();
        for (const auto& [call, lines] : calls_) {
            std::optional<std::size_t> place = call.place;
            if (!place) {
                // Its initialisation may not be complete.
                if (const auto known = handles_.find({call.process, call.handle}); known != handles_.end())
                    place = known->second;
                else if (const auto only = ofSize.find(call.ranks); only != ofSize.end()) place = only->second;
                else if (log_.communicators.empty()) {
                    ofSize[call.ranks] = place = 0;
                    log_.communicators.push_back({.ranks = call.ranks});
                }
            }
            const std::int32_t ranks = place ? log_.communicators[*place].ranks : 0;
            if (!place || (call.ranks != 0 && ranks != 0 && call.ranks != ranks)) {
                log_.unassigned += lines;
                continue;
            }
            Calls& its = log_.communicators[*place].calls[{call.operation, call.bytes}];
            its.calls = std::max(its.calls, lines);
            its.callers.emplace(call.process, call.handle);
        }
    }

    void choice(const std::string& rank, string_view message) {
        Words words{message};
        Choice its;
        if (const std::size_t colon = message.find(": ");
            colon != string_view::npos && colon < message.find(" Bytes")) {
            its.operation = message.substr(0, colon);
            words = Words{message.substr(colon + 2)};
        }
        const auto bytes = words.number();
        if (!bytes || *bytes < 0 || !words.skip("Bytes") || !words.skip("->") || !words.skip("Algo")) return;
        its.bytes = *bytes;
        its.algorithm =
            named(words.word(), {"TREE", "RING", "COLLNET_DIRECT", "COLLNET_CHAIN", "NVLS", "NVLS_TREE", "PAT"});
        if (!words.skip("proto")) return;
        its.protocol = named(words.word(), {"LL", "LL128", "SIMPLE"});
        if (words.skip("channel{Lo..Hi}={")) {
            const auto low = words.number();
            const auto high = words.skip("..") ? words.number() : std::nullopt;
            if (low && high && *low >= 0 && *high < mostChannels)
                its.firstChannel = static_cast<std::int32_t>(*low), its.lastChannel = static_cast<std::int32_t>(*high);
        }
        ++choices_[{std::move(its), rank}];
    }

    /// Adds a session to its communicator.
    void assign(Session& session) {
        if (session.empty()) return;
        const auto fits = [&](const Communicator& one) {
            // Without ids the k-th communicator of a rank joins the k-th of the others.
            return one.id.empty() && (one.ranks == session.ranks || one.ranks == 0 || session.ranks == 0) &&
                   (session.rank == nobody || !one.seen.contains(session.rank));
        };
        // What does not fit once never does.
        std::size_t& place = session.its.id.empty()
                                 ? withoutId_[{session.ranks, session.rank}]
                                 : withId_.try_emplace(session.its.id, log_.communicators.size()).first->second;
        if (session.its.id.empty())
            while (place < log_.communicators.size() && !fits(log_.communicators[place])) ++place;
        if (place == log_.communicators.size())
            log_.communicators.push_back({.id = session.its.id, .ranks = session.ranks});
        Communicator* const at = &log_.communicators[place];
        if (session.ranks > 0) at->ranks = session.ranks;
        if (session.rank != nobody) {
            at->seen.insert(session.rank);
            if (!session.host.empty()) at->hosts[session.rank] = session.host;
        }
        if (!session.handle.empty()) handles_[{session.process, session.handle}] = place;
        ofProcess_[session.process].insert(place);
        for (auto& [number, channel] : session.its.channels) {
            Channel& its = at->channels[number];
            if (!channel.order.empty())
                its.order = std::move(channel.order), its.cut = channel.cut, its.inColumns = channel.inColumns;
            its.ring.merge(channel.ring);
            its.tree.merge(channel.tree);
        }
        at->connections.merge(session.its.connections);
        at->topology.merge(session.its.topology);
    }

    Communicator* onlyOf(const std::string& process) {
        const auto its = ofProcess_.find(process);
        if (its == ofProcess_.end()) return log_.communicators.size() == 1 ? &log_.communicators[0] : nullptr;
        return its->second.size() == 1 ? &log_.communicators[*its->second.begin()] : nullptr;
    }

    struct Later {
        std::string process;
        std::int32_t from, to;
        std::string via;
    };
    struct Call {
        std::string process, handle, operation;
        engine::Bytes bytes = 0;
        std::int32_t ranks = 0;              ///< 0: not logged
        std::optional<std::size_t> place{};  ///< of the communicator, where it was known

        auto operator<=>(const Call&) const = default;
    };

    Log log_;
    std::map<std::string, Session> sessions_;  ///< by thread
    std::map<std::pair<std::string, std::string>, std::size_t> handles_;
    std::map<std::string, std::set<std::size_t>> ofProcess_;
    std::vector<Later> later_;            ///< connections that were made after initialisation
    std::map<Call, std::int64_t> calls_;  ///< number of lines
    std::map<std::pair<Choice, std::string>, std::int64_t> choices_;  ///< likewise, by rank
    std::map<std::string, std::size_t> withId_;                       ///< places of communicators
    /// Where the communicator of a rank and a number of ranks may be, and the next one.
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> withoutId_;
};

/// Whether a line of NCCL is in the first MiB of the file, which is text.
bool holdsMark(const fs::path& file) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) return false;
    std::ifstream in{file, std::ios::binary};
    constexpr std::size_t most = std::size_t{1} << 20, first = 4096;
    std::string head;
    for (std::size_t searched = 0, block = first; head.size() < most; block = std::min(most - head.size(), 4 * block)) {
        const std::size_t before = head.size();
        head.resize(before + block);
        in.read(head.data() + before, static_cast<std::streamsize>(block));
        head.resize(before + static_cast<std::size_t>(in.gcount()));
        if (head.find('\0', before) != std::string::npos) return false;
        for (std::size_t at; (at = head.find(mark, searched)) != std::string::npos; searched = at + mark.size()) {
            const std::size_t begin = head.rfind('\n', at) + 1;  // 0 in the first line
            if (isPrefix(string_view{head}.substr(begin, at - begin))) return true;
        }
        if (head.size() < before + block) return false;
        searched = std::max(searched, head.size() - mark.size());
    }
    return false;
}

std::vector<fs::path> filesOf(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) return {path};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator{path, unknown})
        if (holdsMark(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

bool isLog(const fs::path& path) {
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) return holdsMark(path);
    for (const fs::directory_entry& entry : fs::directory_iterator{path, unknown})
        if (entry.path().extension() == ".otf2") return false;
    return std::any_of(fs::directory_iterator{path, unknown}, {},
                       [](const fs::directory_entry& entry) { return holdsMark(entry.path()); });
}

Log readLog(const fs::path& path) {
    Reader reader;
    for (const fs::path& file : filesOf(path)) {
        std::ifstream in{file, std::ios::binary};
        if (!in) throw engine::Error{engine::text("cannot read '", file.string(), "'")};
        for (std::string line; std::getline(in, line);)
            if (line.size() <= longestLine) reader.line(line);
    }
    Log log = reader.finish();
    if (log.communicators.empty() && log.choices.empty())
        throw engine::Error{
            engine::text(path.string(),
                         ": no rings, trees or collectives of NCCL in it; record it with NCCL_DEBUG=INFO, and without "
                         "NCCL_DEBUG_SUBSYS or with INIT,GRAPH,TUNING,COLL")};
    return log;
}

}  // namespace traces::nccl
