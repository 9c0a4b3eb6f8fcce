#include <algorithm>
#include <array>
#include <new>

#include "hdf5/dataset.hpp"
#include "hdf5/hdf5_object.hpp"
#include "herglotz/analyse/roles.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "sweep/sweep_block.hpp"
#include "sweep/sweep_identity.hpp"

namespace herglotz::io {
namespace {

using ensemble::Moments;

/// Opens a dataset with one value per member. Throws Hdf5Failure if its length is not the number of members.
Dataset per_member(hid_t group, const std::string& name, H5T_class_t values, std::size_t members) {
  Dataset dataset(group, name, values);
  if (dataset.shape() != std::vector<hsize_t>{members}) throw Hdf5Failure("match " + name + " and the members");
  return dataset;
}

/// Reads the numbers and reasons of members that failed.
std::vector<ensemble::Failure> read_failures(hid_t group, std::size_t members) {
  const std::vector<std::int64_t> failed = Dataset(group, "failed", H5T_INTEGER).all_integers();
  const Dataset reasons(group, "failed_reason", H5T_STRING);
  if (failed.size() > members || reasons.shape() != std::vector<hsize_t>{failed.size()})
    throw Hdf5Failure("match members and reasons");
  const std::vector<std::string> texts = reasons.all_texts();
  std::vector<ensemble::Failure> failures;
  for (std::size_t k = 0; k < failed.size(); ++k) {
    if (failed[k] < 0 || static_cast<std::size_t>(failed[k]) >= members) throw Hdf5Failure("match members and reasons");
    failures.push_back({static_cast<std::size_t>(failed[k]), texts[k]});
  }
  return failures;
}

std::size_t read_count(hid_t group, const char* name) {
  const std::int64_t count = read_integer(group, name);
  if (count < 0) throw Hdf5Failure(std::string("read the attribute ") + name);
  return static_cast<std::size_t>(count);
}

/// Reads the lengths of the axes of the grid, whose product is the number of members.
std::vector<std::size_t> read_shape(hid_t group, std::size_t members) {
  std::vector<std::size_t> shape;
  std::size_t left = members;
  for (const std::int64_t length : read_integers(group, "shape")) {
    if (length < 1 || left % static_cast<std::size_t>(length) != 0)
      throw Hdf5Failure("match the shape and the members");
    shape.push_back(static_cast<std::size_t>(length));
    left /= shape.back();
  }
  if (shape.empty() || left != 1) throw Hdf5Failure("match the shape and the members");
  return shape;
}

analyse::Role read_role(hid_t group, const std::string& name) {
  require_own(group, name);
  const Handle object(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, "find " + name);
  const auto role = analyse::role_of(read_string(object, "role"));
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

/// Opens a column: one value for each member, or one for each member and row.
Dataset column_of(hid_t group, const std::string& name, const SweepFacts& facts) {
  Dataset dataset(group, name, H5T_FLOAT, facts.complete ? Stored::all : Stored::part);
  std::vector<hsize_t> shape{facts.members};
  if (facts.keep != ensemble::Keep::final) shape.push_back(facts.times.size());
  if (dataset.shape() != shape) throw Hdf5Failure("match " + name + " and the members");
  return dataset;
}

void require_columns(hid_t group, const SweepFacts& facts) {
  if (facts.keep == ensemble::Keep::statistics) return;
  for (const auto& [name, role] : facts.columns) column_of(group, name, facts);
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
  facts.members = read_count(group, "members");
  // These numbers are stored even if the sweep was stopped, so a wrong number of members is detected here.
  per_member(group, "member", H5T_INTEGER, facts.members);
  facts.steps = read_count(group, "steps");
  facts.shape = read_shape(group, facts.members);
  facts.keep = read_keep(group);
  const bool final = facts.keep == ensemble::Keep::final;
  facts.times =
      final ? std::vector<double>{read_double(group, "t_end")} : Dataset(group, "time", H5T_FLOAT).all_numbers();
  if (facts.times.empty()) throw Hdf5Failure("find rows in time");
  facts.parameters = read_named(group, "parameter");
  facts.swept = read_strings(group, "swept");
  if (facts.swept.size() + 1 < facts.shape.size()) throw Hdf5Failure("match the shape and what is swept");
  for (const auto& name : facts.swept) per_member(group, name, H5T_FLOAT, facts.members);
  for (const auto& name : read_strings(group, "columns")) facts.columns.emplace_back(name, read_role(group, name));
  for (const auto& [name, role] : facts.columns) {
    const std::string largest = largest_of(name);
    const bool known = role == analyse::Role::residual && H5Aexists(group, largest.c_str()) > 0;
    if (known) facts.largest_residuals.emplace_back(name, read_double(group, largest.c_str()));
  }
  facts.failures = read_failures(group, facts.members);
  require_columns(group, facts);
  return facts;
}

Handle open_ensemble(hid_t file) {
  require_own(file, "ensemble");
  return {H5Gopen2(file, "ensemble", H5P_DEFAULT), H5Gclose, "find the group /ensemble"};
}

[[noreturn]] void no_ensemble(const std::filesystem::path& file, const std::string& tried) {
  throw InputError(file.string(), 0, 0, "this is not a file of an ensemble: could not " + tried,
                   "give a .h5 file that 'sweep --out' wrote");
}

}  // namespace

bool is_complete_sweep(const std::filesystem::path& file, const std::string& print) {
  const QuietHdf5 quiet;
  try {
    const Handle handle = open_to_read(file);
    const Handle group = open_ensemble(handle);
    return read_integer(group, "complete") != 0 && read_string(group, "fingerprint") == print;
  } catch (const Hdf5Failure&) {
    return false;
  }
}

bool is_complete_sweep(const std::filesystem::path& file, const ensemble::Plan& plan, const ensemble::Layout& layout) {
  return is_complete_sweep(file, fingerprint(identity_of(plan, layout)));
}

struct SweepReader::Impl {
  std::filesystem::path name;
  Handle file;
  Handle group;
  SweepFacts facts;

