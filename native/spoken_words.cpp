#include "spoken_words.hpp"

#include <cstdlib>

namespace treescore {

bool WordEquivalence::same_surface(SpokenWord a, SpokenWord b) {
  size_t i = 0, j = 0;
  for (;; ++i, ++j) {
    while (i < a.size() && a[i] == '-') ++i;
    while (j < b.size() && b[j] == '-') ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    const int apart = std::abs(static_cast<signed char>(a[i]) - static_cast<signed char>(b[j]));
    if (apart != 0 && apart != 32) return false;
  }
}

int WordEquivalence::pause_group(SpokenWord word) const {
  for (size_t k = pauses_.size(); k-- > 0;) {
    if (!same_surface(word, pauses_[k].second)) continue;
    return static_cast<unsigned char>(pauses_[k].first) < 0x80 ? pauses_[k].first : -1;
  }
  return -1;
}

bool WordEquivalence::same(SpokenWord a, SpokenWord b) const {
  if (!is_there(a) || !is_there(b)) return false;
  if (a == b || same_surface(a, b)) return true;
  if (!pauses_.empty())
    if (const int group = pause_group(a); group >= 0 && group == pause_group(b)) return true;
  for (const auto& [x, y] : pairs_)
    if ((same_surface(a, x) && same_surface(b, y)) || (same_surface(b, x) && same_surface(a, y))) return true;
  return false;
}

uint32_t WordEquivalence::surface_class(SpokenWord word) {
  std::string surface;
  for (const char byte : word)
    if (byte != '-') surface.push_back(static_cast<char>(byte & 31));
  const auto [at, is_new] = surfaces_.try_emplace(std::move(surface), static_cast<uint32_t>(joined_.size()));
  if (is_new) joined_.push_back(at->second);
  return at->second;
}

uint32_t WordEquivalence::representative(uint32_t surface) {
  while (joined_[surface] != surface) surface = joined_[surface] = joined_[joined_[surface]];
  return surface;
}

void WordEquivalence::join(uint32_t a, uint32_t b) { joined_[representative(a)] = representative(b); }

uint32_t WordEquivalence::class_of(SpokenWord word) {
  if (!std::exchange(is_joined_, true)) {
    for (const auto& [a, b] : pairs_) join(surface_class(a), surface_class(b));
    std::unordered_map<char, uint32_t> groups;
    for (const auto& [group, pause] : pauses_) {
      const uint32_t surface = surface_class(pause);
      join(groups.try_emplace(group, surface).first->second, surface);
    }
  }
  if (const auto at = known_.find(word); at != known_.end()) return at->second;
  const uint32_t found = representative(surface_class(word));
  known_.emplace(word, found);
  return found;
}

}  // namespace treescore
