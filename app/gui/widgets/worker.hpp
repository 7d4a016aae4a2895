// SPDX-License-Identifier: BSD-3-Clause
// Long work beside the window: one at a time; a new one cancels the old, whose result is then never told.
#pragma once

#include "engine/run/executor.hpp"

#include <QObject>
#include <QString>

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <thread>

namespace app::gui {

class Worker final : public QObject {
    Q_OBJECT

public:
    /// What is to be done, in a thread of its own. Throws Error for a mistake of the user.
    using Work = std::function<std::any(const engine::Progress&)>;
    /// What is to be done with the result, in the window's thread.
    using Then = std::function<void(std::any)>;
    /// Told a sentence when the work failed, in the window's thread.
    using Refused = std::function<void(const QString&)>;

    explicit Worker(QObject* parent = nullptr) : QObject{parent} {}
    /// Cancels everything and waits for it.
    ~Worker() override;

    void start(Work work, Then then, Refused refused);
    void cancel();
    [[nodiscard]] bool busy() const { return current_ != 0; }

Q_SIGNALS:
    void busyChanged(bool busy);
    /// Share 0..1 of the present work.
    void progressed(double share);

private:
    void finish(std::uint64_t ticket, const std::function<void()>& tell);

    std::uint64_t lastTicket_ = 0;
    std::uint64_t current_ = 0;  // 0 = idle
    std::map<std::uint64_t, std::jthread> threads_;
};

}  // namespace app::gui
