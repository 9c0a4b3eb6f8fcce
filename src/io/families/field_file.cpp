#include <algorithm>
#include <cstdint>

#include "hdf5/creation.hpp"
#include "hdf5/hdf5_object.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "roles.hpp"
#include "trajectory/hdf5_parts.hpp"

namespace herglotz::io {
namespace {

using families::Field;
using families::FieldRun;

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

}  // namespace

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
