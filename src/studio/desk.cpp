#include "herglotz/studio/desk.hpp"

#include <string_view>

#include "herglotz/error.hpp"
#include "herglotz/report/live.hpp"
#include "request.hpp"
#include "workshop.hpp"

namespace herglotz::studio {

struct Desk::Impl {
  std::string text;
  std::string file;
  std::vector<Answer> answers{};
  Workshop workshop{
      file, [this](Message message) { answers.push_back({std::move(message.bytes), message.binary}); }, {.first = 0}};
};

Desk::Desk(std::string text, std::string file) : impl_(new Impl{std::move(text), std::move(file)}) {}
Desk::~Desk() = default;

std::vector<Desk::Answer> Desk::answer(const std::string& request) {
  const auto read = read_request(request);
  const std::string kind = read ? (*read)["kind"].get<std::string>() : "";
  impl_->answers.clear();
  if (kind == "hello") {
    impl_->answers.push_back({greeting(impl_->text, impl_->file, false).bytes, false});
  } else if (kind == "run") {
    impl_->workshop.run(*read, [] { return true; });
  } else if (kind == "report") {
    impl_->workshop.report();
  } else if (kind == "gallery") {
    impl_->answers.push_back({gallery_model((*read)["name"].get<std::string>()).bytes, false});
  } else {
    throw Refused("a request that is none of the studio's");
  }
  return std::move(impl_->answers);
}

std::string page_with_nonce(const std::string& nonce) {
  constexpr std::string_view mark = "@@herglotz-nonce@@";
  std::string text;
  std::string_view rest = report::studio_page();
  for (std::size_t at = rest.find(mark); at != std::string_view::npos; at = rest.find(mark)) {
    text += rest.substr(0, at);
    text += nonce;
    rest.remove_prefix(at + mark.size());
  }
  return text += rest;
}

}  // namespace herglotz::studio
