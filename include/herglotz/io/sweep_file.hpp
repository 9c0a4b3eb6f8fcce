#pragma once
/// The file of an ensemble, and the journal that it grows from.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// What there is to say about an ensemble that was run.
struct SweepSummary {
  std::size_t members = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::vector<ensemble::Failure> first_failures;  ///< at most three
  std::size_t steps = 0;
  std::vector<std::pair<std::string, ensemble::Moments>> last;  ///< of each kept column, in the last row
  /// Over all kept rows; not a number where the column is not kept.
  double largest_energy_residual = std::numeric_limits<double>::quiet_NaN();
  [[nodiscard]] bool complete() const { return done == members; }
};

/// Where the blocks of a file that is being made are kept: beside it.
std::filesystem::path journal_of(const std::filesystem::path& file);

/// The sweep's quantities as TOML, with every digit.
std::string sweep_text(const ensemble::Sweep& sweep);

/// Whether `file` is a complete ensemble of just this plan.
bool is_complete_sweep(const std::filesystem::path& file, const ensemble::Plan& plan, const ensemble::Layout& layout);

/// Collects the blocks of an ensemble in a journal, and makes the file of them. The same plan gives the same bytes,
/// whatever the order of the blocks and however often the run was killed and resumed.
class SweepWriter {
 public:
  /// Begins the journal, or with `resume` goes on with the one that is there. Throws InputError where there is one that
  /// is not to be resumed, where it was begun otherwise (naming what differs) or cannot be written, and for columns
  /// that cannot be stored.
  SweepWriter(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file,
              bool resume = false);
  ~SweepWriter();
  SweepWriter(const SweepWriter&) = delete;
  SweepWriter& operator=(const SweepWriter&) = delete;

  [[nodiscard]] bool has(std::size_t block) const;
  /// Members of the blocks that are there.
  [[nodiscard]] std::size_t members_done() const;
  /// Compresses in the calling thread, any of them. Throws InputError where the disk is full; nothing is lost then.
  void add(const ensemble::Block& block);
  /// Makes the file of the blocks that are there and, if they are all, removes the journal. The file appears whole or
  /// not at all. Members that are missing hold NaN, and `complete` says so.
  SweepSummary finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What all members of a file share.
struct SweepFacts {
  std::string model_name;
  std::string model_text;
  std::string sweep;  ///< as TOML
  std::string method;
  int order = 0;
  std::string version;
  bool complete = false;
  std::size_t members = 0;
  std::size_t steps = 0;
  std::vector<std::size_t> shape;  ///< of the grid
  ensemble::Keep keep = ensemble::Keep::final;
  std::vector<double> times;       ///< of the rows
  std::vector<std::string> swept;  ///< "parameters.gamma", "initial.q"
  std::vector<std::pair<std::string, analyse::Role>> columns;
  std::vector<ensemble::Failure> failures;
};

/// Reads the file of an ensemble, a part at a time.
class SweepReader {
 public:
  /// Throws InputError where it is none.
  explicit SweepReader(const std::filesystem::path& file);
  ~SweepReader();
  SweepReader(SweepReader&&) noexcept;
  SweepReader& operator=(SweepReader&&) noexcept;

  [[nodiscard]] const SweepFacts& facts() const;
  /// Values of a swept quantity for members first, first + 1, ... Throws std::out_of_range for a name or members that
  /// are not there.
  [[nodiscard]] std::vector<double> swept(const std::string& name, std::size_t first, std::size_t count) const;
  /// Values of a column in one row (negative: from the end).
  [[nodiscard]] std::vector<double> column(const std::string& name, std::size_t first, std::size_t count,
                                           std::ptrdiff_t row = -1) const;
  /// All rows: members x rows.
  [[nodiscard]] std::vector<double> rows(const std::string& name, std::size_t first, std::size_t count) const;
  /// Moments of a column over the members, for each row.
  [[nodiscard]] std::vector<ensemble::Moments> statistics(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::io
