// SPDX-License-Identifier: BSD-3-Clause
// Long work beside the window: one at a time; a new one cancels the old, whose result is then never told.
#pragma once

#include "engine/run/executor.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace app::gui {

class Worker final : public QObject {
    Q_OBJECT

public:
    /// Told a sentence when the work failed, in the window's thread.
    using Refused = std::function<void(const QString&)>;

    explicit Worker(QObject* parent = nullptr) : QObject{parent} {}
    /// Cancels everything and waits for it.
    ~Worker() override;

    /// Calls `work(progress)` in a thread of its own, which throws Error for a mistake of the user, and then, in the
    /// window's thread, `then` with its result, if it has any.
    template <class Work, class Then>
    void start(Work work, Then then, Refused refused) {
        using Result = std::invoke_result_t<Work&, const engine::Progress&>;
        run(
            [work = std::move(work), then = std::move(then)](const engine::Progress& progress) mutable -> Tell {
                if constexpr (std::is_void_v<Result>) {
                    work(progress);
                    return then;
                } else {
                    return [then, result = std::make_shared<Result>(work(progress))] { then(std::move(*result)); };
                }
            },
            std::move(refused));
    }
    void cancel();
    [[nodiscard]] bool busy() const { return current_ != 0; }

Q_SIGNALS:
    void busyChanged(bool busy);
    /// Share 0..1 of the present work.
    void progressed(double share);

private:
    /// What is left to do in the window's thread.
    using Tell = std::function<void()>;

    void run(std::function<Tell(const engine::Progress&)> work, Refused refused);
    void finish(std::uint64_t ticket, const Tell& tell);

    std::uint64_t lastTicket_ = 0;
    std::uint64_t current_ = 0;  // 0 = idle
    std::map<std::uint64_t, std::jthread> threads_;
};

}  // namespace app::gui
