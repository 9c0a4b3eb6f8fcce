#include "herglotz/io/existing_file.hpp"

#include <fstream>
#include <string>

#include "hdf5/hdf5_object.hpp"
#include "replacement.hpp"

namespace herglotz::io {
namespace {

/// Returns the first `most` bytes of a file.
std::string beginning(const std::filesystem::path& file, std::size_t most) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(most, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

Occupant occupant_of_hdf5(const std::filesystem::path& file) {
  const QuietHdf5 quiet;
  try {
    const Handle handle = open_to_read(file);
    if (read_string(handle, "creator") != "herglotz" || read_string(handle, "version").empty())
      return Occupant::foreign;
    if (H5Lexists(handle, "ensemble", H5P_DEFAULT) <= 0) return Occupant::ours;
    const Handle group(H5Gopen2(handle, "ensemble", H5P_DEFAULT), H5Gclose, "find the group /ensemble");
    return read_integer(group, "complete") != 0 ? Occupant::complete_sweep : Occupant::ours;
  } catch (const Hdf5Failure&) {
    return Occupant::foreign;
  }
}

bool is_our_table(const std::string& text) {
  const std::string header = "," + text.substr(0, text.find_first_of("\r\n")) + ",";
  const auto has = [&](std::string_view column) { return header.find(column) != std::string::npos; };
  return (header.starts_with(",t,") || header.starts_with(",event,")) && (has(",energy,") || has(",R,"));
}

}  // namespace

Occupant occupant_of(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return Occupant::nothing;
  if (!std::filesystem::is_regular_file(file, ignored)) return Occupant::foreign;
  const std::string ending = file.extension().string();
  if (ending == ".h5") return occupant_of_hdf5(file);
  if (ending == ".html") {
    const bool tagged =
        beginning(file, 4096).find(R"(<meta name="generator" content="Herglotz">)") != std::string::npos;
    return tagged ? Occupant::ours : Occupant::foreign;
  }
  if (ending == ".csv")
    return is_our_table(beginning(file, std::size_t{1} << 20U)) ? Occupant::ours : Occupant::foreign;
  return Occupant::foreign;
}

void write_text(const std::filesystem::path& file, std::string_view text) {
  Replacement replacement(file);
  {
    std::ofstream stream(replacement.temporary(), std::ios::binary);
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
    stream.close();
    if (!stream) replacement.cannot_write();
  }
  replacement.commit();
}

}  // namespace herglotz::io
