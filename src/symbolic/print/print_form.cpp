#include "print/print_form.hpp"

namespace herglotz::symbolic {

Form atom(std::string text) {
  Form form;
  form.text(std::move(text));
  return form;
}

std::string written(const Form& form, const Forms& forms) {
  std::string text = form.negative ? "-" : "";
  std::vector<std::pair<const Form*, std::size_t>> open{{&form, 0}};
  while (!open.empty()) {
    auto& [current, at] = open.back();
    if (at == current->body.size()) {
      open.pop_back();
      continue;
    }
    const Piece& piece = current->body[at++];
    if (piece.is_child) {
      open.emplace_back(&forms.at(piece.child), 0);
    } else {
      text += piece.text;
    }
  }
  return text;
}

}  // namespace herglotz::symbolic
