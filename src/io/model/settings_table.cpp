#include "model/settings_table.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/symbolic/names.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

double positive(const Source& source, const Member& member) {
  const double value = source.number(member.value, in_quotes(member.key));
  if (value <= 0) source.fail(member.value.place, in_quotes(member.key) + " is not positive", "give a number above 0");
  return value;
}

std::size_t step_count(const Source& source, const Member& member) {
  const double value = source.number(member.value, in_quotes(member.key));
  if (member.value.kind != Kind::integer || value < 1 || value > 1e15) {
    source.fail(member.value.place, in_quotes(member.key) + " is not a whole number of steps",
                "give an integer of at least 1");
  }
  return static_cast<std::size_t>(value);
}

std::string method_name(const Source& source, const Member& member) {
  source.expect(member.value, Kind::string, "'method'");
  const std::string& name = member.value.text;
  if (name == "auto" || integrate::find_method(name) != nullptr) return name;
  std::vector<std::string> known{"auto"};
  for (const auto& method : integrate::methods()) known.push_back(method.name);
  source.unknown(member.value.place, "method", name, known);
}

}  // namespace

simulate::Settings read_settings(const Source& source, const Value& table) {
  simulate::Settings settings;
  for (const Member& member : table.members) {
    if (member.key == "method") {
      settings.method = method_name(source, member);
    } else if (member.key == "t_end") {
      settings.t_end = source.number(member.value, "'t_end'");
    } else if (member.key == "step") {
      settings.step = positive(source, member);
    } else if (member.key == "tolerance") {
      settings.tolerance = positive(source, member);
    } else if (member.key == "output_every") {
      settings.output_every = step_count(source, member);
    } else if (member.key == "output_step") {
      settings.output_step = positive(source, member);
    } else if (member.key == "columns") {
      for (const Value* name : source.strings(member.value, "'columns'"))
        settings.columns.push_back(symbolic::with_plain_greek(name->text));
    } else if (member.key != "time_scale") {
      source.unknown(member.place, "key", member.key,
                     {"method", "t_end", "step", "tolerance", "output_every", "output_step", "columns", "time_scale"});
    }
  }
  if (settings.method == "auto" && settings.step && settings.tolerance) {
    source.fail(table.find("tolerance")->place, "both 'step' and 'tolerance' are given with method auto",
                "keep step for a fixed-step method, or tolerance for an adaptive one");
  }
  if (settings.output_every && settings.output_step) {
    source.fail(table.find("output_step")->place, "both 'output_every' and 'output_step' are given",
                "keep one of them");
  }
  return settings;
}

}  // namespace herglotz::io
