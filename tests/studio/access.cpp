#include "access.hpp"

#include <gmock/gmock.h>

namespace herglotz::studio {
namespace {

using testing::HasSubstr;

class AccessTest : public testing::Test {
 protected:
  Access access{8123};
  std::string token = access.address().substr(access.address().find('?'));
  std::string target = "/" + token;
  std::string cookie = access.cookie().substr(0, access.cookie().find(';'));

  [[nodiscard]] Request asked(std::string_view at) const {
    Request request;
    request.target = at;
    request.host = "127.0.0.1:8123";
    return request;
  }
  [[nodiscard]] Request known(std::string_view at) const {
    Request request = asked(at);
    request.cookies = cookie;
    return request;
  }
};

TEST_F(AccessTest, SpendsTheTokenOnTheFirstThatIsLetIn) {
  EXPECT_EQ(access.judge(asked("/")), Answer::forbidden);
  EXPECT_EQ(access.judge(asked("/?token=0")), Answer::forbidden);
  EXPECT_EQ(access.judge(asked(target + "0")), Answer::forbidden);
  Request foreign = asked(target);
  foreign.host = "evil.example:8123";
  EXPECT_EQ(access.judge(foreign), Answer::forbidden) << "and the token is not spent";
  Request post = asked(target);
  post.method = "POST";
  EXPECT_EQ(access.judge(post), Answer::wrong_method);
  EXPECT_EQ(access.judge(asked(target)), Answer::page_and_cookie);
  EXPECT_EQ(access.judge(asked(target)), Answer::forbidden);
  EXPECT_EQ(access.judge(known("/")), Answer::page);
  EXPECT_EQ(access.judge(known(target)), Answer::page) << "the same browser may come back";
  EXPECT_EQ(access.judge(known("/?token=0")), Answer::forbidden);
}

TEST_F(AccessTest, KnowsOneCookieAmongOthers) {
  Request request = asked("/");
  const std::string several = "a=b; " + cookie + "; c=d";
  request.cookies = several;
  EXPECT_EQ(access.judge(request), Answer::page);
  const std::string longer = cookie + "0";
  request.cookies = longer;
  EXPECT_EQ(access.judge(request), Answer::forbidden);
  EXPECT_THAT(access.cookie(), HasSubstr("; HttpOnly; SameSite=Strict"));
}

TEST_F(AccessTest, RefusesForeignHostsAndOrigins) {
  for (const std::string_view host : {"localhost:8123", "[::1]:8123", "127.0.0.1:8123"}) {
    Request request = known("/");
    request.host = host;
    EXPECT_EQ(access.judge(request), Answer::page) << host;
  }
  for (const std::string_view host :
       {"", "127.0.0.1", "127.0.0.1:81234", "127.0.0.1:812", "localhost.evil:8123", "[::2]:8123", "127.0.0.1x8123"}) {
    Request request = known("/");
    request.host = host;
    EXPECT_EQ(access.judge(request), Answer::forbidden) << host;
  }
  Request request = known("/");
  request.host.reset();
  EXPECT_EQ(access.judge(request), Answer::forbidden);
  request = known("/");
  request.single = false;
  EXPECT_EQ(access.judge(request), Answer::forbidden);
  request = known("/");
  for (const std::string_view origin :
       {"null", "http://evil.example", "https://127.0.0.1:8123", "http://127.0.0.1:8124"}) {
    request.origin = origin;
    EXPECT_EQ(access.judge(request), Answer::forbidden) << origin;
  }
}

TEST_F(AccessTest, OpensSocketsToTheOwnPageAlone) {
  Request request = known("/ws");
  request.upgrade = true;
  EXPECT_EQ(access.judge(request), Answer::forbidden) << "without an origin";
  request.origin = "http://127.0.0.1:8123";
  EXPECT_EQ(access.judge(request), Answer::socket);
  request.cookies = {};
  EXPECT_EQ(access.judge(request), Answer::forbidden);
  request = known("/ws");
  request.origin = "http://127.0.0.1:8123";
  EXPECT_EQ(access.judge(request), Answer::forbidden) << "no upgrade";
}

TEST_F(AccessTest, KnowsNoOtherPath) {
  for (const std::string_view path : {"/x", "/../etc/passwd", "//", "/ws/", "", "*", "http://127.0.0.1:8123/"})
    EXPECT_EQ(access.judge(known(path)), Answer::not_found) << path;
}

TEST(RandomWord, IsNeverTheSame) {
  EXPECT_EQ(random_word().size(), 64U);
  EXPECT_NE(random_word(), random_word());
}

}  // namespace
}  // namespace herglotz::studio
