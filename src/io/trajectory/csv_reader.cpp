#include "trajectory/csv_reader.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include "herglotz/io/model_file.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

/// Removes blanks at both ends.
void trim(std::string& field) {
  constexpr std::string_view blanks = " \t";
  field.erase(0, std::min(field.find_first_not_of(blanks), field.size()));
  field.erase(field.find_last_not_of(blanks) + 1);
}

/// Returns the fields of a line without blanks around them; fields in double quotes may contain commas and doubled
/// quotes (RFC 4180).
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (c == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') {
      fields.back() += line[++k];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) trim(field);
  return fields;
}

std::vector<analyse::Column> read_from(std::istream& stream, const std::string& file, EmptyField empty,
                                       std::span<const std::string> numbers) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string line;
  std::getline(stream, line);
  if (line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  if (line.empty() || line == "\r")
    throw InputError(file, 1, 1, "there is no line of names", "begin with the names of the columns, such as t,u");
  if (line.find(',') == std::string::npos && line.find_first_of(";\t") != std::string::npos)
    throw InputError(file, 1, 1, "the names of the columns have no commas between them",
                     "separate names and values by commas, and write numbers such as 0.5 with a point");
  std::vector<analyse::Column> columns;
  for (const std::string& name : fields_of(line)) columns.push_back({name, analyse::Role::observable, {}});
  const auto is_read = [&](const std::string& name) {
    return numbers.empty() || std::find(numbers.begin(), numbers.end(), name) != numbers.end();
  };
  std::size_t rows = 0;
  for (std::size_t number = 2; std::getline(stream, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const auto fields = fields_of(line);
    if (fields.size() != columns.size())
      throw InputError(file, number, 1,
                       std::to_string(fields.size()) + " values for " + std::to_string(columns.size()) + " columns",
                       "give every row a value for each column");
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (!is_read(columns[k].name) || (empty == EmptyField::missing && fields[k].empty())) {
        columns[k].values.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      if (empty == EmptyField::end && fields[k].empty()) continue;
      if (columns[k].values.size() < rows)
        throw InputError(file, number, 1, "a number of " + in_quotes(columns[k].name) + " comes after an empty field",
                         "leave fields empty only behind the last number of a column");
      double value = 0;
      const auto [end, problem] = std::from_chars(fields[k].data(), fields[k].data() + fields[k].size(), value);
      if (problem != std::errc() || end != fields[k].data() + fields[k].size())
        throw InputError(file, number, 1, in_quotes(fields[k]) + " is not a number",
                         "give numbers below the line of names");
      columns[k].values.push_back(value);
    }
    ++rows;
  }
  return columns;
}

}  // namespace

std::vector<analyse::Column> read_csv(const std::filesystem::path& file, std::string_view remedy, EmptyField empty,
                                      std::span<const std::string> numbers) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored))
    throw InputError(file.string(), 0, 0, "there is no such file", std::string(remedy));
  return read_from(stream, file.string(), empty, numbers);
}

std::vector<analyse::Column> parse_csv(const std::string& text, const std::string& name, EmptyField empty,
                                       std::span<const std::string> numbers) {
  std::istringstream stream(text);
  return read_from(stream, name, empty, numbers);
}

}  // namespace herglotz::io
