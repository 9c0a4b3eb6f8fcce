#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "error_of.hpp"
#include "herglotz/io/input_files.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::io {
namespace {

using ::testing::HasSubstr;

std::string model_with_inputs(const std::string& inputs,
                              const std::string& dynamics = R"(lagrangian = "v^2/2 - (q - u)^2/2")",
                              const std::string& more = "") {
  return R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[inputs]
)" + inputs +
         "\n[dynamics]\n" + dynamics + "\n" + more + R"(
[initial]
q = 1.0
[simulation]
t_end = 2.0
)";
}

const std::string three = "u = { times = [0, 1, 2], values = [0, 1, 4] }";

/// A folder of its own, which goes when the object goes.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("inputs-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

std::string error_with_inputs(const std::string& text) {
  return error_of([&] { parse_model(text, "m.toml"); });
}

TEST(InputsTable, IsAFunctionOfTime) {
  const auto problem = parse_model(model_with_inputs(three));
  EXPECT_EQ(symbolic::print(problem.system.generator), "v^2/2 - (q - u(t))^2/2");
  const auto& tables = problem.system.graph().tables();
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0]->interpolation, symbolic::Interpolation::spline);
  EXPECT_DOUBLE_EQ((*tables[0])(1.5), 2.25);
  EXPECT_NEAR(simulate::simulate(problem)["q"].back(), 2 + 3 * std::cos(2.0), 1e-8)
      << "q'' + q = t^2 from q = 1: q = t^2 - 2 + 3 cos t";
}

TEST(InputsTable, ServesForcesDefinitionsObservablesAndEvents) {
  const auto problem =
      parse_model(model_with_inputs(R"(u = { times = [0, 1, 2], values = [0, 1, 4], interpolation = "linear" }
w = { times = [0, 2], values = [3, 3], interpolation = "hold" })",
                                    "lagrangian = \"v^2/2\"\nforces = { v = \"pull + w\" }", R"x([definitions]
pull = "-u(t)"
[observables]
drive = "u + w"
rate = "u'"
[events]
equal = "u - 2")x"));
  const auto run = simulate::simulate(problem);
  EXPECT_NEAR(run["v"].back(), 3 * 2 - 3.0, 1e-9);
  EXPECT_EQ(run["drive"].back(), 7);
  EXPECT_EQ(run["rate"].front(), 1);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].columns[0].values.at(0), 4.0 / 3, 1e-14);
}

TEST(InputsTable, ReadsColumnsOfCsvFiles) {
  const Folder folder;
  (void)folder.write("drive.csv", "time,\"a, b\",other\r\n0,0,7\r\n1,1,7\r\n2,4,7\r\n");
  const auto file =
      folder.write("m.toml", model_with_inputs(R"(u = { file = "drive.csv", time = "time", column = "a, b" })"));
  const auto problem = read_model(file);
  EXPECT_DOUBLE_EQ((*problem.system.graph().tables()[0])(1.5), 2.25);
  // The text of the problem, which files of results keep, needs the file no more.
  std::filesystem::remove(std::filesystem::path(file).parent_path() / "drive.csv");
  EXPECT_THAT(problem.text, HasSubstr("[files]\n\"drive.csv\" = \"\"\"\n\\\"a, b\\\",time\n0,0\n1,1\n4,2\n\"\"\"\n"));
  const auto again = parse_model(problem.text, "elsewhere.toml");
  EXPECT_EQ(again.text, problem.text);
  EXPECT_EQ(simulate::simulate(again)["q"].back(), simulate::simulate(problem)["q"].back());
}

