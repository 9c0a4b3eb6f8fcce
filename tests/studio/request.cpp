#include "request.hpp"

#include <gmock/gmock.h>

#include "access.hpp"
#include "results.hpp"

namespace herglotz::studio {
namespace {

TEST(ReadRequest, TakesWhatAPageAsks) {
  for (const std::string text : {R"({"kind":"run","id":1,"text":"a","changes":{"q":1.5}})",
                                 R"({"kind":"run","id":1,"text":"","changes":{},"method":"auto","newest":["q"]})",
                                 R"({"kind":"sweep","id":2,"text":"a","changes":{},"sweep":["q=0:1:3"]})",
                                 R"({"kind":"run","id":3,"text":"a","changes":{"q[0]":1},"columns":["q[0]"]})",
                                 R"({"kind":"solve","id":2,"text":"a","changes":{}})", R"({"kind":"save","text":"a"})",
                                 R"({"kind":"gallery","name":"a"})", R"({"kind":"report"})", R"({"kind":"cancel"})"})
    EXPECT_TRUE(read_request(text)) << text;
}

TEST(ReadRequest, RefusesEverythingElse) {
  for (const std::string text : {R"()",
                                 R"(7)",
                                 R"(null)",
                                 R"([])",
                                 R"({})",
                                 R"({"kind":7})",
                                 R"({"kind":"read","file":"/etc/passwd"})",
                                 R"({"kind":"run"})",
                                 R"({"kind":"run","id":-1,"text":"a","changes":{}})",
                                 R"({"kind":"run","id":1e300,"text":"a","changes":{}})",
                                 R"({"kind":"run","id":"1","text":"a","changes":{}})",
                                 R"({"kind":"run","id":1,"text":7,"changes":{}})",
                                 R"({"kind":"run","id":1,"text":"a","changes":[]})",
                                 R"({"kind":"run","id":1,"text":"a","changes":{"q":"1"}})",
                                 R"({"kind":"run","id":1,"text":"a","changes":{"q":1e999}})",
                                 R"({"kind":"run","id":1,"text":"a","changes":{},"method":7})",
                                 R"({"kind":"run","id":1,"text":"a","changes":{},"newest":"q"})",
                                 R"({"kind":"sweep","id":1,"text":"a","changes":{},"sweep":[1]})",
                                 R"({"kind":"save"})",
                                 R"({"kind":"gallery"})",
                                 R"({"kind":"run","id":1,"text":"a","changes":{})"})
    EXPECT_FALSE(read_request(text)) << text;
  EXPECT_FALSE(read_request(std::string(100'000, '[')));
  std::string deep = R"({"kind":"report","x":)";
  deep += std::string(20'000, '[') + std::string(20'000, ']') + "}";
  EXPECT_TRUE(read_request(deep)) << "what is deep is no more than long";
}

TEST(Results, AreFoundAtTheirAddressUntilNewerOnesCame) {
  Results results;
  const std::string first = results.keep("first");
  ASSERT_NE(results.find(first), nullptr);
  EXPECT_EQ(*results.find(first), "first");
  EXPECT_EQ(results.find(first + "0"), nullptr);
  EXPECT_EQ(results.find(result_path), nullptr);
  for (int k = 0; k < 6; ++k) EXPECT_NE(results.keep("more"), first);
  EXPECT_EQ(results.find(first), nullptr);
}

TEST(Results, AreForTheBrowserThatWasLetIn) {
  Access access(8123);
  const std::string cookie = access.cookie().substr(0, access.cookie().find(';'));
  Request request;
  request.target = "/result/0123";
  request.host = "127.0.0.1:8123";
  EXPECT_EQ(access.judge(request), Answer::forbidden);
  request.cookies = cookie;
  EXPECT_EQ(access.judge(request), Answer::result);
  request.method = "POST";
  EXPECT_EQ(access.judge(request), Answer::wrong_method);
  request.method = "GET";
  request.host = "evil.example:8123";
  EXPECT_EQ(access.judge(request), Answer::forbidden);
}

}  // namespace
}  // namespace herglotz::studio
