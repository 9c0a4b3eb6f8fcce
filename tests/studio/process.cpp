#include "process.hpp"

#include <gmock/gmock.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "folder.hpp"
#include "herglotz/io/gallery.hpp"
#include "job.hpp"

namespace herglotz::studio {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// A process with what it said, until it has ended.
struct Heard {
  boost::asio::io_context context{1};
  std::vector<Message> messages{};
  std::optional<std::string> ended{};
  std::shared_ptr<Process> process{};

  void start(const Process::Work& work, const ProcessLimits& limits = {}) {
    process = Process::start(context.get_executor(), work,
                             {[this](Message message) { messages.push_back(std::move(message)); },
                              [this](const std::string& why) { ended = why; }},
                             limits);
  }
  void listen_to_the_end() {
    while (!ended && context.run_one() > 0) {
    }
  }
};

TEST(ProcessMemory, GoesBackToTheSystemFromTheHeapOfAnyThread) {
  Heard heard;
  heard.start([](Channel& channel) {
    share_one_heap();
#ifdef __GLIBC__
    ::mallopt(M_TRIM_THRESHOLD, 256 << 20);  // heaps do not shrink of themselves, as in the command line
#endif
    json bytes = json::array();
    std::thread([&] {
      const auto note = [&] { bytes.push_back(resident_bytes(::getpid())); };
      note();
      std::vector<std::unique_ptr<char[]>> blocks;
      for (int k = 0; k < 40 * 1024; ++k) {
        blocks.push_back(std::make_unique_for_overwrite<char[]>(1000));
        blocks.back()[0] = blocks.back()[999] = 1;
      }
      blocks.clear();
      note();
      give_back_free_memory();
      note();
    }).join();
    channel.send({bytes.dump(), false, {}});
  });
  heard.listen_to_the_end();
  ASSERT_EQ(heard.messages.size(), 1U);
  const auto bytes = json::parse(heard.messages[0].bytes).get<std::vector<double>>();
  const double mebibyte = 1048576;
  EXPECT_GT(bytes[1], bytes[0] + 30 * mebibyte);
  EXPECT_LT(bytes[2], bytes[0] + 4 * mebibyte);
}

TEST(Process, TakesRequestsAndSendsMessagesOfAnyLength) {
  Heard heard;
  heard.start([](Channel& channel) {
    for (std::uint64_t k = 1; k <= 2; ++k) {
      const auto request = channel.receive();
      channel.send({*request, k == 2, "tag"});
      channel.answered(k);
    }
  });
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(heard.process->send("a"));
  EXPECT_TRUE(heard.process->send(large));
  heard.listen_to_the_end();
  ASSERT_EQ(heard.messages.size(), 2U);
  EXPECT_EQ(heard.messages[0].bytes, "a");
  EXPECT_FALSE(heard.messages[0].binary);
  EXPECT_EQ(heard.messages[1].bytes, large);
  EXPECT_TRUE(heard.messages[1].binary);
  EXPECT_EQ(heard.messages[1].tag, "tag");
  EXPECT_EQ(heard.ended, "");
}

TEST(Process, IsEndedWhenItTakesTooLongOrTooMuch) {
  Heard slow;
  slow.start([](Channel&) { ::pause(); }, {0.05, 0});
  slow.listen_to_the_end();
  EXPECT_THAT(*slow.ended, HasSubstr("within 0.05 s"));

  constexpr std::size_t mebibytes = 1U << 20U;
  Heard greedy;
  greedy.start(
      [](Channel&) {
        const std::vector<char> all(256 * mebibytes, 'x');
        ::pause();
      },
      {0, 64 * mebibytes});
  greedy.listen_to_the_end();
  EXPECT_THAT(*greedy.ended, HasSubstr("64 MiB of memory"));
}

TEST(Process, IsHeardByWhoListensLater) {
  Heard heard;
  heard.process = Process::start(heard.context.get_executor(),
                                 [](Channel& channel) {
                                   while (const auto request = channel.receive()) channel.send({*request, false, ""});
                                 },
                                 {}, {});
  ASSERT_TRUE(heard.process->send("to nobody"));
  heard.context.run_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(heard.process->alive());
  heard.process->listen({[&](Message message) {
                           heard.messages.push_back(std::move(message));
                           heard.process->end();
                         },
                         {}});
  ASSERT_TRUE(heard.process->send("to us"));
  while (heard.process->alive() && heard.context.run_one() > 0) {
  }
  ASSERT_EQ(heard.messages.size(), 1U);
  EXPECT_EQ(heard.messages[0].bytes, "to us");
  EXPECT_FALSE(heard.process->alive());
}

TEST(Process, MayBreakOffWithoutTheStudio) {
  Heard heard;
  heard.start([](Channel&) { ::_exit(7); });
  heard.listen_to_the_end();
  EXPECT_EQ(heard.ended, "");
}

/// The messages of a job.
std::vector<Message> job(const json& request) {
  const Folder folder;
  Heard heard;
  heard.start([&](Channel& channel) { run_job(channel, request, "m.toml", folder.path()); });
  heard.listen_to_the_end();
  EXPECT_EQ(heard.ended, "");
  return heard.messages;
}

TEST(Job, SendsTheReportOfASweep) {
  const json request{{"kind", "sweep"},
                     {"id", 3},
                     {"text", io::gallery_text("damped-oscillator")},
                     {"changes", {{"gamma", 0.5}, {"gone", 1.0}, {"q", 2.0}}},
                     {"sweep", {"gamma=0:0.4:3"}}};
  const auto messages = job(request);
  ASSERT_FALSE(messages.empty());
  const Message& last = messages.back();
  ASSERT_EQ(last.tag, "result") << last.bytes;
  const std::size_t end = last.bytes.find('\n');
  const json head = json::parse(last.bytes.substr(0, end));
  EXPECT_EQ(head["id"], 3);
  EXPECT_EQ(head["good"], true);
  EXPECT_EQ(head["what"], "3 members, 0 failed; without gone, which the text does not have");
  EXPECT_THAT(last.bytes.substr(end + 1), StartsWith("<!doctype html>"));
}

TEST(Job, SendsTheReportOfASweepOfAModelWithAnIndex) {
  const auto messages = job({{"kind", "sweep"},
                             {"id", 5},
                             {"text", io::gallery_text("toda-lattice")},
                             {"changes", {{"gamma", 0.5}}},
                             {"sweep", {"gamma=0:0.02:3"}}});
  ASSERT_FALSE(messages.empty());
  const Message& last = messages.back();
  ASSERT_EQ(last.tag, "result") << last.bytes;
  const json head = json::parse(last.bytes.substr(0, last.bytes.find('\n')));
  EXPECT_EQ(head["what"], "3 members, 0 failed");
}

TEST(Job, SaysWhatIsWrong) {
  const auto refused = [](json request) {
    const auto messages = job(request);
    EXPECT_EQ(messages.size(), 1U);
    json said = json::parse(messages.at(0).bytes);
    EXPECT_EQ(said["kind"], "failed");
    return said["what"].get<std::string>();
  };
  json request{{"kind", "sweep"},
               {"id", 1},
               {"text", "[algebroid]\nkind = \"tangnt\"\n"},
               {"changes", json::object()},
               {"sweep", {"gamma=0:1:3"}}};
  EXPECT_THAT(refused(request), HasSubstr("tangnt"));
  request["text"] = io::gallery_text("damped-oscillator");
  request["sweep"] = {"gamma=0:1:900000000"};
  EXPECT_THAT(refused(request), HasSubstr("GiB"));
  request["kind"] = "solve";
  EXPECT_THAT(refused(request), HasSubstr("boundary"));
}

TEST(Job, SendsTheReportOfASolution) {
  const auto messages =
      job({{"kind", "solve"}, {"id", 4}, {"text", io::gallery_text("regulator")}, {"changes", {{"gone", 1.0}}}});
  ASSERT_FALSE(messages.empty());
  const Message& last = messages.back();
  ASSERT_EQ(last.tag, "result") << last.bytes;
  const json head = json::parse(last.bytes.substr(0, last.bytes.find('\n')));
  EXPECT_EQ(head["good"], true);
  EXPECT_THAT(head["what"].get<std::string>(), StartsWith("solved, cost "));
  EXPECT_THAT(head["what"].get<std::string>(), EndsWith("; without gone, which the text does not have"));
}

TEST(Folder, GoesWithWhatItHolds) {
  std::filesystem::path path;
  {
    const Folder folder;
    path = folder.path();
    std::filesystem::create_directory(path / "within");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace herglotz::studio
