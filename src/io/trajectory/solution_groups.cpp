#include "trajectory/solution_groups.hpp"

#include <algorithm>
#include <cmath>

#include "hdf5/creation.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/hdf5_object.hpp"

namespace herglotz::io {
namespace {

using control::Iterate;
using control::SolutionFacts;
using control::Status;

Handle open_group(hid_t file, const std::string& name) {
  require_own(file, name);
  return {H5Gopen2(file, name.c_str(), H5P_DEFAULT), H5Gclose, "find the group /" + name};
}

/// Writes a table of `columns` numbers in each row, or a list if `columns` is 0. An empty table is left out.
template <class Value>
void write_table(hid_t group, const char* name, const std::vector<Value>& values, std::size_t columns) {
  if (values.empty()) return;
  const bool whole = std::is_integral_v<Value>;
  const hsize_t shape[] = {columns == 0 ? values.size() : values.size() / columns, columns};
  const Handle space(H5Screate_simple(columns == 0 ? 1 : 2, shape, nullptr), H5Sclose, "create a table");
  const Handle dataset = create_dataset(group, name, whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space);
  check(H5Dwrite(dataset, whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "write a table");
}

/// Returns a table that must have `size` values, all finite. Throws Hdf5Failure.
std::vector<double> read_table(hid_t group, const std::string& name, std::size_t size) {
  if (size == 0) return {};
  auto values = Dataset(group, name, H5T_FLOAT).all_numbers();
  const bool finite = std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (values.size() != size || !finite) throw Hdf5Failure("match the table " + name + " to the mesh");
  return values;
}

std::vector<std::int64_t> read_whole(hid_t group, const std::string& name, std::size_t size) {
  if (size == 0) return {};
  auto values = Dataset(group, name, H5T_INTEGER).all_integers();
  if (values.size() != size) throw Hdf5Failure("match the table " + name + " to the mesh");
  return values;
}

std::size_t read_size(hid_t object, const char* name) {
  constexpr std::int64_t most = 1'000'000;
  const std::int64_t value = read_integer(object, name);
  if (value < 0 || value > most) throw Hdf5Failure(std::string("read the attribute ") + name);
  return static_cast<std::size_t>(value);
}

/// Returns every column but the last of a table of d columns, and appends the last one to `last`.
std::vector<double> without_last(const std::vector<double>& table, std::size_t d, std::vector<double>& last) {
  std::vector<double> rest;
  for (std::size_t k = 0; k < table.size(); ++k) (k % d + 1 == d ? last : rest).push_back(table[k]);
  return rest;
}

void write_mesh(hid_t file, const Iterate& iterate) {
  const Handle group = create_group(file, "mesh");
  const std::size_t d = iterate.states.size();
  write_attribute(group, "states", iterate.states);
  write_attribute(group, "variables", iterate.algebraic);
  write_attribute(group, "controls", static_cast<std::int64_t>(iterate.controls));
  write_attribute(group, "stages", static_cast<std::int64_t>(iterate.stages));
  write_attribute(group, "points", iterate.points);
  write_attribute(group, "equations", static_cast<std::int64_t>(iterate.equations));
  write_attribute(group, "settled", std::int64_t{iterate.settled ? 1 : 0});
  write_table(group, "times", iterate.times, 0);
  write_table(group, "error", iterate.errors, 0);
  write_table(group, "arc", iterate.arcs, 0);
  write_table(group, "active", iterate.active, iterate.controls);
  write_table(group, "nodes", iterate.v, d);
  write_table(group, "stage_states", iterate.stage_v, d);
  write_table(group, "stage_variables", iterate.stage_w, iterate.algebraic.size());
}

void write_multipliers(hid_t file, const Iterate& iterate) {
  const Handle group = create_group(file, "multipliers");
  const std::size_t d = iterate.states.size();
  std::vector<double> R;
  const auto P = without_last(iterate.P, d, R);
  write_table(group, "P", P, d - 1);
  write_table(group, "R", R, 0);
  write_table(group, "ends", iterate.ends, 0);
  write_attribute(group, "end_conditions", static_cast<std::int64_t>(iterate.ends.size()));
  write_table(group, "stage_P", iterate.stage_P, d);
  write_table(group, "stage_equations", iterate.stage_kappa, iterate.equations);
  write_table(group, "stage_bounds", iterate.stage_bound, iterate.algebraic.size());
}

void require_order(const Iterate& iterate) {
  for (std::size_t k = 0; k + 1 < iterate.times.size(); ++k)
    if (!(iterate.times[k] < iterate.times[k + 1])) throw Hdf5Failure("find increasing times in /mesh");
  std::int64_t before = 0;
  for (const std::int64_t arc : iterate.arcs) {
    if (arc != before && arc != before + 1) throw Hdf5Failure("find the arcs of /mesh in order");
    before = arc;
  }
  for (const std::int64_t bound : iterate.active)
    if (bound < -1 || bound > 1) throw Hdf5Failure("read the bounds that are active in /mesh");
  if (!iterate.arcs.empty() && iterate.arcs.front() != 0) throw Hdf5Failure("find the arcs of /mesh in order");
}

Iterate read_iterate(hid_t file) {
  const Handle mesh = open_group(file, "mesh");
  Iterate iterate;
  iterate.states = read_strings(mesh, "states");
  iterate.algebraic = read_strings(mesh, "variables");
  iterate.controls = read_size(mesh, "controls");
  iterate.stages = read_size(mesh, "stages");
  iterate.points = read_doubles(mesh, "points");
  const auto inside = [](double point) { return point >= 0 && point <= 1; };
  if (iterate.points.size() != iterate.stages || !std::all_of(iterate.points.begin(), iterate.points.end(), inside))
    throw Hdf5Failure("match the points of stages in /mesh");
  iterate.equations = read_size(mesh, "equations");
  iterate.settled = read_integer(mesh, "settled") != 0;
  const Dataset times(mesh, "times", H5T_FLOAT);
  iterate.times = read_table(mesh, "times", times.shape().front());
  const std::size_t n = iterate.intervals();
  const std::size_t d = iterate.states.size();
  const std::size_t all = n * iterate.stages;
  if (n == 0 || d == 0 || iterate.controls > iterate.algebraic.size()) throw Hdf5Failure("find intervals in /mesh");
  if (H5Lexists(mesh, "error", H5P_DEFAULT) > 0) iterate.errors = read_table(mesh, "error", n);
  iterate.arcs = read_whole(mesh, "arc", iterate.stages == 0 ? 0 : n);
  iterate.active = read_whole(mesh, "active", iterate.stages == 0 ? 0 : n * iterate.controls);
  iterate.v = read_table(mesh, "nodes", (n + 1) * d);
  iterate.stage_v = read_table(mesh, "stage_states", all * d);
  iterate.stage_w = read_table(mesh, "stage_variables", all * iterate.algebraic.size());
  const Handle multipliers = open_group(file, "multipliers");
  const auto P = read_table(multipliers, "P", (n + 1) * (d - 1));
  const auto R = read_table(multipliers, "R", n + 1);
  for (std::size_t k = 0; k <= n; ++k) {
    const auto first = P.begin() + static_cast<std::ptrdiff_t>(k * (d - 1));
    iterate.P.insert(iterate.P.end(), first, first + static_cast<std::ptrdiff_t>(d - 1));
    iterate.P.push_back(R[k]);
  }
  iterate.ends = read_table(multipliers, "ends", read_size(multipliers, "end_conditions"));
  iterate.stage_P = read_table(multipliers, "stage_P", all * d);
  iterate.stage_kappa = read_table(multipliers, "stage_equations", all * iterate.equations);
  iterate.stage_bound = read_table(multipliers, "stage_bounds", all * iterate.algebraic.size());
  require_order(iterate);
  return iterate;
}

void write_switching_times(hid_t file, const SolutionFacts& solution) {
  std::vector<std::string> controls;
  std::vector<std::int64_t> counts;
  std::vector<double> times;
  for (const auto& [control, its] : solution.switching_times) {
    controls.push_back(control);
    counts.push_back(static_cast<std::int64_t>(its.size()));
    times.insert(times.end(), its.begin(), its.end());
  }
  write_attribute(file, "switching_controls", controls);
  write_attribute(file, "switching_counts", counts);
  write_attribute(file, "switching_times", times);
}

void read_switching_times(hid_t file, SolutionFacts& solution) {
  const auto controls = read_strings(file, "switching_controls");
  const auto counts = read_integers(file, "switching_counts");
  const auto times = read_doubles(file, "switching_times");
  std::size_t next = 0;
  if (counts.size() != controls.size()) throw Hdf5Failure("match the switching times");
  for (std::size_t u = 0; u < controls.size(); ++u) {
    if (counts[u] < 0 || static_cast<std::size_t>(counts[u]) > times.size() - next)
      throw Hdf5Failure("match the switching times");
    const auto first = times.begin() + static_cast<std::ptrdiff_t>(next);
    solution.switching_times[controls[u]] = {first, first + static_cast<std::ptrdiff_t>(counts[u])};
    next += static_cast<std::size_t>(counts[u]);
  }
}

Status status_named(const std::string& word) {
  for (const Status status : {Status::solved, Status::infeasible, Status::stopped, Status::not_converged})
    if (word == control::word_for(status)) return status;
  throw Hdf5Failure("read the attribute status");
}

}  // namespace

void write_solution_groups(hid_t file, const SolutionFacts& solution) {
  write_attribute(file, "reason", solution.reason);
  write_attribute(file, "extremal", control::extremal_of(solution));
  write_attribute(file, "cost", solution.cost);
  write_attribute(file, "cost_error", solution.cost_error);
  write_attribute(file, "mesh_error", solution.mesh_error);
  write_attribute(file, "duration", solution.duration);
  write_attribute(file, "structure", solution.structure);
  write_switching_times(file, solution);
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, value] : solution.residuals) {
    names.push_back(name);
    values.push_back(value);
  }
  write_attribute(file, "residual_names", names);
  write_attribute(file, "residual_values", values);
  write_attribute(file, "intervals", static_cast<std::int64_t>(solution.intervals));
  write_attribute(file, "iterations", static_cast<std::int64_t>(solution.iterations));
  write_attribute(file, "solvers", solution.solvers);
  write_mesh(file, solution.iterate);
  write_multipliers(file, solution.iterate);
}

