#pragma once
/// Journal of a fit: what its trials were found to be, so that a fit that was ended goes on where it was.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "herglotz/fit/fit.hpp"
#include "herglotz/io/record_journal.hpp"

namespace herglotz::app {

/// A journal with a record for each trial.
class FitJournal : public fit::Evaluations {
 public:
  /// Opens the journal, or begins it. `identity` has all that determines the fit. Throws as io::RecordJournal does.
  FitJournal(const std::string& file, const io::Identity& identity);

  [[nodiscard]] const fit::Evaluation* find(const std::vector<double>& key) const override;
  void add(const std::vector<double>& key, const fit::Evaluation& found) override;
  /// Returns the number of trials that were known when the journal was opened.
  [[nodiscard]] std::size_t before() const { return before_; }
  /// Removes the file.
  void remove() { journal_.remove(); }

 private:
  io::RecordJournal journal_;
  std::map<std::vector<double>, fit::Evaluation> known_;
  std::size_t before_ = 0;
};

}  // namespace herglotz::app
