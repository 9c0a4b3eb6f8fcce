#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "replacement.hpp"

namespace herglotz::io {
namespace {

constexpr std::size_t kBufferSize = 1 << 20;

/// Returns the name; a name with a comma, quote or line break is quoted as RFC 4180 says.
std::string field(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Buffer for rows on their way to a stream.
class Table {
 public:
  explicit Table(std::FILE* stream) : stream_(stream) {}

  fmt::memory_buffer& text() { return text_; }
  void end_row() {
    text_.push_back('\n');
    if (text_.size() > kBufferSize) flush();
  }
  /// Writes the buffered rows. Returns false if a row was not written.
  bool flush() {
    good_ = good_ && std::fwrite(text_.data(), 1, text_.size(), stream_) == text_.size();
    text_.clear();
    return good_;
  }

 private:
  std::FILE* stream_;
  fmt::memory_buffer text_;
  bool good_ = true;
};

/// Writes a file of the rows that `fill` gives; the file appears whole or not at all.
template <class Fill>
void write_table(const std::filesystem::path& file, const Fill& fill) {
  Replacement replacement(file);
  std::FILE* stream = std::fopen(replacement.temporary().c_str(), "wb");
  if (stream == nullptr) replacement.cannot_write();
  Table table(stream);
  fill(table);
  const bool written = table.flush();
  const bool closed = std::fclose(stream) == 0;
  if (!written || !closed) replacement.cannot_write();
  replacement.commit();
}

void write_names(Table& table, const std::vector<const analyse::Column*>& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    fmt::format_to(std::back_inserter(table.text()), FMT_COMPILE("{}{}"), k == 0 ? "" : ",", field(columns[k]->name));
  table.end_row();
}

void write_row(Table& table, const std::vector<const analyse::Column*>& columns, std::size_t row) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) table.text().push_back(',');
    fmt::format_to(std::back_inserter(table.text()), FMT_COMPILE("{:.17g}"), columns[k]->values[row]);
  }
  table.end_row();
}

/// Returns the columns of the crossings of one event.
std::vector<const analyse::Column*> columns_of(const analyse::Crossings& crossings) {
  std::vector<const analyse::Column*> columns;
  for (const auto& column : crossings.columns) columns.push_back(&column);
  return columns;
}

/// Writes every crossing as one row, in the order of the run: the event's name, then the columns of the trajectory.
void fill_events(Table& table, const analyse::Trajectory& trajectory) {
  struct Place {
    double t;
    std::size_t event;
    std::size_t row;
  };
  std::vector<Place> places;
  for (std::size_t k = 0; k < trajectory.events.size(); ++k)
    for (std::size_t row = 0; row < trajectory.events[k].count(); ++row)
      places.push_back({trajectory.events[k].columns.front().values[row], k, row});
  const auto& t = trajectory.columns.front().values;
  const bool backwards = !t.empty() && t.back() < t.front();
  std::stable_sort(places.begin(), places.end(),
                   [&](const Place& a, const Place& b) { return backwards ? a.t > b.t : a.t < b.t; });
  fmt::format_to(std::back_inserter(table.text()), "event,");
  write_names(table, columns_of(trajectory.events.front()));
  for (const Place& place : places) {
    fmt::format_to(std::back_inserter(table.text()), "{},", field(trajectory.events[place.event].name));
    write_row(table, columns_of(trajectory.events[place.event]), place.row);
  }
}

/// Writes the columns, then those of the derivatives without their time.
void fill_rows(Table& table, const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives) {
  std::vector<const analyse::Column*> columns;
  for (const auto& column : trajectory.columns) columns.push_back(&column);
  for (std::size_t k = 1; k < derivatives.size(); ++k) columns.push_back(&derivatives[k]);
  write_names(table, columns);
  for (std::size_t row = 0; row < trajectory.rows(); ++row) write_row(table, columns, row);
}

}  // namespace

std::filesystem::path events_file(const std::filesystem::path& csv) {
  return std::filesystem::path(csv).replace_extension(".events.csv");
}

void write_csv(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives,
               const std::filesystem::path& file) {
  write_table(file, [&](Table& table) { fill_rows(table, trajectory, derivatives); });
  if (!trajectory.events.empty() && !trajectory.columns.empty())
    write_table(events_file(file), [&](Table& table) { fill_events(table, trajectory); });
}

void write_csv(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  write_csv(trajectory, {}, file);
}

bool print_csv(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives, std::FILE* stream) {
  Table table(stream);
  fill_rows(table, trajectory, derivatives);
  return table.flush();
}

bool print_csv(const analyse::Trajectory& trajectory, std::FILE* stream) {
  return print_csv(trajectory, {}, stream);
}

void write_trajectory(const analyse::Trajectory& trajectory, const DerivativeColumns& derivatives,
                      const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".csv") return write_csv(trajectory, derivatives, file);
  if (ending == ".h5") return write_hdf5(trajectory, derivatives, file);
  throw InputError(file.string(), 0, 0, "the ending '" + ending + "' names no format", "use .csv or .h5");
}

void write_trajectory(const analyse::Trajectory& trajectory, const std::filesystem::path& file) {
  write_trajectory(trajectory, {}, file);
}

}  // namespace herglotz::io
