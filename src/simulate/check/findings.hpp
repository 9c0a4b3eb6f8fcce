#pragma once
/// Findings as they are collected, and how sentences are put together from what is judged and what is not.

#include <string>

#include "herglotz/simulate/check.hpp"

namespace herglotz::simulate {

/// A sentence of a finding.
struct Sentence {
  Sentence(std::string text) : before(std::move(text)) {}  // NOLINT: plain text is a sentence
  Sentence(const char* text) : before(text) {}             // NOLINT: the same
  Sentence() = default;

  std::string before;
  std::string judged;
  std::string after;
  bool good = true;
};

/// The text as good or bad news.
Sentence judged(bool good, const std::string& text);
Sentence operator+(const std::string& before, Sentence sentence);
Sentence operator+(Sentence sentence, const std::string& after);

/// Collects findings, and passes each on.
class Findings {
 public:
  Findings(std::vector<Finding>& findings, const std::function<void(const Finding&)>& tell)
      : findings_(findings), tell_(tell) {}
  /// An empty subject continues the previous one.
  void add(const std::string& subject, Sentence sentence) const;

 private:
  std::vector<Finding>& findings_;
  const std::function<void(const Finding&)>& tell_;
};

}  // namespace herglotz::simulate
