#include "herglotz/io/existing_file.hpp"
#include "herglotz/report/report.hpp"
#include "sweep/sweep_page.hpp"

namespace herglotz::report {

void write_page(const std::string& text, const std::filesystem::path& file) {
  io::write_text(file, text);
}

void write_report(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  write_page(render(trajectory), file);
}

void write_report(const analyse::Trajectory& first, const analyse::Trajectory& second,
                  const std::array<std::string, 2>& names, const std::filesystem::path& file) {
  write_page(render(first, second, names), file);
}

std::string render(const io::SweepReader& sweep) {
  return render_sweep(sweep);
}

void write_report(const io::SweepReader& sweep, const std::filesystem::path& file) {
  write_page(render(sweep), file);
}

}  // namespace herglotz::report
