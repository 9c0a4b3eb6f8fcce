#include "herglotz/report/report.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "destination.hpp"
#include "herglotz/io/trajectory_file.hpp"

namespace herglotz::app {

int report(const ReportArguments& arguments) {
  if (!arguments.file.ends_with(".h5")) {
    throw io::InputError(arguments.file, 0, 0, "not a trajectory file that carries its run",
                         "give the .h5 file of `herglotz simulate --out FILE.h5`");
  }
  check_destination("--out", arguments.out, {".html"});
  report::write_report(io::read_hdf5(arguments.file), arguments.out);
  fmt::print("{}\n", arguments.out);
  return success;
}

}  // namespace herglotz::app
