#pragma once
/// Values of options of the command line.

#include <string>
#include <string_view>

#include "herglotz/mechanics/system.hpp"

namespace herglotz::io {

/// Returns the text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Returns the value of `name` from `text`, which is a number or an expression in the parameters. Throws InputError
/// with the option as its file.
double constant_of_option(const std::string& option, const mechanics::System& system, std::string_view name,
                          std::string_view text);

/// Range of values with both ends included.
struct OptionRange {
  double from = 0;
  double to = 0;
  std::size_t count = 0;
};
/// Reads FROM:TO:COUNT; FROM and TO are numbers or expressions in the parameters. Throws InputError with the option as
/// its file.
OptionRange range_of_option(const std::string& option, const mechanics::System& system, std::string_view name,
                            std::string_view text);

}  // namespace herglotz::io
