#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::families {
namespace {

/// A range of sites first:last:stride, or one site.
struct Slice {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t stride = 1;
};

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads what stands in the brackets of a column.
std::optional<Slice> slice_of(std::string_view text, std::int64_t count) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(':', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto from_end = [&](std::int64_t place) { return place < 0 ? place + count : place; };
  if (parts.size() == 1) {
    const auto site = whole(parts[0]);
    if (!site) return std::nullopt;
    return Slice{from_end(*site), from_end(*site) + 1, 1};
  }
  if (parts.size() > 3) return std::nullopt;
  Slice slice{0, count, 1};
  const auto fill = [&](std::size_t k, std::int64_t& value, bool place) {
    if (k >= parts.size() || parts[k].empty()) return true;
    const auto number = whole(parts[k]);
    if (number) value = place ? from_end(*number) : *number;
    return number.has_value();
  };
  if (!fill(0, slice.first, true) || !fill(1, slice.last, true) || !fill(2, slice.stride, false)) return std::nullopt;
  return slice;
}

std::vector<Field> fields_of(const Model& model) {
  std::vector<Field> fields;
  for (const std::size_t family : model.base)
    fields.push_back({model.sites.families()[family].name, analyse::Role::base, {}, {}});
  for (const std::size_t family : model.fibre)
    fields.push_back({model.sites.families()[family].name, analyse::Role::fibre, {}, {}});
  return fields;
}

void choose(Field& field, const Slice& slice, const std::string& name, std::size_t count) {
  if (slice.stride < 1 || slice.first < 0 || slice.last > static_cast<std::int64_t>(count) || slice.first >= slice.last)
    throw Refused(fmt::format("columns name '{}', which has no site", name),
                  fmt::format("sites are 0 to {}, chosen as {}[5], {}[::10] or {}[0:100]", count - 1, field.name,
                              field.name, field.name),
                  "columns");
  for (std::int64_t i = slice.first; i < slice.last; i += slice.stride)
    field.sites.push_back(static_cast<std::size_t>(i));
}

}  // namespace

std::size_t Chosen::numbers() const {
  std::size_t count = 0;
  for (const Field& field : fields) count += field.sites.size();
  return count;
}

Chosen chosen_columns(const Model& model, const std::vector<std::string>& scalars) {
  Chosen chosen{fields_of(model), {}, model.settings.columns.empty()};
  const std::size_t count = model.index.count;
  const Slice whole_range{0, static_cast<std::int64_t>(count), 1};
  if (chosen.all) {
    for (Field& field : chosen.fields) choose(field, whole_range, field.name, count);
    return chosen;
  }
  for (const std::string& name : model.settings.columns) {
    const std::size_t bracket = name.find('[');
    const std::string stem = name.substr(0, bracket);
    const auto field =
        std::find_if(chosen.fields.begin(), chosen.fields.end(), [&](const Field& one) { return one.name == stem; });
    if (field == chosen.fields.end()) {
      if (std::find(scalars.begin(), scalars.end(), name) == scalars.end()) {
        std::vector<std::string> known = scalars;
        for (const Field& one : chosen.fields) known.push_back(one.name + "[0]");
        const auto near = symbolic::nearest_names(name, known);
        throw Refused(fmt::format("columns name '{}', which is none", name),
                      near.empty() ? fmt::format("columns are {}", fmt::join(known, ", "))
                                   : fmt::format("did you mean {}?", near.front()),
                      "columns");
      }
      chosen.scalars.push_back(name);
      continue;
    }
    std::optional<Slice> slice = whole_range;
    if (bracket != std::string::npos)
      slice = name.ends_with(']')
                  ? slice_of(std::string_view(name).substr(bracket + 1, name.size() - bracket - 2), whole_range.last)
                  : std::nullopt;
    if (!slice)
      throw Refused(fmt::format("columns name '{}', which cannot be read", name),
                    fmt::format("write {}[5], {}[::10] or {}[0:100]", stem, stem, stem), "columns");
    choose(*field, *slice, name, count);
  }
  for (Field& field : chosen.fields) {
    std::sort(field.sites.begin(), field.sites.end());
    field.sites.erase(std::unique(field.sites.begin(), field.sites.end()), field.sites.end());
  }
  std::erase_if(chosen.fields, [](const Field& field) { return field.sites.empty(); });
  return chosen;
}

}  // namespace herglotz::families
