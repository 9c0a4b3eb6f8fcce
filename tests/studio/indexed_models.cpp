#include <gmock/gmock.h>

#include <cstring>

#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "studio/workshop_test.hpp"

namespace herglotz::studio {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A chain whose number of sites is a parameter.
const std::string chain = R"toml([indices]
i = { count = "n", ends = "periodic" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[parameters]
n = 12
k = 1.0
gamma = 0.1
"m[i]" = "1 + k*i/count"
[dynamics]
lagrangian = "sum(i, m[i]*v[i]^2/2 - k*(q[i+1] - q[i])^2/2) - gamma*z"
[initial]
"q[i]" = "sin(2*pi*i/count)"
[simulation]
method = "contact-splitting-2"
step = 0.05
t_end = 2
)toml";

/// The run that a command line with these assignments makes.
analyse::Trajectory fresh_chain(const std::vector<std::string>& set, const std::string& method = {}) {
  families::Model model = io::parse_family_model(chain, "m.toml", set);
  if (!method.empty()) model.settings.method = method;
  return families::in_columns(families::runs_in_loops(model) ? families::run(model) : families::run_flat(model));
}

/// Expects of every column that the page has its last value of a fresh run.
void expect_ends_of(const Arrived& arrived, const analyse::Trajectory& fresh) {
  const auto drawn = arrived.head["drawn"].get<std::size_t>();
  const json& columns = arrived.head["run"]["columns"];
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto name = columns[k]["name"].get<std::string>();
    ASSERT_NE(fresh.find(name), nullptr) << name;
    EXPECT_EQ(arrived.numbers[(k + 1) * drawn - 1], fresh[name].back()) << name;
  }
}

std::vector<std::string> names_of_sites(const Arrived& arrived) {
  std::vector<std::string> names;
  for (const json& column : arrived.head["run"]["columns"])
    if (const auto name = column["name"].get<std::string>(); name.find('[') != std::string::npos) names.push_back(name);
  return names;
}

TEST_F(WorkshopTest, RunsAModelWithAnIndexToTheBitsOfAFreshRun) {
  run(request(chain));
  ASSERT_EQ(sent.size(), 2U) << "a run and its equations";
  EXPECT_THAT(sent[1].bytes, HasSubstr("latex"));
  const Arrived first = decoded(sent[0]);
  expect_ends_of(first, fresh_chain({}));
  EXPECT_THAT(names_of_sites(first), testing::ElementsAre("q[0]", "q[5]", "q[11]", "v[0]", "v[5]", "v[11]"));
  EXPECT_EQ(first.head["run"]["counts"], json({"n"}));

  run(request(chain, {{"gamma", 0.4}, {"k", 1.7}, {"z", 0.25}}));
  ASSERT_EQ(sent.size(), 1U) << "equations do not change with values";
  expect_ends_of(decoded(sent[0]), fresh_chain({"gamma=0.4", "k=1.7", "z=0.25"}));
  run(request(chain, {{"t", 0.7}, {"gamma", 0.4}}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"t=0.7", "gamma=0.4"}));
  run(request(chain, {{"n", 20}, {"q[3]", 0.5}}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"n=20", "q[3]=0.5"}));
  run(request(chain, {{"gamma", 0.2}}, "contact-gauss-4"));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"gamma=0.2"}, "contact-gauss-4"));
  run(request(chain));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({}));
}

TEST_F(WorkshopTest, GivesANumberOfSitesItsNewValueWhereverItIsUsed) {
  for (const std::string more : {" - n*q[i]^2/2", " + (n - 10)*v[i]*v[i+1]/20"}) {
    std::string text = chain;
    text.replace(text.find(") - gamma*z"), 11, more + ") - gamma*z");
    text.replace(text.find("contact-splitting-2"), 19, "runge-kutta-4");
    run(request(text));
    run(request(text, {{"n", 14}, {"k", 1.7}}));
    families::Model model = io::parse_family_model(text, "m.toml", {"n=14", "k=1.7"});
    const bool loops = families::runs_in_loops(model);
    EXPECT_EQ(loops, more.find("v[i]") == std::string::npos);
    expect_ends_of(decoded(sent.at(0)), families::in_columns(loops ? families::run(model) : families::run_flat(model)));
  }
}

TEST_F(WorkshopTest, TypesetsEquationsAnewForAnotherNumberOfSites) {
  run(request(chain));
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_THAT(sent[1].bytes, HasSubstr("11"));
  run(request(chain, {{"n", 20}}));
  EXPECT_EQ(decoded(sent.at(0)).head["typesetting"], true);
  ASSERT_EQ(sent.size(), 2U) << "the equations name the sites";
  EXPECT_THAT(sent[1].bytes, HasSubstr("19"));
  run(request(chain, {{"n", 20}, {"gamma", 0.3}}));
  EXPECT_EQ(decoded(sent.at(0)).head["typesetting"], false);
  EXPECT_EQ(sent.size(), 1U);
  run(request(chain, {{"n", 20}}, "contact-gauss-4"));
  EXPECT_EQ(sent.size(), 1U) << "a method changes no equations";
}

