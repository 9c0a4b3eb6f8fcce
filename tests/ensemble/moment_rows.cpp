#include "moment_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using herglotz::ensemble::MomentRows;
using herglotz::ensemble::Moments;

TEST(MomentRows, HaveTheBitsOfMomentsOneByOne) {
  constexpr std::size_t members = 97;
  for (const std::size_t rows : {1U, 3U, 4U, 11U, 64U}) {
    MomentRows together(rows);
    for (const int round : {0, 1}) {
      together.clear();
      std::vector<Moments> alone(rows);
      for (std::size_t k = 0; k < members; ++k) {
        std::vector<double> values(rows);
        for (std::size_t row = 0; row < rows; ++row) {
          values[row] = std::sin(1.7 * static_cast<double>(k * rows + row) + round) * std::exp(0.3 * double(row % 5));
          if (row % 7 == 2 || (k * row) % 11 == 5) values[row] = std::numeric_limits<double>::quiet_NaN();
          if ((k + row) % 13 == 0) values[row] = std::numeric_limits<double>::infinity() * (k % 2 == 0 ? 1 : -1);
          if (row % 7 == 4) values[row] = k % 2 == 0 ? 0.0 : -0.0;
          alone[row].add(values[row]);
        }
        together.add(values.data());
      }
      for (std::size_t row = 0; row < rows; ++row) {
        const Moments moments = together.at(row);
        EXPECT_EQ(std::memcmp(&moments, &alone[row], sizeof(Moments)), 0) << rows << " rows, row " << row;
      }
    }
  }
}
