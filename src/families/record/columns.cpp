#include "record/columns.hpp"

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

bool is_inside(const Slice& slice, const Index& index) {
  return slice.stride >= 1 && slice.first >= 0 && slice.last <= static_cast<std::int64_t>(index.count) &&
         slice.first < slice.last;
}

/// Returns the names of columns of a family as a user writes them.
std::string examples(const Model& model, const std::string& family) {
  if (model.indices.size() > 1) return fmt::format("{0}[5,0], {0}[::10,5] or {0}[0:100,:]", family);
  return fmt::format("{0}[5], {0}[::10] or {0}[0:100]", family);
}

/// Reads what stands in the brackets of a column, or returns an empty list if it cannot be read.
std::vector<Slice> slices_of(std::string_view text, const Model& model) {
  std::vector<Slice> slices;
  for (const Index& index : model.indices) {
    const bool last = slices.size() + 1 == model.indices.size();
    const std::size_t end = last ? text.size() : text.find(',');
    if (end == std::string_view::npos) return {};
    const auto slice = slice_of(text.substr(0, end), static_cast<std::int64_t>(index.count));
    if (!slice) return {};
    slices.push_back(*slice);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return slices;
}

void choose(const Model& model, Field& field, const std::vector<Slice>& slices, const std::string& name) {
  bool inside = true;
  for (std::size_t k = 0; k < slices.size(); ++k) inside = inside && is_inside(slices[k], model.indices[k]);
  if (!inside)
    throw Refused(fmt::format("columns name '{}', which has no site", name),
                  fmt::format("the last site is {}, and sites are chosen as {}",
                              site_label(model.indices, model.count() - 1), examples(model, field.name)),
                  "columns");
  const Slice across = slices.size() > 1 ? slices[1] : Slice{0, 1, 1};
  const auto width = static_cast<std::int64_t>(model.width());
  for (std::int64_t i = slices[0].first; i < slices[0].last; i += slices[0].stride)
    for (std::int64_t j = across.first; j < across.last; j += across.stride)
      field.sites.push_back(static_cast<std::size_t>(i * width + j));
}

/// Reads given names of columns among these families and scalars.
Chosen chosen_among(const Model& model, std::vector<Field> fields, const std::vector<std::string>& names,
                    const std::vector<std::string>& scalars) {
  Chosen chosen{std::move(fields), {}, names.empty()};
  std::vector<Slice> everywhere;
  for (const Index& index : model.indices) everywhere.push_back({0, static_cast<std::int64_t>(index.count), 1});
  if (chosen.all) {
    for (Field& field : chosen.fields) choose(model, field, everywhere, field.name);
    return chosen;
  }
  for (const std::string& name : names) {
    const std::size_t bracket = name.find('[');
    const std::string stem = name.substr(0, bracket);
    const auto field =
        std::find_if(chosen.fields.begin(), chosen.fields.end(), [&](const Field& one) { return one.name == stem; });
    if (field == chosen.fields.end()) {
      if (std::find(scalars.begin(), scalars.end(), name) == scalars.end()) {
        std::vector<std::string> known = scalars;
        for (const Field& one : chosen.fields) known.push_back(one.name + "[" + site_label(model.indices, 0) + "]");
        const auto near = symbolic::nearest_names(name, known);
        throw Refused(fmt::format("columns name '{}', which is not a column", name),
                      near.empty() ? fmt::format("columns are {}", fmt::join(known, ", "))
                                   : fmt::format("did you mean {}?", near.front()),
                      "columns");
      }
      chosen.scalars.push_back(name);
      continue;
    }
    std::vector<Slice> slices = everywhere;
    if (bracket != std::string::npos) {
      slices.clear();
      if (name.ends_with(']'))
        slices = slices_of(std::string_view(name).substr(bracket + 1, name.size() - bracket - 2), model);
    }
    if (slices.empty())
      throw Refused(fmt::format("columns name '{}', which cannot be read", name),
                    fmt::format("write {}", examples(model, stem)), "columns");
    choose(model, *field, slices, name);
  }
  for (Field& field : chosen.fields) {
    std::sort(field.sites.begin(), field.sites.end());
    field.sites.erase(std::unique(field.sites.begin(), field.sites.end()), field.sites.end());
  }
  std::erase_if(chosen.fields, [](const Field& field) { return field.sites.empty(); });
  return chosen;
}

}  // namespace

