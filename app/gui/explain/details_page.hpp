// SPDX-License-Identifier: BSD-3-Clause
// A page of Details: a heading, rows with what they answer at their left, and links to what they name.
#pragma once

#include "app/analysis/messages/message_start.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

namespace app::gui {

/// Beyond, walks along causes take longer than anybody waits for a click.
inline constexpr std::size_t mostWalked = 500'000;

/// Words of Details, for translators.
QString detail(const char* words);
/// Words of the command line in rich text.
QString inHtml(const std::string& words);

class DetailsPage {
public:
    /// `words` and all rows are rich text.
    DetailsPage(QString words, bool dark);

    /// Empty answers are left out.
    DetailsPage& row(const QString& question, const QString& answer);
    /// Several lines as one answer.
    DetailsPage& row(const QString& question, const QStringList& lines);
    [[nodiscard]] QString html() const;
    [[nodiscard]] const QString& heading() const { return heading_; }
    /// Questions and answers.
    [[nodiscard]] const std::vector<std::pair<QString, QString>>& rows() const { return rows_; }

private:
    QString heading_;
    std::vector<std::pair<QString, QString>> rows_;
    QString muted_;
};

// What is named, as a link to it.
QString linkTo(engine::Rank rank);
/// What a message carries; its size where the content is not known.
QString cargoLink(const DrawableRun& subject, std::size_t message);
/// "block 3 to rank 4 (round 2)", "block 3 from rank 1 (round 2)": as `seen` from one of its ends.
QString linkTo(const DrawableRun& subject, std::uint32_t message, engine::Rank seen);
/// "block 3 from rank 1 to rank 4 (round 2)".
QString linkTo(const DrawableRun& subject, std::uint32_t message);
QString linkToRound(engine::Round round);
/// " (round 2)", behind a message of it; empty where rounds were not recorded.
QString inRound(const DrawableRun& subject, engine::Round round);
QString linkToBlock(const DrawableRun& subject, std::int32_t block);
/// "54.4 us from 0 ps on".
QString linkTo(const analysis::IdleInterval& still);
QString linkToCause(int cause, const QString& words);

/// The first of `all` as lines, and how many more there are.
QStringList fewOf(const QStringList& all, qsizetype most);

// The pages. Those of messages, ranks and stretches of time:
DetailsPage pageOfMessage(const DrawableRun& subject, std::uint32_t message, bool dark);
DetailsPage pageOfRank(const DrawableRun& subject, engine::Rank rank, bool dark);
/// Of the stretch of `rank` that `moment` lies in; of the rank where it moves something then.
DetailsPage pageOfStill(const DrawableRun& subject, engine::Rank rank, engine::Picoseconds moment, bool dark);
/// `round`: whose messages are listed.
DetailsPage pageOfLink(const DrawableRun& subject, engine::LinkId link, engine::Round round, bool dark);
// of bounds:
/// `row`: of the bounds, in the order of their picture.
DetailsPage pageOfBound(const DrawableRun& subject, std::int64_t row, bool dark);
/// `cause`: of analysis::gapCauses, -1: the bound.
DetailsPage pageOfCause(const DrawableRun& subject, std::int64_t cause, bool dark);
// of notes:
DetailsPage pageOfNote(const DrawableRun& subject, const ViewState& state, std::size_t mark);
// of a traced program:
/// `asked`: a call, a wait, computation, a collective, an iteration or a call path.
DetailsPage pageOfProgram(const DrawableRun& subject, const Meaning& asked, bool dark);
/// Adds the calls of a message's two ends, what preceded them, and who waited for it.
void addCallsOf(DetailsPage& page, const analysis::TracedProgram& program, const engine::MessageRecord& message);
// and of blocks:
DetailsPage pageOfBlock(const DrawableRun& subject, std::int32_t block, bool dark);

/// "1 us + 0.4 ns/B x 64 KiB = 27.21 us": what a message of so many bytes costs alone; empty where alpha and beta do
/// not say.
QString costOf(const Report& report, engine::Bytes bytes);

}  // namespace app::gui
