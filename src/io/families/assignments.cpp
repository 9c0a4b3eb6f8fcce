#include "families/assignments.hpp"

#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model/option_value.hpp"
#include "quote.hpp"

namespace herglotz::io {

Assignments::Assignments(const std::vector<std::string>& written) {
  for (const std::string& assignment : written) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set", 0, 0, in_quotes(assignment) + " is not an assignment",
                       "write NAME=VALUE, e.g. --set gamma=0.1");
    set_.emplace_back(symbolic::with_plain_greek(std::string(trimmed(std::string_view(assignment).substr(0, equals)))),
                      trimmed(std::string_view(assignment).substr(equals + 1)));
  }
  used_.resize(set_.size());
}

const std::string* Assignments::value(const std::string& name) {
  const std::string* value = nullptr;
  for (std::size_t k = 0; k < set_.size(); ++k)
    if (set_[k].first == name) {
      value = &set_[k].second;
      used_[k] = true;
    }
  return value;
}

std::vector<std::pair<std::string, std::string>> Assignments::unused() const {
  std::vector<std::pair<std::string, std::string>> left;
  for (std::size_t k = 0; k < set_.size(); ++k)
    if (!used_[k]) left.push_back(set_[k]);
  return left;
}

std::vector<std::string> Assignments::of_families() const {
  std::vector<std::string> written;
  for (const auto& [name, value] : set_)
    if (name.find('[') != std::string::npos) written.push_back(name + "=" + value);
  return written;
}

double constant_of_set(const std::string& text) {
  symbolic::Graph graph;
  try {
    return symbolic::evaluate(symbolic::parse(graph, text, {}), {}, {});
  } catch (const symbolic::ParseError& error) {
    throw InputError("--set", 0, 0, error.problem(), error.remedy());
  }
}

}  // namespace herglotz::io
