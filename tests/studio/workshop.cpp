#include "workshop.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "studio/workshop_test.hpp"

namespace herglotz::studio {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST_F(WorkshopTest, RunsWithChangedValuesToTheBitsOfAFreshRun) {
  const std::string text(io::gallery_text("damped-pendulum"));
  run(request(text));
  ASSERT_EQ(sent.size(), 2U) << "a run and its equations";
  EXPECT_THAT(sent[1].bytes, HasSubstr("latex"));
  run(request(text, {{"gamma", 0.7}, {"theta", 1.25}}));
  ASSERT_EQ(sent.size(), 1U) << "equations do not change with values";
  const Arrived arrived = decoded(sent[0]);
  EXPECT_EQ(arrived.head["id"], 7);
  auto problem = io::parse_model(text);
  io::apply_setting(problem, "gamma=0.7");
  io::apply_setting(problem, "theta=1.25");
  const auto fresh = simulate::simulate(problem);
  const auto drawn = arrived.head["drawn"].get<std::size_t>();
  EXPECT_LE(drawn, 3000U);
  EXPECT_EQ(arrived.numbers.size(), drawn * fresh.columns.size());
  for (std::size_t k = 0; k < fresh.columns.size(); ++k) {
    EXPECT_EQ(arrived.head["run"]["columns"][k]["name"], fresh.columns[k].name);
    EXPECT_EQ(arrived.numbers[(k + 1) * drawn - 1], fresh.columns[k].values.back()) << fresh.columns[k].name;
  }
  EXPECT_EQ(arrived.head["run"]["motion"]["bodies"].size(), 4U);
}

TEST_F(WorkshopTest, MovesAStartOntoItsConstraintsAndHoldsWhatTheReaderChanged) {
  const auto value = [](const json& list, const std::string& name) {
    for (const auto& one : list)
      if (one["name"] == name) return one["value"].get<double>();
    ADD_FAILURE() << name;
    return 0.0;
  };
  const std::string disk(io::gallery_text("rolling-disk"));
  run(request(disk, {{"vth", 2.5}}));
  ASSERT_FALSE(sent.empty());
  const json facts = decoded(sent[0]).head["run"]["facts"];
  EXPECT_EQ(facts["complete"], true) << facts["status"];
  EXPECT_EQ(value(facts["initial"], "vth"), 2.5);
  EXPECT_LT(facts["largest_constraint_residual"].get<double>(), 1e-12);

  json both = request(disk, {{"vx", 0.3}, {"vy", 5.0}, {"vth", 2.5}, {"vph", 1.0}, {"ph", 0.0}});
  both["newest"] = {"vth"};
  run(both);
  const json held = decoded(sent.at(0)).head["run"]["facts"];
  EXPECT_EQ(held["complete"], true) << "not all of these can be held: " << held["status"];
  EXPECT_EQ(value(held["initial"], "vth"), 2.5);

  run(request(std::string(io::gallery_text("heavy-top")), {{"g1", 0.9}}));
  const json top = decoded(sent.at(0)).head["run"]["facts"];
  EXPECT_EQ(top["complete"], true) << top["status"];
  EXPECT_EQ(value(top["initial"], "g1"), 0.9);

  run(request(std::string(io::gallery_text("christ-lee")), {{"x1", 0.9}}));
  const json lee = decoded(sent.at(0)).head["run"]["facts"];
  EXPECT_EQ(lee["complete"], true) << "onto the final set of a singular Lagrangian: " << lee["status"];

  run(request(disk));
  EXPECT_EQ(decoded(sent.at(0)).head["run"]["facts"]["notes"].size(), 0U) << "a run of the text is that of the text";
}

TEST_F(WorkshopTest, SaysThatAProblemOfControlIsNoneThatRunsAndFindsItsMistakes) {
  const std::string problem(io::gallery_text("regulator"));
  const std::string pendulum(io::gallery_text("damped-pendulum"));
  run(request(pendulum));
  EXPECT_EQ(decoded(sent.at(0)).head["typesetting"], true);
  run(request(problem));
  ASSERT_EQ(sent.size(), 2U);
  const json said = json::parse(sent[0].bytes);
  EXPECT_EQ(said["kind"], "problem");
  EXPECT_EQ(said["id"], 7);
  EXPECT_EQ(said["name"], "regulator");
  const json conditions = json::parse(sent[1].bytes);
  EXPECT_EQ(conditions["kind"], "equations");
  EXPECT_THAT(conditions["latex"].get<std::string>(), HasSubstr("p_")) << "costates";
  sent.clear();
  workshop.report();
  EXPECT_THAT(sent.at(0).bytes, HasSubstr("no run to report"));
  run(request(problem + "stpe = 3\n"));
  const json mistake = json::parse(sent.at(0).bytes);
  EXPECT_EQ(mistake["kind"], "error");
  EXPECT_GT(mistake["line"], 0);
  run(request(pendulum));
  ASSERT_EQ(sent.size(), 2U) << "the run and its equations once more, since those of the problem stood in their place";
  EXPECT_EQ(decoded(sent[0]).head["typesetting"], true);
  run(request(pendulum));
  EXPECT_EQ(decoded(sent.at(0)).head["typesetting"], false);
}

TEST_F(WorkshopTest, SaysWhichValueIsWrong) {
  const auto said = [&](const std::string& text, const json& changes) {
    run(request(text, changes));
    EXPECT_FALSE(sent.at(0).binary) << decoded(sent[0]).head.dump().substr(0, 300);
    return sent[0].binary ? std::string() : json::parse(sent[0].bytes)["what"].get<std::string>();
  };
  std::string text(io::gallery_text("damped-oscillator"));
  text += "\n[sampled]\nu = { value = \"-0.1*q\", every = \"T\" }\n";
  text.replace(text.find("[parameters]\n"), 13, "[parameters]\nT = 0.5\na = 0.6\nb = 1\n");
  EXPECT_EQ(said(text, {{"T", -0.1}}), "the interval of the sampled value 'u' is not positive and finite");
  text = std::string(io::gallery_text("damped-oscillator"));
  text.replace(text.find("[parameters]\n"), 13, "[parameters]\na = 0.6\nb = 1\n");
  text.replace(text.find("[initial]\n"), 10, "[initial]\nz = \"sqrt(b^2 - a^2)\"\n");
  EXPECT_EQ(said(text, {{"a", 2.0}}), "the initial value of 'z', sqrt(b^2 - a^2), is not finite");
  run(request(text, {{"a", 2.0}, {"b", 2.5}, {"lambda1", 1.0}, {"next.q", 1.0}}));
  EXPECT_EQ(decoded(sent.at(0)).head["unknown"], json({"lambda1", "next.q"}));
  const json together = decoded(sent[0]).head["run"]["facts"]["initial"];
  EXPECT_THAT(together, testing::Contains(json({{"name", "z"}, {"value", 1.5}}))) << together;
}

TEST_F(WorkshopTest, SaysWhereTheMistakeIs) {
  run(request("[algebroid]\nkind = \"tangnt\"\n"));
  ASSERT_EQ(sent.size(), 1U);
  const json error = json::parse(sent[0].bytes);
  EXPECT_EQ(error["kind"], "error");
  EXPECT_EQ(error["line"], 2);
  EXPECT_THAT(error["what"].get<std::string>(), HasSubstr("tangnt"));
  run(request(std::string(io::gallery_text("damped-pendulum")), {{"nothing", 1.0}, {"gamma", 0.3}}));
  EXPECT_EQ(decoded(sent.at(0)).head["unknown"], json({"nothing"})) << "a slider of a text that was changed";
  run(request(std::string(io::gallery_text("damped-pendulum")), json::object(), "no-such-method"));
  EXPECT_EQ(json::parse(sent[0].bytes)["kind"], "error");
  run({{"kind", "run"}, {"id", 1}});
  EXPECT_THAT(sent[0].bytes, HasSubstr("none of the studio's"));
}

TEST(OwnFiles, AreThoseThatTheSavedModelNames) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "own_files";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "drive.csv") << "t,u\n0,0\n100,2\n";
  std::ofstream(folder / "secret.csv") << "t,u\n0,3\n100,4\n";
  const auto text = [](const std::string& name) {
    return std::string(io::gallery_text("damped-pendulum")) + "\n[inputs]\nu = { file = \"" + name +
           "\", time = \"t\", column = \"u\" }\n";
  };
  const std::string file = (folder / "model.toml").string();
  std::ofstream(file) << text("drive.csv");
  std::vector<Message> sent;
  Workshop workshop(file, [&](Message message) { sent.push_back(std::move(message)); });
  workshop.run(request(text("drive.csv")), [] { return true; });
  ASSERT_EQ(sent.size(), 2U) << "a run and its equations";
  for (const char* other : {"secret.csv", "../own_files/drive.csv", "/etc/passwd"}) {
    sent.clear();
    workshop.run(request(text(other)), [] { return true; });
    ASSERT_EQ(sent.size(), 1U);
    const json answer = json::parse(sent[0].bytes);
    EXPECT_EQ(answer["what"], std::string("the studio reads only files that the saved model names, and '") + other +
                                  "' is none of them");
    EXPECT_EQ(answer["remedy"], "save the model; rows of an input may also stand in [files]");
  }
}

