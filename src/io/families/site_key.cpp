#include "families/site_key.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

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

std::vector<symbolic::Subscript> subscripts_of(const Key& key, const std::vector<std::string>& indices,
                                               const std::string& of) {
  std::vector<symbolic::Subscript> list;
  const std::string& text = key.subscript;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    symbolic::Subscript at;
    if (list.size() < indices.size() && part == indices[list.size()]) {
      at.index = part;
      list.push_back(at);
      continue;
    }
    at.from_the_end = part.starts_with("count");
    if (at.from_the_end) part = part.substr(5);
    if (part.starts_with('+')) part = part.substr(1);
    const auto read = std::from_chars(part.data(), part.data() + part.size(), at.offset);
    const bool whole = read.ec == std::errc() && read.ptr == part.data() + part.size();
    if (!whole && !(part.empty() && at.from_the_end)) {
      list.clear();
      break;
    }
    list.push_back(at);
  }
  if (list.size() == indices.size()) return list;
  const std::string& name = key.name;
  throw Refused("the subscript of " + of + " is not a site",
                indices.size() == 1 ? "write " + name + "[" + indices[0] + "], " + name + "[0] or " + name + "[count-1]"
                                    : "write " + name + "[" + indices[0] + "," + indices[1] + "], " + name + "[0," +
                                          indices[1] + "], " + name + "[0,0] or " + name + "[0,count-1]");
}

}  // namespace herglotz::io
