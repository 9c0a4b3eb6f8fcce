#include "sweep/packed.hpp"

#include <bit>
#include <cstdint>

namespace herglotz::report {

std::string packed(const std::vector<double>& values) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((values.size() * 8 + 2) / 3 * 4);
  std::uint32_t group = 0;
  int bytes = 0;
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8) {
      group = (group << 8U) | static_cast<std::uint32_t>((bits >> shift) & 0xffU);
      if (++bytes < 3) continue;
      for (const unsigned at : {18U, 12U, 6U, 0U}) text += letters[(group >> at) & 63U];
      group = 0;
      bytes = 0;
    }
  }
  if (bytes > 0) {
    group <<= 8U * static_cast<unsigned>(3 - bytes);
    text += letters[(group >> 18U) & 63U];
    text += letters[(group >> 12U) & 63U];
    text += bytes == 2 ? letters[(group >> 6U) & 63U] : '=';
    text += '=';
  }
  return text;
}

}  // namespace herglotz::report
