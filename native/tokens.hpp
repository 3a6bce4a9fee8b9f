// The tokens of bracketed text: parentheses, and runs of anything else between blanks.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace treescore {

enum TokenClass : uint8_t { kText = 0, kBlank = 1, kParenthesis = 2 };

constexpr std::array<uint8_t, 256> make_token_classes() {
  std::array<uint8_t, 256> table{};
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) table[static_cast<uint8_t>(c)] = kBlank;
  table[static_cast<uint8_t>('(')] = table[static_cast<uint8_t>(')')] = kParenthesis;
  return table;
}

constexpr std::array<uint8_t, 256> kTokenClass = make_token_classes();

inline uint8_t class_of(char c) { return kTokenClass[static_cast<uint8_t>(c)]; }

// The end of a run of text. Blanks and parentheses are all below '*', so eight bytes are checked at once.
inline const char* skip_text(const char* at, const char* end) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr uint64_t kOnes = 0x0101010101010101ull;
    while (end - at >= 8) {
      uint64_t bytes;
      std::memcpy(&bytes, at, 8);
      const uint64_t low = (bytes - kOnes * '*') & ~bytes & (kOnes * 0x80);
      if (low == 0) {
        at += 8;
        continue;
      }
      at += std::countr_zero(low) >> 3;
      if (class_of(*at) != kText) return at;
      ++at;
    }
  }
  while (at < end && class_of(*at) == kText) ++at;
  return at;
}

}  // namespace treescore
