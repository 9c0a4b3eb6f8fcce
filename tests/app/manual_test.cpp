#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;
using ::testing::Not;

/// What the help of a command lists at the beginning of its lines: options, or the names under a heading.
std::vector<std::string> listed(const std::string& help, const std::regex& entry) {
  std::vector<std::string> found;
  for (const auto& line : lines_of(help)) {
    std::smatch match;
    if (std::regex_search(line, match, entry)) found.push_back(match[1]);
  }
  return found;
}

/// As roff writes it.
std::string in_roff(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

}  // namespace

TEST(Manual, HasEveryCommandAndEveryOption) {
  const auto page = run_herglotz({"manual"});
  ASSERT_EQ(page.status, 0);
  const auto help = run_herglotz({"--help"}).out;
  const std::size_t heading = help.find("ubcommands:");
  const std::string subcommands = help.substr(heading, help.find("\n\n", heading) - heading);
  const auto commands = listed(subcommands, std::regex("^  ([a-z]+) "));
  ASSERT_GE(commands.size(), 8U) << help;
  const std::regex option("^ +(?:-[a-z],)?(--[a-z-]+)");
  for (const auto& command : commands) {
    EXPECT_THAT(page.out, HasSubstr("\n.SS \"herglotz " + command + "\"\n"));
    const auto options = listed(run_herglotz({command, "--help"}).out, option);
    EXPECT_FALSE(options.empty()) << command;
    const std::size_t begin = page.out.find("\n.SS \"herglotz " + command + "\"\n");
    const std::string section = page.out.substr(begin, page.out.find("\n.S", begin + 4) - begin);
    for (const auto& name : options) EXPECT_THAT(section, HasSubstr(in_roff(name))) << command;
  }
  for (const std::string command : {"list", "show", "copy"})
    EXPECT_THAT(page.out, HasSubstr("\n.SS \"herglotz models " + command + "\"\n"));
}

TEST(Manual, HasTheSectionsOfAManualPageInTheirOrder) {
  const auto page = run_herglotz({"manual"}).out;
  EXPECT_THAT(page, testing::StartsWith(".TH HERGLOTZ 1 "));
  std::size_t at = 0;
  for (const std::string section : {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "MODEL FILE",
                                    "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES"}) {
    const std::size_t next = page.find("\n.SH " + section + "\n", at);
    ASSERT_NE(next, std::string::npos) << section;
    at = next;
  }
}

TEST(Manual, IsNoCommandOfUsers) {
  EXPECT_THAT(run_herglotz({"--help"}).out, Not(HasSubstr("manual")));
  EXPECT_THAT(run_herglotz({"completion", "bash"}).out, Not(HasSubstr("manual")));
}
