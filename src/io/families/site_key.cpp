#include "families/site_key.hpp"

#include <stdexcept>

#include "herglotz/error.hpp"
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

symbolic::Subscript site_subscript(const Key& key, const std::string& index, const std::string& of) {
  symbolic::Subscript at;
  std::string text = key.subscript;
  if (text.starts_with("count")) {
    at.from_the_end = true;
    text = text.substr(5);
  }
  try {
    std::size_t read = 0;
    at.offset = text.empty() ? 0 : std::stol(text, &read);
    if (read != text.size()) throw Refused(text);
  } catch (const std::logic_error&) {
    throw Refused("the subscript of " + of + " is no site",
                  "write " + key.name + "[" + index + "], " + key.name + "[0] or " + key.name + "[count-1]");
  }
  return at;
}

}  // namespace herglotz::io
