// SPDX-License-Identifier: BSD-3-Clause
// Something that is found out once, when it is first asked for: at once where that is quick, else while people already
// look at other pictures.
#pragma once

#include "app/gui/scenes/drawing/background_priority.hpp"
#include "engine/run/executor.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>

namespace app::gui {

template <class T>
class Later {
public:
    /// `find` is called by another thread, unless it is quick. It throws Cancelled when it is cancelled.
    Later(bool quick, std::function<T(const engine::Progress&)> find) : quick_{quick}, find_{std::move(find)} {}
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
    /// Nobody asks any more: stops and waits for that.
    ~Later() { stop_.request_stop(); }

    /// Whether it is there; begins where nobody has asked before.
    [[nodiscard]] bool done() const {
        begin();
        return found_.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    }
    /// Waits until it is there.
    [[nodiscard]] const T& get() const {
        begin();
        return found_.get();
    }

private:
    void begin() const {
        std::call_once(once_, [this] {
            found_ = std::async(quick_ ? std::launch::deferred : std::launch::async, [quick = quick_, find = find_,
                                                                                      stop = stop_.get_token()] {
                         if (!quick) giveWay();
                         return find({.report = {}, .stop = stop});
                     }).share();
            if (quick_) found_.wait();
        });
    }

    bool quick_;
    std::function<T(const engine::Progress&)> find_;
    std::stop_source stop_;
    mutable std::once_flag once_;
    mutable std::shared_future<T> found_;  // the last member: its end waits for the thread
};

}  // namespace app::gui