std::optional<SolutionFacts> read_solution_groups(hid_t file) {
  if (H5Lexists(file, "mesh", H5P_DEFAULT) <= 0) return std::nullopt;
  SolutionFacts solution;
  solution.status = status_named(read_string(file, "status"));
  solution.reason = read_string(file, "reason");
  solution.abnormal = read_string(file, "extremal") == "abnormal";
  solution.cost = read_double(file, "cost");
  solution.cost_error = read_double(file, "cost_error");
  solution.mesh_error = read_double(file, "mesh_error");
  solution.duration = read_double(file, "duration");
  solution.structure = read_string(file, "structure");
  read_switching_times(file, solution);
  const auto names = read_strings(file, "residual_names");
  const auto values = read_doubles(file, "residual_values");
  if (names.size() != values.size()) throw Hdf5Failure("match names and values of residuals");
  for (std::size_t k = 0; k < names.size(); ++k) solution.residuals.emplace_back(names[k], values[k]);
  solution.notes = read_strings(file, "notes");
  solution.intervals = read_size(file, "intervals");
  solution.iterations = read_size(file, "iterations");
  solution.method = read_string(file, "method");
  solution.solvers = read_string(file, "solvers");
  solution.iterate = read_iterate(file);
  return solution;
}

}  // namespace herglotz::io
