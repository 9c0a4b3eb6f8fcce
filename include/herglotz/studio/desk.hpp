#pragma once
/// The studio without its server, for a page that another program shows: requests in, messages out.

#include <memory>
#include <string>
#include <vector>

namespace herglotz::studio {

class Desk {
 public:
  /// A message to the page: JSON, or a run as a head with columns behind it.
  struct Answer {
    std::string bytes;
    bool binary = false;
  };

  /// The page begins with the model `text`; `file` is its name in messages.
  Desk(std::string text, std::string file);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  /// Answers a request for a run, a report, a model of the gallery, or (`{"kind": "hello"}`) the first message to a
  /// page. Throws Refused for anything else.
  std::vector<Answer> answer(const std::string& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the studio's page, whose elements of script and style have a nonce.
std::string page_with_nonce(const std::string& nonce);

}  // namespace herglotz::studio
