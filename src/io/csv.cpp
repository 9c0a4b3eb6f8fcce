#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "herglotz/io/trajectory_file.hpp"
#include "replacement.hpp"

namespace herglotz::io {
namespace {

constexpr std::size_t kBufferSize = 1 << 20;

/// A name with a comma, quote or line break is quoted as RFC 4180 says.
std::string field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

void write_csv(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  Replacement replacement(file);
  std::FILE* stream = std::fopen(replacement.temporary().c_str(), "wb");
  if (stream == nullptr) replacement.cannot_write();
  fmt::memory_buffer buffer;
  bool good = true;
  const auto flush = [&] {
    good = good && std::fwrite(buffer.data(), 1, buffer.size(), stream) == buffer.size();
    buffer.clear();
  };
  for (std::size_t k = 0; k < trajectory.columns.size(); ++k) {
    fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{}{}"), k == 0 ? "" : ",",
                   field(trajectory.columns[k].name));
  }
  buffer.push_back('\n');
  for (std::size_t row = 0; row < trajectory.rows(); ++row) {
    for (std::size_t k = 0; k < trajectory.columns.size(); ++k) {
      if (k > 0) buffer.push_back(',');
      fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{:.17g}"), trajectory.columns[k].values[row]);
    }
    buffer.push_back('\n');
    if (buffer.size() > kBufferSize) flush();
  }
  flush();
  good = std::fclose(stream) == 0 && good;
  if (!good) replacement.cannot_write();
  replacement.commit();
}

void write_trajectory(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".csv") return write_csv(trajectory, file);
  if (ending == ".h5") return write_hdf5(trajectory, file);
  throw InputError(file.string(), 0, 0, "the ending '" + ending + "' names no format", "use .csv or .h5");
}

}  // namespace herglotz::io
