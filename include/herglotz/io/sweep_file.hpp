#pragma once
/// The file of an ensemble, and the journal that it grows from.

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Summary of an ensemble that was run.
struct SweepSummary {
  std::size_t members = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::vector<ensemble::Failure> first_failures;  ///< at most three
  std::size_t steps = 0;
  std::vector<std::pair<std::string, ensemble::Moments>> last;  ///< moments of each kept column in the last row
  /// The largest residual over all members for each kept column of residuals; NaN if no member has rows.
  std::vector<std::pair<std::string, double>> largest_residuals;
  [[nodiscard]] bool complete() const { return done == members; }
};

/// Returns the path, beside `file`, of the journal that keeps the blocks while the file is being made.
std::filesystem::path journal_of(const std::filesystem::path& file);

/// Returns the block as a journal stores it; compression runs in the calling thread.
std::string encoded_block(const ensemble::Block& block, const ensemble::Layout& layout);

/// Returns the sweep's quantities as TOML, with every digit.
std::string sweep_text(const ensemble::Sweep& sweep);

/// Returns whether `file` is a complete ensemble of exactly this plan.
bool is_complete_sweep(const std::filesystem::path& file, const ensemble::Plan& plan, const ensemble::Layout& layout);
/// Returns whether `file` is a complete ensemble with this fingerprint (SweepOutline::fingerprint).
bool is_complete_sweep(const std::filesystem::path& file, const std::string& fingerprint);

/// Writer of the file of an ensemble, which collects the blocks in a journal first. A plan always gives the same bytes,
/// whatever the order of the blocks and however often the run was killed and resumed.
class SweepWriter {
 public:
  /// Starts the journal, or continues an existing one if `resume` is set. Throws InputError if a journal exists that is
  /// not to be resumed, if it was started with another plan (the message names the difference), if it cannot be
  /// written, and for columns that cannot be stored.
  SweepWriter(const ensemble::Plan& plan, const ensemble::Layout& layout, const std::filesystem::path& file,
              bool resume = false);
  ~SweepWriter();
  SweepWriter(const SweepWriter&) = delete;
  SweepWriter& operator=(const SweepWriter&) = delete;

  [[nodiscard]] bool has(std::size_t block) const;
  /// Returns the number of members in the blocks that are there.
  [[nodiscard]] std::size_t members_done() const;
  /// Compresses the block in the calling thread and stores it; any thread may call this. Throws InputError if the disk
  /// is full, and then keeps the blocks that are there.
  void add(const ensemble::Block& block);
  /// Stores the bytes that `encoded_block` made of a block, perhaps in another process.
  void add(std::size_t block, std::string_view encoded);
  /// Makes the file of the blocks that are there and, if no block is missing, removes the journal. The file appears
  /// whole or not at all. Missing members hold NaN, and `complete` is then false.
  SweepSummary finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Facts that all members of a file share.
struct SweepFacts {
  std::string model_name;
  std::string model_text;
  std::string sweep;  ///< the swept quantities as TOML
  std::string method;
  int order = 0;
  std::string version;
  bool complete = false;
  std::size_t members = 0;
  std::size_t steps = 0;
  std::vector<std::size_t> shape;  ///< the lengths of the axes
  ensemble::Keep keep = ensemble::Keep::final;
  std::vector<double> times;                               ///< the times of the rows
  std::vector<std::pair<std::string, double>> parameters;  ///< those that are not swept keep these values
  std::vector<std::string> swept;                          ///< "parameters.gamma", "initial.q"
  std::vector<std::pair<std::string, analyse::Role>> columns;
  std::vector<std::pair<std::string, double>> largest_residuals;  ///< as in SweepSummary
  std::vector<ensemble::Failure> failures;
};

/// Reader of the file of an ensemble, a part at a time.
class SweepReader {
 public:
  /// Throws InputError if the file is not an ensemble.
  explicit SweepReader(const std::filesystem::path& file);
  ~SweepReader();
  SweepReader(SweepReader&&) noexcept;
  SweepReader& operator=(SweepReader&&) noexcept;

  [[nodiscard]] const SweepFacts& facts() const;
  /// Returns the values of a swept quantity for members first, first + 1, ... Throws OutOfRange for a name or
  /// members that are not there.
  [[nodiscard]] std::vector<double> swept(const std::string& name, std::size_t first, std::size_t count) const;
  /// Returns the values of a column in one row; a negative row counts from the end.
  [[nodiscard]] std::vector<double> column(const std::string& name, std::size_t first, std::size_t count,
                                           std::ptrdiff_t row = -1) const;
  /// Returns the values of a column in all rows, members x rows.
  [[nodiscard]] std::vector<double> rows(const std::string& name, std::size_t first, std::size_t count) const;
  /// Returns the largest residuals of members for a column of residuals, as the facts of runs of their own have them;
  /// NaN for members without rows, and infinite where one is not a number.
  [[nodiscard]] std::vector<double> largest_residuals(const std::string& column, std::size_t first,
                                                      std::size_t count) const;
  /// Returns the moments of a column over the members, for each row.
  [[nodiscard]] std::vector<ensemble::Moments> statistics(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::io
