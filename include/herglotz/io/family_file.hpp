#pragma once
/// Model files with an [indices] table, and files of runs over families.

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/families/ensemble.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// Returns whether a model has an [indices] table, so that only `parse_family_model` reads it.
bool states_families(std::string_view text, const std::string& file);

/// The error of an assignment to a name that the model does not have.
class UnknownName : public InputError {
 public:
  using InputError::InputError;
};

/// Reads a model with an index. `file` is its name in errors; files of values lie in the same folder. `assignments` are
/// the NAME=VALUE of --set, for parameters, for q[i] and q[5], and for the action. Throws InputError,
/// which is an UnknownName if the text is right without the assignments.
families::Model parse_family_model(std::string_view text, const std::string& file,
                                   const std::vector<std::string>& assignments = {});

/// Reads the sweep of a model with an index, for families::FieldEnsemble. `swept` are assignments NAME=FROM:TO:COUNT
/// (--sweep), with which the [sweep] table may be missing. Throws InputError.
ensemble::Plan parse_family_plan(std::string_view text, const std::string& file,
                                 const std::vector<std::string>& assignments = {},
                                 const std::vector<std::string>& swept = {});

/// Gives a family of parameters or coordinates its values at all sites. `name` is written q or q[i]. Throws InputError
/// for another name, and for another number of values than there are sites.
void set_profile(families::Model& model, const std::string& name, std::vector<double> values);

/// Sets the start of a coordinate at one site, which is written as q[5]. Returns false for another name.
bool set_start(families::Model& model, const std::string& name, double value);

/// The most columns of a CSV file.
inline constexpr std::size_t most_csv_columns = 10'000;

/// Writes a run in the format of the file's ending: .h5 with one dataset rows x sites for each family, or .csv with a
/// column for each site. Throws InputError for another ending, for a place that cannot be written, and for a CSV file
/// of more than most_csv_columns columns.
void write_family_run(const families::FieldRun& run, const std::filesystem::path& file);
/// Reads a .h5 file that `write_family_run` wrote; what lies beyond the ends of its indices is not in it. Returns
/// `std::nullopt` for a trajectory without families. Throws InputError for any other file.
std::optional<families::FieldRun> read_family_run(const std::filesystem::path& file);
/// Throws InputError if there are too many columns for a CSV file.
void require_csv_width(std::size_t columns, const std::string& file);

}  // namespace herglotz::io
