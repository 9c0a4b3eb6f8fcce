#pragma once
/// A workshop whose messages a test reads.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "studio/arrived.hpp"
#include "workshop.hpp"

namespace herglotz::studio {

class WorkshopTest : public testing::Test {
 protected:
  std::vector<Message> sent;
  Workshop workshop{"m.toml", [this](Message message) { sent.push_back(std::move(message)); }, {.first = 0}};

  void run(const nlohmann::json& what) {
    sent.clear();
    workshop.run(what, [] { return true; });
  }
};

}  // namespace herglotz::studio
