#include "sweep/outline_bytes.hpp"

#include <cstdint>

#include "herglotz/analyse/roles.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/bytes.hpp"

namespace herglotz::io {
namespace {

using ensemble::ProbabilityDistribution;
using ensemble::Range;
using ensemble::Swept;

/// Numbers of the kinds of values that a swept quantity may have.
enum class Form : std::uint64_t { range, list, distribution };

void put_size(ByteWriter& out, std::size_t size) {
  out.put(static_cast<std::uint64_t>(size));
}

template <class Item, class Put>
void put_list(ByteWriter& out, const std::vector<Item>& items, const Put& put) {
  put_size(out, items.size());
  for (const Item& item : items) put(item);
}

template <class Item, class Get>
std::vector<Item> get_list(ByteReader& in, const Get& get) {
  std::vector<Item> items;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) items.push_back(get());
  return items;
}

/// Reads a number that stands for a choice out of `count`.
template <class Choice>
Choice get_choice(ByteReader& in, std::uint64_t count) {
  const auto number = in.get<std::uint64_t>();
  if (number >= count) throw OutOfRange("a choice is not known");
  return static_cast<Choice>(number);
}

template <class Choice>
void put_choice(ByteWriter& out, Choice choice) {
  out.put(static_cast<std::uint64_t>(choice));
}

std::string get_string(ByteReader& in) {
  return std::string(in.get_text());
}

void put_doubles(ByteWriter& out, const std::vector<double>& values) {
  put_list(out, values, [&](double value) { out.put(value); });
}

std::vector<double> get_doubles(ByteReader& in) {
  return get_list<double>(in, [&] { return in.get<double>(); });
}

void put_optional(ByteWriter& out, const std::optional<double>& value) {
  put_doubles(out, value ? std::vector<double>{*value} : std::vector<double>{});
}

std::optional<double> get_optional(ByteReader& in) {
  const auto values = get_doubles(in);
  return values.empty() ? std::nullopt : std::optional<double>(values.front());
}

using NamedValues = std::vector<std::pair<std::string, double>>;

void put_named(ByteWriter& out, const NamedValues& values) {
  put_list(out, values, [&](const auto& pair) {
    out.put_text(pair.first);
    out.put(pair.second);
  });
}

NamedValues get_named(ByteReader& in) {
  return get_list<NamedValues::value_type>(in, [&] {
    std::string name = get_string(in);
    return NamedValues::value_type(std::move(name), in.get<double>());
  });
}

void put_values(ByteWriter& out, const Range& range) {
  put_choice(out, Form::range);
  out.put(range.from);
  out.put(range.to);
  put_size(out, range.count);
  put_size(out, range.logarithmic ? 1 : 0);
}

void put_values(ByteWriter& out, const std::vector<double>& values) {
  put_choice(out, Form::list);
  put_doubles(out, values);
}

void put_values(ByteWriter& out, const ProbabilityDistribution& distribution) {
  put_choice(out, Form::distribution);
  put_choice(out, distribution.kind);
  out.put(distribution.a);
  out.put(distribution.b);
}

Swept get_swept(ByteReader& in) {
  Swept swept;
  swept.target = get_choice<ensemble::Target>(in, 2);
  swept.name = get_string(in);
  switch (get_choice<Form>(in, 3)) {
    case Form::range: {
      Range range;
      range.from = in.get<double>();
      range.to = in.get<double>();
      range.count = in.get<std::uint64_t>();
      range.logarithmic = in.get<std::uint64_t>() != 0;
      swept.values = range;
      break;
    }
    case Form::list:
      swept.values = get_doubles(in);
      break;
    case Form::distribution: {
      ProbabilityDistribution distribution;
      distribution.kind = get_choice<ProbabilityDistribution::Kind>(in, 5);
      distribution.a = in.get<double>();
      distribution.b = in.get<double>();
      swept.values = distribution;
      break;
    }
  }
  return swept;
}

void put_sweep(ByteWriter& out, const ensemble::Sweep& sweep) {
  put_list(out, sweep.quantities, [&](const Swept& swept) {
    put_choice(out, swept.target);
    out.put_text(swept.name);
    std::visit([&](const auto& values) { put_values(out, values); }, swept.values);
  });
  put_list(out, sweep.zipped,
           [&](const auto& group) { put_list(out, group, [&](const std::string& name) { out.put_text(name); }); });
  put_choice(out, sweep.sampling);
  put_size(out, sweep.samples);
  out.put(sweep.seed);
}

ensemble::Sweep get_sweep(ByteReader& in) {
  ensemble::Sweep sweep;
  sweep.quantities = get_list<Swept>(in, [&] { return get_swept(in); });
  sweep.zipped =
      get_list<std::vector<std::string>>(in, [&] { return get_list<std::string>(in, [&] { return get_string(in); }); });
  sweep.sampling = get_choice<ensemble::Sampling>(in, 2);
  sweep.samples = in.get<std::uint64_t>();
  sweep.seed = in.get<std::uint64_t>();
  return sweep;
}

void put_layout(ByteWriter& out, const ensemble::Layout& layout) {
  put_list(out, layout.columns, [&](const auto& column) {
    out.put_text(column.first);
    out.put_text(name_of(column.second));
  });
  put_doubles(out, layout.times);
  put_size(out, layout.members);
  put_size(out, layout.block_members);
  out.put_text(layout.method);
  out.put_text(layout.method_reason);
  put_size(out, static_cast<std::size_t>(layout.order));
}

ensemble::Layout get_layout(ByteReader& in) {
  using Column = std::pair<std::string, analyse::Role>;
  ensemble::Layout layout;
  layout.columns = get_list<Column>(in, [&] {
    std::string name = get_string(in);
    const auto role = analyse::role_of(get_string(in));
    if (!role) throw OutOfRange("the role of a column is not known");
    return Column(std::move(name), *role);
  });
  layout.times = get_doubles(in);
  layout.members = in.get<std::uint64_t>();
  layout.block_members = in.get<std::uint64_t>();
  if (layout.block_members == 0 || layout.times.empty()) throw OutOfRange("a block has no members or rows");
  layout.method = get_string(in);
  layout.method_reason = get_string(in);
  layout.order = static_cast<int>(in.get<std::uint64_t>());
  return layout;
}

}  // namespace

std::string encoded_outline(const SweepOutline& outline) {
  ByteWriter out;
  for (const auto* text : {&outline.name, &outline.title, &outline.reference, &outline.text}) out.put_text(*text);
  put_sweep(out, outline.sweep);
  put_choice(out, outline.keep);
  put_layout(out, outline.layout);
  put_optional(out, outline.step);
  put_optional(out, outline.tolerance);
  out.put(outline.t_end);
  put_named(out, outline.parameters);
  put_named(out, outline.initial);
  out.put_text(outline.fingerprint);
  return out.take();
}

SweepOutline decoded_outline(std::string_view bytes) {
  ByteReader in(bytes);
  SweepOutline outline;
  for (auto* text : {&outline.name, &outline.title, &outline.reference, &outline.text}) *text = get_string(in);
  outline.sweep = get_sweep(in);
  outline.keep = get_choice<ensemble::Keep>(in, 4);
  outline.layout = get_layout(in);
  outline.step = get_optional(in);
  outline.tolerance = get_optional(in);
  outline.t_end = in.get<double>();
  outline.parameters = get_named(in);
  outline.initial = get_named(in);
  outline.fingerprint = get_string(in);
  return outline;
}

}  // namespace herglotz::io
