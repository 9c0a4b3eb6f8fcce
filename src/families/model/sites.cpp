#include "herglotz/families/sites.hpp"

#include <algorithm>

namespace herglotz::families {

std::string with_offset(const std::string& index, std::int64_t offset) {
  if (offset == 0) return index;
  return index + (offset > 0 ? "+" : "") + std::to_string(offset);
}

std::string subscript_of(const std::vector<std::string>& indices, const Offset& offset) {
  std::string text = with_offset(indices.front(), offset.first);
  if (indices.size() > 1) text += "," + with_offset(indices[1], offset.second);
  return text;
}

std::size_t Sites::add(std::string name, Kind kind, std::optional<std::size_t> along) {
  families_.push_back({std::move(name), kind, along});
  return families_.size() - 1;
}

std::optional<std::size_t> Sites::find(std::string_view name) const {
  const auto found =
      std::find_if(families_.begin(), families_.end(), [&](const Family& family) { return family.name == name; });
  if (found == families_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - families_.begin());
}

std::string Sites::subscript(const Element& element) const {
  switch (element.owner) {
    case Owner::from:
      return edges_ + ".from";
    case Owner::to:
      return edges_ + ".to";
    case Owner::edge:
      return edges_;
    case Owner::second:
      return second_;
    case Owner::site:
      break;
  }
  if (const auto along = families_[element.family].along)
    return with_offset(indices_[*along], *along == 0 ? element.offset.first : element.offset.second);
  return subscript_of(indices_, element.offset);
}

Expr Sites::at(std::size_t family, Offset offset) {
  if (const auto along = families_[family].along) (*along == 0 ? offset.second : offset.first) = 0;
  return symbol_of({family, offset, Owner::site});
}

Expr Sites::symbol_of(const Element& element) {
  if (const auto known = symbols_.find(element); known != symbols_.end()) return known->second;
  const Family& of = families_[element.family];
  std::string name = of.name + "[" + subscript(element) + "]";
  if (of.kind == Kind::number) {
    const Offset& offset = element.offset;
    const std::string place = with_offset(of.name, offset.first + offset.second);
    name = element.owner != Owner::site ? subscript(element) : offset == Offset{} ? place : "(" + place + ")";
  }
  const Expr symbol = graph_->symbol(name);
  symbols_.emplace(element, symbol);
  of_symbol_.emplace(symbol.id(), element);
  return symbol;
}

std::vector<std::pair<Element, Expr>> Sites::elements(Expr f) const {
  std::vector<std::pair<Element, Expr>> found;
  for (const Expr& symbol : symbolic::free_symbols(std::span(&f, 1)))
    if (const auto known = of_symbol_.find(symbol.id()); known != of_symbol_.end())
      found.emplace_back(known->second, symbol);
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return found;
}

Expr Sites::moved(Expr f, Offset by) {
  if (by == Offset{}) return f;
  return replaced(f, [&](const Element& element) { return at(element.family, element.offset + by); });
}

}  // namespace herglotz::families
