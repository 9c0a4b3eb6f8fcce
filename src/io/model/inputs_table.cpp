#include "model/inputs_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "hdf5/number_list.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/input_files.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"
#include "toml/quoting.hpp"
#include "trajectory/csv_reader.hpp"

namespace herglotz::io {
namespace {

using symbolic::Interpolation;

constexpr std::array<std::pair<std::string_view, Interpolation>, 3> interpolations{
    {{"spline", Interpolation::spline}, {"linear", Interpolation::linear}, {"hold", Interpolation::hold}}};

class InputsReader {
 public:
  InputsReader(Vocabulary& vocabulary, const Value& document, symbolic::Expr time)
      : vocabulary_(vocabulary), source_(vocabulary.source()), time_(time) {
    if (const Member* files = document.find("files")) {
      for (const Member& file : files->value.members) source_.expect(file.value, Kind::string, in_quotes(file.key));
      files_ = &files->value;
    }
  }

  void read(const Member& member) {
    source_.expect(member.value, Kind::table, "the input " + in_quotes(member.key));
    for (const Member& key : member.value.members)
      if (std::find(keys.begin(), keys.end(), key.key) == keys.end())
        source_.unknown(key.place, "key", key.key, {keys.begin(), keys.end()});
    auto [times, values] = points(member);
    try {
      vocabulary_.tabulate(member, symbolic::make_table(member.key, interpolation(member), std::move(times), values),
                           time_);
    } catch (const Refused& error) {
      source_.fail(member.value.place, "the input " + in_quotes(member.key) + ": " + error.problem(), error.remedy());
    }
  }

  /// Returns [files] with the columns that were read from files. Datasets of one HDF5 file may differ in length: a
  /// column that is shorter than others ends with empty fields.
  [[nodiscard]] std::string files_text() const {
    std::string text;
    for (const auto& [file, columns] : read_) {
      text += fmt::format("{} = \"\"\"\n", toml_string(file));
      std::vector<const std::vector<double>*> values;
      std::size_t rows = 0;
      for (const auto& [name, column] : columns) {
        text += (values.empty() ? "" : ",") + toml_escaped(csv_name(name));
        values.push_back(&column);
        rows = std::max(rows, column.size());
      }
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t k = 0; k < values.size(); ++k) {
          text += k == 0 ? '\n' : ',';
          if (row < values[k]->size()) text += fmt::format("{}", (*values[k])[row]);
        }
      text += "\n\"\"\"\n";
    }
    return text.empty() ? text : "\n[files]\n" + text;
  }

 private:
  static constexpr std::array<std::string_view, 6> known_keys{"file",          "time",  "column",
                                                              "interpolation", "times", "values"};
  const std::vector<std::string> keys{known_keys.begin(), known_keys.end()};
  using Columns = std::map<std::string, std::vector<double>>;

  static std::string csv_name(std::string_view name) {
    if (name.find_first_of("\",") == std::string_view::npos) return std::string(name);
    std::string field = "\"";
    for (const char c : name) field += c == '"' ? "\"\"" : std::string(1, c);
    return field + "\"";
  }

  Interpolation interpolation(const Member& input) const {
    const Member* given = input.value.find("interpolation");
    if (given == nullptr) return Interpolation::spline;
    source_.expect(given->value, Kind::string, "'interpolation'");
    std::vector<std::string> names;
    for (const auto& [name, kind] : interpolations) {
      if (name == given->value.text) return kind;
      names.emplace_back(name);
    }
    source_.unknown(given->value.place, "interpolation", given->value.text, names);
  }

  std::vector<double> numbers(const Member& list) const {
    source_.expect(list.value, Kind::array, in_quotes(list.key));
    std::vector<double> result;
    for (const Value& item : list.value.items)
      result.push_back(source_.number(item, "an entry of " + in_quotes(list.key)));
    return result;
  }

  std::pair<std::vector<double>, std::vector<double>> points(const Member& input) {
    const Value& table = input.value;
    const auto require = [&](std::initializer_list<std::string_view> wanted, const std::string& remedy) {
      for (const Member& key : table.members)
        if (key.key != "interpolation" && std::find(wanted.begin(), wanted.end(), key.key) == wanted.end())
          source_.fail(key.place, in_quotes(key.key) + " does not go with the other keys of the input", remedy);
      for (const std::string_view key : wanted)
        if (table.find(key) == nullptr)
          source_.fail(table.place, "the input " + in_quotes(input.key) + " has no " + in_quotes(key), remedy);
    };
    if (table.find("file") == nullptr) {
      require({"times", "values"}, "give times and values, or file, time and column");
      return {numbers(*table.find("times")), numbers(*table.find("values"))};
    }
    require({"file", "time", "column"}, "give file, time and column, or times and values");
    for (const std::string_view key : {"file", "time", "column"})
      source_.expect(table.find(key)->value, Kind::string, in_quotes(key));
    const Value& file = table.find("file")->value;
    return {column(file, table.find("time")->value), column(file, table.find("column")->value)};
  }

