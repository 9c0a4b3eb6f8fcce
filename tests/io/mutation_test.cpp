#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) {
  return random() % bound;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all{""};
  for (const char c : text) {
    if (c == '\n') {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + "\n";
  return text;
}

/// Where names, numbers and signs begin.
std::vector<std::pair<std::size_t, std::size_t>> tokens(const std::string& text) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const auto word = [&](std::size_t i) { return std::isalnum(static_cast<unsigned char>(text[i])) != 0; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (word(i) && end < text.size() && word(end)) ++end;
    if (text[i] != ' ' && text[i] != '\n') found.emplace_back(i, end - i);
    i = end;
  }
  return found;
}

std::string mutate(std::string text, Random& random) {
  switch (below(random, 6)) {
    case 0:
      text[below(random, text.size())] = static_cast<char>(random());
      return text;
    case 1:
      text[below(random, text.size())] = "\"'[]{}=,.#()*^-+\n 0e_\\"[below(random, 22)];
      return text;
    case 2:
      return text.erase(below(random, text.size()), 1 + below(random, 12));
    case 3: {
      auto all = lines(text);
      std::swap(all[below(random, all.size())], all[below(random, all.size())]);
      return joined(all);
    }
    case 4: {
      auto all = lines(text);
      const std::string line = all[below(random, all.size())];
      all.insert(all.begin() + static_cast<std::ptrdiff_t>(below(random, all.size())), line);
      return joined(all);
    }
    default: {
      const auto all = tokens(text);
      const auto [from, length] = all[below(random, all.size())];
      const auto [to, other] = all[below(random, all.size())];
      const std::string word = text.substr(from, length);
      return text.replace(to, other, word);
    }
  }
}

#ifdef __has_feature
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif
// A model takes the sanitized program twenty times as long, and the fuzzers damage others there.
constexpr int damaged_models = sanitized ? 500 : 2'500;

class Mutation : public testing::TestWithParam<int> {};

TEST_P(Mutation, DamagedModelsAreReadOrRefusedInOneLine) {
  Random random(20261120 + GetParam());
  int refused = 0;
  std::set<std::string> kinds_of_error;
  const auto& models = gallery();
  for (int trial = 0; trial < damaged_models; ++trial) {
    std::string text(gallery_text(models[below(random, models.size())].name));
    const std::size_t changes = 1 + below(random, 3);
    for (std::size_t k = 0; k < changes && !text.empty(); ++k) text = mutate(std::move(text), random);
    try {
      parse_model(text, "damaged.toml");
    } catch (const InputError& error) {
      const std::string line = error.what();
      ++refused;
      kinds_of_error.insert(error.problem().substr(0, 12));
      ASSERT_EQ(line.find('\n'), std::string::npos) << text;
      ASSERT_LT(line.size(), 1300U) << text;
      ASSERT_EQ(line.rfind("damaged.toml:", 0), 0U) << line;
      ASSERT_FALSE(error.remedy().empty()) << line;
      ASSERT_GE(error.line, 1U) << line << '\n' << text;
      ASSERT_LE(error.line, lines(text).size() + 1) << line << '\n' << text;
    }
  }
  EXPECT_GT(refused, damaged_models / 2);
  EXPECT_GT(kinds_of_error.size(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Parts, Mutation, testing::Range(0, 4));

TEST(RandomTexts, AreRefused) {
  Random random(7);
  const std::string alphabet = "[]{}=\"'.,#\n\n\n  abxyz019-+*/^()algebroidkind";
  for (int trial = 0; trial < 10'000; ++trial) {
    std::string text;
    const std::size_t length = below(random, 200);
    for (std::size_t k = 0; k < length; ++k) {
      text += trial % 2 == 0 ? static_cast<char>(random()) : alphabet[below(random, alphabet.size())];
    }
    EXPECT_THROW(parse_model(text, "random.toml"), InputError) << text;
  }
}

}  // namespace
}  // namespace herglotz::io
