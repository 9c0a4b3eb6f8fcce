#include "families/site_key.hpp"

#include "herglotz/symbolic/names.hpp"

namespace herglotz::io {

Key key_of(const std::string& written) {
  const std::string text = symbolic::with_plain_greek(written);
  const std::size_t open = text.find('[');
  if (open == std::string::npos || !text.ends_with(']')) return {text, {}};
  std::string subscript = text.substr(open + 1, text.size() - open - 2);
  std::erase(subscript, ' ');
  return {text.substr(0, open), subscript.empty() ? "?" : subscript};
}

}  // namespace herglotz::io