TEST(InputsTable, ReadsDatasetsOfHdf5Files) {
  const Folder folder;
  const auto run = simulate::simulate(parse_model(model_with_inputs(three)));
  const auto path = std::filesystem::path(folder.write("m.toml", "")).parent_path();
  write_trajectory(run, path / "drive.h5");
  const auto with = [&](const std::string& column) {
    return folder.write("m.toml", model_with_inputs("u = { file = \"drive.h5\", time = \"trajectory/t\", column = \"" +
                                                    column + "\" }"));
  };
  const auto problem = read_model(with("trajectory/q"));
  EXPECT_EQ(problem.system.graph().tables()[0]->knots, run["t"]);
  EXPECT_DOUBLE_EQ((*problem.system.graph().tables()[0])(run["t"][500]), run["q"][500]);
  const auto refusal = [&](const std::string& column) { return error_of([&] { (void)read_model(with(column)); }); };
  for (const char* wrong : {"trajectory/w", "elsewhere/q", "trajectory", "/", ""})
    EXPECT_THAT(refusal(wrong), HasSubstr(": could not ")) << wrong;
  // The text of the problem needs the file no more.
  std::filesystem::remove(path / "drive.h5");
  EXPECT_EQ(parse_model(problem.text, "elsewhere.toml").system.graph().tables()[0]->rows,
            problem.system.graph().tables()[0]->rows);
}

TEST(InputsTable, KeepsDatasetsOfDifferentLengths) {
  const Folder folder;
  const auto run = simulate::simulate(parse_model(
      model_with_inputs(three, R"(lagrangian = "v^2/2 - (q - u)^2/2")", "[events]\nseen = \"sin(20*t)\"\n")));
  const auto path = std::filesystem::path(folder.write("m.toml", "")).parent_path();
  write_trajectory(run, path / "drive.h5");
  const auto rows = [](const std::string& group) {
    return "{ file = \"drive.h5\", time = \"" + group + "/t\", column = \"" + group + "/q\" }";
  };
  // Either the longer or the shorter one is first by its name.
  for (const auto& [u, w] : {std::pair{"trajectory", "events/seen"}, {"events/seen", "trajectory"}}) {
    const auto problem =
        read_model(folder.write("m.toml", model_with_inputs("u = " + rows(u) + "\nw = " + rows(w),
                                                            "lagrangian = \"v^2/2\"\nforces = { v = \"u + w\" }")));
    const auto again = parse_model(problem.text, "elsewhere.toml");
    EXPECT_EQ(again.text, problem.text);
    ASSERT_EQ(again.system.graph().tables().size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& [kept, given] = std::pair(again.system.graph().tables()[k], problem.system.graph().tables()[k]);
      EXPECT_EQ(kept->knots, given->knots);
      EXPECT_EQ(kept->rows, given->rows);
    }
    EXPECT_EQ(problem.system.graph().tables()[std::string(u) == "trajectory" ? 0 : 1]->knots, run["t"]);
    EXPECT_EQ(problem.system.graph().tables()[std::string(u) == "trajectory" ? 1 : 0]->knots,
              run.events.at(0).columns.at(0).values);
  }
  EXPECT_THAT(error_of([&] {
                (void)read_model(folder.write(
                    "m.toml", model_with_inputs(
                                  R"(u = { file = "drive.h5", time = "trajectory/t", column = "events/seen/q" })")));
              }),
              HasSubstr("m.toml:6:5: the input 'u': "));
  EXPECT_THAT(error_of([&] {
                (void)read_model(folder.write(
                    "m.toml", model_with_inputs(
                                  R"(u = { file = "drive.h5", time = "trajectory/t ", column = "trajectory/q" })")));
              }),
              HasSubstr("m.toml:6:33: the name 'trajectory/t ' cannot stand in a line of names of columns"));
}