std::size_t Chosen::numbers() const {
  std::size_t count = 0;
  for (const Field& field : fields) count += field.sites.size();
  return count;
}

void collect_fields(const Model& model, FieldRun& run) {
  auto& columns = run.trajectory.columns;
  std::vector<std::string> scalars;
  for (const auto& column : columns)
    if (column.name.find('[') == std::string::npos) scalars.push_back(column.name);
  Chosen chosen = chosen_columns(model, scalars);
  const std::size_t rows = run.trajectory.rows();
  for (Field& field : chosen.fields) {
    field.values.resize(rows * field.sites.size());
    for (std::size_t k = 0; k < field.sites.size(); ++k) {
      const auto* column = run.trajectory.find(field.name + "[" + site_label(model.indices, field.sites[k]) + "]");
      for (std::size_t row = 0; row < rows; ++row) field.values[row * field.sites.size() + k] = column->values[row];
    }
  }
  std::vector<std::string> kept = chosen.scalars;
  const auto is_dropped = [&](const analyse::Column& column) {
    if (column.role == analyse::Role::time) return false;
    if (chosen.all) return column.name.find('[') != std::string::npos;
    return std::find(kept.begin(), kept.end(), column.name) == kept.end();
  };
  std::erase_if(columns, is_dropped);
  if (!chosen.all)
    for (const Field& field : chosen.fields)
      for (const std::size_t site : field.sites)
        kept.push_back(field.name + "[" + site_label(model.indices, site) + "]");
  for (analyse::Crossings& event : run.trajectory.events) std::erase_if(event.columns, is_dropped);
  run.fields = std::move(chosen.fields);
}

Chosen chosen_columns(const Model& model, const std::vector<std::string>& scalars) {
  return chosen_columns(model, model.settings.columns, scalars);
}

Chosen chosen_columns(const Model& model, const std::vector<std::string>& names,
                      const std::vector<std::string>& scalars) {
  return chosen_among(model, fields_of(model), names, scalars);
}

std::string multiplier_name(std::size_t constraint) {
  return fmt::format("lambda{}", constraint + 1);
}

Chosen chosen_in_loops(const Model& model, const std::vector<std::string>& names,
                       const std::vector<std::string>& scalars) {
  std::vector<Field> fields = fields_of(model);
  std::vector<std::vector<std::size_t>> constrained;
  for (std::size_t k = 0; k < model.constraints.size(); ++k) {
    const auto* const of_sites = std::get_if<Sum>(&model.constraints[k]);
    if (of_sites == nullptr) continue;
    fields.push_back({multiplier_name(k), analyse::Role::multiplier, {}, {}});
    constrained.push_back(sites_of(model, *of_sites));
  }
  Chosen chosen = chosen_among(model, fields, names, scalars);
  // Multipliers are those of the sites that have an equation.
  for (Field& field : chosen.fields) {
    if (field.role != analyse::Role::multiplier) continue;
    const auto place =
        std::find_if(fields.begin(), fields.end(), [&](const Field& one) { return one.name == field.name; }) -
        fields.begin();
    const std::vector<std::size_t>& sites = constrained[static_cast<std::size_t>(place) - 2 * model.base.size()];
    std::erase_if(field.sites, [&](std::size_t site) { return !std::binary_search(sites.begin(), sites.end(), site); });
    if (field.sites.empty())
      throw Refused(fmt::format("columns name sites of {} that have no equation", field.name),
                    fmt::format("the first one that has is {}", site_label(model.indices, sites.front())), "columns");
  }
  return chosen;
}

}  // namespace herglotz::families
