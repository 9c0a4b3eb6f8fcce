#include <utility>

#include "herglotz/io/model_file.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

constexpr std::size_t kLongestMessage = 600;

std::string place(const std::string& file, std::size_t line, std::size_t column) {
  const std::string name = one_line(file, kLongestMessage);
  return line > 0 ? name + ":" + std::to_string(line) + ":" + std::to_string(column) : name;
}

std::string compose(const std::string& place, const std::string& problem, const std::string& remedy) {
  std::string message = place + ": " + one_line(problem, kLongestMessage);
  if (!remedy.empty()) message += "; " + one_line(remedy, kLongestMessage);
  return message;
}

}  // namespace

InputError::InputError(std::string in_file, std::size_t at_line, std::size_t at_column, const std::string& problem,
                       const std::string& remedy)
    : std::runtime_error(compose(place(in_file, at_line, at_column), problem, remedy)),
      Error(one_line(problem, kLongestMessage), one_line(remedy, kLongestMessage), place(in_file, at_line, at_column)),
      file(std::move(in_file)),
      line(at_line),
      column(at_column) {}

std::string one_line(std::string_view text, std::size_t longest) {
  std::string line;
  for (const char c : text) {
    if (line.size() >= longest) {
      while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U) line.pop_back();
      if (!line.empty() && static_cast<unsigned char>(line.back()) >= 0xC0U) line.pop_back();
      return line + "...";
    }
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20U || byte == 0x7FU ? ' ' : c;
  }
  return line;
}

std::string in_quotes(std::string_view text) {
  return "'" + one_line(text, 60) + "'";
}

std::string listing(const std::vector<std::string>& names, std::string_view last) {
  constexpr std::size_t kMost = 24;
  const std::size_t shown = names.size() > kMost ? kMost : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : std::string_view(", ");
    text += one_line(names[i], 60);
  }
  return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace herglotz::io
