#include "sweep/sweep_assembly.hpp"

#include <fcntl.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "hdf5/chunk.hpp"
#include "hdf5/creation.hpp"
#include "hdf5/hdf5_object.hpp"
#include "herglotz/analyse/roles.hpp"
#include "sweep/sweep_block.hpp"
#include "sweep/sweep_identity.hpp"

namespace herglotz::io {
namespace {

using ensemble::Failure;
using ensemble::Layout;
using ensemble::Moments;

/// Number of values in one chunk of a dataset with one value per member.
constexpr std::size_t kChunkOfMembers = std::size_t{1} << 15;
/// Approximate size in bytes of one chunk of reasons.
constexpr std::size_t kChunkOfReasons = std::size_t{1} << 20;

/// Creates a dataset of packed chunks; a missing chunk reads as `fill`.
Handle create_chunked(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& shape,
                      const std::vector<hsize_t>& chunk, const double* fill = nullptr) {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
                     "create a dataset");
  const Handle properties = timeless(H5P_DATASET_CREATE);
  check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "create a dataset");
  check(H5Pset_shuffle(properties), "create a dataset");
  check(H5Pset_deflate(properties, kDeflateLevel), "create a dataset");
  if (fill != nullptr) check(H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, fill), "create a dataset");
  return create_dataset(group, name, type, space, properties);
}

Handle create_plain(hid_t group, const std::string& name, hid_t type, std::size_t size) {
  const hsize_t length = size;
  const Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose, "create a dataset");
  return create_dataset(group, name, type, space);
}

Handle write_plain(hid_t group, const std::string& name, const std::vector<double>& values) {
  Handle dataset = create_plain(group, name, H5T_IEEE_F64LE, values.size());
  if (!values.empty())
    check(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "write a dataset");
  return dataset;
}

void write_chunk(hid_t dataset, const std::vector<hsize_t>& offset, const std::string& packed) {
  check(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset.data(), packed.size(), packed.data()), "write a chunk");
}

void attach(hid_t dataset, hid_t scale, unsigned dimension) {
  check(H5DSattach_scale(dataset, scale, dimension), "attach a dimension");
}

/// Writes datasets with one value per member, chunk by chunk: `fill` sets the values of members first, first + 1, ...
/// in all datasets.
template <class T, class Fill>
std::vector<Handle> write_per_member(hid_t group, const std::vector<std::string>& names, hid_t type,
                                     std::size_t members, const Fill& fill) {
  const std::size_t size = std::min(members, kChunkOfMembers);
  std::vector<Handle> datasets;
  for (const auto& name : names) datasets.push_back(create_chunked(group, name, type, {members}, {size}));
  std::vector<std::vector<T>> values(names.size(), std::vector<T>(size));
  for (std::size_t first = 0; first < members; first += size) {
    fill(first, std::min(size, members - first), values);
    for (std::size_t k = 0; k < datasets.size(); ++k) {
      const std::string_view bytes(reinterpret_cast<const char*>(values[k].data()), size * sizeof(T));
      write_chunk(datasets[k], {first}, packed_chunk(bytes, sizeof(T)));
    }
  }
  return datasets;
}

/// Assembly of the file from finished blocks.
class Assembly {
 public:
  Assembly(const SweepOutline& outline, const BlockSource& blocks, const std::string& path)
      : outline_(outline),
        layout_(outline.layout),
        blocks_(blocks),
        file_(create_file(path)),
        group_(create_group(file_, "ensemble")),
        member_(write_members()),
        time_(write_times()) {
    summary_.members = layout_.members;
    check(H5DSset_scale(member_, "member"), "make members a dimension");
    if (time_) check(H5DSset_scale(*time_, "time"), "make time a dimension");
  }

  SweepSummary run() {
    write_swept();
    create_columns();
    for (std::size_t block = 0; block < layout_.blocks(); ++block)
      if (blocks_.has(block)) add(block);
    write_statistics();
    write_failures();
    write_facts();
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flush the file");
    return std::move(summary_);
  }

