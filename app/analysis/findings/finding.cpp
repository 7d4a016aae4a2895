// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/findings/finding.hpp"

namespace app::analysis {

std::string_view nameOf(FindingKind kind) {
    switch (kind) {
        case FindingKind::unfinished: return "unfinished program";
        case FindingKind::mismatch: return "mismatched arguments";
        case FindingKind::callErrors: return "MPI errors";
        case FindingKind::unreceived: return "unreceived messages";
        case FindingKind::sharedProcessors: return "shared processors";
        case FindingKind::polling: return "polling";
        case FindingKind::clocks: return "clocks";
        case FindingKind::part: return "part of the trace";
        case FindingKind::efficiency: return "efficiency";
        case FindingKind::waitStates: return "wait states";
        case FindingKind::rootCause: return "root cause";
        case FindingKind::instances: return "instances";
        case FindingKind::nothingRecorded: return "nothing recorded";
        case FindingKind::model: return "model";
        case FindingKind::limitations: return "limitations";
        case FindingKind::trainingSteps: return "steps";
        case FindingKind::stragglers: return "stragglers";
        case FindingKind::collectiveCost: return "collective cost";
        case FindingKind::longSteps: return "long steps";
    }
    return {};
}

std::string_view nameOf(Severity severity) {
    switch (severity) {
        case Severity::fault: return "fault";
        case Severity::caution: return "caution";
        case Severity::result: return "result";
        case Severity::note: return "note";
    }
    return {};
}

std::vector<std::string> inWords(std::span<const Finding> findings) {
    std::vector<std::string> words;
    words.reserve(findings.size());
    for (const Finding& finding : findings) words.push_back(finding.words);
    return words;
}

}  // namespace app::analysis