TEST_F(WorkshopTest, EndsARunThatNobodyWants) {
  workshop.run(request(std::string(io::gallery_text("damped-pendulum"))), [] { return false; });
  EXPECT_TRUE(sent.empty());
}

TEST(WorkshopLimits, EndARunThatTakesTooLong) {
  std::vector<Message> sent;
  Workshop workshop("m.toml", [&](Message message) { sent.push_back(std::move(message)); }, {0.05, 1U << 30U, 100});
  std::string text(io::gallery_text("damped-pendulum"));
  text.replace(text.find("t_end = 40.0"), 12, "t_end = 4e9");
  workshop.run(request(text), [] { return true; });
  ASSERT_FALSE(sent.empty());
  const Arrived arrived = decoded(sent[0]);
  EXPECT_EQ(arrived.head["run"]["facts"]["complete"], false);
  EXPECT_THAT(arrived.head["run"]["facts"]["status"].get<std::string>(), HasSubstr("the studio ends runs"));
}

TEST(WorkshopBeginnings, AreSentBeforeRunsThatTakeLong) {
  std::vector<Message> sent;
  Workshop workshop("m.toml", [&](Message message) { sent.push_back(std::move(message)); },
                    {20, std::size_t{2} << 30U, 2000, 1e-5});
  const auto run = [&](const json& what) {
    sent.clear();
    workshop.run(what, [] { return true; });
  };
  for (const std::string method : {"runge-kutta-4", "reference"}) {
    std::string text(io::gallery_text("damped-pendulum"));
    if (method == "reference") text.replace(text.find("step = 0.005"), 12, "tolerance = 1e-10");
    run(request(text, json::object(), method));
    ASSERT_EQ(sent.size(), 2U) << "a run and its equations: how long it takes was not known";
    run(request(text, {{"gamma", 0.7}}, method));
    ASSERT_EQ(sent.size(), 2U) << sent[0].bytes.substr(0, 300);
    const Arrived first = decoded(sent[0]);
    const Arrived whole = decoded(sent[1]);
    EXPECT_EQ(first.head["id"], whole.head["id"]);
    EXPECT_FALSE(whole.head.contains("part"));
    EXPECT_EQ(whole.head["run"]["facts"]["complete"], true);
    const auto part = first.head["part"].get<double>();
    EXPECT_GT(part, 0);
    EXPECT_LT(part, 0.5);
    const auto drawn = first.head["drawn"].get<std::size_t>();
    ASSERT_GT(drawn, 1U);
    auto problem = io::parse_model(text);
    io::apply_setting(problem, "gamma=0.7");
    problem.settings.method = method;
    problem.settings.t_end = first.numbers[drawn - 1];
    const auto rows = whole.head["drawn"].get<std::size_t>();
    EXPECT_NEAR(static_cast<double>(drawn - 1), part * static_cast<double>(rows - 1), 1.5)
        << "its rows are as far apart";
    const double apart = (whole.numbers[rows - 1] - whole.numbers[0]) / static_cast<double>(rows - 1);
    if (method == "reference")
      problem.settings.output_step = apart;
    else
      problem.settings.output_every = static_cast<std::size_t>(std::round(apart / 0.005));
    EXPECT_NEAR(problem.settings.t_end, part * 40, 1e-12) << "the share that was run";
    const auto fresh = simulate::simulate(problem);
    for (std::size_t k = 0; k < fresh.columns.size(); ++k)
      EXPECT_EQ(first.numbers[(k + 1) * drawn - 1], fresh.columns[k].values.back()) << fresh.columns[k].name;
  }
  const std::string refused =
      std::string(io::gallery_text("damped-pendulum")) + "\n[constraints]\nequations = [\"theta\"]\n";
  run(request(refused));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(json::parse(sent[0].bytes)["kind"], "error");
}