  /// Returns a column of a file. It is kept for `files_text` if the file is not part of the model.
  std::vector<double> column(const Value& file, const Value& name) {
    const Member* inside = files_ == nullptr ? nullptr : files_->find(file.text);
    const auto path = std::filesystem::path(source_.file()).parent_path() / file.text;
    if (inside == nullptr) {
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(path, ignored))
        source_.fail(file.place, "there is no file " + in_quotes(path.string()),
                     "the path is relative to the folder of the model");
      if (is_hdf5_name(path)) return read_[file.text][name.text] = dataset(path, name);
    }
    const std::array<std::string, 1> wanted{name.text};
    const auto columns =
        inside != nullptr
            ? parse_csv(inside->value.text, source_.file() + ": [files] " + file.text, EmptyField::end, wanted)
            : read_csv(path, "the path is relative to the folder of the model", EmptyField::error, wanted);
    std::vector<std::string> names;
    for (const auto& one : columns) {
      if (one.name == name.text) {
        if (inside == nullptr) read_[file.text][name.text] = one.values;
        return one.values;
      }
      names.push_back(one.name);
    }
    source_.unknown(name.place, "column", name.text, names);
  }

  [[nodiscard]] std::vector<double> dataset(const std::filesystem::path& path, const Value& name) const {
    if (name.text.find_first_of("\r\n\t") != std::string::npos || name.text != trimmed(name.text))
      source_.fail(name.place, "the name " + in_quotes(name.text) + " cannot stand in a line of names of columns",
                   "give the dataset a name without line breaks, tabs, and blanks at its ends");
    try {
      return read_numbers(path, name.text);
    } catch (const Hdf5Failure& failure) {
      source_.fail(name.place, in_quotes(path.string()) + ": could not " + failure.what(),
                   "name a dataset of finite numbers with one dimension by its path in the file, such as \"drive/u\"");
    }
  }

  Vocabulary& vocabulary_;
  const Source& source_;
  symbolic::Expr time_;
  const Value* files_ = nullptr;
  std::map<std::string, Columns> read_;
};

}  // namespace

std::string read_inputs(Vocabulary& vocabulary, const Value& document, symbolic::Expr time) {
  const Source& source = vocabulary.source();
  const Member* table = document.find("inputs");
  if (table == nullptr) {
    if (const Member* files = document.find("files"))
      source.fail(files->place, "[files] is given, and no input reads it", "add [inputs], or remove [files]");
    return {};
  }
  InputsReader reader(vocabulary, document, time);
  for (const Member& member : table->value.members) reader.read(member);
  std::string text = reader.files_text();
  if (source.text().size() + text.size() > kLargestText)
    source.fail(table->place, "the files of [inputs] have too many numbers to be kept with the model",
                "give at most 200000 rows in all");
  if (const Member* files = document.find("files"); files != nullptr && !text.empty())
    source.fail(files->place, "some inputs are read from [files], and some from other files",
                "put all files into [files], or none");
  return text;
}

std::vector<std::string> input_files(std::string_view text, const std::string& file) {
  const Value document = parse_document(text, file);
  const Member* inside = document.find("files");
  std::vector<std::string> names;
  const auto add = [&](const Value& table, std::string_view key) {
    const Member* named = table.find(key);
    if (named == nullptr || named->value.kind != Kind::string) return;
    const std::string& name = named->value.text;
    if (inside != nullptr && inside->value.find(name) != nullptr) return;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& [table, key] :
       {std::pair{"inputs", "file"}, {"indices", "edges"}, {"parameters", "file"}, {"initial", "file"}})
    if (const Member* member = document.find(table))
      for (const Member& entry : member->value.members) add(entry.value, key);
  if (const Member* guess = document.find("guess"); guess != nullptr && guess->value.members.size() == 1)
    add(guess->value, "file");
  return names;
}

void require_no_jump(const Source& source, symbolic::Expr f, int rates, Place place, const std::string& of,
                     const std::string& why) {
  const symbolic::Graph& graph = f.graph();
  for (const symbolic::NodeId id : graph.reachable({&f, 1})) {
    if (graph.op(id) != symbolic::Op::table) continue;
    const symbolic::Expr node(f.graph(), id);
    const symbolic::Table& table = *graph.table(id);
    const int order = symbolic::table_order(node);
    if (order + rates < table.first_jump()) continue;
    const bool itself = order == table.first_jump();
    const std::string name = in_quotes(table.name + std::string(static_cast<std::size_t>(order), '\''));
    source.fail(place, of + " depends on " + name + (itself ? ", which jumps" : ", whose rate jumps") + ": " + why,
                table.interpolation == Interpolation::spline ? "use a lower derivative of the input"
                : itself && table.interpolation == Interpolation::hold
                    ? "use it in forces, or set interpolation = \"linear\" or \"spline\""
                    : "set interpolation = \"spline\"");
  }
}

}  // namespace herglotz::io
