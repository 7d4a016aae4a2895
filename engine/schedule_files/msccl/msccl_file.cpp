// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/msccl_file.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/xml_element.hpp"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <utility>

namespace engine::schedules::msccl {
namespace {

using Tree = XmlTree;
using Element = XmlElement;

constexpr std::int64_t mostGpus = 1 << 16;
constexpr std::int64_t mostChunks = 1 << 20;  // of a buffer
constexpr std::int64_t mostNumber = 1 << 30;

constexpr std::array kinds{
    std::pair{"s", Kind::send},
    std::pair{"r", Kind::receive},
    std::pair{"rcs", Kind::receiveCopySend},
    std::pair{"rrc", Kind::receiveReduceCopy},
    std::pair{"rrs", Kind::receiveReduceSend},
    std::pair{"rrcs", Kind::receiveReduceCopySend},
    std::pair{"re", Kind::reduce},
    std::pair{"cpy", Kind::copy},
    std::pair{"nop", Kind::nothing},
};

/// Attributes that are missing from elements of one kind.
struct Missing {
    std::string element{};
    std::string where{};  ///< the first such element
    std::vector<std::string> attributes{};
};

class Reader {
public:
    Reader(std::string_view content, std::string_view file) : name_{file}, tree_{parsedXml(content, file)} {}

    File read() {
        const auto algo = tree_.find("algo");
        if (algo == tree_.not_found()) throw Error{text(name_, ": no <algo>, with which files of MSCCL begin")};
        const Element element{algo->second, "algo", name_};
        head(element);
        std::size_t count = 0;
        element.children("gpu", [&](const Tree&) { ++count; });
        if (count == 0) element.refuse("has no <gpu>; each rank needs one");
        const std::int64_t said = element.numberOr(static_cast<std::int64_t>(count), "ngpus", 1, mostGpus);
        if (static_cast<std::int64_t>(count) != said)
            element.refuse("ngpus is ", said, ", but there are ", count, " elements <gpu>");
        file_.gpus.resize(count);
        seen_.assign(count, false);
        element.children("gpu", [&](const Tree& tree) { gpu(tree); });
        remarkMissing();
        return std::move(file_);
    }

private:
    void head(const Element& element) {
        file_.name = element.says("name") ? element.words("name") : "";
        file_.collective = element.says("coll") ? element.words("coll").substr(0, 60) : "custom";
        file_.loop = element.numberOr(0, "nchunksperloop", 1, mostChunks);
        file_.inPlace = element.numberOr(0, "inplace", 0, 1) == 1;
        noteMissing(element, {"nchunksperloop", "nchannels", "ngpus", "proto", "coll", "minBytes", "maxBytes",
                              "inplace", "outofplace"});
    }

    /// Records which of these attributes are missing. MSCCL executors require all of them: RCCL's parser
    /// (msccl_parser.cc) rejects a file at the first missing one.
    void noteMissing(const Element& element, std::initializer_list<const char*> attributes) {
        for (const char* attribute : attributes) {
            if (element.says(attribute)) continue;
            auto kind = std::find_if(missing_.begin(), missing_.end(),
                                     [&](const Missing& one) { return one.element == element.name(); });
            if (kind == missing_.end()) kind = missing_.insert(kind, {element.name(), element.where(), {}});
            if (std::find(kind->attributes.begin(), kind->attributes.end(), attribute) == kind->attributes.end())
                kind->attributes.emplace_back(attribute);
        }
    }

    void remarkMissing() {
        if (missing_.empty()) return;
        std::string all;
        for (const Missing& one : missing_) {
            all += text(all.empty() ? "<" : "; <", one.element, "> ");
            for (const std::string& attribute : one.attributes)
                all += (attribute == one.attributes.front() ? "" : ", ") + attribute;
            if (one.where != name_) all += text(" (first in ", one.where.substr(name_.size() + 2), ')');
        }
        file_.remarks.push_back(text("MSCCL executors cannot load this file, since attributes are missing: ", all,
                                     "; Collscope assumes the usual values"));
    }

    void gpu(const Tree& tree) {
        const Element unnamed{tree, "gpu", name_};
        const std::int64_t id = unnamed.number("id", 0, static_cast<std::int64_t>(seen_.size()) - 1);
        const Element element{tree, "gpu", text(name_, ": gpu ", id)};
        if (seen_[asSize(id)]) element.refuse("there is another one of this id");
        seen_[asSize(id)] = true;
        noteMissing(element, {"i_chunks", "o_chunks", "s_chunks"});
        Gpu& gpu = file_.gpus[asSize(id)];
        std::array<bool, buffers> known{};
        for (std::size_t b = 0; b < buffers; ++b) {
            const std::string attribute = text(bufferLetters[b], "_chunks");
            known[b] = element.says(attribute.c_str());
            if (known[b]) gpu.chunks[b] = element.number(attribute.c_str(), 0, mostChunks);
        }
        element.children("tb", [&](const Tree& block) { threadBlock(block, id, gpu); });
        for (ThreadBlock& block : gpu.blocks)
            for (std::size_t s = 0; s < block.steps.size(); ++s) settle(block.steps[s], gpu, known, id, block.id, s);
    }

