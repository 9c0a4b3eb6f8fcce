#pragma once
/// A problem and, once it is needed, its compiled form.

#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/make_way.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::python {

class Model {
 public:
  Model(const std::string& text, const std::string& file) : problem_(io::parse_model(text, file)) {}

  [[nodiscard]] const simulate::Problem& problem() const { return problem_; }
  const simulate::Simulator& simulator() {
    const std::scoped_lock lock(mutex_);
    if (!simulator_)
      simulator_ = std::make_unique<simulate::Simulator>(problem_.system, compile::Options{}, problem_.initial,
                                                         problem_.discrete);
    return *simulator_;
  }

 private:
  simulate::Problem problem_;
  std::mutex mutex_;
  std::unique_ptr<simulate::Simulator> simulator_;
};

/// The start of a problem and its second position, without what does not go with values of these names.
template <class Values>
std::pair<simulate::InitialState, simulate::InitialState> start_beside(const simulate::Problem& problem,
                                                                       const Values& values) {
  auto start = std::make_pair(problem.initial, problem.next);
  for (const auto& [name, _] : values) simulate::make_way(problem.system, name, start.first, start.second);
  return start;
}

}  // namespace herglotz::python
