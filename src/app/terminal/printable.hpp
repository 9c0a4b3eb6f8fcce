#pragma once
/// Functions that make users' text fit for a terminal.

#include "herglotz/symbolic/printable.hpp"

namespace herglotz::app {

using symbolic::one_line;
using symbolic::printable;

}  // namespace herglotz::app