 private:
  Handle write_members() const {
    const auto fill = [](std::size_t first, std::size_t, std::vector<std::vector<std::int64_t>>& values) {
      std::iota(values.front().begin(), values.front().end(), static_cast<std::int64_t>(first));
    };
    return std::move(write_per_member<std::int64_t>(group_, {"member"}, H5T_STD_I64LE, layout_.members, fill).front());
  }

  /// Writes the times of the rows, or returns `std::nullopt` if only final rows are kept: their time is a column, since
  /// members may end early.
  [[nodiscard]] std::optional<Handle> write_times() const {
    if (outline_.keep == ensemble::Keep::final) return std::nullopt;
    return write_plain(group_, "time", layout_.times);
  }

  void write_swept() {
    std::vector<std::string> names;
    for (const auto& quantity : outline_.sweep.quantities) names.push_back(dataset_of(quantity));
    std::vector<double> all(names.size());
    const ensemble::SweepValues values_of(outline_.sweep);
    const auto fill = [&](std::size_t first, std::size_t count, std::vector<std::vector<double>>& values) {
      for (std::size_t i = 0; i < count; ++i) {
        values_of(first + i, all);
        for (std::size_t q = 0; q < all.size(); ++q) values[q][i] = all[q];
      }
    };
    const auto datasets = write_per_member<double>(group_, names, H5T_IEEE_F64LE, layout_.members, fill);
    const auto axes = outline_.sweep.axis_of();
    for (std::size_t q = 0; q < datasets.size(); ++q) {
      attach(datasets[q], member_, 0);
      write_attribute(datasets[q], "axis", static_cast<std::int64_t>(axes[q]));
    }
  }

