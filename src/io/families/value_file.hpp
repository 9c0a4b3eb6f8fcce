#pragma once
/// Values of a family from a file: { file = "m.csv", column = "m" }.

#include <string>
#include <vector>

#include "toml/document.hpp"
#include "toml/source.hpp"

namespace herglotz::io {

/// Returns the column of the CSV file that the table names, relative to the model; `of` says what it is for. Throws
/// InputError.
std::vector<double> column_of_file(const Source& source, const Value& table, const std::string& of);
/// Returns a column of a CSV file in the folder of the model. Throws InputError, at `place` for a column that is not
/// there.
std::vector<double> column_of_file(const Source& source, const std::string& file, const std::string& column,
                                   Place place);

/// Returns a comment for each file that the model reads, with a hash of its content: with these lines in its text, a
/// sweep is not continued with other numbers.
std::vector<std::string> files_read(const Source& source);

}  // namespace herglotz::io
