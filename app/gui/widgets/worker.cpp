// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/worker.hpp"

#include "engine/base/stopping.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <QMetaObject>

#include <atomic>

namespace app::gui {

Worker::~Worker() {
    current_ = 0;
    for (auto& [ticket, thread] : threads_) thread.request_stop();
    threads_.clear();
}

void Worker::cancel() {
    if (current_ == 0) return;
    threads_[current_].request_stop();
    current_ = 0;
    Q_EMIT busyChanged(false);
}

void Worker::run(std::function<Tell(const engine::Progress&)> work, Refused refused) {
    if (current_ != 0) threads_[current_].request_stop();
    const std::uint64_t ticket = ++lastTicket_;
    current_ = ticket;
    Q_EMIT busyChanged(true);
    const auto run = [this, ticket, work = std::move(work), refused = std::move(refused)](const std::stop_token& stop) {
        // A report per percent is enough: more would only fill the event queue.
        const auto percent = std::make_shared<std::atomic<int>>(-1);
        const auto report = [this, ticket, percent](double share) {
            const int now = static_cast<int>(share * 100);
            if (percent->exchange(now) == now) return;
            QMetaObject::invokeMethod(
                this,
                [this, ticket, share] {
                    if (ticket == current_) Q_EMIT progressed(share);
                },
                Qt::QueuedConnection);
        };
        Tell tell = [] {};
        const engine::schedules::Keeping keeping;
        const engine::Stopping stopping{stop};
        try {
            tell = work({.report = report, .stop = stop});
        } catch (const engine::Cancelled&) {
        } catch (const std::bad_alloc&) {
            tell = [refused] { refused(tr("There is not enough memory for this.")); };
        } catch (const std::exception& error) {
            tell = [refused, words = QString::fromStdString(engine::wordsOf(error))] { refused(words); };
        }
        QMetaObject::invokeMethod(
            this, [this, ticket, tell] { finish(ticket, tell); }, Qt::QueuedConnection);
    };
    threads_.emplace(ticket, std::jthread{run});
}

void Worker::finish(std::uint64_t ticket, const Tell& tell) {
    threads_.erase(ticket);
    if (ticket != current_) return;
    current_ = 0;
    Q_EMIT busyChanged(false);
    tell();
}

}  // namespace app::gui
