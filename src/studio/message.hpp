#pragma once
/// Messages to a page.

#include <string>

namespace herglotz::studio {

/// A message to the page. Of messages with the same nonempty tag that wait only the newest is sent.
struct Message {
  std::string bytes;
  bool binary = false;
  std::string tag{};
};

}  // namespace herglotz::studio
