#include "access.hpp"

#include <sys/random.h>

#include <array>

#include "herglotz/error.hpp"
#include "results.hpp"

namespace herglotz::studio {
namespace {

/// Compares in a time that does not depend on where the words differ.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return difference == 0;
}

constexpr std::string_view token_key = "token=";

}  // namespace

std::string random_word() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Failed("the system gives no random numbers");
  std::string word;
  for (const unsigned char byte : bytes) {
    word += "0123456789abcdef"[byte >> 4U];
    word += "0123456789abcdef"[byte & 15U];
  }
  return word;
}

Access::Access(unsigned short port) : port_(std::to_string(port)), token_(random_word()), secret_(random_word()) {}

std::string Access::address() const {
  return "http://127.0.0.1:" + port_ + "/?" + std::string(token_key) + token_;
}

std::string Access::cookie() const {
  return "herglotz-" + port_ + "=" + secret_ + "; Path=/; HttpOnly; SameSite=Strict";
}

bool Access::own_host(std::string_view host) const {
  for (const std::string_view name : {"127.0.0.1", "localhost", "[::1]"})
    if (host.size() == name.size() + 1 + port_.size() && host.starts_with(name) && host[name.size()] == ':' &&
        host.ends_with(port_))
      return true;
  return false;
}

bool Access::knows(std::string_view cookies) const {
  const std::string wanted = "herglotz-" + port_ + "=" + secret_;
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (same(one, wanted)) return true;
  }
  return false;
}

Answer Access::judge(const Request& request) {
  constexpr std::string_view scheme = "http://";
  if (!request.single || !request.host || !own_host(*request.host)) return Answer::forbidden;
  if (request.origin &&
      (!request.origin->starts_with(scheme) || request.origin->substr(scheme.size()) != *request.host))
    return Answer::forbidden;
  const std::size_t mark = std::min(request.target.find('?'), request.target.size());
  const std::string_view path = request.target.substr(0, mark);
  const std::string_view query = request.target.substr(std::min(mark + 1, request.target.size()));
  const bool result = path.starts_with(result_path);
  if (path != "/" && path != "/ws" && !result) return Answer::not_found;
  const bool known = knows(request.cookies);
  if (result) {
    if (!known) return Answer::forbidden;
    return request.method == "GET" ? Answer::result : Answer::wrong_method;
  }
  if (path == "/ws") {
    if (!known || !request.origin || !request.upgrade || request.method != "GET") return Answer::forbidden;
    return Answer::socket;
  }
  const bool right_token = query.starts_with(token_key) && same(query.substr(token_key.size()), token_);
  if (!query.empty() && !right_token) return Answer::forbidden;
  if (!known && (!right_token || spent_)) return Answer::forbidden;
  if (request.method != "GET") return Answer::wrong_method;
  if (known) return Answer::page;
  spent_ = true;
  return Answer::page_and_cookie;
}

}  // namespace herglotz::studio
