#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

namespace treescore {
namespace {

constexpr int kMostDigits = 18;       // that always fit into 64 bits
constexpr int kMostExponent = 99999;  // beyond all numbers

constexpr auto kPowers = [] {  // all that are exact
  std::array<double, 23> powers{1};
  for (size_t at = 1; at < powers.size(); ++at) powers[at] = 10 * powers[at - 1];
  return powers;
}();

// Any number; infinity, or 0, if it is too large or too small for a double. No stream: those share their locales with
// whatever other library has been loaded.
double slow_number(std::string_view text, bool is_large) {
  double value = 0;
#ifdef __cpp_lib_to_chars
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = is_large ? std::numeric_limits<double>::infinity() : 0;
#else
  std::string copy(text);
  const size_t point = copy.find('.');
  if (point != std::string::npos) copy.replace(point, 1, std::localeconv()->decimal_point);
  value = std::strtod(copy.c_str(), nullptr);
  static_cast<void>(is_large);
#endif
  return value;
}

}  // namespace

bool take_number(std::string_view& text, double& value) {
  size_t at = !text.empty() && text[0] == '-';
  const bool negative = at > 0;
  uint64_t digits = 0;
  int size = 0, scale = 0, seen = 0;
  bool exact = true;
  const auto take_digits = [&](int step, int step_beyond) {
    for (; at < text.size() && is_digit(text[at]); ++at, ++seen) {
      if (size == kMostDigits) {
        exact = false;
        scale += step_beyond;
        continue;
      }
      digits = 10 * digits + static_cast<uint64_t>(text[at] - '0');
      size += digits > 0;
      scale += step;
    }
  };
  take_digits(0, 1);
  if (at < text.size() && text[at] == '.') {
    ++at;
    take_digits(-1, 0);
  }
  if (seen == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t from = at + 1;
    const bool below = from < text.size() && text[from] == '-';
    from += from < text.size() && (text[from] == '-' || text[from] == '+');
    int exponent = 0;
    if (from == text.size() || !is_digit(text[from])) return false;
    for (; from < text.size() && is_digit(text[from]); ++from)
      exponent = std::min(kMostExponent, 10 * exponent + (text[from] - '0'));
    scale += below ? -exponent : exponent;
    at = from;
  }
  const int power = std::abs(scale);
  if (exact && digits <= uint64_t{1} << 53 && static_cast<size_t>(power) < kPowers.size()) {
    const double whole = static_cast<double>(digits), ten = kPowers[static_cast<size_t>(power)];
    value = scale < 0 ? whole / ten : whole * ten;
  } else {
    value = digits == 0 ? 0 : slow_number(text.substr(negative, at - negative), scale + size > 0);
  }
  if (negative) value = -value;
  text.remove_prefix(at);
  return true;
}

double round_to_nine(double value) {
  if (!std::isfinite(value)) return value;
  // The product has an error of at most 0.07 below this limit, so that the nearest whole number is clear.
  constexpr double kFast = 1e6, kClear = 0.25;
  if (std::abs(value) < kFast) {
    const double scaled = value * 1e9, whole = std::nearbyint(scaled);
    if (std::abs(scaled - whole) < kClear) return std::copysign(whole / 1e9, value);
  }
  char text[400];  // 309 digits and nine more
#ifdef __cpp_lib_to_chars
  const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 9).ptr;
  std::string_view rest(text, static_cast<size_t>(end - text));
#else
  std::snprintf(text, sizeof text, "%.9f", value);
  std::string copy(text);
  const size_t point = copy.find(std::localeconv()->decimal_point);
  if (point != std::string::npos) copy.replace(point, std::strlen(std::localeconv()->decimal_point), ".");
  std::string_view rest(copy);
#endif
  double rounded = value;
  take_number(rest, rounded);
  return rounded;
}

}  // namespace treescore
