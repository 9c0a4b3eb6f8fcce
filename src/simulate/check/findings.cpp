#include "check/findings.hpp"

#include <fmt/format.h>

namespace herglotz::simulate {

Sentence judged(bool good, const std::string& text) {
  Sentence sentence;
  sentence.judged = text;
  sentence.good = good;
  return sentence;
}

Sentence operator+(const std::string& before, Sentence sentence) {
  sentence.before.insert(0, before);
  return sentence;
}

Sentence operator+(Sentence sentence, const std::string& after) {
  (sentence.judged.empty() ? sentence.before : sentence.after) += after;
  return sentence;
}

void Findings::add(const std::string& subject, Sentence sentence) const {
  findings_.push_back(
      {subject, std::move(sentence.before), std::move(sentence.judged), std::move(sentence.after), sentence.good});
  if (tell_) tell_(findings_.back());
}

std::string heading(const mechanics::System& system, const std::string& styled) {
  std::string line = styled;
  if (!system.title.empty()) line += "  " + system.title;
  if (!system.reference.empty()) line += "  [" + system.reference + "]";
  return line;
}

std::string text_of(const mechanics::System& system, const Check& check) {
  std::string text = heading(system, system.name) + "\n";
  for (const Finding& finding : check.findings) text += fmt::format("  {:<13} {}\n", finding.subject, finding.text());
  return text;
}

}  // namespace herglotz::simulate
