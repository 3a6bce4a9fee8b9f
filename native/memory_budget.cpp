#include "memory_budget.hpp"

#include <algorithm>

#include "progress.hpp"

namespace treescore {

MemoryBudget& MemoryBudget::of_process() {
  static MemoryBudget budget;
  return budget;
}

void MemoryBudget::set_limit(size_t bytes) {
  const std::scoped_lock lock(mutex_);
  limit_ = bytes;
  most_used_ = used_;
  changed_.notify_all();
}

void MemoryClaim::take(size_t bytes) {
  budget_.used_ += bytes - held_;
  budget_.most_used_ = std::max(budget_.most_used_, budget_.used_);
  held_ = granted_ = bytes;
}

void MemoryClaim::ask(size_t bytes) {
  if (bytes > budget_.limit()) throw NeverFits();
  if (bytes <= budget_.uncounted()) {
    granted_ = budget_.uncounted();
    return;
  }
  std::unique_lock lock(budget_.mutex_);
  const auto fits = [&] { return budget_.used_ - held_ + bytes <= budget_.limit(); };
  if (held_ == 0 && budget_.alone_ != this)
    wait(lock, [&] { return budget_.alone_ == nullptr && (fits() || budget_.used_ == 0); });
  else if (!fits() && budget_.alone_ != this)
    throw Contested();
  take(bytes);
}

void MemoryClaim::wait_until_alone() {
  release();
  std::unique_lock lock(budget_.mutex_);
  wait(lock, [&] { return budget_.alone_ == nullptr && budget_.used_ == 0; });
  budget_.alone_ = this;
}

// Claims are served in the order in which they came, so that large ones are not passed by small ones for ever.
template <class IsMyTurn>
void MemoryClaim::wait(std::unique_lock<std::mutex>& lock, const IsMyTurn& is_my_turn) {
  auto& waiting = budget_.waiting_;
  if (waiting.empty() && is_my_turn()) return;
  waiting.push_back(this);
  const auto leave = [&] {
    waiting.erase(std::find(waiting.begin(), waiting.end(), this));
    budget_.changed_.notify_all();
  };
  try {
    while (!(waiting.front() == this && is_my_turn())) {
      if (budget_.changed_.wait_for(lock, Progress::kPollEvery) == std::cv_status::no_timeout || !poll_) continue;
      lock.unlock();
      poll_();
      lock.lock();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    leave();
    throw;
  }
  leave();
}

void MemoryClaim::release() {
  granted_ = 0;
  if (held_ == 0 && budget_.alone_ != this) return;
  const std::scoped_lock lock(budget_.mutex_);
  budget_.used_ -= held_;
  held_ = 0;
  if (budget_.alone_ == this) budget_.alone_ = nullptr;
  budget_.changed_.notify_all();
}

}  // namespace treescore
