// One limit of memory for all threads of the process.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace treescore {

class MemoryClaim;

// The memory of work that may need much more than its input, such as a table for all pairs of nodes of two trees. Work
// that fits alone is never refused: it waits until other threads have released enough. Results therefore depend neither
// on the number of threads nor on the order of the work.
class MemoryBudget {
 public:
  static MemoryBudget& of_process();
  size_t limit() const { return limit_.load(std::memory_order_relaxed); }
  void set_limit(size_t bytes);
  size_t most_used() const { return most_used_; }  // since the limit was set, for tests

  // Bytes that each claim may have uncounted, so that small work takes no lock.
  size_t uncounted() const { return std::min(kMostUncounted, limit() / 64); }

 private:
  friend class MemoryClaim;
  static constexpr size_t kMostUncounted = size_t{8} << 20;
  static constexpr size_t kFirstLimit = size_t{2} << 30;

  std::atomic<size_t> limit_{kFirstLimit};
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t used_ = 0, most_used_ = 0;
  const MemoryClaim* alone_ = nullptr;        // a claim that may take the whole budget, so that others must wait
  std::deque<const MemoryClaim*> waiting_{};  // served in this order
};

// The memory of one piece of work.
class MemoryClaim {
 public:
  using Poll = std::function<void()>;

  // More than the whole budget.
  struct NeverFits : std::length_error {
    NeverFits()
        : std::length_error("this needs more memory than allowed; a larger --memory or TREESCORE_MEMORY allows more") {}
  };
  // Others hold memory that this work needs as well. It must free its own, and start again after wait_until_alone():
  // if it waited with memory in its hands, all threads might wait for each other.
  struct Contested {};

  explicit MemoryClaim(Poll poll = {}) : poll_(std::move(poll)) {}
  ~MemoryClaim() { release(); }
  MemoryClaim(const MemoryClaim&) = delete;
  MemoryClaim& operator=(const MemoryClaim&) = delete;

  // To be called before this many bytes in total are in use. Waits if nothing is held. `poll` is called while waiting
  // and may throw.
  void grow_to(size_t bytes) {
    if (bytes > granted_) ask(bytes);
  }
  void wait_until_alone();
  void release();
  bool is_counted() const { return held_ > 0; }

 private:
  void ask(size_t bytes);
  template <class IsMyTurn>
  void wait(std::unique_lock<std::mutex>& lock, const IsMyTurn& is_my_turn);
  void take(size_t bytes);

  MemoryBudget& budget_ = MemoryBudget::of_process();
  const Poll poll_;
  size_t granted_ = 0;  // with uncounted bytes
  size_t held_ = 0;
};

// Calls `work`, which may throw Contested; if so, frees its memory and calls it again while no other work has memory.
template <class Work, class Free>
auto within_budget(MemoryClaim& claim, const Work& work, const Free& free_memory) {
  try {
    return work();
  } catch (const MemoryClaim::Contested&) {
    free_memory();
  }
  claim.wait_until_alone();
  return work();
}

}  // namespace treescore
