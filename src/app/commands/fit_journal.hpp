#pragma once
/// Journal of a fit: what its trials were found to be, so that a fit that was ended goes on where it was.

#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "herglotz/fit/fit.hpp"

namespace herglotz::app {

/// A file with a record for each trial. A record that was not written to its end is left out.
class FitJournal : public fit::Evaluations {
 public:
  /// Opens the journal, or begins it. `identity` holds all that determines the fit. Throws io::InputError for a file
  /// that is no journal, or that of another fit, and if it cannot be written.
  FitJournal(std::string file, const std::string& identity);

  [[nodiscard]] const fit::Evaluation* find(const std::vector<double>& key) const override;
  void add(const std::vector<double>& key, const fit::Evaluation& found) override;
  /// Returns the number of trials that were known when the journal was opened.
  [[nodiscard]] std::size_t before() const { return before_; }
  /// Removes the file.
  void remove();

 private:
  void write(const std::string& bytes);

  std::string file_;
  std::ofstream out_;
  std::map<std::vector<double>, fit::Evaluation> known_;
  std::size_t before_ = 0;
};

}  // namespace herglotz::app
