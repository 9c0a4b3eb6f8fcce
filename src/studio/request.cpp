#include "request.hpp"

#include <algorithm>

namespace herglotz::studio {
namespace {

using nlohmann::json;

bool has_text(const json& request, const char* key) {
  const auto found = request.find(key);
  return found != request.end() && found->is_string();
}

/// Returns whether a part is missing or passes a test.
template <class Test>
bool may_have(const json& request, const char* key, Test test) {
  const auto found = request.find(key);
  return found == request.end() || test(*found);
}

bool is_text(const json& part) {
  return part.is_string();
}

bool are_words(const json& part) {
  return part.is_array() && part.size() <= 1000 && std::all_of(part.begin(), part.end(), is_text);
}

/// Returns whether a request states a model, the values that differ from its text, and an id for the answer.
bool states_model(const json& request) {
  const auto id = request.find("id");
  const auto changes = request.find("changes");
  return id != request.end() && id->is_number_unsigned() && has_text(request, "text") && changes != request.end() &&
         changes->is_object() &&
         std::all_of(changes->begin(), changes->end(), [](const json& value) { return value.is_number(); }) &&
         may_have(request, "method", is_text) && may_have(request, "newest", are_words) &&
         may_have(request, "columns", are_words) && may_have(request, "sweep", are_words);
}

}  // namespace

std::optional<json> read_request(const std::string& text) {
  json request = json::parse(text, nullptr, false);
  if (!request.is_object() || !has_text(request, "kind")) return std::nullopt;
  const auto kind = request["kind"].get<std::string>();
  const bool right = kind == "run" || kind == "sweep" || kind == "solve" ? states_model(request)
                     : kind == "save"                                    ? has_text(request, "text")
                     : kind == "gallery"                                 ? has_text(request, "name")
                                         : kind == "report" || kind == "cancel" || kind == "hello";
  if (!right) return std::nullopt;
  return request;
}

}  // namespace herglotz::studio
