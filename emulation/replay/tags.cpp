// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/tags.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

namespace emulation {

TaggedCollectives::TaggedCollectives(const Program& program, const Tagging& tagging) : places_{program.ranks.size()} {
    auto tag = static_cast<std::int64_t>(program.messages.size());
    for (const CollectiveDone& collective : program.collectives) {
        const engine::Facts& facts = scheduleOf(collective).facts();
        first_.push_back({tag, tagging.perRound(facts)});
        tag += facts.rounds * first_.back().perRound;
    }
    if (tag > tagging.most)
        throw engine::Error{engine::text(tagging.format, " has ", tagging.most, " tags, but the program needs ", tag)};
}

const engine::Schedule& TaggedCollectives::scheduleOf(const CollectiveDone& collective) {
    if (collective.schedule != nullptr) return *collective.schedule;
    const std::size_t members = collective.members->size();
    engine::SchedulePtr& meeting = meetings_[members];
    if (meeting == nullptr) {
        const engine::Problem all{.collective = engine::Collective::barrier,
                                  .groupA = static_cast<std::int32_t>(members)};
        meeting = engine::makePlan(engine::algorithmNamed("barrier/dissemination"), all, {}).schedule;
    }
    return *meeting;
}

}  // namespace emulation
