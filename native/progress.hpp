// How far long work has come, seen from outside, and a place to stop it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace treescore {

struct Progress {
  std::atomic<uint64_t> position{0}, total{0};
  std::function<void()> poll;  // called now and then by the thread that started the work; may throw to end it

  void at(uint64_t now) {
    position.store(now, std::memory_order_relaxed);
    if (++calls_ % 4096 == 0 && poll) poll();
  }

 private:
  uint32_t calls_ = 0;
};

}  // namespace treescore
