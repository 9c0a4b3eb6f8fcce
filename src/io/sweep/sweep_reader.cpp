#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <new>

#include "hdf5/hdf5_object.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "roles.hpp"
#include "sweep/sweep_identity.hpp"

namespace herglotz::io {
namespace {

using ensemble::Moments;

Handle open_dataset(hid_t group, const std::string& name) {
  return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "find " + name};
}

std::vector<hsize_t> shape_of(hid_t dataset, const std::string& name) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "read " + name);
  const int dimensions = H5Sget_simple_extent_ndims(space);
  if (dimensions < 1 || dimensions > 2) throw Hdf5Failure("read " + name);
  std::vector<hsize_t> shape(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

/// The part of a dataset that begins at `first` and has the extent `count` in each dimension.
std::vector<double> read_part(hid_t dataset, const std::string& name, const std::vector<hsize_t>& first,
                              const std::vector<hsize_t>& count) {
  hsize_t size = 1;
  for (const hsize_t each : count) size *= each;
  std::vector<double> values(size);
  if (values.empty()) return values;
  const Handle space(H5Dget_space(dataset), H5Sclose, "read " + name);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), "read " + name);
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose, "read " + name);
  check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), "read " + name);
  return values;
}

std::vector<double> read_all(hid_t group, const std::string& name) {
  const Handle dataset = open_dataset(group, name);
  const auto shape = shape_of(dataset, name);
  return read_part(dataset, name, std::vector<hsize_t>(shape.size(), 0), shape);
}

std::vector<ensemble::Failure> read_failures(hid_t group) {
  const Handle reasons = open_dataset(group, "failed_reason");
  const Handle type(H5Dget_type(reasons), H5Tclose, "read failed_reason");
  const std::size_t width = H5Tget_size(type);
  const std::size_t count = shape_of(reasons, "failed_reason").front();
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) throw Hdf5Failure("read failed_reason");
  const std::vector<double> members = read_all(group, "failed");
  if (members.size() != count) throw Hdf5Failure("match members and reasons");
  std::string texts(count * width, '\0');
  if (count > 0) check(H5Dread(reasons, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), "read failed_reason");
  std::vector<ensemble::Failure> failures;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text = texts.substr(k * width, width);
    failures.push_back({static_cast<std::size_t>(members[k]), text.substr(0, text.find('\0'))});
  }
  return failures;
}

analyse::Role read_role(hid_t group, const std::string& name) {
  const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "find " + name);
  const auto role = role_of(read_string(object, "role"));
  if (!role) throw Hdf5Failure("read the role of " + name);
  return *role;
}

ensemble::Keep read_keep(hid_t group) {
  using ensemble::Keep;
  const std::string name = read_string(group, "keep");
  for (const Keep keep : {Keep::trajectory, Keep::times, Keep::final, Keep::statistics})
    if (name == name_of(keep)) return keep;
  throw Hdf5Failure("read what is kept");
}

SweepFacts read_facts(hid_t file, hid_t group) {
  if (read_string(file, "creator") != "herglotz") throw Hdf5Failure("find the creator herglotz");
  SweepFacts facts;
  facts.model_name = read_string(group, "model_name");
  facts.model_text = read_string(group, "model");
  facts.sweep = read_string(group, "sweep");
  facts.method = read_string(group, "method");
  facts.order = static_cast<int>(read_integer(group, "order"));
  facts.version = read_string(group, "version");
  facts.complete = read_integer(group, "complete") != 0;
  facts.members = static_cast<std::size_t>(read_integer(group, "members"));
  facts.steps = static_cast<std::size_t>(read_integer(group, "steps"));
  for (const auto length : read_integers(group, "shape")) facts.shape.push_back(static_cast<std::size_t>(length));
  facts.keep = read_keep(group);
  const bool final = facts.keep == ensemble::Keep::final;
  facts.times = final ? std::vector<double>{read_double(group, "t_end")} : read_all(group, "time");
  facts.swept = read_strings(group, "swept");
  for (const auto& name : read_strings(group, "columns")) facts.columns.emplace_back(name, read_role(group, name));
  facts.failures = read_failures(group);
  return facts;
}

Handle open_file(const std::filesystem::path& file) {
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it as HDF5"};
}

Handle open_ensemble(hid_t file) {
  return {H5Gopen2(file, "ensemble", H5P_DEFAULT), H5Gclose, "find the group /ensemble"};
}

[[noreturn]] void no_ensemble(const std::filesystem::path& file, const std::string& tried) {
  throw InputError(file.string(), 0, 0, "this is no file of an ensemble: could not " + tried,
                   "give a .h5 file that 'sweep --out' wrote");
}

}  // namespace

bool is_complete_sweep(const std::filesystem::path& file, const ensemble::Plan& plan, const ensemble::Layout& layout) {
  const QuietHdf5 quiet;
  try {
    const Handle handle = open_file(file);
    const Handle group = open_ensemble(handle);
    return read_integer(group, "complete") != 0 &&
           read_string(group, "fingerprint") == fingerprint(identity_of(plan, layout));
  } catch (const Hdf5Failure&) {
    return false;
  }
}

