#include <hdf5_hl.h>

#include <new>
#include <string_view>

#include "hdf5/creation.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/hdf5_object.hpp"
#include "herglotz/analyse/roles.hpp"
#include "herglotz/analyse/run_facts.hpp"
#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "replacement.hpp"
#include "trajectory/hdf5_parts.hpp"
#include "trajectory/solution_groups.hpp"

namespace herglotz::io {
namespace {

using analyse::Column;
using analyse::RunFacts;
using analyse::Trajectory;

/// Writer of facts as attributes, by type.
struct FactWriter {
  hid_t root;

  void operator()(const char* name, const std::string& fact) const { write_attribute(root, name, fact); }
  void operator()(const char* name, double fact) const { write_attribute(root, name, fact); }
  void operator()(const char* name, bool fact) const { write_attribute(root, name, std::int64_t{fact ? 1 : 0}); }
  void operator()(const char* name, int fact) const { write_attribute(root, name, std::int64_t{fact}); }
  void operator()(const char* name, std::size_t fact) const {
    write_attribute(root, name, static_cast<std::int64_t>(fact));
  }
  void operator()(const char* name, const std::vector<std::string>& fact) const { write_attribute(root, name, fact); }
  void operator()(const char* name, const NamedNumbers& fact) const { write_named(root, name, fact); }
};

/// Reader of the attributes that FactWriter writes. Files of earlier versions lack some facts, which then keep their
/// values.
struct FactReader {
  hid_t root;

  void operator()(const char* name, std::string& fact) const {
    if (name != std::string_view("gauge") || H5Aexists(root, name) > 0) fact = read_string(root, name);
  }
  void operator()(const char* name, bool& fact) const { fact = read_integer(root, name) != 0; }
  void operator()(const char* name, int& fact) const {
    const std::int64_t value = read_integer(root, name);
    fact = static_cast<int>(value);
    if (fact != value) throw Hdf5Failure(std::string("read the attribute ") + name);
  }
  void operator()(const char* name, std::size_t& fact) const {
    const std::int64_t value = read_integer(root, name);
    if (value < 0) throw Hdf5Failure(std::string("read the attribute ") + name);
    fact = static_cast<std::size_t>(value);
  }
  void operator()(const char* name, double& fact) const {
    if (name != std::string_view("largest_constraint_residual") || H5Aexists(root, name) > 0)
      fact = read_double(root, name);
  }
  void operator()(const char* name, std::vector<std::string>& fact) const {
    if (name != std::string_view("notes") || H5Aexists(root, name) > 0) fact = read_strings(root, name);
  }
  void operator()(const char* name, NamedNumbers& fact) const {
    const std::string_view what = name;
    const bool late = what == "at_round_off" || what == "largest_invariant" || what == "largest_dissipated_residual";
    if (!late || H5Aexists(root, (std::string(what) + "_names").c_str()) > 0) fact = read_named(root, name);
  }
};

void write_facts(hid_t root, const RunFacts& facts) {
  write_attribute(root, "creator", std::string("herglotz"));
  analyse::for_each_fact(facts, FactWriter{root});
}

RunFacts read_facts(hid_t root) {
  if (read_string(root, "creator") != "herglotz") throw Hdf5Failure("find the creator herglotz");
  RunFacts facts;
  analyse::for_each_fact(facts, FactReader{root});
  return facts;
}

void write_columns(hid_t file, const std::string& group_name, const std::vector<Column>& columns) {
  const Handle group = create_group(file, group_name);
  std::vector<std::string> names;
  std::vector<Handle> datasets;
  for (const Column& column : columns) {
    const hsize_t rows = column.values.size();
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose, "create a column");
    datasets.push_back(create_dataset(group, column.name, H5T_IEEE_F64LE, space));
    const Handle& dataset = datasets.back();
    if (rows > 0) {
      check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.values.data()),
            "write a column");
    }
    write_attribute(dataset, "role", std::string(name_of(column.role)));
    names.push_back(column.name);
  }
  write_attribute(group, "columns", names);
  if (datasets.empty()) return;
  check(H5DSset_scale(datasets.front(), columns.front().name.c_str()), "make time a dimension");
  for (std::size_t k = 1; k < datasets.size(); ++k) {
    check(H5DSattach_scale(datasets[k], datasets.front(), 0), "attach the time to a column");
  }
}

/// Writes /events/<name>, each like /trajectory; the attribute `names` keeps the order of the events.
void write_events(hid_t file, const std::vector<analyse::Crossings>& events) {
  if (events.empty()) return;
  const Handle group = create_group(file, "events");
  std::vector<std::string> names;
  for (const auto& event : events) {
    write_columns(group, event.name, event.columns);
    names.push_back(event.name);
  }
  write_attribute(group, "names", names);
}

Column read_column(hid_t group, const std::string& name) {
  const Dataset dataset(group, name, H5T_FLOAT);
  const auto role = analyse::role_of(read_string(dataset.id(), "role"));
  if (!role || dataset.shape().size() != 1) throw Hdf5Failure("read the column " + name);
  return {name, *role, dataset.all_numbers()};
}

