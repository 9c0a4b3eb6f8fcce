#pragma once
/// Files of solutions: trajectory files that also hold the mesh and the multipliers; and guesses read from files.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/control/problem.hpp"
#include "herglotz/control/solution.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Writes a solution in the format of the file's ending. A .csv file has the rows alone; a .h5 file also has the facts
/// as attributes, and the groups /mesh and /multipliers. Throws InputError as write_trajectory does.
void write_solution(const analyse::Trajectory& trajectory, const control::SolutionFacts& solution,
                    const std::filesystem::path& file);

/// A run or a solution as its file holds it.
struct SolutionFile {
  analyse::Trajectory trajectory;
  std::optional<control::SolutionFacts> solution{};  ///< `std::nullopt` for a run
};
/// Reads a .h5 file that write_solution or write_hdf5 wrote. Throws InputError for any other file.
SolutionFile read_solution(const std::filesystem::path& file);

/// Bounds of a control. A bound that the model does not give is infinite.
struct ControlBounds {
  std::string control;
  double lower = 0;
  double upper = 0;
};
/// Returns the bounds of the controls of the model that a solution carries, with the parameters of the solution. Throws
/// InputError if that model states no problem.
std::vector<ControlBounds> bounds_of(const analyse::RunFacts& facts);

/// Reads a path from a .h5 or .csv file and makes it the guess of the problem in place of all expressions of [guess].
/// The file needs a column for each base coordinate; further columns are taken if it has them. Throws InputError.
void read_guess(control::Problem& problem, const std::filesystem::path& file);

/// Makes a path the guess of the problem; `origin` names it in errors. Throws InputError as read_guess does.
void set_guess(control::Problem& problem, const std::vector<analyse::Column>& columns,
               const std::optional<control::Iterate>& iterate, const std::string& origin);

}  // namespace herglotz::io
