#include "herglotz/analyse/list_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace herglotz::analyse {

std::string list_text(std::span<const std::string> parts) {
  constexpr std::size_t most = 40;
  constexpr std::size_t first = 8;
  constexpr std::size_t last = 2;
  if (parts.size() <= most) return fmt::format("{}", fmt::join(parts, ", "));
  return fmt::format("{}, .. {} others .., {}", fmt::join(parts.first(first), ", "), parts.size() - first - last,
                     fmt::join(parts.last(last), ", "));
}

}  // namespace herglotz::analyse
