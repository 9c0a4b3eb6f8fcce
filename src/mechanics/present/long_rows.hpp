#pragma once
/// Rows of an aligned environment, broken to fit the page.

#include <string>
#include <vector>

namespace herglotz::mechanics {

/// Breaks `left &= right` into the number of rows that its length needs. A long left-hand side has a row of its own.
/// Breaks are before +, - and =, outside braces, and in as few parentheses as possible; a fraction stays whole.
std::vector<std::string> broken(const std::string& left, const std::string& right);

}  // namespace herglotz::mechanics
