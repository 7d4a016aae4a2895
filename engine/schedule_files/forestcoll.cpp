// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/forestcoll.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/flow_schedule.hpp"
#include "engine/schedule_files/xml_element.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

namespace engine::schedules::forestcoll {
namespace {

constexpr std::int64_t mostChunks = 1 << 20;
constexpr std::size_t mostNodes = 1 << 12;
constexpr std::int64_t mostFlows = 1 << 24;

/// Numbers within names come in the order of their values.
struct ByNumbers {
    bool operator()(const std::string& a, const std::string& b) const {
        const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < a.size() && j < b.size()) {
            if (digit(a[i]) && digit(b[j])) {
                const auto number = [&](const std::string& words, std::size_t& at) {
                    while (at + 1 < words.size() && words[at] == '0' && digit(words[at + 1])) ++at;
                    const std::size_t begin = at;
                    while (at < words.size() && digit(words[at])) ++at;
                    return words.substr(begin, at - begin);
                };
                const std::string x = number(a, i);
                const std::string y = number(b, j);
                if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
            } else {
                if (a[i] != b[j]) return a[i] < b[j];
                ++i, ++j;
            }
        }
        if ((i < a.size()) != (j < b.size())) return j < b.size();
        return a < b;  // such as 1 and 01
    }
};

struct Send {
    std::string from;
    std::string to;
};

struct Tree {
    std::string root;
    std::int64_t chunks = 0;
    std::vector<Send> sends{};
};

class Reader {
public:
    Reader(std::string_view content, std::string_view file) : file_{file}, xml_{parsedXml(content, file)} {}

    Stored read() {
        const auto algo = xml_.find("Algo");
        if (algo == xml_.not_found()) throw Error{text(file_, ": no <Algo>, with which files of ForestColl begin")};
        const XmlElement element{algo->second, "Algo", file_};
        const std::int64_t chunks = element.number("nchunkspernode", 1, mostChunks);
        element.children("tree", [&](const XmlTree& one) { tree(one); });
        if (trees_.empty()) element.refuse("holds no <tree>");
        if (ranks_.size() > mostNodes)
            element.refuse("has ", ranks_.size(), " nodes; at most ", mostNodes, " are read");
        std::int32_t next = 0;
        for (auto& [name, rank] : ranks_) rank = next++;
        return forest(chunks);
    }

private:
    void tree(const XmlTree& one) {
        const XmlElement element{one, "tree", text(file_, ": tree ", trees_.size())};
        Tree tree{.root = element.words("root"), .chunks = element.number("nchunks", 1, mostChunks)};
        ranks_.emplace(tree.root, 0);
        element.children("send", [&](const XmlTree& child) {
            const XmlElement send{child, "send", text(file_, ": tree ", trees_.size(), ", send ", tree.sends.size())};
            tree.sends.push_back({send.words("src"), send.words("dst")});
            if (tree.sends.back().from == tree.sends.back().to) send.refuse("its src and dst are one node");
            ranks_.emplace(tree.sends.back().from, 0);
            ranks_.emplace(tree.sends.back().to, 0);
        });
        trees_.push_back(std::move(tree));
    }

    Stored forest(std::int64_t chunks) {
        std::vector<Flow> flows;
        std::map<std::string, std::int64_t> used;  // chunks of each root that its trees carry
        for (std::size_t t = 0; t < trees_.size(); ++t) {
            const Tree& tree = trees_[t];
            std::int64_t& first = used[tree.root];
            if (first + tree.chunks > chunks)
                throw Error{text(file_, ": tree ", t, ": the trees of ", tree.root, " carry more than its ", chunks,
                                 chunks == 1 ? " chunk" : " chunks")};
            if (tree.chunks * std::ssize(tree.sends) > mostFlows - std::ssize(flows))
                throw Error{text(file_, ": tree ", t, ": the trees send more than ", mostFlows,
                                 " chunks, which is the most that is read")};
            const std::map<std::string, std::int64_t> depths = depthsOf(tree);
            for (const Send& send : tree.sends) {
                const auto depth = depths.find(send.from);
                for (std::int64_t chunk = 0; chunk < tree.chunks; ++chunk)
                    flows.push_back({depth == depths.end() ? 0 : depth->second, ranks_.at(send.from),
                                     ranks_.at(send.to), ranks_.at(tree.root) * chunks + first + chunk});
            }
            first += tree.chunks;
        }
        const auto n = static_cast<std::int32_t>(ranks_.size());
        Problem problem{.collective = Collective::allgatherv, .groupA = n};
        problem.layout = Layout::regular(n, chunks * flowBytes);
        return schedules::storedFrom(std::move(flows), problem, chunks, file_);
    }

    /// Sends from the root to each node that it reaches.
    static std::map<std::string, std::int64_t> depthsOf(const Tree& tree) {
        std::multimap<std::string_view, std::string_view> next;
        for (const Send& send : tree.sends) next.emplace(send.from, send.to);
        std::map<std::string, std::int64_t> depths{{tree.root, 0}};
        std::vector<std::string> reached{tree.root};
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const std::string from = reached[i];
            const auto [begin, end] = next.equal_range(from);
            for (auto to = begin; to != end; ++to)
                if (depths.emplace(to->second, depths.at(from) + 1).second) reached.emplace_back(to->second);
        }
        return depths;
    }

    std::string file_;
    XmlTree xml_;
    std::vector<Tree> trees_;
    std::map<std::string, std::int32_t, ByNumbers> ranks_;
};

}  // namespace

bool isForest(std::string_view content) { return content.find("<Algo") != std::string_view::npos; }

Stored storedFrom(std::string_view content, std::string_view file) { return Reader{content, file}.read(); }

}  // namespace engine::schedules::forestcoll
