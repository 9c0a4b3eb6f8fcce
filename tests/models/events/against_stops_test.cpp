// Bodies that friction and a stop hold at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contact_runs.hpp"

namespace herglotz::io {
namespace {

/// A crate on a bed with friction, beside a wall at q = 0. The load 1 - t presses it to the wall until t = 1.
std::string crate(const std::string& initial, const std::string& method) {
  return "[algebroid]\nkind = \"tangent\"\nbase = [\"q\"]\nfibre = [\"v\"]\n[dynamics]\nlagrangian = \"v^2/2\"\nforces "
         "= "
         "{ v = \"t - 1\" }\n[friction]\nbed = { on = \"v\", static = 0.4, kinetic = 0.3 }\n[impacts]\nwall = { gap = "
         "\"q\", restitution = 0 }\n[initial]\n" +
         initial + "[simulation]\nt_end = 2\n" + method;
}

// The wall alone carries what presses; from t = 1 on friction holds the crate, until the load is 0.4 at t = 1.4. Then
// v' = t - 1.3, so v = ((t - 1.3)^2 - 0.01)/2. The run ended where the crate came to the wall.
TEST(AgainstStops, TheStopCarriesTheLoadAndFrictionTakesOver) {
  for (const std::string method :
       {"tolerance = 1e-12\n", "method = \"radau-5\"\ntolerance = 1e-11\n",
        "method = \"contact-gauss-4\"\nstep = 0.05\n", "method = \"contact-dla-2\"\nstep = 0.05\n"})
    for (const std::string initial : {"q = 0\n", "q = 0.02\nv = -0.5\n"}) {
      const auto made = complete_run(crate(initial, method), method.find("dla") == method.npos ? 1e-9 : 5e-3);
      EXPECT_NEAR(made["v"].back(), (0.7 * 0.7 - 0.01) / 2, 1e-9) << method << initial;
      EXPECT_NEAR(made["q"].back(), (0.343 - 0.001) / 6 - 0.01 * 0.6 / 2, 1e-3) << method << initial;
      for (std::size_t k = 0; k < made["t"].size(); ++k) {
        const double t = made["t"][k];
        if (t < 0.5 || t > 1.39) continue;
        EXPECT_NEAR(made["q"][k], 0, 1e-12) << method << t;
        EXPECT_NEAR(made["contact.wall"][k], std::max(1 - t, 0.0), 1e-9) << method << t;
        EXPECT_NEAR(made["friction.bed"][k], t < 1 ? 0 : 1 - t, 1e-9) << method << t;
      }
    }
}

}  // namespace
}  // namespace herglotz::io
