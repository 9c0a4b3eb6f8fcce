#include <string>
#include <string_view>

#include "graph/functions.hpp"
#include "print/layout.hpp"

namespace herglotz::symbolic {

namespace {

std::string_view latex_command(Op op) {
  switch (op) {
    case Op::log:
      return "\\ln";
    case Op::sin:
      return "\\sin";
    case Op::cos:
      return "\\cos";
    case Op::tan:
      return "\\tan";
    case Op::asin:
      return "\\arcsin";
    case Op::acos:
      return "\\arccos";
    case Op::atan:
      return "\\arctan";
    case Op::sinh:
      return "\\sinh";
    case Op::cosh:
      return "\\cosh";
    case Op::tanh:
      return "\\tanh";
    default:
      return "";
  }
}

}  // namespace

Form Layout::square_root(Expr base) const {
  Form form;
  form.text(latex() ? "\\sqrt{" : "sqrt(");
  operand(form, base, Binding::sum);
  form.text(latex() ? "}" : ")");
  return form;
}

/// Returns base^exponent for a positive rational exponent other than 1 and 1/2.
Form Layout::raised(Expr base, const Rational& exponent) const {
  if (latex()) return raised_in_latex(base, exponent);
  if (format_ == Format::c) return raised_in_c(base, exponent);
  const bool python = format_ == Format::sympy;
  const std::string num = std::to_string(exponent.num());
  const std::string den = std::to_string(exponent.den());
  const std::string fraction = python ? "Rational(" + num + ", " + den + ")" : "(" + num + "/" + den + ")";
  Form form;
  operand(form, base, Binding::atom);
  form.text((python ? "**" : "^") + (exponent.is_integer() ? num : fraction));
  form.binding = Binding::power;
  return form;
}

/// Returns x^{2}, \sin^{2} x, x^{3/2}.
Form Layout::raised_in_latex(Expr base, const Rational& exponent) const {
  Form form;
  const std::string q = "^{" + exponent.to_string() + "}";
  const std::string_view command = latex_command(base.op());
  if (exponent.is_integer() && !command.empty()) {
    form.text(std::string(command) + q);
    latex_argument(form, base.child(0));
    form.binding = Binding::product;
    form.function = true;
    return form;
  }
  // A name from `rename` may have more than one atom; an accented letter, with an index or without, is one atom.
  const auto renamed =
      base.op() == Op::symbol || base.op() == Op::let ? options_.rename.find(base.name()) : options_.rename.end();
  const auto accented = [](std::string_view name) {
    return (name.starts_with("\\dot{") || name.starts_with("\\ddot{")) && name.find('^') == std::string_view::npos;
  };
  const bool braces = renamed != options_.rename.end() && !accented(renamed->second);
  if (braces) form.text("{");
  operand(form, base, Binding::atom);
  form.text((braces ? "}" : "") + q);
  form.digit_first = this->form(base).digit_first && this->form(base).binding == Binding::atom;
  form.binding = Binding::power;
  return form;
}

/// Returns x*x for small powers of names, pow(x, q) otherwise.
Form Layout::raised_in_c(Expr base, const Rational& exponent) const {
  constexpr std::int64_t kMostFactors = 4;
  const bool name = this->form(base).binding == Binding::atom && (base.arity() == 0 || named.contains(base.id()));
  Form form;
  if (!name || !exponent.is_integer() || exponent.num() > kMostFactors) {
    form.text("pow(");
    operand(form, base, Binding::sum);
    form.text(", ");
    form.append(rational(exponent));
    form.text(")");
    return form;
  }
  for (std::int64_t i = 0; i < exponent.num(); ++i) {
    if (i > 0) form.text("*");
    operand(form, base, Binding::atom);
  }
  form.binding = Binding::product;
  return form;
}

/// Returns base^exponent for an exponent that is not rational.
Form Layout::general_power(Expr f) const {
  Form form;
  if (format_ == Format::c) return call("pow", f);
  operand(form, f.child(0), Binding::atom);
  if (latex()) {
    form.text("^{");
    operand(form, f.child(1), Binding::sum);
    form.text("}");
    form.digit_first = this->form(f.child(0)).digit_first && this->form(f.child(0)).binding == Binding::atom;
  } else {
    form.text(format_ == Format::sympy ? "**" : "^");
    operand(form, f.child(1), Binding::atom);
  }
  form.binding = Binding::power;
  return form;
}

Form Layout::call(std::string_view name, Expr f) const {
  Form form;
  form.text(std::string(name) + "(");
  for (std::size_t i = 0; i < f.arity(); ++i) {
    if (i > 0) form.text(", ");
    operand(form, f.child(i), Binding::sum);
  }
  form.text(")");
  return form;
}

Form Layout::function(Expr f) const {
  if (f.op() == Op::table) return table(f);
  if (latex()) return latex_function(f);
  if (f.op() == Op::select) return select(f);
  if (format_ == Format::sympy && f.op() == Op::abs) return call("Abs", f);
  if (format_ != Format::c) return call(function_name(f.op()), f);
  if (f.op() == Op::abs) return call("fabs", f);
  if (f.op() != Op::sign) return call(function_name(f.op()), f);
  Form form;
  form.text("(double)((");
  operand(form, f.child(0), Binding::product);
  form.text(" > 0) - (");
  operand(form, f.child(0), Binding::product);
  form.text(" < 0))");
  return form;
}

Form Layout::select(Expr f) const {
  if (format_ != Format::c && !extremum_name(f).empty()) return extremum(f);
  Form form;
  const auto argument = [&](std::size_t i, std::string after) {
    operand(form, f.child(i), Binding::sum);
    form.text(std::move(after));
  };
  if (format_ == Format::text && has_connectives_) return call("select", f);
  if (format_ == Format::text) {
    form.text("if(");
    argument(0, " > ");
    argument(1, ", ");
    argument(2, ", ");
    argument(3, ")");
  } else if (format_ == Format::sympy) {
    form.text("Piecewise((");
    argument(2, ", ");
    argument(0, " > ");
    argument(1, "), (");
    argument(3, ", True))");
  } else {
    form.text("(");
    argument(0, " > ");
    argument(1, " ? ");
    argument(2, " : ");
    argument(3, ")");
  }
  return form;
}

/// Returns max(a, b) or min(a, b).
Form Layout::extremum(Expr f) const {
  const std::string name(extremum_name(f));
  const auto initial = static_cast<char>(name.front() - 'a' + 'A');
  const std::string called = latex() ? "\\" + name : format_ == Format::sympy ? initial + name.substr(1) : name;
  Form form;
  form.text(called + "(");
  operand(form, f.child(0), Binding::sum);
  form.text(", ");
  operand(form, f.child(1), Binding::sum);
  form.text(")");
  return form;
}

/// Returns u(t), u'(t), u''(t). In C it is a call of the function that `c_table_name` names.
Form Layout::table(Expr f) const {
  const Expr x = f.child(0);
  const int order = table_order(f);
  const auto at = [&](std::string called) {
    Form form;
    form.text(std::move(called) + "(");
    operand(form, x, Binding::sum);
    form.text(")");
    return form;
  };
  if (format_ == Format::c) return at(c_table_name(f));
  const std::string primes(static_cast<std::size_t>(order), '\'');
  if (format_ != Format::sympy || order == 0) return at(name(f.name()) + primes);
  // A derivative by an argument that is not a symbol is one by a symbol, at that argument.
  const std::string by = x.op() == Op::symbol ? text(x) : "_u";
  const std::string rate =
      "Derivative(" + name(f.name()) + "(" + by + "), (" + by + ", " + std::to_string(order) + "))";
  if (x.op() == Op::symbol) return atom(rate);
  Form form;
  form.text("Subs(" + rate + ", _u, ");
  operand(form, x, Binding::sum);
  form.text(")");
  return form;
}

Form Layout::latex_function(Expr f) const {
  Form form;
  const Expr x = f.child(0);
  const Form& inner = this->form(x);
  switch (f.op()) {
    case Op::exp:
      if (inner.tall) {
        Form argument;
        operand(argument, x, Binding::sum);
        form.text("\\exp");
        parenthesised(form, argument);
      } else {
        form.text("\\mathrm{e}^{");
        operand(form, x, Binding::sum);
        form.text("}");
        form.binding = Binding::power;
      }
      return form;
    case Op::abs:
      form.text("\\left|");
      operand(form, x, Binding::sum);
      form.text("\\right|");
      return form;
    case Op::floor:
      form.text("\\left\\lfloor ");
      operand(form, x, Binding::sum);
      form.text(" \\right\\rfloor");
      return form;
    case Op::sign:
      return call("\\operatorname{sgn}", f);
    case Op::atan2:
      return call("\\operatorname{atan2}", f);
    case Op::select:
      if (!extremum_name(f).empty()) return extremum(f);
      form.text("\\begin{cases} ");
      operand(form, f.child(2), Binding::sum);
      form.text(" & ");
      operand(form, f.child(0), Binding::sum);
      form.text(" > ");
      operand(form, f.child(1), Binding::sum);
      form.text(" \\\\ ");
      operand(form, f.child(3), Binding::sum);
      form.text(" & \\text{otherwise} \\end{cases}");
      form.tall = true;
      form.binding = Binding::product;
      return form;
    default:
      break;
  }
  form.text(std::string(latex_command(f.op())));
  latex_argument(form, x);
  form.binding = Binding::power;
  form.function = true;
  return form;
}

/// Appends ` \theta` for a name, `(2 \theta)` for other arguments.
void Layout::latex_argument(Form& into, Expr x) const {
  const Form& inner = form(x);
  Form argument;
  operand(argument, x, Binding::sum);
  const bool bare = x.arity() == 0 && inner.binding == Binding::atom && !inner.negative;
  if (bare) {
    into.text(" ");
    into.append(argument);
  } else {
    parenthesised(into, argument);
  }
}

}  // namespace herglotz::symbolic
