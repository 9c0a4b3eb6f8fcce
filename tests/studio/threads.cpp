#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>

#include "herglotz/error.hpp"
#include "herglotz/io/gallery.hpp"
#include "studio/arrived.hpp"
#include "typesetter.hpp"
#include "worker.hpp"

namespace herglotz::studio {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Typesetter, TypesetsTheNewestEquationsBesideTheRuns) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t idle = 0;
  std::vector<json> sent;
  std::promise<void> released;
  std::promise<void> begun;
  Typesetter typesetter(
      [&](const Message& message) {
        const std::lock_guard lock(mutex);
        sent.push_back(json::parse(message.bytes));
      },
      [&] {
        const std::lock_guard lock(mutex);
        ++idle;
        changed.notify_one();
      });
  const auto wait_until_idle = [&](std::size_t times) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), [&] { return idle >= times; });
  };
  EXPECT_FALSE(typesetter.busy());
  typesetter.typeset([&] {
    begun.set_value();
    released.get_future().wait();
    return std::string("old");
  });
  begun.get_future().wait();
  EXPECT_TRUE(typesetter.busy());
  typesetter.typeset([] { return std::string("overtaken"); });
  typesetter.typeset([] { return std::string("new"); });
  released.set_value();
  EXPECT_EQ(typesetter.equations(), "new");
  ASSERT_TRUE(wait_until_idle(1));
  EXPECT_FALSE(typesetter.busy());
  typesetter.typeset([]() -> std::string { throw Refused("no equations", ""); });
  EXPECT_EQ(typesetter.equations(), "");
  ASSERT_TRUE(wait_until_idle(2));
  const std::lock_guard lock(mutex);
  EXPECT_EQ(idle, 2U);
  ASSERT_EQ(sent.size(), 2U) << "equations of texts that are gone are not sent";
  EXPECT_EQ(sent[0]["latex"], "new");
  EXPECT_EQ(sent[1]["latex"], "");
  EXPECT_THAT(sent[1]["why"].get<std::string>(), HasSubstr("no equations"));
}

TEST(Worker, RunsWhileEquationsAreTypesetAndAReportWaitsForThem) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> kinds;
  const auto worker = Worker::start("m.toml", "", [&](const Message& message) {
    // On a busy machine a run may take so long that its beginning comes first.
    if (message.binary && decoded(message).head.contains("part")) return;
    std::unique_lock lock(mutex);
    // Equations hold up the thread that sends them until both runs are there.
    if (!message.binary) changed.wait_for(lock, std::chrono::seconds(60), [&] { return kinds.size() >= 2; });
    kinds.push_back(message.binary ? "run" : json::parse(message.bytes)["kind"].get<std::string>());
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  const auto wait_for = [&](std::size_t count) {
    return changed.wait_for(lock, std::chrono::seconds(120), [&] { return kinds.size() >= count; });
  };
  const std::string text(io::gallery_text("damped-pendulum"));
  worker->submit(request(text));
  ASSERT_TRUE(wait_for(1));
  worker->submit({{"kind", "report"}});
  worker->submit(request(text, {{"gamma", 0.3}}));
  ASSERT_TRUE(wait_for(4));
  lock.unlock();
  worker->stop();
  EXPECT_THAT(kinds, testing::ElementsAre("run", "run", "equations", "report")) << "a report has equations";
}

TEST(Worker, LetsTheNewestRunWin) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<json> heads;
  const auto worker = Worker::start("m.toml", "", [&](Message message) {
    if (!message.binary) return;
    const std::lock_guard lock(mutex);
    heads.push_back(decoded(message).head);
    changed.notify_one();
  });
  std::string endless(io::gallery_text("damped-pendulum"));
  endless.replace(endless.find("t_end = 40.0"), 12, "t_end = 4e9");
  worker->submit(request(endless));
  json last = request(std::string(io::gallery_text("damped-oscillator")));
  for (int id = 8; id < 20; ++id) {
    last["id"] = id;
    worker->submit(last);
  }
  std::unique_lock lock(mutex);
  const auto newest = [&] { return !heads.empty() && heads.back()["id"] == 19; };
  EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), newest));
  EXPECT_LE(heads.size(), 3U);
  lock.unlock();
  worker->stop();
}

}  // namespace
}  // namespace herglotz::studio
