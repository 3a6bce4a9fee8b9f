// How far long work has come, seen from outside, and a place to stop it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace treescore {

struct Progress {
  std::atomic<uint64_t> position{0}, total{0};
  std::function<void()> poll;  // called now and then by the thread that started the work; may throw to end it

  static constexpr std::chrono::milliseconds kPollEvery{50};

  void at(uint64_t now) {
    position.store(now, std::memory_order_relaxed);
    if (++calls_ % 16 != 0 || !poll) return;  // to ask for the time costs as much as a small piece of work
    const auto time = std::chrono::steady_clock::now();
    if (time - polled_ < kPollEvery) return;
    polled_ = time;
    poll();
  }

 private:
  uint32_t calls_ = 0;
  std::chrono::steady_clock::time_point polled_{};
};

}  // namespace treescore
