#pragma once
/// Rows of an aligned environment that fit the page.

#include <string>
#include <vector>

namespace herglotz::mechanics {

/// `left &= right` in as many rows as its length needs; a long left-hand side has a row of its own. Breaks stand before
/// +, - and =, outside braces, and in as few parentheses as possible; a fraction stays whole.
std::vector<std::string> broken(const std::string& left, const std::string& right);

}  // namespace herglotz::mechanics