TEST(WorkshopBeginnings, AreNotSentWithoutTimeForThem) {
  std::vector<Message> sent;
  Workshop workshop("m.toml", [&](Message message) { sent.push_back(std::move(message)); }, {.first = 0});
  const std::string text(io::gallery_text("damped-pendulum"));
  workshop.run(request(text), [] { return true; });
  sent.clear();
  workshop.run(request(text, {{"gamma", 0.7}}), [] { return true; });
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_FALSE(decoded(sent[0]).head.contains("part"));
}

TEST(WorkshopBeginnings, AreNoMoreThanHalfOfARunThatAnEventEnds) {
  std::vector<Message> sent;
  Workshop workshop("m.toml", [&](Message message) { sent.push_back(std::move(message)); },
                    {20, std::size_t{2} << 30U, 2000, 1e-5});
  std::string text(io::gallery_text("damped-pendulum"));
  text.replace(text.find("t_end = 40.0"), 12, "t_end = 4e6");
  text += "\n[events]\nlate = { at = \"t - 30\", stop = true }\n";
  workshop.run(request(text), [] { return true; });
  sent.clear();
  workshop.run(request(text, {{"gamma", 0.7}}), [] { return true; });
  ASSERT_EQ(sent.size(), 2U) << sent.at(0).bytes.substr(0, 300);
  const Arrived first = decoded(sent[0]);
  const double end = first.numbers.at(first.head["drawn"].get<std::size_t>() - 1);
  EXPECT_GT(end, 0);
  EXPECT_LE(end, 15);
  EXPECT_NEAR(end, first.head["part"].get<double>() * 4e6, 1e-9);
  EXPECT_NEAR(decoded(sent[1]).numbers.at(decoded(sent[1]).head["drawn"].get<std::size_t>() - 1), 30, 1e-9);

  text.replace(text.find("t - 30"), 6, "t - 30*a");
  text.replace(text.find("[parameters]\n"), 13, "[parameters]\na = 1\n");
  workshop.run(request(text), [] { return true; });
  sent.clear();
  workshop.run(request(text, {{"a", 1e-6}}), [] { return true; });
  EXPECT_EQ(sent.size(), 1U) << "an event ended the beginning, which is the whole run";
}

TEST_F(WorkshopTest, ReportsTheLatestRun) {
  workshop.report();
  EXPECT_THAT(sent.back().bytes, HasSubstr("no run to report"));
  run(request(std::string(io::gallery_text("damped-oscillator"))));
  workshop.report();
  const json report = json::parse(sent.back().bytes);
  EXPECT_EQ(report["name"], "damped-oscillator");
  EXPECT_THAT(report["html"].get<std::string>(), HasSubstr("<!doctype html>"));
}

TEST(Greeting, HasGalleryAndMethods) {
  const json hello = json::parse(greeting("text", "a.toml", true).bytes);
  EXPECT_EQ(hello["gallery"].size(),
            io::gallery().size() + io::indexed_gallery().size() + io::problem_gallery().size());
  EXPECT_EQ(hello["saves"], true);
  EXPECT_EQ(json::parse(gallery_model("heavy-top").bytes)["text"], io::gallery_text("heavy-top"));
  EXPECT_EQ(json::parse(gallery_model("no").bytes)["kind"], "error");
}

}  // namespace
}  // namespace herglotz::studio
