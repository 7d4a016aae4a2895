// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/editor/quick_verification.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/session/proofs/proofs.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/sent_too_early.hpp"

#include <QCoreApplication>

#include <chrono>
#include <vector>

namespace app::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto provingTime = 200ms;  // for many sizes of the problem

QString translatedProof(const char* words) { return QCoreApplication::translate("Proofs", words); }

/// The problems that an algorithm is proved for, small ones first.
std::vector<Conjecture> smallProblems(const engine::Algorithm& algorithm) {
    std::vector<Conjecture> all;
    const auto add = [&](const ProblemWish& problem) { all.push_back({.algorithm = &algorithm, .problem = problem}); };
    if (const engine::Problem* own = engine::schedules::problemOf(algorithm)) {
        ProblemWish problem;
        if (own->layout.isRegular() && own->layout.count() > 0) problem.size = own->layout.largest();
        add(problem);
    } else if (engine::isIntergroup(algorithm.collective)) {
        for (std::int32_t ranks = 2; ranks <= 10; ++ranks)
            for (std::int32_t p = 1; p < ranks; ++p) add({.groupA = p, .groupB = ranks - p, .size = 64});
    } else {
        for (std::int32_t n = 1; n <= 16; ++n) add({.ranks = n, .size = 64});
    }
    return all;
}

QString shapeOf(const ProblemWish& problem) {
    return problem.groupB ? QStringLiteral("p = %1, q = %2").arg(*problem.groupA).arg(*problem.groupB)
                          : QStringLiteral("n = %1").arg(*problem.ranks);
}

QString shapeOf(const engine::Problem& problem) {
    return engine::isIntergroup(problem.collective)
               ? shapeOf(ProblemWish{.groupA = problem.groupA, .groupB = problem.groupB})
               : shapeOf(ProblemWish{.ranks = problem.groupA});
}

}  // namespace

Proved proveSmall(const engine::Algorithm& algorithm, const engine::Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    Proved found;
    std::int64_t proved = 0;
    QString first;
    QString last;
    std::string refusal;
    for (const Conjecture& each : smallProblems(algorithm)) {
        const auto wrong = [&](const Conjecture&, const engine::Plan& plan, const engine::Verdict& verdict) {
            const auto early = engine::tooEarly(*plan.schedule, plan.problem, verdict, progress);
            found = {QStringLiteral("%1: %2").arg(shapeOf(plan.problem),
                                                  toQt(early ? inWords(*early) : verdict.counterExample)),
                     false};
        };
        const Proofs proofs = [&] {
            try {
                return prove({each}, wrong, {.stop = progress.stop});
            } catch (const engine::Faulty& fault) {
                throw engine::Error{engine::text(fault.words(), ", for ", shapeOf(each.problem).toStdString())};
            }
        }();
        if (!found.right) return found;
        if (proofs.refused > 0) {
            refusal = proofs.refusal;
        } else {
            const QString shape = shapeOf(makePlan(algorithm, each.problem, {}, {}).problem);
            if (proved++ == 0) first = shape;
            last = shape;
        }
        if (std::chrono::steady_clock::now() - begin > provingTime) break;
    }
    if (proved == 0) return {toQt(refusal), false};
    found.sentence = proved == 1 ? translatedProof("Proved for %1").arg(last)
                                 : translatedProof("Proved for %1 problems, %2 to %3").arg(proved).arg(first, last);
    return found;
}

}  // namespace app::gui
