#include "herglotz/report/report.hpp"

#include <fmt/format.h>

#include <optional>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {

namespace {

constexpr auto remedy = "give the .h5 file of `herglotz simulate --out FILE.h5` or `herglotz sweep --out FILE.h5`";

/// The file holds a run or an ensemble; where it is neither, one line says why it is not the one and not the other.
void write_page(const std::string& file, const std::string& out) {
  std::optional<io::SweepReader> sweep;
  std::string no_ensemble;
  try {
    sweep.emplace(file);
  } catch (const io::InputError& error) {
    no_ensemble = error.what_is_wrong;
  }
  if (sweep) return report::write_report(*sweep, out);
  analyse::Trajectory run;
  try {
    run = io::read_hdf5(file);
  } catch (const io::InputError& error) {
    const bool same = error.what_is_wrong == no_ensemble;
    throw io::InputError(file, 0, 0, same ? no_ensemble : error.what_is_wrong + "; " + no_ensemble, remedy);
  }
  report::write_report(run, out);
}

}  // namespace

int report(const ReportArguments& arguments) {
  if (!arguments.file.ends_with(".h5")) {
    throw io::InputError(arguments.file, 0, 0, "not a file that carries its run", remedy);
  }
  check_destination("--out", arguments.out, {".html"});
  write_page(arguments.file, arguments.out);
  fmt::print("{}\n", one_line(arguments.out));
  return success;
}

}  // namespace herglotz::app
