#pragma once
/// Collection of findings, and their sentences, which are composed of judged and neutral text.

#include <string>

#include "herglotz/simulate/check.hpp"

namespace herglotz::simulate {

/// Sentence of a finding.
struct Sentence {
  Sentence(std::string text) : before(std::move(text)) {}  // NOLINT: plain text is a sentence
  Sentence(const char* text) : before(text) {}             // NOLINT: the same
  Sentence() = default;

  std::string before;
  std::string judged;
  std::string after;
  bool good = true;
};

/// Returns the text as a sentence that is judged good or bad.
Sentence judged(bool good, const std::string& text);
Sentence operator+(const std::string& before, Sentence sentence);
Sentence operator+(Sentence sentence, const std::string& after);

/// Collector of findings, which also passes each finding on.
class Findings {
 public:
  Findings(std::vector<Finding>& findings, const std::function<void(const Finding&)>& tell)
      : findings_(findings), tell_(tell) {}
  /// Adds a finding. An empty subject continues the previous subject.
  void add(const std::string& subject, Sentence sentence) const;

 private:
  std::vector<Finding>& findings_;
  const std::function<void(const Finding&)>& tell_;
};

}  // namespace herglotz::simulate
