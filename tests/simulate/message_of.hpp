#pragma once
/// Messages of errors, for tests of refusals.

#include <exception>
#include <string>

namespace herglotz {

/// Returns the message of what f throws.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace herglotz
