#pragma once
/// The command `sequence`.

#include <optional>
#include <string>
#include <vector>

namespace herglotz::app {

struct SequenceArguments {
  std::string model;
  std::vector<std::string> positions;  ///< BASE=VALUES; empty: the two positions of the model
  std::string rows_of;                 ///< a file of rows in place of `positions`
  std::vector<std::string> variation;  ///< BASE=VALUES
  std::vector<std::string> arrows;     ///< FIBRE=VALUES, in place of positions
  std::vector<std::string> sections;   ///< FIBRE=VALUES: the variation of a sequence of arrows
  std::optional<int> steps;            ///< of the motion that begins with two positions
  bool exact = false;
  std::optional<double> step;
  std::optional<double> t0;
  std::optional<double> z0;
  std::vector<std::string> set;
  std::string out;
  std::string format = "text";  ///< text or json
  bool force = false;
};

/// Prints the discrete action of a sequence of positions, its first variation, and how far it is from a discrete
/// motion. Returns the exit status.
int sequence(const SequenceArguments& arguments);

}  // namespace herglotz::app