  explicit Impl(const std::filesystem::path& path)
      : name(path), file(open_to_read(path)), group(open_ensemble(file)), facts(read_facts(file, group)) {}

  void require_members(std::size_t first, std::size_t count) const {
    if (first > facts.members || count > facts.members - first)
      throw OutOfRange("the ensemble has no members " + std::to_string(first) + " to " + std::to_string(first + count));
  }

  void require_column(const std::string& column) const {
    const auto known = [&](const auto& entry) { return entry.first == column; };
    if (std::none_of(facts.columns.begin(), facts.columns.end(), known))
      throw OutOfRange("the ensemble has no column '" + column + "'");
  }

  /// Runs `read`. Throws InputError if it fails in the library.
  template <class Read>
  auto guarded(const Read& read) const {
    const QuietHdf5 quiet;
    try {
      return read();
    } catch (const Hdf5Failure& failure) {
      no_ensemble(name, failure.what());
    }
  }

  /// Returns rows first_row, ..., first_row + rows - 1 of the members.
  [[nodiscard]] std::vector<double> values(const std::string& column, std::size_t first, std::size_t count,
                                           std::size_t first_row, std::size_t rows) const {
    require_members(first, count);
    require_column(column);
    if (facts.keep == ensemble::Keep::statistics) throw OutOfRange("the ensemble has moments, not members");
    return guarded([&] {
      const Dataset dataset = column_of(group, column, facts);
      if (facts.keep == ensemble::Keep::final) return dataset.numbers({first}, {count});
      return dataset.numbers({first, first_row}, {count, rows});
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

SweepReader::~SweepReader() {
  const QuietHdf5 quiet;
  impl_.reset();
}

SweepReader::SweepReader(SweepReader&&) noexcept = default;
SweepReader& SweepReader::operator=(SweepReader&& other) noexcept {
  const QuietHdf5 quiet;
  impl_ = std::move(other.impl_);
  return *this;
}

const SweepFacts& SweepReader::facts() const {
  return impl_->facts;
}

std::vector<double> SweepReader::swept(const std::string& name, std::size_t first, std::size_t count) const {
  const auto& names = impl_->facts.swept;
  if (std::find(names.begin(), names.end(), name) == names.end()) throw OutOfRange("'" + name + "' is not swept");
  impl_->require_members(first, count);
  return impl_->guarded(
      [&] { return per_member(impl_->group, name, H5T_FLOAT, impl_->facts.members).numbers({first}, {count}); });
}

std::vector<double> SweepReader::column(const std::string& name, std::size_t first, std::size_t count,
                                        std::ptrdiff_t row) const {
  const auto rows = static_cast<std::ptrdiff_t>(impl_->facts.times.size());
  const std::ptrdiff_t index = row < 0 ? row + rows : row;
  if (index < 0 || index >= rows) throw OutOfRange("the ensemble has no row " + std::to_string(row));
  return impl_->values(name, first, count, static_cast<std::size_t>(index), 1);
}

std::vector<double> SweepReader::rows(const std::string& name, std::size_t first, std::size_t count) const {
  return impl_->values(name, first, count, 0, impl_->facts.times.size());
}

std::vector<double> SweepReader::largest_residuals(const std::string& column, std::size_t first,
                                                   std::size_t count) const {
  impl_->require_column(column);
  impl_->require_members(first, count);
  const SweepFacts& facts = impl_->facts;
  if (facts.keep == ensemble::Keep::statistics) throw OutOfRange("the ensemble has moments, not members");
  for (const auto& [name, role] : facts.columns)
    if (name == column && role != analyse::Role::residual)
      throw OutOfRange("the column '" + column + "' has no residuals");
  return impl_->guarded([&] {
    const Stored stored = facts.complete ? Stored::all : Stored::part;
    return Dataset(impl_->group, largest_of(column), H5T_FLOAT, stored).numbers({first}, {count});
  });
}

std::vector<Moments> SweepReader::statistics(const std::string& name) const {
  impl_->require_column(name);
  if (impl_->facts.keep != ensemble::Keep::statistics) throw OutOfRange("the ensemble has members, not moments");
  return impl_->guarded([&] {
    const Handle group(H5Gopen2(impl_->group, name.c_str(), H5P_DEFAULT), H5Gclose, "find " + name);
    std::array<std::vector<double>, 5> values;
    constexpr std::array<const char*, 5> names{"count", "mean", "deviation", "least", "largest"};
    for (std::size_t k = 0; k < names.size(); ++k) {
      values[k] = Dataset(group, names[k], H5T_FLOAT).all_numbers();
      if (values[k].size() != impl_->facts.times.size()) throw Hdf5Failure("match the moments and the rows");
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
