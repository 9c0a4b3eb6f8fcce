#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "herglotz/error.hpp"
#include "herglotz/report/report.hpp"
#include "sweep/sweep_page.hpp"

namespace herglotz::report {

namespace {

/// Temporary file that is removed unless it was moved to its place.
class PartialFile {
 public:
  explicit PartialFile(std::filesystem::path path) : path_(std::move(path)) {}
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw Failed("cannot write the report " + file.string() + ": " + reason,
               "give a file name in a folder that exists and can be written");
}

void require_place(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file)) refuse(file, "it is a folder");
}

}  // namespace

void write_page(const std::string& text, const std::filesystem::path& file) {
  require_place(file);
  const PartialFile partial(file.string() + "." + std::to_string(::getpid()) + ".part");
  {
    errno = 0;
    std::ofstream out(partial.path(), std::ios::binary | std::ios::trunc);
    if (!out) refuse(file, std::strerror(errno));
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) refuse(file, std::strerror(errno));
  }
  std::error_code error;
  std::filesystem::rename(partial.path(), file, error);
  if (error) refuse(file, error.message());
}

void write_report(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  require_place(file);
  write_page(render(trajectory), file);
}

void write_report(const analyse::Trajectory& first, const analyse::Trajectory& second,
                  const std::array<std::string, 2>& names, const std::filesystem::path& file) {
  require_place(file);
  write_page(render(first, second, names), file);
}

std::string render(const io::SweepReader& sweep) {
  return render_sweep(sweep);
}

void write_report(const io::SweepReader& sweep, const std::filesystem::path& file) {
  require_place(file);
  write_page(render(sweep), file);
}

}  // namespace herglotz::report
