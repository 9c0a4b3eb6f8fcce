#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <unordered_map>

#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "print/layout.hpp"

namespace herglotz::symbolic {

namespace {

/// Expressions nested deeper than this get a variable, so that no C compiler runs out of stack.
constexpr std::size_t kDeepest = 24;

std::string c_identifier(std::string_view name) {
  std::string text = spelled_out(name);
  for (char& c : text) {
    if (!is_identifier(std::string("_") + c)) c = '_';
  }
  if (!is_identifier(text)) text.insert(0, "f_");
  return text;
}

/// Returns an array of numbers that read back as the same doubles.
std::string c_array(const std::string& name, const std::vector<double>& values) {
  constexpr std::size_t in_a_row = 8;
  std::string text = "static const double " + name + "[" + std::to_string(values.size()) + "] = {";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : i % in_a_row == 0 ? ",\n    " : ", ") + decimal(values[i]);
  return text + "};\n";
}

/// Returns the functions of the tables that the nodes use, with their pieces.
std::string c_tables(Graph& graph, std::span<const NodeId> nodes) {
  std::string text;
  std::set<std::string> written;
  for (const NodeId id : nodes) {
    if (graph.op(id) != Op::table) continue;
    const Expr f(graph, id);
    const Table& table = *graph.table(id);
    const std::string data = "table_" + c_identifier(table.name) + "_";
    if (written.insert(data).second)
      for (std::size_t k = 0; k < table.rows.size(); ++k) text += c_array(data + std::to_string(k), table.rows[k]);
    const std::string name = c_table_name(f);
    if (!written.insert(name).second) continue;
    const int order = table_order(f);
    text += "static double " + name + "(double x) {\n  int i = 0;\n  int n = " + std::to_string(table.pieces()) +
            ";\n  while (n > 1) {\n    const int half = n / 2;\n    if (x >= " + data +
            "0[i + half]) i += half;\n    n -= half;\n  }\n  const double s = x - " + data + "0[i];\n  double y = 0;\n";
    for (int k = 3; k >= order; --k) {
      int factor = 1;
      for (int j = 0; j < order; ++j) factor *= k - j;
      text +=
          "  y = y*s + " + (factor == 1 ? "" : std::to_string(factor) + "*") + data + std::to_string(1 + k) + "[i];\n";
    }
    text += "  return y;\n}\n\n";
  }
  return text;
}

/// Counts the uses of each node by other nodes and by the outputs. The operands of a power or a sign count twice, since
/// they may be written twice.
std::unordered_map<NodeId, std::size_t> uses(Graph& graph, std::span<const NodeId> nodes,
                                             std::span<const Expr> outputs) {
  std::unordered_map<NodeId, std::size_t> count;
  for (const NodeId id : nodes) {
    const Expr f(graph, id);
    const bool repeats = f.op() == Op::pow || f.op() == Op::sign;
    for (const NodeId child : graph.children(id)) count[child] += repeats ? 2 : 1;
  }
  for (const Expr output : outputs) ++count[output.id()];
  return count;
}

/// Returns comments such as `/* u[0] = theta */`, without text that could end a comment.
std::string legend(const Program& program) {
  std::string text;
  std::set<std::string> used;
  const auto list = [&](const std::vector<Expr>& symbols, std::string_view array) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      std::string name = c_identifier(symbols[i].name());
      while (!used.insert(name).second) name += '_';  // "theta" and the Greek letter may both be there
      text += "/* " + std::string(array) + "[" + std::to_string(i) + "] = " + name + " */\n";
    }
  };
  list(program.variables, "u");
  list(program.parameters, "p");
  return text;
}

}  // namespace

std::string c_table_name(Expr f) {
  const int order = table_order(f);
  return "at_" + c_identifier(f.name()) + (order == 0 ? "" : "_d" + std::to_string(order));
}

std::string print_c_function(const Program& program) {
  Graph& graph = *program.graph;
  PrintOptions options;
  options.open_lets = true;
  const auto bind = [&](const std::vector<Expr>& symbols, std::string_view array) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      options.rename[std::string(symbols[i].name())] = std::string(array) + "[" + std::to_string(i) + "]";
    }
  };
  bind(program.variables, "u");
  bind(program.parameters, "p");
  const std::vector<NodeId> nodes = graph.reachable(program.outputs);
  const auto count = uses(graph, nodes, program.outputs);
  Layout layout(Format::c, options);
  std::unordered_map<NodeId, std::size_t> depth;
  std::string body;
  for (const NodeId id : nodes) {
    const Expr f(graph, id);
    std::size_t below = 0;
    for (const NodeId child : graph.children(id)) below = std::max(below, depth.at(child) + 1);
    depth[id] = below;
    // Products split powers into their bases, so a name of the power itself would remain unused.
    const bool power = f.op() == Op::pow && f.child(1).op() == Op::rational;
    const bool in_place = f.arity() == 0 || f.op() == Op::let || power;
    if (!in_place && (count.at(id) > 1 || below > kDeepest)) {
      const std::string name = "t" + std::to_string(layout.named.size() + 1);
      body += "  const double " + name + " = " + layout.text(layout.value(f)) + ";\n";
      layout.named[id] = name;
      depth[id] = 0;
    }
    layout.add(f);
  }
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    body += "  out[" + std::to_string(i) + "] = " + layout.text(program.outputs[i]) + ";\n";
  }
  std::string unused;
  const auto is_used = [&](Expr symbol) { return std::find(nodes.begin(), nodes.end(), symbol.id()) != nodes.end(); };
  if (std::none_of(program.variables.begin(), program.variables.end(), is_used)) unused += "  (void)u;\n";
  if (std::none_of(program.parameters.begin(), program.parameters.end(), is_used)) unused += "  (void)p;\n";
  if (program.outputs.empty()) unused += "  (void)out;\n";
  return "#include <math.h>\n\n" + c_tables(graph, nodes) + legend(program) + "void " + c_identifier(program.name) +
         "(const double* u, const double* p, double* out) {\n" + unused + body + "}\n";
}

}  // namespace herglotz::symbolic
