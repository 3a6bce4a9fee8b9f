// The progress of long work, which can be watched and stopped from outside.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace treescore {

struct Progress {
  std::atomic<uint64_t> position{0}, total{0};
  std::function<void()> poll;  // called from time to time by the thread that started the work; may throw to stop it

  static constexpr std::chrono::milliseconds kPollEvery{50};

  void at(uint64_t now) {
    position.store(now, std::memory_order_relaxed);
    if (++calls_ % 16 != 0 || !poll) return;  // reading the clock costs as much as a small piece of work
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
