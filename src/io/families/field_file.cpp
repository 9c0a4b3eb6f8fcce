#include <algorithm>
#include <cstdint>

#include "hdf5/creation.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/hdf5_object.hpp"
#include "herglotz/analyse/roles.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "trajectory/hdf5_parts.hpp"

namespace herglotz::io {
namespace {

using families::Field;
using families::FieldRun;

/// The most sites along an index of a file.
constexpr std::int64_t most_sites_read = 1'000'000'000;

std::size_t width(const FieldRun& run) {
  std::size_t columns = run.trajectory.columns.size();
  for (const Field& field : run.fields) columns += field.sites.size();
  return columns;
}

/// Writes a family as the dataset /trajectory/<name>, rows x sites, in chunks of some rows of neighbouring sites. The
/// dataset <name>.sites has the numbers of the sites; those of a grid are counted row after row.
void write_field(hid_t group, const Field& field, const FieldRun& run) {
  const std::size_t rows = run.trajectory.rows();
  const std::vector<hsize_t> shape{rows, field.sites.size()};
  const std::vector<hsize_t> chunk{std::clamp<hsize_t>(rows, 1, 64), std::min<hsize_t>(shape[1], 1024)};
  const Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose, "create a family");
  const Handle properties = timeless(H5P_DATASET_CREATE);
  check(H5Pset_chunk(properties, 2, chunk.data()), "cut a family into chunks");
  const Handle dataset = create_dataset(group, field.name, H5T_IEEE_F64LE, space, properties);
  check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, field.values.data()), "write a family");
  write_attribute(dataset, "role", std::string(name_of(field.role)));
  std::vector<std::string> indices;
  for (const auto& index : run.indices) {
    indices.push_back(index.name);
    write_attribute(dataset, ("count." + index.name).c_str(), static_cast<std::int64_t>(index.count));
  }
  write_attribute(dataset, "indices", indices);
  const std::vector<std::int64_t> sites(field.sites.begin(), field.sites.end());
  const Handle line(H5Screate_simple(1, &shape[1], nullptr), H5Sclose, "create the sites of a family");
  const Handle numbers = create_dataset(group, field.name + ".sites", H5T_STD_I64LE, line);
  check(H5Dwrite(numbers, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sites.data()),
        "write the sites of a family");
}

void write_fields(hid_t file, const FieldRun& run) {
  const Handle group(H5Gopen2(file, "trajectory", H5P_DEFAULT), H5Gclose, "find the group /trajectory");
  std::vector<std::string> names;
  for (const Field& field : run.fields) {
    write_field(group, field, run);
    names.push_back(field.name);
  }
  write_attribute(group, "families", names);
}

/// Reads the numbers of sites along the indices of a family.
std::vector<families::Index> read_indices(hid_t dataset) {
  std::vector<families::Index> indices;
  for (const std::string& name : read_strings(dataset, "indices")) {
    const std::int64_t count = read_integer(dataset, ("count." + name).c_str());
    if (count < 1 || count > most_sites_read) throw Hdf5Failure("read the number of sites along " + name);
    indices.push_back({name, static_cast<std::size_t>(count)});
  }
  if (indices.empty() || indices.size() > 2) throw Hdf5Failure("read the indices of a family");
  return indices;
}

/// Reads a family, whose sites are numbers of sites in increasing order.
Field read_field(hid_t group, const std::string& name, FieldRun& run) {
  const Dataset dataset(group, name, H5T_FLOAT);
  const auto role = analyse::role_of(read_string(dataset.id(), "role"));
  const std::vector<families::Index> indices = read_indices(dataset.id());
  const auto same = [](const families::Index& a, const families::Index& b) {
    return a.name == b.name && a.count == b.count;
  };
  if (run.indices.empty()) run.indices = indices;
  if (!role || !std::equal(indices.begin(), indices.end(), run.indices.begin(), run.indices.end(), same))
    throw Hdf5Failure("match the indices of the families");
  std::int64_t count = 1;
  for (const auto& index : indices) count *= static_cast<std::int64_t>(index.count);
  Field field{name, *role, {}, {}};
  std::int64_t last = -1;
  for (const std::int64_t site : Dataset(group, name + ".sites", H5T_INTEGER).all_integers()) {
    if (site <= last || site >= count) throw Hdf5Failure("read the sites of " + name);
    last = site;
    field.sites.push_back(static_cast<std::size_t>(site));
  }
  if (dataset.shape() != std::vector<hsize_t>{run.trajectory.rows(), field.sites.size()})
    throw Hdf5Failure("match the rows and sites of " + name);
  field.values = dataset.all_numbers();
  return field;
}

}  // namespace

std::optional<FieldRun> read_family_run(const std::filesystem::path& file) {
  std::optional<FieldRun> run;
  read_parts(file, [&](hid_t handle) {
    require_own(handle, "trajectory");
    const Handle group(H5Gopen2(handle, "trajectory", H5P_DEFAULT), H5Gclose, "find the group /trajectory");
    if (H5Aexists(group, "families") <= 0) return;
    run.emplace();
    run->trajectory = read_hdf5(file);
    if (run->trajectory.columns.empty()) throw Hdf5Failure("find the times of the rows");
    for (const std::string& name : read_strings(group, "families"))
      run->fields.push_back(read_field(group, name, *run));
  });
  return run;
}

void require_csv_width(std::size_t columns, const std::string& file) {
  if (columns <= most_csv_columns) return;
  throw InputError(file, 0, 0,
                   "a CSV file of " + std::to_string(columns) + " columns; at most " +
                       std::to_string(most_csv_columns) + " are written",
                   "write a .h5 file, or choose columns such as q[::100]");
}

void write_family_run(const FieldRun& run, const std::filesystem::path& file) {
  if (file.extension() != ".h5") {
    require_csv_width(width(run), file.string());
    return write_trajectory(families::in_columns(run), file);
  }
  write_with_parts(run.trajectory, file, [&](hid_t handle) { write_fields(handle, run); });
}

}  // namespace herglotz::io
