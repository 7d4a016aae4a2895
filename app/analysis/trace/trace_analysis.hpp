// SPDX-License-Identifier: BSD-3-Clause
// Analyses of one trace that several tables share. Each is computed once, when it is first needed.
#pragma once

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "app/analysis/bounds/cost_model_fit.hpp"
#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/efficiency/efficiency.hpp"
#include "app/analysis/replay/gain_without_delay.hpp"
#include "app/analysis/schedule/algorithm_recognition.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/analysis/wait_states/root_causes.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace app::analysis {

/// What is asked about, and under which assumptions.
struct AnalysisOptions {
    Part part{};
    std::vector<std::string> communicators{};    ///< names, or numbers of entries; empty: all
    std::string topology{};                      ///< as --topology takes it; empty: as recorded, else none
    std::string placement{};                     ///< as --placement takes it
    std::optional<engine::Picoseconds> alpha{};  ///< given instead of fitted
    std::optional<engine::Rate> beta{};
    std::int64_t windows = 20;  ///< of time, for link loads

    /// Not about a part of the trace.
    [[nodiscard]] bool asksForAll() const { return part.whole() && communicators.empty(); }
    /// " in this part", behind what a sentence says of it; empty where all is asked about.
    [[nodiscard]] std::string inThisPart() const { return asksForAll() ? "" : " in this part"; }

    friend bool operator==(const AnalysisOptions&, const AnalysisOptions&) = default;
};

/// One instance and what was found out about it.
struct Identified {
    std::optional<engine::Problem> problem;
    std::string whyNoProblem;
    std::vector<Recognition> found;    ///< likeliest first; not looked for where the algorithm was recorded
    std::optional<engine::Plan> plan;  ///< the one recorded, else the likeliest if it is like enough
    bool planRecorded = false;
    std::optional<SequenceOfTwo> sequence;  ///< of a native one that is no algorithm: what has exactly its messages
    bool lookedAt = true;                   ///< false: too many different instances

    /// The plan, or the one that the messages are closest to; null where they are like none.
    [[nodiscard]] const engine::Plan* likeliest() const {
        return plan ? &*plan : found.empty() ? nullptr : &found.front().plan;
    }
    [[nodiscard]] double confidence() const { return planRecorded ? 1 : found.empty() ? 0 : found.front().confidence; }
};
using IdentifiedPtr = std::shared_ptr<const Identified>;

class TraceAnalysis {
public:
    /// `trace` must outlive it. Throws Error where `wish` names what the trace does not have.
    TraceAnalysis(const Trace& trace, AnalysisOptions wish, engine::Progress progress = {});
    TraceAnalysis(const Trace&&, AnalysisOptions, engine::Progress = {}) = delete;

    [[nodiscard]] const Trace& trace() const { return trace_; }
    /// As given, but for the end of its part where that is cut.
    [[nodiscard]] const AnalysisOptions& wish() const { return wish_; }
    [[nodiscard]] const engine::Progress& progress() const { return progress_; }
    /// Receives the progress of what is computed from now on, and can stop it.
    void tell(engine::Progress progress) { progress_ = std::move(progress); }

    /// All messages of the selection, over the ranks of the world.
    const engine::Run& run();
    /// Whether answers are about less than was asked for: until the end of the wish's part, since --memory has no room
    /// for what begins after it.
    [[nodiscard]] bool isCut() const { return isCut_; }
    /// The time that is looked at, the same for every table.
    [[nodiscard]] traces::TimeSpan span() const;
    /// The time whose wait states are analysed (program_time.hpp).
    [[nodiscard]] traces::TimeSpan analysedSpan() const;
    /// How each rank spent it, whichever messages and ranks are asked about.
    std::vector<engine::RankTimes> rankTimes();
    std::vector<RankTimeBreakdown> rankTimeBreakdowns();
    const std::vector<Instance>& instances();
    /// From now on instances are found without their messages (64 bytes each). Call before instances().
    void skipMessages() { messages_ = InstanceMessages::leftOut; }
    /// From now on waits are summed on another thread while instances are found, and are not kept.
    void sumWaitsOnly() { addsUpWaits_ = true; }
    /// kindOf() recognises no collectives that cannot be among the `kinds` kinds with the most time.
    void recogniseCostliest(std::size_t kinds) { costliest_ = kinds; }
    /// Loads the messages of the given instances again (see skipMessages).
    void loadMessages(const std::set<std::size_t>& of);
    /// What is asked about, as far as messages and collectives go.
    [[nodiscard]] Selection selection() const;
    /// Where in the program; null where no calls were recorded.
    const CallPaths* callPaths();
    /// The same, and the waits with their origins, to be kept beyond this analysis.
    std::shared_ptr<const CallPaths> keptCallPaths();
    std::shared_ptr<const TracedWaits> keptWaits();
    /// Of a trace of another tool: the calls in which its ranks waited, or would have had to.
    std::vector<BlockingCall> blockingCalls();
    /// All waits of the selection: for messages, in recorded collectives, at windows, and of threads for each other.
    const std::vector<Wait>& waits() { return keptWaits()->all; }
    WaitTotals waitTotals();
    WaitSums waitSums();        ///< the same, by rank
    WaitSums waitSumsOfTime();  ///< of all waits in the time that is looked at, whichever messages are asked about
    /// Of the selected time; empty if the trace has no MPI calls. For large traces without the time on an ideal
    /// network, which Efficiencies works out.
    const std::optional<Efficiency>& efficiency();
    /// What made ranks wait, in the program; of a trace with call paths.
    const std::vector<Cause>& causes();
    /// How much earlier the program would end without the delays of these causes (gain_without_delay.hpp), which are of
    /// different places; empty: not known (whyNoGain).
    std::optional<engine::Picoseconds> gainWithout(std::span<const Cause> causes);
    std::optional<engine::Picoseconds> gainWithout(const Cause& cause) { return gainWithout(std::span{&cause, 1}); }
    /// What ranks would wait for without that cause.
    HiddenCauses hiddenBehind(const Cause& cause);
    /// Why that is not known, a clause; empty where it is.
    std::string whyNoGain(std::span<const Cause> causes);
    IdentifiedPtr identified(std::size_t instance);
    /// What the messages of an instance look like, whatever was recorded of it; likeliest first.
    std::vector<Recognition> recognised(std::size_t instance);

