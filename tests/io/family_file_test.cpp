#include "herglotz/io/family_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "herglotz/io/problem_file.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kRing = R"toml([indices]
i = { count = 10, ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
k = 1.0
"m[i]" = "1 + i"
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - k*(q[i+1] - q[i])^2/2) - k*z"
[initial]
"q[i]" = "cos(i)"
)toml";

/// Returns the error of the model after one replacement.
std::string error_after(std::string_view from, std::string_view to) {
  std::string text(kRing);
  text.replace(text.find(from), from.size(), to);
  try {
    parse_family_model(text, "ring.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(FamilyFile, IsRead) {
  const auto model = parse_family_model(kRing, "ring.toml", {"k=2", "q[count-1]=0.5"});
  EXPECT_EQ(model.count(), 10U);
  EXPECT_EQ(model.parameters[0].value, 2);
  EXPECT_EQ(model.sums.size(), 1U);
  EXPECT_EQ(model.initial.at(model.base[0]).single.count(9), 1U);
  EXPECT_TRUE(states_families(kRing, "ring.toml"));
  EXPECT_FALSE(states_families("[model]\n", "x.toml"));
}

TEST(FamilyFile, TakesValuesAtAllSites) {
  auto model = parse_family_model(kRing, "ring.toml");
  set_profile(model, "q[i]", std::vector<double>(10, 0.5));
  set_profile(model, "m", std::vector<double>(10, 2.0));
  EXPECT_EQ(std::get<std::vector<double>>(model.initial.at(model.base[0]).all)[9], 0.5);
  EXPECT_EQ(std::get<std::vector<double>>(model.parameter_families.begin()->second.all)[0], 2.0);
  const auto refused = [&](const std::string& name, std::size_t count) {
    try {
      set_profile(model, name, std::vector<double>(count));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused("q[i]", 9), HasSubstr("'q[i]' has 9 values for 10 sites; give one for each site"));
  EXPECT_THAT(refused("w[i]", 10), HasSubstr("'w[i]' is not a family of the model; name one, such as q[i]"));
  EXPECT_THAT(refused("q[j]", 10), HasSubstr("'q[j]' is not a family of the model"));
}

TEST(FamilyFile, HasErrorsOfOneLineWithTheirPlace) {
  EXPECT_EQ(error_after("\"periodic\"", "\"open\""),
            "ring.toml:2:26: unknown kind of ends 'open'; known are periodic, fixed, free");
  EXPECT_THAT(error_after("[initial]", "[friction]\nrail = { on = \"v[i]\", static = 1 }\n[initial]"),
              HasSubstr("[friction] cannot stand in a model with an index"));
  EXPECT_EQ(error_after("q[i+1]", "q[j+1]"), "ring.toml:11:41: 'j' is not an index; the index of this model is i");
  EXPECT_EQ(error_after("q[i+1]", "Q[i+1]"), "ring.toml:11:41: 'Q' is not a family; families are q, v, m");
  EXPECT_EQ(error_after("q[i+1]", "q[i+0.5]"),
            "ring.toml:11:45: '0.5' is not a whole number; a subscript is an index with a whole number added or "
            "subtracted, or the number of a site");
  EXPECT_EQ(error_after("q[i+1]", "q[i,i]"), "ring.toml:11:41: 'q' has 2 subscripts; write q[i]");
  EXPECT_EQ(error_after("- k*z", "- k*q[i]"), "ring.toml:11:65: q[i] stands outside a sum; write sum(i, ...)");
  EXPECT_EQ(error_after("- k*z", "- k*q[10]"), "ring.toml:11:65: there is no site 10; sites are 0 to 9");
  EXPECT_EQ(error_after("sum(i,", "sum(i, sum(i, 1)*"),
            "ring.toml:11:26: a sum stands in a sum; write one sum with "
            "the product of both");
  EXPECT_EQ(error_after("sum(i, m", "sum(m"), "ring.toml:11:20: no comma after the index of a sum; write sum(m, ...)");
  EXPECT_EQ(error_after("^2/2) - k*z", "^2/2 - k*z)"),
            "ring.toml:11:15: the action stands in a sum; write its term outside, such as - gamma*z");
  EXPECT_THAT(error_after("count = 10", "count = 2.5"), HasSubstr("ring.toml:2:15: 'count' is not a number of sites"));
  EXPECT_THAT(error_after("count = 10", "count = \"n\""), HasSubstr("'n' is not a parameter"));
  EXPECT_THAT(error_after("\"1 + i\"", "[1, 2]"), HasSubstr("there are 2 values, and 10 are needed"));
  EXPECT_THAT(error_after("\"q[i]\" = \"cos(i)\"", "\"q[12]\" = 1"), HasSubstr("there is no site 12"));
  EXPECT_THAT(error_after("\"q[i]\" = \"cos(i)\"", "\"u[i]\" = 1"), HasSubstr("ring.toml:13:1: unknown initial value"));
  EXPECT_THAT(error_after("[initial]", "[inputs]"), HasSubstr("cannot stand in a model with an index"));
  const auto force_error = [](const std::string& force) {
    return error_after("[initial]", "forces = { " + force + " }\n[initial]");
  };
  EXPECT_THAT(force_error("\"u[i]\" = \"1\""), HasSubstr("unknown velocity 'u[i]'"));
  EXPECT_THAT(force_error("\"q[i]\" = \"1\""), HasSubstr("unknown velocity 'q[i]'"));
  EXPECT_THAT(force_error("\"v[i]\" = \"q[0]\""), HasSubstr("a site by its number stands in the expression of a site"));
  EXPECT_THAT(force_error("\"v[10]\" = \"1\""), HasSubstr("there is no site 10"));
  EXPECT_THAT(force_error("\"v[j]\" = \"1\""), HasSubstr("is not a site; write v[i], v[0] or v[count-1]"));
  EXPECT_THAT(force_error("\"v[0]\" = \"sum(i, v[i])\""), HasSubstr("has a sum; use sites by number, such as v[0]"));
  const auto observable_error = [](const std::string& line) {
    return error_after("[initial]", "[observables]\n" + line + "\n[initial]");
  };
  EXPECT_THAT(observable_error("energy = \"z\""), HasSubstr("there is a column 'energy' already"));
  EXPECT_THAT(observable_error("w = \"q[i]\""), HasSubstr("q[i] stands outside a sum"));
  EXPECT_THAT(observable_error("w = \"i\""), HasSubstr("'i' stands outside a sum"));
  EXPECT_THAT(observable_error("k = \"z\""), HasSubstr("'k'"));
  EXPECT_THAT(error_after("base = [\"q[i]\"]", "base = [\"q\"]"), HasSubstr("'q' has no index; write q[i]"));
}

TEST(FamilyFile, IsRefusedByReadersOfOtherModels) {
  EXPECT_THAT(
      [] { parse_model(kRing, "ring.toml"); },
      testing::ThrowsMessage<InputError>(HasSubstr("ring.toml:1:2: this command does not take a model with an index")));
  EXPECT_THAT([] { parse_problem(kRing, "ring.toml"); },
              testing::ThrowsMessage<InputError>(
                  HasSubstr("ring.toml:1:2: problems of boundary values and control have no index")));
}

}  // namespace
}  // namespace herglotz::io
