#include <algorithm>
#include <cmath>

#include "herglotz/io/solution_file.hpp"
#include "quote.hpp"
#include "trajectory/csv_reader.hpp"

namespace herglotz::io {
namespace {

using analyse::Column;

const Column* named(const std::vector<Column>& columns, std::string_view name) {
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

void require_path(const std::vector<Column>& columns, const control::Problem& problem, const std::string& origin) {
  const std::string time(problem.system.t.name());
  std::vector<std::string> needed{time};
  for (const auto& x : problem.system.algebroid.x) needed.emplace_back(x.name());
  for (const auto& name : needed) {
    if (named(columns, name) != nullptr) continue;
    throw InputError(origin, 0, 0, "a guess needs the column " + in_quotes(name),
                     "give the file of a solution or a run with the columns " + listing(needed));
  }
  const auto& times = named(columns, time)->values;
  for (std::size_t k = 0; k + 1 < times.size(); ++k)
    if (!(times[k] < times[k + 1]))
      throw InputError(origin, 0, 0, "the times of the guess do not increase", "give the rows in the order of time");
  if (times.size() < 2) throw InputError(origin, 0, 0, "a guess needs two rows", "give the path from start to end");
}

}  // namespace

void set_guess(control::Problem& problem, const std::vector<Column>& columns,
               const std::optional<control::Iterate>& iterate, const std::string& origin) {
  require_path(columns, problem, origin);
  control::Guess guess;
  guess.s = problem.guess.s;
  guess.keeps_mesh = problem.guess.keeps_mesh;
  std::vector<std::string> wanted = control::end_names(problem);
  for (const auto* symbols : {&problem.system.algebroid.y, &problem.controls})
    for (const auto& symbol : *symbols) wanted.emplace_back(symbol.name());
  for (const auto& name : wanted) {
    const Column* column = named(columns, name);
    if (column == nullptr) continue;
    const auto& values = column->values;
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
      throw InputError(origin, 0, 0, "the column " + in_quotes(name) + " has values that are not finite",
                       "give a path that is finite");
    guess.columns.emplace(name, values);
  }
  guess.times = named(columns, problem.system.t.name())->values;
  guess.duration = guess.times.back() - guess.times.front();
  guess.iterate = iterate;
  problem.guess = std::move(guess);
}

void read_guess(control::Problem& problem, const std::filesystem::path& file) {
  constexpr const char* guess_file = "give a file of 'solve --out' or 'simulate --out'";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw InputError(file.string(), 0, 0, "there is no such file",
                     "give a .h5 or .csv file that 'solve --out' or 'simulate --out' wrote");
  const std::string ending = file.extension().string();
  if (ending == ".csv") return set_guess(problem, read_csv(file, guess_file), std::nullopt, file.string());
  if (ending != ".h5") throw InputError(file.string(), 0, 0, "a guess is read from a .h5 or .csv file", guess_file);
  const auto [trajectory, solution] = read_solution(file);
  set_guess(problem, trajectory.columns, solution ? std::optional(solution->iterate) : std::nullopt, file.string());
}

}  // namespace herglotz::io
