#include "outputs/column_name.hpp"

#include <string>

#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"

namespace herglotz::io {

void check_column_name(const Source& source, const Member& member, std::string_view what) {
  std::string plain = member.key;
  for (char& c : plain)
    if (c == '.' || c == '-') c = '_';
  if (!symbolic::is_identifier(plain) || plain.front() != member.key.front())
    source.fail(member.place, in_quotes(member.key) + " cannot name " + std::string(what),
                "names of columns start with a letter and go on with letters, digits, _ - and .");
}

}  // namespace herglotz::io
