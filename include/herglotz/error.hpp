#pragma once
/// Errors that the library throws, and the parts of their messages.

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace herglotz {

/// Base of the errors that the library throws, with the parts of their messages. Each is an exception of the standard
/// library as well. A bare std::logic_error is a defect of the library.
class Error {
 public:
  virtual ~Error() = default;

  /// Returns the message in one line: "what is wrong; what would be right".
  [[nodiscard]] virtual const char* what() const noexcept = 0;
  /// Returns what is wrong.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Returns what would be right; empty if `problem` says it.
  [[nodiscard]] const std::string& remedy() const noexcept { return remedy_; }
  /// Returns the part of the input that is wrong: a table, key or name of a model file, such as "[initial]" or "step",
  /// or a place `file:line:column`; empty if it is unknown.
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  /// Returns `where` if it is a table of a model file, else `otherwise`.
  [[nodiscard]] std::string table_or(const std::string& otherwise) const {
    return where_.starts_with("[") ? where_ : otherwise;
  }

 protected:
  Error(std::string problem, std::string remedy, std::string where)
      : problem_(std::move(problem)), remedy_(std::move(remedy)), where_(std::move(where)) {}
  Error(const Error&) = default;
  Error(Error&&) = default;
  Error& operator=(const Error&) = default;
  Error& operator=(Error&&) = default;

 private:
  std::string problem_;
  std::string remedy_;
  std::string where_;
};

/// Error that is an exception `Standard` of the standard library.
template <class Standard>
class ErrorOf : public Standard, public Error {
 public:
  explicit ErrorOf(const std::string& problem, const std::string& remedy = {}, const std::string& where = {})
      : Standard(remedy.empty() ? problem : problem + "; " + remedy), Error(problem, remedy, where) {}

  [[nodiscard]] const char* what() const noexcept override { return Standard::what(); }
};

using Refused = ErrorOf<std::invalid_argument>;  ///< input, or a request, that the library does not accept
using Failed = ErrorOf<std::runtime_error>;      ///< a computation that did not succeed
using OutOfRange = ErrorOf<std::out_of_range>;   ///< a name or number beyond those that there are

/// Returns any error as a refusal. A message without parts is its problem.
inline Refused as_refused(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error))
    return Refused(known->problem(), known->remedy(), known->where());
  return Refused(error.what());
}

}  // namespace herglotz