TEST_F(WorkshopTest, MovesStartsOfSingleSites) {
  run(request(chain, {{"q[3]", 0.5}, {"v[0]", -1.5}}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"q[3]=0.5", "v[0]=-1.5"}));
  run(request(chain, {{"n", 20}, {"q[15]", 0.25}}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"n=20", "q[15]=0.25"}));
  run(request(chain, {{"n", 20}, {"q[15]", 0.5}, {"q[3]", 0.5}}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"n=20", "q[15]=0.5", "q[3]=0.5"}));
  run(request(chain, {{"n", 10}, {"q[15]", 0.5}}));
  EXPECT_THAT(sent.at(0).bytes, HasSubstr("15")) << "there is no such site";
  EXPECT_FALSE(sent[0].binary);
  run(request(chain));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({}));
}

TEST_F(WorkshopTest, MovesAStartOfSitesOntoItsConstraints) {
  const std::string rods(io::gallery_text("hanging-rods"));
  const auto start_of = [](const json& facts, const std::string& name) {
    for (const auto& one : facts["initial"])
      if (one["name"] == name) return one["value"].get<double>();
    ADD_FAILURE() << name;
    return 0.0;
  };
  run(request(rods));
  const double given = start_of(decoded(sent.at(0)).head["run"]["facts"], "x[2]");
  run(request(rods, {{"x[2]", given + 0.05}}));
  ASSERT_TRUE(sent.at(0).binary) << sent[0].bytes;
  const json facts = decoded(sent[0]).head["run"]["facts"];
  EXPECT_EQ(facts["complete"], true) << facts["status"];
  EXPECT_NEAR(start_of(facts, "x[2]"), given + 0.05, 1e-12);
  EXPECT_LT(facts["largest_constraint_residual"].get<double>(), 1e-9);
  run(request(rods));
  EXPECT_EQ(start_of(decoded(sent.at(0)).head["run"]["facts"], "x[2]"), given);
}

TEST_F(WorkshopTest, SendsPicturesOfFamiliesBehindTheColumns) {
  run(request(chain));
  const Message& message = sent.at(0);
  const Arrived arrived = decoded(message);
  const json& fields = arrived.head["run"]["fields"];
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[1]["name"], "v");
  EXPECT_EQ(fields[0]["axes"][0]["places"].size(), 12U);
  const std::size_t moments = fields[0]["times"].size();
  EXPECT_EQ(moments, 41U);
  const std::size_t count = 2 * 12 * moments;
  std::vector<float> values(count);
  std::memcpy(values.data(), message.bytes.data() + message.bytes.size() - 4 * count, 4 * count);
  const auto fresh = fresh_chain({});
  EXPECT_EQ(values[7], static_cast<float>(fresh["q[7]"].front()));
  EXPECT_EQ(values.back(), static_cast<float>(fresh["v[11]"].back()));
}

TEST_F(WorkshopTest, DrawsTheCurvesOfChosenSites) {
  json asked = request(chain);
  asked["columns"] = {"q[::4]", "energy"};
  run(asked);
  EXPECT_THAT(names_of_sites(decoded(sent.at(0))), testing::ElementsAre("q[0]", "q[4]", "q[8]"));
  asked["columns"] = {"q[12]"};
  run(asked);
  EXPECT_THAT(sent.at(0).bytes, HasSubstr("which has no site"));
  asked["text"] = std::string(io::gallery_text("sine-gordon-kink"));
  asked["columns"] = {"q"};
  run(asked);
  EXPECT_THAT(sent.at(0).bytes, HasSubstr("choose at most 40, as in q[::16]")) << sent[0].bytes;
  asked["text"] = std::string(io::gallery_text("damped-pendulum"));
  run(asked);
  EXPECT_EQ(decoded(sent.at(0)).head["run"]["facts"]["complete"], true) << "a text that lost its index has no sites";
}

TEST_F(WorkshopTest, DrawsTheViewOfAModelWithAnIndexWithTheValuesOfTheRun) {
  const std::string text = chain +
                           "[view.bodies]\nmasses = { shape = \"sphere\", at = [\"i\", \"q[i]\", \"k\"], "
                           "radius = \"m[i]\" }\n";
  run(request(text, {{"k", 3.0}}));
  const json motion = decoded(sent.at(0)).head["run"]["motion"];
  ASSERT_EQ(motion["arrays"].size(), 1U);
  const json& radius = motion["components"][motion["arrays"][0]["radius"][0].get<std::size_t>()];
  EXPECT_EQ(radius["low"], 1.0);
  EXPECT_NEAR(radius["step"].get<double>() * 65534, 3.0 * 11 / 12, 1e-9) << "m[11] - m[0] with k = 3";
  EXPECT_FALSE(radius.contains("data")) << "its values stand behind the numbers of the message";
  const json& height = motion["components"][motion["arrays"][0]["at"][1].get<std::size_t>()];
  const auto place = motion["arrays"][0]["at"][1].get<std::size_t>();
  std::size_t before = 0;
  std::size_t all = 0;
  for (std::size_t k = 0; k < motion["components"].size(); ++k) {
    const json& one = motion["components"][k];
    if (k == place) before = all;
    all += one["bodies"].get<std::size_t>() * one["moments"].get<std::size_t>();
  }
  std::vector<std::uint16_t> codes(all);
  const std::string& bytes = sent.at(0).bytes;
  std::memcpy(codes.data(), bytes.data() + bytes.size() - 2 * all, 2 * all);
  const auto value = [&](std::size_t k) {
    return height["low"].get<double>() + height["step"].get<double>() * codes[before + k];
  };
  const auto fresh = fresh_chain({"k=3"});
  EXPECT_NEAR(value(7), fresh["q[7]"].front(), 1e-4);
  EXPECT_NEAR(value(12 * 41 - 1), fresh["q[11]"].back(), 1e-4);
  workshop.report();
  EXPECT_THAT(json::parse(sent.back().bytes)["html"].get<std::string>(), HasSubstr("\"arrays\""));
}

