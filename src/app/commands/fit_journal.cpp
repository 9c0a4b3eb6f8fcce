#include "commands/fit_journal.hpp"

#include <cstdint>
#include <utility>

#include "herglotz/io/bytes.hpp"

namespace herglotz::app {
namespace {

constexpr int version = 2;

void put(io::ByteWriter& out, const std::vector<double>& numbers) {
  out.put(static_cast<std::uint64_t>(numbers.size()));
  for (const double number : numbers) out.put(number);
}

std::vector<double> numbers(io::ByteReader& in) {
  std::vector<double> found;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) found.push_back(in.get<double>());
  return found;
}

}  // namespace

FitJournal::FitJournal(const std::string& file, const io::Identity& identity)
    : journal_(file, "fit", version, identity) {
  for (const std::string& record : journal_.before()) {
    io::ByteReader in(record);
    std::vector<double> key = numbers(in);
    fit::Evaluation found;
    found.residuals = numbers(in);
    found.jacobian = numbers(in);
    found.patience = in.get<double>();
    found.failure = in.get_text();
    known_.insert_or_assign(std::move(key), std::move(found));
  }
  before_ = known_.size();
}

const fit::Evaluation* FitJournal::find(const std::vector<double>& key) const {
  const auto known = known_.find(key);
  return known == known_.end() ? nullptr : &known->second;
}

void FitJournal::add(const std::vector<double>& key, const fit::Evaluation& found) {
  io::ByteWriter out;
  put(out, key);
  put(out, found.residuals);
  put(out, found.jacobian);
  out.put(found.patience);
  out.put_text(found.failure);
  journal_.append(out.take());
  known_.insert_or_assign(key, found);
}

}  // namespace herglotz::app
