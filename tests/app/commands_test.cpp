#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

}  // namespace

TEST(HelpOfTheProgram, ShowsCommandsAndAFirstRun) {
  const auto run = run_herglotz({"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("simulate"), HasSubstr("derive"), HasSubstr("A first run:")));
  EXPECT_EQ(run_herglotz({}).out, run.out);
}

TEST(HelpOfTheProgram, ShowsExamplesForEveryCommand) {
  for (const std::string command :
       {"check", "derive", "simulate", "solve", "report", "methods", "devices", "models", "completion"}) {
    const auto run = run_herglotz({command, "--help"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, HasSubstr("herglotz " + command)) << command;
    EXPECT_THAT(run.out, HasSubstr("Example")) << command;
  }
}

TEST(Version, IsOneLine) {
  const auto run = run_herglotz({"--version"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, ::testing::MatchesRegex("herglotz [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(MethodsCommand, DeclaresEveryMethodInJson) {
  const auto run = run_herglotz({"methods", "--format", "json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto list = nlohmann::json::parse(run.out);
  ASSERT_TRUE(list.is_array());
  std::map<std::string, int> orders;
  for (const auto& method : list) {
    EXPECT_EQ(method.size(), 9u);
    for (const auto* key :
         {"name", "verb", "order", "adaptive", "algebroids", "constraints", "preserves", "switches", "friction"})
      EXPECT_TRUE(method.contains(key)) << key;
    orders[method["name"]] = method["order"];
    // Steps of moreau-2 go over switches, and a step by a discrete Lagrangian has no states inside.
    if (method["verb"] == "simulate")
      EXPECT_EQ(method["switches"], method["name"] != "moreau-2" && method["name"] != "discrete-herglotz")
          << method["name"];
  }
  EXPECT_EQ(orders.at("reference"), 8);
  EXPECT_EQ(orders.at("contact-gauss-2"), 2);
  EXPECT_EQ(orders.at("contact-gauss-4"), 4);
  EXPECT_EQ(orders.at("contact-gauss-6"), 6);
  EXPECT_TRUE(orders.contains("stiff"));
  const auto table = run_herglotz({"methods"});
  EXPECT_EQ(table.status, 0);
  for (const auto& [name, order] : orders) EXPECT_THAT(table.out, HasSubstr(name));
  for (const std::string name : {"direct-gauss-2", "direct-gauss-4", "direct-gauss-6", "direct-lobatto-2",
                                 "direct-lobatto-4", "direct-lie-2", "direct-herglotz", "shooting"})
    EXPECT_TRUE(orders.contains(name)) << name;
}

TEST(ModelsCommand, ShowsWhatItListsAndCopiesWhatItShows) {
  const Folder folder;
  const auto list = run_herglotz({"models", "list"});
  ASSERT_EQ(list.status, 0);
  EXPECT_EQ(run_herglotz({"models"}).out, list.out);
  EXPECT_THAT(list.out, AllOf(HasSubstr("heavy-top"), HasSubstr("n-link-pendulum")));
  const auto shown = run_herglotz({"models", "show", "heavy-top"});
  ASSERT_EQ(shown.status, 0);
  ASSERT_EQ(run_herglotz({"models", "copy", "heavy-top"}, folder.path()).status, 0);
  EXPECT_EQ(folder.read("heavy-top.toml"), shown.out);
  EXPECT_EQ(run_herglotz({"models", "copy", "heavy-top"}, folder.path()).status, 2) << "never overwrites";
}

TEST(ModelsCommand, GeneratesPendulaOfAnyNumberOfLinks) {
  const Folder folder;
  const auto shown = run_herglotz({"models", "show", "n-link-pendulum", "--links", "10"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  folder.write("ten.toml", shown.out);
  const auto run = run_herglotz({"simulate", "ten.toml", "--t-end", "0.1", "--out", "ten.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_GE(table_of(folder.read("ten.csv")).names.size(), 1u + 20 + 1 + 4);
}

TEST(CheckCommand, SaysWhatTheSystemIs) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"check", "p.toml"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("Lie algebroid (tangent)"), HasSubstr("regular"), HasSubstr("Jacobi identity"),
                             HasSubstr("turn: does not hold"), HasSubstr("consistent"),
                             HasSubstr("auto chooses contact-gauss-4")));
  const auto free = with(pendulum, " + cos(theta)", "");
  folder.write("free.toml", free);
  EXPECT_THAT(run_herglotz({"check", "free.toml"}, folder.path()).out, HasSubstr("turn: holds"));
}

TEST(CheckCommand, ReportsASingularLagrangianWithStatusThree) {
  const Folder folder;
  folder.write("s.toml", with(pendulum, "omega^2/2", "omega"));
  const auto run = run_herglotz({"check", "s.toml"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out, AllOf(HasSubstr("singular"), HasSubstr("rank 0")));
  EXPECT_EQ(lines_of(run.err).size(), 1u);
}

TEST(DeriveCommand, PrintsTheEquationOfADampedPendulum) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto text = run_herglotz({"derive", "p.toml"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("omega"), HasSubstr("sin(theta)"), HasSubstr("gamma")));
  const auto latex = run_herglotz({"derive", "p.toml", "--format", "latex"}, folder.path());
  ASSERT_EQ(latex.status, 0) << latex.err;
  EXPECT_THAT(latex.out, AllOf(HasSubstr("\\theta"), HasSubstr("\\sin"), HasSubstr("\\gamma")));
}

TEST(DeriveCommand, PrintsCThatCompiles) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto c = run_herglotz({"derive", "p.toml", "--format", "c"}, folder.path());
  ASSERT_EQ(c.status, 0) << c.err;
  folder.write("p.c", c.out);
  EXPECT_EQ(std::system(("cc -std=c99 -Wall -Werror -fsyntax-only " + (folder.path() / "p.c").string()).c_str()), 0);
}

TEST(DeriveCommand, NamesTheRepeatedPartsOfLongEquationsInJson) {
  std::string definitions = "[definitions]\nd0 = \"theta\"\n";
  for (int i = 0; i < 60; ++i) {
    const std::string last = "d" + std::to_string(i);
    definitions += "d" + std::to_string(i + 1) + " = \"(" + last + " + 1)/(" + last + " + 2)\"\n";
  }
  const Folder folder;
  folder.write("n.toml", with(with(pendulum, "[dynamics]", definitions + "[dynamics]"), "cos(theta)", "d60"));
  const auto run = run_herglotz({"derive", "n.toml", "--format", "json"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.out.size(), 100'000U) << "the printed equation itself has more than 2^60 symbols";
  const auto equations = nlohmann::json::parse(run.out);
  ASSERT_FALSE(equations["where"].empty());
  EXPECT_EQ(equations["where"][0]["left"], "t1");
  EXPECT_THAT(equations["where"][0]["right"].get<std::string>(), HasSubstr("d59"));
  folder.write("p.toml", pendulum);
  const auto shortest = run_herglotz({"derive", "p.toml", "--format", "json"}, folder.path());
  EXPECT_TRUE(nlohmann::json::parse(shortest.out)["where"].empty());
}

TEST(CompletionScripts, AreReadByTheirShellAndKnowTheCommands) {
  const Folder folder;
  const auto bash = run_herglotz({"completion", "bash"});
  ASSERT_EQ(bash.status, 0) << bash.err;
  folder.write("complete.bash", bash.out + R"(
COMP_WORDS=(herglotz sim) COMP_CWORD=1; _herglotz; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz simulate heavy-t) COMP_CWORD=2; _herglotz 2>/dev/null; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz simulate x --method contact-gauss-4) COMP_CWORD=4; _herglotz; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz simulate --tol) COMP_CWORD=2; _herglotz; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz derive x --geo) COMP_CWORD=3; _herglotz; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz derive --geometry heavy-t) COMP_CWORD=3; _herglotz 2>/dev/null; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz fit heavy-t) COMP_CWORD=2; _herglotz 2>/dev/null; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz models cop) COMP_CWORD=2; _herglotz 2>/dev/null; echo "${COMPREPLY[*]}"
COMP_WORDS=(herglotz completion f) COMP_CWORD=2; _herglotz 2>/dev/null; echo "${COMPREPLY[*]}"
)");
  ASSERT_EQ(
      std::system(("bash " + (folder.path() / "complete.bash").string() + " > " + (folder.path() / "replies").string())
                      .c_str()),
      0);
  EXPECT_THAT(lines_of(folder.read("replies")),
              ::testing::ElementsAre("simulate", "heavy-top", "contact-gauss-4", "--tolerance", "--geometry",
                                     "heavy-top", "heavy-top", "copy", "fish"));
  for (const std::string shell : {"zsh", "fish"}) {
    const auto script = run_herglotz({"completion", shell});
    EXPECT_EQ(script.status, 0);
    EXPECT_THAT(script.out, AllOf(HasSubstr("simulate"), HasSubstr("heavy-top"), HasSubstr("contact-gauss-4")));
  }
}

// A page would show another text than the file has, and what it saves would be that one.
TEST(Studio, RefusesFilesThatItsPageCannotShow) {
  const Folder folder;
  folder.write("run.h5", "\x89HDF\r\n\x1a\n");
  folder.write("zero.toml", std::string("a = 1\n\0", 7));
  folder.write("long.toml", std::string(600'000, '#'));
  const auto refused = [&](const std::string& file) {
    const auto run = run_in_shell("timeout 20 \"$0\" studio " + file + " --no-browser", folder.path());
    EXPECT_EQ(run.status, 2) << file;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    return run.err;
  };
  EXPECT_THAT(refused("run.h5"), HasSubstr("run.h5: this is not text in UTF-8; name a model file"));
  EXPECT_THAT(refused("zero.toml"), HasSubstr("zero.toml: this is not text in UTF-8"));
  EXPECT_THAT(refused("long.toml"), HasSubstr("long.toml: the text is larger than 500 kB"));
  EXPECT_THAT(refused("."), HasSubstr("this is a folder; name a model file"));
  EXPECT_THAT(refused("heavy-to"), HasSubstr("did you mean heavy-top?"));
}
