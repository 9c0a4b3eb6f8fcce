#include "families/value_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "herglotz/io/input_files.hpp"
#include "quote.hpp"
#include "sweep/sweep_identity.hpp"
#include "toml/quoting.hpp"
#include "trajectory/csv_reader.hpp"

namespace herglotz::io {

std::vector<double> column_of_file(const Source& source, const Value& table, const std::string& of) {
  for (const Member& member : table.members)
    if (member.key != "file" && member.key != "column")
      source.unknown(member.place, "key", member.key, {"file", "column"});
  const Value& file = source.required(table, "file", of, "name a CSV file: file = \"m.csv\"");
  const Value& column = source.required(table, "column", of, "name its column: column = \"m\"");
  source.expect(file, Kind::string, "'file'");
  source.expect(column, Kind::string, "'column'");
  return column_of_file(source, file.text, column.text, column.place);
}

std::vector<double> column_of_file(const Source& source, const std::string& file, const std::string& column,
                                   Place place) {
  const auto columns = read_csv(std::filesystem::path(source.file()).parent_path() / file,
                                "name a .csv file by its path from the folder of the model");
  std::vector<std::string> known;
  for (const auto& one : columns) {
    known.push_back(one.name);
    if (one.name == column) return one.values;
  }
  source.unknown(place, "column", column, known);
}

std::vector<std::string> files_read(const Source& source) {
  std::vector<std::string> lines;
  for (const std::string& name : input_files(source.text(), source.file())) {
    std::ifstream stream(std::filesystem::path(source.file()).parent_path() / name, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(stream), {}};
    lines.push_back("\n# " + toml_string(name) + " has the hash " + fingerprint({{name, content}}));
  }
  return lines;
}

}  // namespace herglotz::io