TEST(InputsTable, EndsColumnsOfTheModelWithEmptyFields) {
  const auto with = [](const std::string& rows) {
    return model_with_inputs(
        "u = { file = \"a\", time = \"t\", column = \"u\" }\nw = { file = \"a\", time = \"s\", column = \"w\" }",
        "lagrangian = \"v^2/2\"", "[files]\na = '''\nt,u,s,w\n" + rows + "'''\n");
  };
  const auto tables = parse_model(with("0,0,0,5\n1,1,2,6\n2,4,,\n")).system.graph().tables();
  EXPECT_EQ(tables[0]->knots, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(tables[1]->knots, (std::vector<double>{0, 2}));
  EXPECT_THAT(error_with_inputs(with("0,0,0,5\n1,1,,\n2,4,2,6\n")),
              HasSubstr("m.toml: [files] a:4:1: a number of 's' comes after an empty field; leave fields empty only "
                        "behind the last number of a column"));
  EXPECT_THAT(error_with_inputs(with("0,0,0,5\n1,1,2,6\n2,4,,7\n")), HasSubstr("the input 'w': "));
}

TEST(InputFiles, AreAllThatAModelReads) {
  EXPECT_THAT(input_files("[inputs]\nu = { file = \"a.csv\" }\nw = { file = \"a.csv\" }\nx = { file = \"b.csv\" }\n"
                          "[files]\n\"b.csv\" = \"t\"\n"),
              testing::ElementsAre("a.csv"));
  EXPECT_THAT(input_files("[indices]\ne = { edges = \"e.csv\" }\n[parameters]\n\"m[i]\" = { file = \"m.csv\" }\nk = 1\n"
                          "[initial]\n\"q[i]\" = { file = \"q.csv\" }\n"),
              testing::ElementsAre("e.csv", "m.csv", "q.csv"));
  EXPECT_THAT(input_files("[guess]\nfile = \"start.h5\"\n"), testing::ElementsAre("start.h5"));
  EXPECT_THAT(input_files("[guess]\nfile = \"s^2\"\nx = \"s\"\n"), testing::IsEmpty());  // a coordinate
}

TEST(InputsTable, ReadsTablesOfMeasurementsAsTheyCome) {
  const Folder folder;
  const auto file =
      folder.write("m.toml", model_with_inputs(R"(u = { file = "drive.csv", time = "time", column = "u" })"));
  (void)folder.write("drive.csv", "\xEF\xBB\xBFtime, u, remark\r\n0, 0, start\r\n1, 1,\r\n2, 4, end\r\n");
  EXPECT_DOUBLE_EQ((*read_model(file).system.graph().tables()[0])(1.5), 2.25);
  const auto refusal = [&](const std::string& text) {
    (void)folder.write("drive.csv", text);
    return error_of([&] { (void)read_model(file); });
  };
  EXPECT_THAT(refusal("time,u\n0,0\n1,one\n"), HasSubstr("drive.csv:3:1: 'one' is not a number"));
  EXPECT_THAT(refusal("time,u\n0,0\n1,\n"), HasSubstr("drive.csv:3:1: '' is not a number"));
  EXPECT_THAT(refusal("time,v\n0,0\n"), HasSubstr("unknown column 'u'; known are time, v"));
  EXPECT_THAT(refusal("time;u\n0;0\n"),
              HasSubstr("drive.csv:1:1: the names of the columns have no commas between them"));
  EXPECT_THAT(refusal(""), HasSubstr("drive.csv:1:1: there is no line of names; begin with"));
}

TEST(InputsTable, IsWrittenWithTheModel) {
  const auto problem = parse_model(model_with_inputs(three));
  const auto again = parse_model(text_of(problem));
  EXPECT_EQ(again.system.graph().tables()[0]->rows, problem.system.graph().tables()[0]->rows);
  EXPECT_EQ(symbolic::print(again.system.generator), symbolic::print(problem.system.generator));
}

TEST(InputsTable, SaysWhatIsWrong) {
  EXPECT_EQ(error_with_inputs(model_with_inputs("u = 3")),
            "m.toml:6:5: expected a table, got a number; write the input 'u' as [name] with entries below, or as { key "
            "= value }");
  EXPECT_EQ(error_with_inputs(model_with_inputs("u = { times = [0, 1] }")),
            "m.toml:6:5: the input 'u' has no 'values'; give times and values, or file, time and column");
  EXPECT_EQ(error_with_inputs(model_with_inputs("u = { times = [0, 1], values = [0, 1], column = \"x\" }")),
            "m.toml:6:40: 'column' does not go with the other keys of the input; give times and values, or file, time "
            "and column");
  EXPECT_EQ(
      error_with_inputs(model_with_inputs("u = { times = [1, 0], values = [0, 1] }")),
      "m.toml:6:5: the input 'u': the time of point 2 is not later than that of the point before; sort the points "
      "by time, and keep one of equal times");
  EXPECT_THAT(
      error_with_inputs(model_with_inputs("u = { times = [0, 1], values = [0, 1], interpolation = \"cubic\" }")),
      HasSubstr("m.toml:6:56: unknown interpolation 'cubic'"));
  EXPECT_EQ(error_with_inputs(model_with_inputs("u = { file = \"no.csv\", time = \"t\", column = \"u\" }")),
            "m.toml:6:14: there is no file 'no.csv'; the path is relative to the folder of the model");
  EXPECT_EQ(error_with_inputs(model_with_inputs("q = { times = [0, 1], values = [0, 1] }")),
            "m.toml:6:1: the name 'q' is taken: it is a base coordinate; give the input another name");
  EXPECT_THAT(error_with_inputs(model_with_inputs(three, R"x(lagrangian = "v^2/2 + u(q)")x")),
              HasSubstr("'u' is a function of time; write u(t)"));
}

TEST(InputsTable, RefusesJumpsOfEnergiesAndVelocities) {
  const std::string held = R"(u = { times = [0, 1, 2], values = [0, 1, 4], interpolation = "hold" })";
  const std::string linear = R"(u = { times = [0, 1, 2], values = [0, 1, 4], interpolation = "linear" })";
  EXPECT_EQ(error_with_inputs(model_with_inputs(held)),
            "m.toml:8:14: the Lagrangian depends on 'u', which jumps: the energy would jump with it; use it in forces, "
            "or set interpolation = \"linear\" or \"spline\"");
  EXPECT_EQ(error_with_inputs(model_with_inputs(linear)), "no error");
  EXPECT_EQ(
      error_with_inputs(model_with_inputs(linear, R"(lagrangian = "(v + u')^2/2")")),
      "m.toml:8:14: the Lagrangian depends on 'u'', which jumps: the energy would jump with it; set interpolation "
      "= \"spline\"");
  const auto constrained = [&](const std::string& input, const std::string& equation) {
    return error_with_inputs(model_with_inputs(
        input, "lagrangian = \"v^2/2\"", "[constraints]\nrule = \"nonholonomic\"\nequations = [\"" + equation + "\"]"));
  };
  EXPECT_EQ(constrained(linear, "v - u"), "no error");
  EXPECT_EQ(constrained(three, "q - u"), "no error");
  EXPECT_EQ(constrained(linear, "q - u"),
            "m.toml:11:14: a constraint depends on 'u', whose rate jumps: velocities would jump with it; set "
            "interpolation = \"spline\"");
  EXPECT_THAT(constrained(held, "v - u"), HasSubstr("a constraint depends on 'u', which jumps"));
}

TEST(InputsTable, IsNoPartOfStartsAndViews) {
  EXPECT_THAT(error_with_inputs(model_with_inputs(three, R"(lagrangian = "v^2/2")", "[symmetries]\ns = [\"u\"]")),
              HasSubstr("a section may not depend on the input 'u'"));
  EXPECT_EQ(error_with_inputs(model_with_inputs(
                three, R"(lagrangian = "v^2/2")",
                "[view.bodies]\nbob = { shape = \"sphere\", at = [\"q\", \"u\", \"0\"], radius = 1 }")),
            "m.toml:10:38: a view does not show the input 'u'; use coordinates, momenta, time and parameters");
}

}  // namespace
}  // namespace herglotz::io
