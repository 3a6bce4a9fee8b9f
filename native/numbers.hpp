// Decimal numbers of files.
#pragma once

#include <string_view>

namespace treescore {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes a decimal number from the front of a text. If digits and power of ten are exact, their quotient is correctly
// rounded.
bool take_number(std::string_view& text, double& value);

// Rounded to nine decimal places, as by Python's round().
double round_to_nine(double value);

}  // namespace treescore
