// Many independent pieces of work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "progress.hpp"

namespace treescore {

// Calls one worker per thread for each number below `count`, in blocks of `block`. make_worker(poll) creates a worker
// on its own thread; during long pieces the worker should call `poll`, which throws if all work must stop. The first
// exception of a worker stops the work and is rethrown here. The calling thread polls until all others are done.
template <class MakeWorker>
void in_parallel(size_t count, size_t block, unsigned threads, Progress* progress, const MakeWorker& make_worker) {
  struct Stopped {};
  const size_t workers = std::clamp<size_t>(threads, 1, std::max<size_t>(1, count / block));
  std::atomic<bool> stop{false};
  std::atomic<size_t> next{0};
  std::vector<std::exception_ptr> failures(workers);
  std::mutex mutex;
  std::condition_variable one_is_done;
  size_t others = 0;  // at work
  const auto wait_for_others = [&] {
    std::unique_lock lock(mutex);
    while (!one_is_done.wait_for(lock, Progress::kPollEvery, [&] { return others == 0; })) {
      lock.unlock();
      progress->poll();
      lock.lock();
    }
  };
  const auto work = [&](size_t number, Progress* seen) noexcept {
    try {
      auto worker = make_worker(std::function<void()>([&stop, seen] {
        if (stop) throw Stopped();
        if (seen && seen->poll) seen->poll();
      }));
      for (size_t begin = next.fetch_add(block); begin < count && !stop; begin = next.fetch_add(block)) {
        for (size_t item = begin; item < std::min(count, begin + block); ++item) {
          worker(item);
          if (seen) seen->at(item);
        }
      }
      if (seen && seen->poll) wait_for_others();
    } catch (const Stopped&) {
    } catch (...) {
      failures[number] = std::current_exception();
      stop = true;
    }
  };
  if (progress) progress->total = count;
  {
    std::vector<std::jthread> pool;
    for (size_t number = 1; number < workers; ++number) {
      try {
        const std::scoped_lock lock(mutex);
        pool.emplace_back([&, number] {
          work(number, nullptr);
          const std::scoped_lock done(mutex);
          --others;
          one_is_done.notify_one();
        });
        ++others;
      } catch (const std::exception&) {
        break;  // no more threads are available: the others do its work
      }
    }
    work(0, progress);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

// The same for workers that append results for a number to a list. All results are in the order of the numbers; `ends`
// has the end of each.
template <class Found, class MakeWorker>
void collect_in_parallel(size_t count, size_t block, unsigned threads, Progress* progress, std::vector<Found>& out,
                         std::vector<int64_t>& ends, const MakeWorker& make_worker) {
  std::vector<std::vector<Found>> found((count + block - 1) / block);
  ends.assign(count, 0);
  in_parallel(count, block, threads, progress, [&](const std::function<void()>& poll) {
    return [&, worker = make_worker(poll)](size_t item) {
      std::vector<Found>& list = found[item / block];  // no other worker has numbers of this block
      worker(item, list);
      ends[item] = static_cast<int64_t>(list.size());
    };
  });
  for (size_t number = 0; number < found.size(); ++number) {
    for (size_t item = number * block; item < std::min(count, (number + 1) * block); ++item)
      ends[item] += static_cast<int64_t>(out.size());
    out.insert(out.end(), found[number].begin(), found[number].end());
    found[number] = {};
  }
}

}  // namespace treescore
