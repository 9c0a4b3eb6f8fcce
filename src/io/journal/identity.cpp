#include "journal/identity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quote.hpp"

namespace herglotz::io {
namespace {

const std::string* find(const Identity& identity, const std::string& name) {
  const auto found =
      std::find_if(identity.begin(), identity.end(), [&](const auto& pair) { return pair.first == name; });
  return found == identity.end() ? nullptr : &found->second;
}

/// Returns a text such as "gamma was 0.1 and is 0.2"; long texts are only named.
std::string difference_of(const std::string& name, const std::string* before, const std::string* now) {
  if (before == nullptr) return name + " was not there";
  if (now == nullptr) return name + " is not there any more";
  constexpr std::size_t short_enough = 40;
  if (std::max(before->size(), now->size()) > short_enough) return name + " is another one";
  return fmt::format("{} was {} and is {}", name, in_quotes(*before), in_quotes(*now));
}

}  // namespace

void put_identity(const Identity& identity, ByteWriter& out) {
  for (const auto& [name, text] : identity) {
    out.put_text(name);
    out.put_text(text);
  }
}

Identity get_identity(ByteReader& in) {
  Identity identity;
  while (!in.at_end()) {
    const auto name = in.get_text();
    identity.emplace_back(name, in.get_text());
  }
  return identity;
}

std::string difference(const Identity& before, const Identity& now) {
  for (const auto& [name, text] : before) {
    const auto* other = find(now, name);
    if (other == nullptr || *other != text) return difference_of(name, &text, other);
  }
  for (const auto& [name, text] : now)
    if (find(before, name) == nullptr) return difference_of(name, nullptr, &text);
  return {};
}

}  // namespace herglotz::io
