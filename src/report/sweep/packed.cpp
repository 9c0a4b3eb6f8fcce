#include "sweep/packed.hpp"

#include <bit>
#include <cstdint>

#include "page/markup.hpp"

namespace herglotz::report {

std::string packed(const std::vector<double>& values) {
  constexpr unsigned bits_of_all = 64;
  constexpr unsigned bits_of_byte = 8;
  std::string bytes;
  bytes.reserve(values.size() * sizeof(double));
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < bits_of_all; shift += bits_of_byte)
      bytes.push_back(static_cast<char>((bits >> shift) & 0xffU));
  }
  return base64(bytes);
}

}  // namespace herglotz::report