struct SweepReader::Impl {
  std::filesystem::path name;
  Handle file;
  Handle group;
  SweepFacts facts;

  explicit Impl(const std::filesystem::path& path)
      : name(path), file(open_file(path)), group(open_ensemble(file)), facts(read_facts(file, group)) {}

  void require_members(std::size_t first, std::size_t count) const {
    if (first > facts.members || count > facts.members - first)
      throw std::out_of_range("the ensemble has no members " + std::to_string(first) + " to " +
                              std::to_string(first + count));
  }

  void require_column(const std::string& column) const {
    const auto known = [&](const auto& entry) { return entry.first == column; };
    if (std::none_of(facts.columns.begin(), facts.columns.end(), known))
      throw std::out_of_range("the ensemble has no column '" + column + "'");
  }

  /// Throws InputError where `read` fails in the library.
  template <class Read>
  auto guarded(const Read& read) const {
    const QuietHdf5 quiet;
    try {
      return read();
    } catch (const Hdf5Failure& failure) {
      no_ensemble(name, failure.what());
    }
  }

  /// Rows first_row, ..., first_row + rows - 1 of the members.
  [[nodiscard]] std::vector<double> values(const std::string& column, std::size_t first, std::size_t count,
                                           std::size_t first_row, std::size_t rows) const {
    require_members(first, count);
    require_column(column);
    if (facts.keep == ensemble::Keep::statistics) throw std::out_of_range("the ensemble has moments, not members");
    return guarded([&] {
      const Handle dataset = open_dataset(group, column);
      if (shape_of(dataset, column).size() == 1) return read_part(dataset, column, {first}, {count});
      return read_part(dataset, column, {first, first_row}, {count, rows});
    });
  }
};

SweepReader::SweepReader(const std::filesystem::path& file) {
  const QuietHdf5 quiet;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw InputError(file.string(), 0, 0, "there is no such file", "give an ensemble that 'sweep --out' wrote");
  }
  try {
    impl_ = std::make_unique<Impl>(file);
  } catch (const Hdf5Failure& failure) {
    no_ensemble(file, failure.what());
  } catch (const std::bad_alloc&) {
    throw InputError(file.string(), 0, 0, "this ensemble does not fit into memory", "check that it is not damaged");
  }
}

SweepReader::~SweepReader() = default;
SweepReader::SweepReader(SweepReader&&) noexcept = default;
SweepReader& SweepReader::operator=(SweepReader&&) noexcept = default;

const SweepFacts& SweepReader::facts() const {
  return impl_->facts;
}

std::vector<double> SweepReader::swept(const std::string& name, std::size_t first, std::size_t count) const {
  const auto& names = impl_->facts.swept;
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw std::out_of_range("'" + name + "' is not swept");
  impl_->require_members(first, count);
  return impl_->guarded([&] { return read_part(open_dataset(impl_->group, name), name, {first}, {count}); });
}

std::vector<double> SweepReader::column(const std::string& name, std::size_t first, std::size_t count,
                                        std::ptrdiff_t row) const {
  const auto rows = static_cast<std::ptrdiff_t>(impl_->facts.times.size());
  const std::ptrdiff_t index = row < 0 ? row + rows : row;
  if (index < 0 || index >= rows) throw std::out_of_range("the ensemble has no row " + std::to_string(row));
  return impl_->values(name, first, count, static_cast<std::size_t>(index), 1);
}

std::vector<double> SweepReader::rows(const std::string& name, std::size_t first, std::size_t count) const {
  return impl_->values(name, first, count, 0, impl_->facts.times.size());
}

std::vector<Moments> SweepReader::statistics(const std::string& name) const {
  impl_->require_column(name);
  if (impl_->facts.keep != ensemble::Keep::statistics) throw std::out_of_range("the ensemble has members, not moments");
  return impl_->guarded([&] {
    const Handle group(H5Gopen2(impl_->group, name.c_str(), H5P_DEFAULT), H5Gclose, "find " + name);
    std::array<std::vector<double>, 5> values;
    constexpr std::array<const char*, 5> names{"count", "mean", "deviation", "least", "largest"};
    for (std::size_t k = 0; k < names.size(); ++k) {
      values[k] = read_all(group, names[k]);
      if (values[k].size() != values[0].size()) throw Hdf5Failure("match the moments");
    }
    std::vector<Moments> moments(values[0].size());
    for (std::size_t row = 0; row < moments.size(); ++row) {
      const double count = values[0][row];
      const double squares = count > 1 ? values[2][row] * values[2][row] * (count - 1) : 0;
      moments[row] = {count, values[1][row], squares, values[3][row], values[4][row]};
    }
    return moments;
  });
}

}  // namespace herglotz::io