    void threadBlock(const Tree& tree, std::int64_t gpu, Gpu& target) {
        const Element unnamed{tree, "tb", text(name_, ": gpu ", gpu)};
        const std::int64_t last = static_cast<std::int64_t>(seen_.size()) - 1;
        ThreadBlock block{.id = unnamed.small("id", 0, mostNumber)};
        const Element element{tree, "tb", text(name_, ": gpu ", gpu, ", thread block ", block.id)};
        noteMissing(element, {"send", "recv", "chan"});
        block.sendsTo = static_cast<std::int32_t>(element.numberOr(-1, "send", -1, last));
        block.receivesFrom = static_cast<std::int32_t>(element.numberOr(-1, "recv", -1, last));
        block.channel = static_cast<std::int32_t>(element.numberOr(0, "chan", 0, mostNumber));
        if (block.sendsTo == gpu || block.receivesFrom == gpu) element.refuse("it talks to its own gpu");
        for (const ThreadBlock& other : target.blocks)
            if (other.id == block.id) element.refuse("there is another one of this id");
        element.children("step", [&](const Tree& one) {
            block.steps.push_back(
                step({one, "step", text(name_, ": ", stepName(asSize(gpu), block.id, block.steps.size()))}, block));
        });
        target.blocks.push_back(std::move(block));
    }

    Step step(const Element& element, const ThreadBlock& block) {
        noteMissing(element, {"s", "srcbuf", "srcoff", "dstbuf", "dstoff", "cnt", "depid", "deps", "hasdep"});
        const auto number = static_cast<std::int64_t>(block.steps.size());
        if (element.numberOr(number, "s", 0, mostNumber) != number)
            element.refuse("its s is ", quoted(element.words("s")), ", but steps are numbered one by one from 0");
        const std::string type = element.words("type");
        const auto known =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return type == kind.first; });
        if (known == kinds.end())
            element.refuse("type ", quoted(type),
                           " means nothing; steps are s, r, rcs, rrc, rrs, rrcs, re, cpy and nop");
        Step step{.kind = known->second};
        if (step.kind != Kind::nothing) {
            step.count = element.numberOr(1, "cnt", 1, mostChunks);
            // The place at the other end stands there too, for people.
            if (!receives(step.kind)) step.source = place(element, "srcbuf", "srcoff");
            if (step.kind != Kind::send) step.target = place(element, "dstbuf", "dstoff");
            // msccl-tools names the other end's place as the source of what is received; MSCCL takes it for its own.
            if (receives(step.kind) && reduces(step.kind) && element.says("srcbuf") && element.says("srcoff"))
                step.source = place(element, "srcbuf", "srcoff");
            else if (receives(step.kind)) step.source = step.target;
        }
        // The thread block's id, until all of them are known.
        step.waitsFor = static_cast<std::int32_t>(element.numberOr(-1, "depid", -1, mostNumber));
        step.itsStep = element.numberOr(-1, "deps", -1, mostNumber);
        step.tells = element.numberOr(1, "hasdep", 0, 1) == 1;
        if (receives(step.kind) && block.receivesFrom < 0)
            element.refuse("it receives, but its thread block has recv=\"-1\"");
        if (sends(step.kind) && block.sendsTo < 0) element.refuse("it sends, but its thread block has send=\"-1\"");
        return step;
    }

    static Place place(const Element& element, const char* buffer, const char* offset) {
        const std::string words = element.words(buffer);
        const auto found = words.size() == 1 ? bufferLetters.find(words.front()) : std::string_view::npos;
        if (found == std::string_view::npos) element.refuse(buffer, " is ", quoted(words), ", but must be i, o or s");
        return {static_cast<Buffer>(found), element.number(offset, 0, mostChunks)};
    }

    /// What needs the whole GPU to be known: its buffers, and whom the step waits for.
    void settle(Step& step, Gpu& gpu, const std::array<bool, buffers>& known, std::int64_t id, std::int32_t block,
                std::size_t number) const {
        const auto refuse = [&](const auto&... words) {
            throw Error{text(name_, ": ", stepName(asSize(id), block, number), ": ", words...)};
        };
        const auto within = [&](const Place& place) {
            const auto b = static_cast<std::size_t>(place.buffer);
            if (!known[b]) gpu.chunks[b] = std::max(gpu.chunks[b], place.first + step.count);
            if (place.first + step.count > gpu.chunks[b])
                refuse("it uses chunks ", place.first, " to ", place.first + step.count - 1, " of buffer ",
                       bufferLetters[b], ", which has ", gpu.chunks[b]);
        };
        if (step.kind != Kind::nothing) {
            if (!receives(step.kind)) within(step.source);
            if (step.kind != Kind::send) within(step.target);
        }
        if (step.waitsFor < 0) return;
        const auto other = std::find_if(gpu.blocks.begin(), gpu.blocks.end(),
                                        [&](const ThreadBlock& one) { return one.id == step.waitsFor; });
        if (other == gpu.blocks.end())
            return refuse("it waits for thread block ", step.waitsFor, ", which gpu ", id, " does not have");
        if (step.itsStep < 0 || step.itsStep >= static_cast<std::int64_t>(other->steps.size()))
            refuse("it waits for step ", step.itsStep, " of thread block ", other->id, ", which has ",
                   other->steps.size(), " steps");
        step.waitsFor = static_cast<std::int32_t>(other - gpu.blocks.begin());
    }

    std::string name_;
    Tree tree_;
    File file_;
    std::vector<bool> seen_;
    std::vector<Missing> missing_;
};

}  // namespace

File fileFrom(std::string_view content, std::string_view file) { return Reader{content, file}.read(); }

std::string stepName(std::size_t gpu, std::int32_t block, std::size_t step) {
    return text("gpu ", gpu, ", thread block ", block, ", step ", step);
}

}  // namespace engine::schedules::msccl
