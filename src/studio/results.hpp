#pragma once
/// Pages that jobs made, each at an address that nobody can guess.

#include <deque>
#include <string>
#include <string_view>

namespace herglotz::studio {

/// Begins the addresses of results.
constexpr std::string_view result_path = "/result/";

/// Keeps the newest results.
class Results {
 public:
  /// Keeps a page and returns its address.
  std::string keep(std::string page);
  /// Returns the page at an address, or nullptr.
  [[nodiscard]] const std::string* find(std::string_view path) const;

 private:
  struct Result {
    std::string path;
    std::string page;
  };
  std::deque<Result> results_;
};

}  // namespace herglotz::studio