  void create_columns() {
    summary_.last.reserve(layout_.columns.size());
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [name, role] : layout_.columns) summary_.last.emplace_back(name, Moments{});
    for (const auto& name : layout_.residuals()) summary_.largest_residuals.emplace_back(name, missing);
    if (statistics()) return;
    const std::size_t rows = layout_.times.size();
    for (const auto& [name, role] : layout_.columns) {
      std::vector<hsize_t> shape{layout_.members};
      std::vector<hsize_t> chunk{chunk_members(layout_)};
      if (time_) {
        shape.push_back(rows);
        chunk.push_back(rows);
      }
      columns_.push_back(create_chunked(group_, name, H5T_IEEE_F64LE, shape, chunk, &missing));
      attach(columns_.back(), member_, 0);
      if (time_) attach(columns_.back(), *time_, 1);
      write_attribute(columns_.back(), "role", std::string(name_of(role)));
    }
    for (const auto& [name, largest] : summary_.largest_residuals) {
      residuals_.push_back(create_chunked(group_, largest_of(name), H5T_IEEE_F64LE, {layout_.members},
                                          {chunk_members(layout_)}, &missing));
      attach(residuals_.back(), member_, 0);
    }
  }

  void add(std::size_t block) {
    StoredBlock stored = blocks_.block(block);
    const std::size_t first = block * layout_.block_members;
    const std::size_t rows = statistics() ? layout_.times.size() * layout_.columns.size() : 0;
    if (stored.chunks.size() != columns_.size() || stored.last.size() != summary_.last.size() ||
        stored.statistics.size() != rows || stored.largest_residuals.size() != summary_.largest_residuals.size())
      blocks_.damaged(block);
    for (const Failure& failure : stored.failures)
      if (failure.member < first || failure.member - first >= layout_.block_members) blocks_.damaged(block);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::vector<hsize_t> offset{first};
      if (time_) offset.push_back(0);
      write_chunk(columns_[c], offset, own_chunk(stored, stored.chunks[c], layout_.times.size(), block));
    }
    for (std::size_t k = 0; k < residuals_.size(); ++k)
      write_chunk(residuals_[k], {first}, own_chunk(stored, stored.residual_chunks[k], 1, block));
    for (std::size_t c = 0; c < summary_.last.size(); ++c) summary_.last[c].second.add(stored.last[c]);
    if (statistics()) {
      moments_.resize(stored.statistics.size());
      for (std::size_t k = 0; k < moments_.size(); ++k) moments_[k].add(stored.statistics[k]);
    }
    count(stored, block, std::min(layout_.block_members, layout_.members - first));
  }

  /// Returns a chunk of `rows` numbers for each member as this machine packs it, so that the file does not tell which
  /// machines made it.
  [[nodiscard]] std::string own_chunk(const StoredBlock& stored, std::string& packed, std::size_t rows,
                                      std::size_t block) const {
    if (stored.zlib == packing_library()) return std::move(packed);
    const std::size_t size = chunk_members(layout_) * rows * sizeof(double);
    auto chunk = repacked_chunk(packed, size, sizeof(double));
    if (!chunk) blocks_.damaged(block);
    return std::move(*chunk);
  }

  void count(const StoredBlock& stored, std::size_t block, std::size_t members) {
    summary_.done += members;
    summary_.steps += stored.steps;
    for (std::size_t k = 0; k < stored.largest_residuals.size(); ++k) {
      double& largest = summary_.largest_residuals[k].second;
      largest = std::fmax(largest, stored.largest_residuals[k]);
    }
    if (stored.failures.empty()) return;
    summary_.failed += stored.failures.size();
    failing_.push_back(block);
    for (const Failure& failure : stored.failures) {
      longest_reason_ = std::max(longest_reason_, failure.reason.size());
      if (summary_.first_failures.size() < 3) summary_.first_failures.push_back(failure);
    }
  }

  /// Writes /ensemble/<column>/mean and the other moments.
  void write_statistics() {
    if (!statistics()) return;
    const std::size_t rows = layout_.times.size();
    moments_.resize(rows * layout_.columns.size());
    for (std::size_t c = 0; c < layout_.columns.size(); ++c) {
      const auto& [name, role] = layout_.columns[c];
      const Handle group = create_group(group_, name);
      write_attribute(group, "role", std::string(name_of(role)));
      const auto write = [&](const char* what, const auto& of) {
        std::vector<double> values(rows);
        for (std::size_t row = 0; row < rows; ++row) values[row] = of(moments_[row * layout_.columns.size() + c]);
        attach(write_plain(group, what, values), *time_, 0);
      };
      const auto where_any = [](const Moments& m, double value, double least = 1) {
        return m.count >= least ? value : std::numeric_limits<double>::quiet_NaN();
      };
      write("count", [](const Moments& m) { return m.count; });
      write("mean", [&](const Moments& m) { return where_any(m, m.mean); });
      write("deviation", [&](const Moments& m) { return where_any(m, std::sqrt(m.squares / (m.count - 1)), 2); });
      write("least", [&](const Moments& m) { return where_any(m, m.least); });
      write("largest", [&](const Moments& m) { return where_any(m, m.largest); });
    }
  }

  /// Writes the numbers and reasons of the members that failed. The reasons are padded to the longest one, which
  /// compresses well.
  void write_failures() {
    const std::size_t width = std::max<std::size_t>(1, longest_reason_);
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose, "make a string type");
    check(H5Tset_size(text, width), "make a string type");
    check(H5Tset_strpad(text, H5T_STR_NULLPAD), "make a string type");
    check(H5Tset_cset(text, H5T_CSET_UTF8), "make a string type");
    const std::size_t size = std::min(summary_.failed, std::max<std::size_t>(1, kChunkOfReasons / width));
    const auto create = [&](const char* name, hid_t type) {
      return summary_.failed == 0 ? create_plain(group_, name, type, 0)
                                  : create_chunked(group_, name, type, {summary_.failed}, {size});
    };
    const Handle numbers = create("failed", H5T_STD_I64LE);
    const Handle reasons = create("failed_reason", text);
    check(H5DSset_scale(numbers, "failed"), "make failures a dimension");
    attach(reasons, numbers, 0);

    std::vector<std::int64_t> members;
    std::string texts;
    hsize_t offset = 0;
    const auto put = [&] {
      if (members.empty()) return;
      members.resize(size, -1);
      texts.resize(size * width, '\0');
      write_chunk(numbers, {offset}, packed_chunk({reinterpret_cast<const char*>(members.data()), size * 8}, 8));
      write_chunk(reasons, {offset}, packed_chunk(texts, width));
      offset += size;
      members.clear();
      texts.clear();
    };
    for (const std::size_t block : failing_) {
      for (const Failure& failure : blocks_.block(block).failures) {
        members.push_back(static_cast<std::int64_t>(failure.member));
        texts += failure.reason;
        texts.resize(members.size() * width, '\0');
        if (members.size() == size) put();
      }
    }
    put();
  }

  void write_facts() {
    write_attribute(file_, "creator", std::string("herglotz"));
    write_attribute(file_, "version", std::string(HERGLOTZ_VERSION));
    std::vector<std::string> swept;
    std::vector<std::string> columns;
    for (const auto& quantity : outline_.sweep.quantities) swept.push_back(dataset_of(quantity));
    for (const auto& column : layout_.columns) columns.push_back(column.first);
    std::vector<std::int64_t> shape;
    for (const std::size_t length : outline_.sweep.shape()) shape.push_back(static_cast<std::int64_t>(length));
    const auto integer = [&](const char* name, std::size_t value) {
      write_attribute(group_, name, static_cast<std::int64_t>(value));
    };
    integer("complete", summary_.complete() ? 1 : 0);
    integer("members", layout_.members);
    integer("members_done", summary_.done);
    integer("members_failed", summary_.failed);
    integer("steps", summary_.steps);
    write_attribute(group_, "shape", shape);
    write_attribute(group_, "swept", swept);
    write_attribute(group_, "columns", columns);
    write_attribute(group_, "keep", std::string(name_of(outline_.keep)));
    write_attribute(group_, "method", layout_.method);
    write_attribute(group_, "method_reason", layout_.method_reason);
    integer("order", static_cast<std::size_t>(layout_.order));
    if (outline_.step) write_attribute(group_, "step", *outline_.step);
    if (outline_.tolerance) write_attribute(group_, "tolerance", *outline_.tolerance);
    write_attribute(group_, "t_end", outline_.t_end);
    for (const auto& [name, largest] : summary_.largest_residuals)
      if (!std::isnan(largest)) write_attribute(group_, largest_of(name).c_str(), largest);
    write_named(group_, "parameter", outline_.parameters);
    write_named(group_, "initial", outline_.initial);
    write_attribute(group_, "model_name", outline_.name);
    write_attribute(group_, "title", outline_.title);
    write_attribute(group_, "reference", outline_.reference);
    write_attribute(group_, "version", std::string(HERGLOTZ_VERSION));
    write_attribute(group_, "sweep", sweep_text(outline_.sweep));
    write_attribute(group_, "model", outline_.text);
    write_attribute(group_, "fingerprint", outline_.fingerprint);
  }

  [[nodiscard]] bool statistics() const { return outline_.keep == ensemble::Keep::statistics; }

  const SweepOutline& outline_;
  const Layout& layout_;
  const BlockSource& blocks_;
  Handle file_;
  Handle group_;
  Handle member_;
  std::optional<Handle> time_;
  std::vector<Handle> columns_;
  std::vector<Handle> residuals_;     ///< the largest residuals of members, for each column of residuals
  std::vector<Moments> moments_;      ///< rows x columns
  std::vector<std::size_t> failing_;  ///< blocks with failures
  std::size_t longest_reason_ = 0;
  SweepSummary summary_;
};

/// Writes a file or a folder to the disk.
void synchronise(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

SweepSummary assemble(const SweepOutline& outline, const BlockSource& blocks, const std::filesystem::path& file) {
  std::filesystem::path part = file;
  part += ".part";
  const QuietHdf5 quiet;
  SweepSummary summary;
  std::error_code problem;
  try {
    summary = Assembly(outline, blocks, part.string()).run();
    synchronise(part);
    std::filesystem::rename(part, file, problem);
    if (problem) throw Hdf5Failure("rename it");
  } catch (const Hdf5Failure& failure) {
    std::filesystem::remove(part, problem);
    throw InputError(file.string(), 0, 0, std::string("the file cannot be written: could not ") + failure.what(),
                     "check the permissions of the folder and the space on the disk; the journal keeps every member");
  }
  const auto folder = file.parent_path();
  synchronise(folder.empty() ? "." : folder);
  return summary;
}

}  // namespace herglotz::io
