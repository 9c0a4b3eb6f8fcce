#pragma once
/// The one line an action fails with.

#include <string>

#include "herglotz/io/model_file.hpp"

namespace herglotz::io {

/// what() of the InputError that `action` throws; "no error" where it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace herglotz::io
