#include "herglotz/report/report.hpp"

#include <fmt/format.h>

#include <optional>

#include "commands.hpp"
#include "destination.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/trajectory_file.hpp"

namespace herglotz::app {

namespace {

/// The ensemble in a file, if it holds one.
std::optional<io::SweepReader> ensemble_in(const std::string& file) {
  try {
    return io::SweepReader(file);
  } catch (const io::InputError&) {
    return std::nullopt;
  }
}

}  // namespace

int report(const ReportArguments& arguments) {
  if (!arguments.file.ends_with(".h5")) {
    throw io::InputError(arguments.file, 0, 0, "not a file that carries its run",
                         "give the .h5 file of `herglotz simulate --out FILE.h5` or `herglotz sweep --out FILE.h5`");
  }
  check_destination("--out", arguments.out, {".html"});
  if (const auto sweep = ensemble_in(arguments.file)) {
    report::write_report(*sweep, arguments.out);
  } else {
    report::write_report(io::read_hdf5(arguments.file), arguments.out);
  }
  fmt::print("{}\n", arguments.out);
  return success;
}

}  // namespace herglotz::app
