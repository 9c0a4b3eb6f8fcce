#include "herglotz/report/report.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/indexed.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {

namespace {

constexpr auto remedy = "give the .h5 file that `herglotz simulate`, `solve` or `sweep` wrote with --out FILE.h5";

/// Writes the page of a run or an ensemble. Throws io::InputError if the file contains neither; its one line gives both
/// reasons.
void write_page(const std::string& file, const std::string& out) {
  std::optional<io::SweepReader> sweep;
  std::string no_ensemble;
  try {
    sweep.emplace(file);
  } catch (const io::InputError& error) {
    no_ensemble = error.problem();
  }
  if (sweep) return report::write_report(*sweep, out);
  io::SolutionFile read;
  try {
    read = io::read_solution(file);
  } catch (const io::InputError& error) {
    const bool same = error.problem() == no_ensemble;
    throw io::InputError(file, 0, 0, same ? no_ensemble : error.problem() + "; " + no_ensemble, remedy);
  }
  if (const auto families = io::read_family_run(file)) return report::write_page(report::render(*families), out);
  if (read.solution) return report::write_page(report::render(read.trajectory, *read.solution), out);
  report::write_report(read.trajectory, out);
}

void write_comparison(const std::vector<std::string>& files, const std::string& out) {
  std::array<analyse::Trajectory, 2> runs;
  for (std::size_t k = 0; k < 2; ++k) {
    try {
      runs[k] = io::read_hdf5(files[k]);
    } catch (const io::InputError& error) {
      throw io::InputError(files[k], 0, 0, error.problem(),
                           "to compare two runs, give two .h5 files of `herglotz simulate --out FILE.h5`");
    }
  }
  const auto stem = [&](std::size_t k) { return std::filesystem::path(files[k]).stem().string(); };
  const bool told_apart = stem(0) != stem(1);
  report::write_report(runs[0], runs[1], {told_apart ? stem(0) : files[0], told_apart ? stem(1) : files[1]}, out);
}

}  // namespace

int report(const ReportArguments& arguments) {
  for (const std::string& file : arguments.files) {
    if (file.ends_with(".nc")) {
      throw io::InputError(
          file, 0, 0, "a dataset that Python wrote",
          "in Python, write its report with hz.report(xarray.load_dataset(\"" + file + "\"), file=\"FILE.html\")");
    }
    if (!file.ends_with(".h5")) throw io::InputError(file, 0, 0, "not a file that carries its run", remedy);
  }
  check_destination("--out", arguments.out, {".html"});
  check_occupant("--out", arguments.out, arguments.force);
  if (arguments.files.size() == 2) {
    write_comparison(arguments.files, arguments.out);
  } else {
    write_page(arguments.files.front(), arguments.out);
  }
  fmt::print("{}\n", one_line(arguments.out));
  return success;
}

}  // namespace herglotz::app
