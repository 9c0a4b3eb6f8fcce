#include "herglotz/analyse/list_text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace herglotz::analyse {
namespace {

std::vector<std::string> numbers(std::size_t count) {
  std::vector<std::string> parts;
  for (std::size_t i = 1; i <= count; ++i) parts.push_back(std::to_string(i));
  return parts;
}

TEST(ListText, HasAllPartsOfShortLists) {
  EXPECT_EQ(list_text({}), "");
  EXPECT_EQ(list_text(numbers(3)), "1, 2, 3");
  EXPECT_EQ(list_text(numbers(40)).substr(123), "34, 35, 36, 37, 38, 39, 40");
}

TEST(ListText, CountsWhatItLeavesOutOfLongLists) {
  EXPECT_EQ(list_text(numbers(41)), "1, 2, 3, 4, 5, 6, 7, 8, .. 31 others .., 40, 41");
  EXPECT_EQ(list_text(numbers(1000)), "1, 2, 3, 4, 5, 6, 7, 8, .. 990 others .., 999, 1000");
}

}  // namespace
}  // namespace herglotz::analyse
