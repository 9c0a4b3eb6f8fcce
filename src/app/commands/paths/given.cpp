#include "commands/paths/given.hpp"

#include <fmt/format.h>

#include "exit_status.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/data_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {

namespace {

/// Returns the text without blanks at its ends.
std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::map<std::string, std::string> assignments(const std::string& option, const std::vector<std::string>& texts,
                                               const std::string& form) {
  std::map<std::string, std::string> given;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    const std::string name = symbolic::with_plain_greek(trimmed(text.substr(0, equals)));
    if (equals == std::string::npos || name.empty())
      throw io::InputError(option, 0, 0, fmt::format("'{}' is not an assignment", text), "write " + form);
    if (!given.emplace(name, text.substr(equals + 1)).second)
      throw io::InputError(option, 0, 0, fmt::format("'{}' is given twice", name), "keep one of them");
  }
  return given;
}

std::vector<analyse::Column> columns_of_file(const std::string& file) {
  return file.ends_with(".h5") ? io::read_hdf5(file).columns : io::read_data(file);
}

int with_model(const std::string& argument, const std::vector<std::string>& set,
               const std::function<int(const simulate::Problem&)>& act) {
  Model model = open_model(argument);
  for (const auto& assignment : set) io::apply_setting(model.problem, assignment);
  try {
    return act(model.problem);
  } catch (const Refused& refusal) {
    refuse(model.file, {}, {}, refusal);
  } catch (const Failed& failed) {
    complain(fmt::format("{}: {}", model.file, failed.what()));
    return run_failed;
  }
}

}  // namespace herglotz::app