    /// The line through the trace's messages.
    const std::optional<Fit>& fit();
    const std::string& whyNoFit() { return fit(), whyNoFit_; }
    /// Why alpha and beta cannot be fitted well enough for times; empty where they can.
    std::string whyNoModel();
    /// Given, else recorded, else fitted.
    std::optional<engine::Model> model();
    /// What is emulated is emulated under these: as recorded, where the trace is that of a run in virtual time, with
    /// that model.
    std::optional<emulation::Conditions> conditions();
    /// "given", "recorded" or "fitted"; empty where there is none.
    std::string modelOrigin();

    /// As networkNamed takes it; empty where no network is known.
    std::string topology();
    /// Where that comes from: "given", "recorded".
    std::string topologyOrigin();

    /// Re-emulations of an instance's problem; null without a problem or a model.
    const AlgorithmRanking* whatIf(std::size_t instance);
    /// The instance's own algorithm, re-emulated; nothing where it or the model is not known.
    std::optional<engine::Picoseconds> reemulatedTime(std::size_t instance);

    /// Instances that solve the same problem in the same way count as one kind.
    [[nodiscard]] std::size_t kindOf(std::size_t instance);

private:
    /// What another tool recorded; null where the trace is a run of ours.
    [[nodiscard]] const traces::Recording* recorded() const {
        return trace_.isCollscopeRun() ? nullptr : trace_.recording.get();
    }
    /// The time that is looked at, and everything in it.
    [[nodiscard]] Part ofTime() const { return {.from = wish_.part.from, .to = wish_.part.to}; }
    [[nodiscard]] bool asksForAllOfTime() const { return ofTime() == wish_.part && wish_.communicators.empty(); }
    /// Its messages, of a run of ours all.
    engine::RunPtr runOfTime();
    /// Which messages of it are looked at.
    const ChosenMessages& chosen();
    const engine::RunPtr& keptRun();
    /// What makes instances look alike at first sight: operation, ranks, those of group A, problem, why there is none,
    /// messages. Instances keep what it refers to.
    using Face = std::tuple<std::string_view, std::int32_t, std::int32_t, const engine::Problem*, std::string_view,
                            std::uint64_t>;
    static Face faceOf(const Instance& instance);
    /// Instances with the same problem, or none, and the same messages.
    struct Look {
        std::string key;
        const Instance* example = nullptr;
        engine::Picoseconds time{};  ///< of all of them, summed over ranks
    };
    void recogniseLooks();
    /// Leaves out collectives that cannot be among so many kinds with the most time.
    static void keepCostliest(std::vector<Look>& looks, std::size_t kinds);
    IdentifiedPtr identifiedByLook(const Instance& instance);
    /// Where there are too many that look different.
    IdentifiedPtr notLookedAt(const Instance& instance);
    Identified identify(const Instance& instance);
    /// Gives a native collective whose messages are those of a schedule its rounds.
    void takeRounds(Instance& instance, const Identified& known);
    /// Whether an instance has all ranks.
    bool spansTheWorld(std::size_t instance);

    const Trace& trace_;
    AnalysisOptions wish_;
    engine::Progress progress_;
    std::optional<ChosenMessages> chosen_;
    engine::RunPtr run_;
    InstanceMessages messages_ = InstanceMessages::kept;
    bool addsUpWaits_ = false;
    std::optional<std::size_t> costliest_;
    bool areLooksChosen_ = false;  ///< recogniseLooks()
    bool isCut_ = false;
    std::shared_future<WaitTotals> waitTotals_;  ///< while they are added up
    std::optional<std::vector<Instance>> instances_;
    std::shared_ptr<const TracedWaits> waits_;
    std::shared_ptr<const CallPaths> callPaths_;
    std::optional<std::vector<Cause>> causes_;
    std::optional<std::optional<Efficiency>> efficiency_;
    std::optional<GainWithoutDelay> gains_;
    mutable std::optional<traces::TimeSpan> analysedSpan_;
    std::vector<IdentifiedPtr> identified_;             // by instance, as far as asked for
    std::map<Face, IdentifiedPtr> byFace_;              // by what is seen of one without words
    std::map<std::string, IdentifiedPtr> byLook_;       // by what its messages look like
    Candidates candidates_;                             // of identifiedByLook
    std::map<std::string, IdentifiedPtr> notLookedAt_;  // by operation and problem
    std::optional<std::optional<Fit>> fit_;
    std::string whyNoFit_;
    std::map<std::string, AlgorithmRanking> whatIfs_;   // by problem
    std::map<std::string, engine::Picoseconds> again_;  // by problem, algorithm and options
    std::map<std::string, std::size_t> kinds_;
    /// By it, how many ranks and the operation: a fence may send what a barrier sends.
    std::map<std::tuple<const Identified*, std::int32_t, std::string>, std::size_t> kindOf_;
};

/// "allgatherv/pipelined-ring with block=4096": an algorithm and the options that differ from their fallbacks.
std::string wordsOf(const engine::Plan& plan);

}  // namespace app::analysis
