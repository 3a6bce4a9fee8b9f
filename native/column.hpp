// A column of plain values that grows at its end: no constructors, no copies while it grows, huge pages when it is
// large.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace treescore {

template <class T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Column() = default;
  Column(std::initializer_list<T> values) { append(values.begin(), values.size()); }
  ~Column() { std::free(data_); }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  const T* data() const { return data_; }
  T* data() { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  size_t held_bytes() const { return capacity_ * sizeof(T); }
  // Any type of integer: lists of nodes are indexed by their numbers, which are signed.
  T& operator[](std::integral auto index) { return data_[index]; }
  const T& operator[](std::integral auto index) const { return data_[index]; }
  const T& back() const { return data_[size_ - 1]; }
  operator std::span<const T>() const { return {data_, size_}; }

  void push_back(const T& value) {
    if (size_ == capacity_) grow(1);
    data_[size_++] = value;
  }
  void push_in_room(const T& value) { data_[size_++] = value; }  // after reserve
  void append(const T* from, size_t count) {
    if (capacity_ - size_ < count) grow(count);
    if (count > 0) std::memcpy(data_ + size_, from, count * sizeof(T));
    size_ += count;
  }
  // The same for very many short runs: if `readable` values can be read from `from` on, a fixed number of them is
  // copied, which needs no branch that could be mispredicted.
  void append_short(const T* from, size_t count, size_t readable) {
    constexpr size_t kAtOnce = 16;
    if (count > kAtOnce || readable < kAtOnce || capacity_ - size_ < kAtOnce) return append(from, count);
    std::memcpy(data_ + size_, from, kAtOnce * sizeof(T));
    size_ += count;
  }
  void reserve(size_t capacity) {
    if (capacity > capacity_) reallocate(capacity);
  }
  void shrink_to(size_t size) { size_ = std::min(size, size_); }
  void free() { Column().swap(*this); }
  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  // Exactly this many values; new ones are not initialised.
  void set_size(size_t size) {
    if (size > capacity_) grow(size - size_);
    size_ = size;
  }
  void assign(const T* from, size_t count) {
    size_ = 0;
    append(from, count);
  }
  void assign(size_t size, const T& value) {
    set_size(size);
    std::fill(data_, data_ + size, value);
  }

 private:
  static constexpr size_t kHugeFrom = size_t{4} << 20;  // bytes
  static constexpr size_t kHugePage = size_t{2} << 20;

  void grow(size_t count) { reallocate(std::max({size_ + count, capacity_ + capacity_ / 2, size_t{64}})); }
  void reallocate(size_t capacity) {
    if (capacity > SIZE_MAX / 2 / sizeof(T)) throw std::bad_alloc();
    void* moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (!moved) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // A page fault costs more than filling the page; a huge page needs one for 512.
    if (capacity_ * sizeof(T) >= kHugeFrom) {
      const auto begin = (reinterpret_cast<uintptr_t>(data_) + kHugePage - 1) / kHugePage * kHugePage;
      const auto end = reinterpret_cast<uintptr_t>(data_ + capacity_) / kHugePage * kHugePage;
      if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
#endif
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace treescore