TEST_F(WorkshopTest, SaysWhatIsWrongInAModelWithAnIndex) {
  const auto said = [&](const json& what) {
    run(what);
    EXPECT_EQ(sent.size(), 1U);
    return json::parse(sent.at(0).bytes);
  };
  std::string text = chain;
  text.replace(text.find("periodic"), 8, "periodc");
  EXPECT_EQ(said(request(text))["line"], 2);
  EXPECT_THAT(said(request(chain, {{"n", 3.5}})).dump(), HasSubstr("not a number of sites"));
  EXPECT_THAT(said(request(chain, json::object(), "no-such-method"))["kind"], "error");
  run(request(chain));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({}));
}

TEST_F(WorkshopTest, ForgetsValuesOfNamesThatATextWithAnIndexLost) {
  const auto unknown = [&](const json& changes) {
    run(request(chain, changes));
    EXPECT_TRUE(sent.at(0).binary) << sent[0].bytes;
    return decoded(sent[0]).head["unknown"];
  };
  EXPECT_EQ(unknown({{"nothere", 1.0}}), json({"nothere"}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({}));
  EXPECT_EQ(unknown({{"gamma", 0.4}, {"n", 20}, {"nothere", 1.0}, {"p[2]", 1.0}, {"q[3]", 0.5}}),
            json({"nothere", "p[2]"}));
  expect_ends_of(decoded(sent.at(0)), fresh_chain({"gamma=0.4", "n=20", "q[3]=0.5"}));
  EXPECT_EQ(unknown({{"n", 20}, {"q[3]", 0.5}}), json::array());
  run(request(chain, {{"n", 3.5}, {"nothere", 1.0}}));
  EXPECT_THAT(sent.at(0).bytes, HasSubstr("not a number of sites")) << "a value that cannot be is not forgotten";
}

TEST_F(WorkshopTest, RunsOnWithTheMethodBeforeOneThatAModelWithAnIndexRefuses) {
  std::string text = chain + "[symmetries]\nshift = [\"1\"]\n";
  text.replace(text.find("periodic"), 8, "fixed");
  text.replace(text.find("contact-splitting-2"), 19, "runge-kutta-4");
  run(request(text));
  ASSERT_EQ(sent.size(), 2U) << "a run and its equations";
  const std::vector<double> before = decoded(sent[0]).numbers;
  run(request(text, json::object(), "contact-splitting-4"));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_THAT(sent[0].bytes, HasSubstr("shift is not a symmetry of the Lagrangian with fixed ends"));
  run(request(text));
  ASSERT_FALSE(sent.empty());
  EXPECT_EQ(decoded(sent[0]).numbers, before);
}

TEST(WorkshopBeginnings, OfAModelWithAnIndexHaveTheFirstRowsOfTheRun) {
  std::vector<Message> sent;
  Workshop workshop("m.toml", [&](Message message) { sent.push_back(std::move(message)); },
                    {20, std::size_t{2} << 30U, 2000, 1e-5});
  for (const std::string method : {"", "contact-gauss-4", "stiff"}) {
    workshop.run(request(chain, json::object(), method), [] { return true; });
    sent.clear();
    workshop.run(request(chain, {{"gamma", 0.2}}, method), [] { return true; });
    ASSERT_EQ(sent.size(), 2U) << method;
    const Arrived first = decoded(sent[0]);
    const Arrived whole = decoded(sent[1]);
    const auto drawn = first.head["drawn"].get<std::size_t>();
    const auto rows = whole.head["drawn"].get<std::size_t>();
    ASSERT_GT(drawn, 1U);
    EXPECT_NEAR(first.head["part"].get<double>(), first.numbers[drawn - 1] / whole.numbers[rows - 1], 1e-15) << method;
    EXPECT_LT(first.head["part"], 0.5);
    const std::size_t columns = whole.head["run"]["columns"].size();
    ASSERT_EQ(first.head["run"]["columns"].size(), columns);
    for (std::size_t k = 0; k < columns; ++k)
      for (std::size_t row = 0; row < drawn; ++row)
        ASSERT_EQ(first.numbers[k * drawn + row], whole.numbers[k * rows + row]) << method << ", column " << k;
    EXPECT_FALSE(first.head["run"]["fields"].empty());
  }
}

}  // namespace
}  // namespace herglotz::studio