std::vector<Column> read_columns(hid_t file, const std::string& group_name) {
  require_own(file, group_name);
  const Handle group(H5Gopen2(file, group_name.c_str(), H5P_DEFAULT), H5Gclose, "find the group /" + group_name);
  std::vector<Column> columns;
  for (const std::string& name : read_strings(group, "columns")) {
    columns.push_back(read_column(group, name));
    if (columns.back().values.size() != columns.front().values.size()) throw Hdf5Failure("match the columns' lengths");
  }
  return columns;
}

/// Reads the events. Files of runs without events lack the group, and the result is `{}`.
std::vector<analyse::Crossings> read_events(hid_t file) {
  std::vector<analyse::Crossings> events;
  if (H5Lexists(file, "events", H5P_DEFAULT) <= 0) return events;
  require_own(file, "events");
  const Handle group(H5Gopen2(file, "events", H5P_DEFAULT), H5Gclose, "find the group /events");
  for (const std::string& name : read_strings(group, "names"))
    events.push_back({name, read_columns(file, "events/" + name)});
  return events;
}

/// Throws InputError if the name of a column or an event cannot be stored, or if columns differ in length.
void require_storable(const Trajectory& trajectory, const std::filesystem::path& file) {
  for (const Column& column : trajectory.columns) {
    const bool fits = column.values.size() == trajectory.rows();
    if (!fits || column.name.empty() || column.name == "." || column.name.find('/') != std::string::npos) {
      throw InputError(file.string(), 0, 0, "the column '" + column.name + "' cannot be stored",
                       fits ? "name columns without '/'" : "give all columns the same length");
    }
  }
  for (const auto& event : trajectory.events) {
    if (event.name.empty() || event.name == "." || event.name.find('/') != std::string::npos)
      throw InputError(file.string(), 0, 0, "the event '" + event.name + "' cannot be stored",
                       "name events without '/'");
  }
}

}  // namespace

void write_with_parts(const Trajectory& trajectory, const std::filesystem::path& file,
                      const std::function<void(hid_t file)>& parts) {
  require_storable(trajectory, file);
  Replacement replacement(file);
  const QuietHdf5 quiet;
  try {
    const Handle handle = create_file(replacement.temporary().string());
    write_columns(handle, "trajectory", trajectory.columns);
    write_events(handle, trajectory.events);
    write_facts(handle, trajectory.facts);
    if (parts) parts(handle);
    check(H5Fflush(handle, H5F_SCOPE_GLOBAL), "flush the file");
  } catch (const Hdf5Failure&) {
    replacement.cannot_write();
  }
  replacement.commit();
}

void write_hdf5(const Trajectory& trajectory, const std::filesystem::path& file) {
  write_with_parts(trajectory, file, {});
}

void write_hdf5(const Trajectory& trajectory, const DerivativeColumns& derivatives, const std::filesystem::path& file) {
  write_with_parts(trajectory, file, [&](hid_t handle) {
    if (!derivatives.empty()) write_columns(handle, "sensitivity", derivatives);
  });
}

void write_solution(const Trajectory& trajectory, const control::SolutionFacts& solution,
                    const std::filesystem::path& file) {
  if (file.extension() == ".h5")
    return write_with_parts(trajectory, file, [&](hid_t handle) { write_solution_groups(handle, solution); });
  write_trajectory(trajectory, file);
}

void silence_hdf5() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

namespace {

/// Returns what `read` reads from a trajectory file. Throws InputError for any other file.
template <class Read>
auto from_trajectory_file(const std::filesystem::path& file, const Read& read) {
  const QuietHdf5 quiet;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw InputError(file.string(), 0, 0, "there is no such file", "give a trajectory that 'simulate --out' wrote");
  }
  try {
    return read(open_to_read(file));
  } catch (const Hdf5Failure& failure) {
    throw InputError(file.string(), 0, 0, std::string("this is not a trajectory file: could not ") + failure.what(),
                     "give a .h5 file that 'simulate --out' wrote");
  } catch (const std::bad_alloc&) {
    throw InputError(file.string(), 0, 0, "this trajectory does not fit into memory", "check that it is not damaged");
  }
}

Trajectory read_trajectory(const Handle& handle) {
  Trajectory trajectory;
  trajectory.facts = read_facts(handle);
  trajectory.columns = read_columns(handle, "trajectory");
  trajectory.events = read_events(handle);
  return trajectory;
}

}  // namespace

void read_parts(const std::filesystem::path& file, const std::function<void(hid_t file)>& parts) {
  from_trajectory_file(file, parts);
}

Trajectory read_hdf5(const std::filesystem::path& file) {
  return from_trajectory_file(file, [](const Handle& handle) { return read_trajectory(handle); });
}

DerivativeColumns read_derivatives(const std::filesystem::path& file) {
  return from_trajectory_file(file, [](const Handle& handle) {
    return H5Lexists(handle, "sensitivity", H5P_DEFAULT) > 0 ? read_columns(handle, "sensitivity")
                                                             : DerivativeColumns{};
  });
}

SolutionFile read_solution(const std::filesystem::path& file) {
  return from_trajectory_file(
      file, [](const Handle& handle) { return SolutionFile{read_trajectory(handle), read_solution_groups(handle)}; });
}

}  // namespace herglotz::io
