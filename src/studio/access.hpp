#pragma once
/// Who is let in: rules on hosts, origins, tokens and cookies, without any networking.

#include <optional>
#include <string>
#include <string_view>

namespace herglotz::studio {

/// The parts of a request on which access depends.
struct Request {
  std::string_view method = "GET";
  std::string_view target = "/";
  std::optional<std::string_view> host{};
  std::optional<std::string_view> origin{};
  std::string_view cookies{};
  bool upgrade = false;  ///< asks for a WebSocket
  bool single = true;    ///< no header that access depends on occurs twice
};

enum class Answer { page, page_and_cookie, socket, result, forbidden, not_found, wrong_method };

/// A token that lets one browser in, and the cookie that this browser then has.
class Access {
 public:
  explicit Access(unsigned short port);

  /// Judges a request; a token that lets a request in is spent.
  Answer judge(const Request& request);
  /// Returns the address with the token.
  [[nodiscard]] std::string address() const;
  /// Returns the header Set-Cookie of an answer page_and_cookie.
  [[nodiscard]] std::string cookie() const;

 private:
  [[nodiscard]] bool own_host(std::string_view host) const;
  [[nodiscard]] bool knows(std::string_view cookies) const;

  std::string port_;
  std::string token_;
  std::string secret_;
  bool spent_ = false;
};

/// Returns 256 random bits of the system as hexadecimal digits.
std::string random_word();

}  // namespace herglotz::studio
