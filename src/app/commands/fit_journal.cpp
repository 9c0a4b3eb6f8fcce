#include "commands/fit_journal.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "herglotz/io/model_file.hpp"

namespace herglotz::app {
namespace {

/// Returns the hash of Fowler, Noll and Vo of bytes.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}
void put(std::string& bytes, std::uint64_t number) {
  put(bytes, &number, sizeof number);
}
void put(std::string& bytes, const std::vector<double>& numbers) {
  put(bytes, numbers.size());
  put(bytes, numbers.data(), numbers.size() * sizeof(double));
}

/// Takes numbers from the front of bytes; `ok` is false where these are too few.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::vector<double> numbers() {
    const std::uint64_t count = number();
    ok_ = ok_ && count <= bytes_.size() / sizeof(double);
    std::vector<double> values(ok_ ? count : 0);
    take(values.data(), values.size() * sizeof(double));
    return values;
  }
  std::string_view text(std::uint64_t size) {
    ok_ = ok_ && size <= bytes_.size();
    const std::string_view text = bytes_.substr(0, ok_ ? size : 0);
    bytes_.remove_prefix(text.size());
    return text;
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  void take(void* to, std::size_t size) {
    ok_ = ok_ && size <= bytes_.size();
    if (!ok_ || size == 0) return;
    std::memcpy(to, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool ok_ = true;
};

/// Returns the payload of the next record, or nothing if there is no whole one.
std::optional<std::string_view> next_record(Bytes& bytes) {
  const std::uint64_t size = bytes.number();
  const std::uint64_t sum = bytes.number();
  const std::string_view payload = bytes.text(size);
  if (!bytes.ok() || checksum(payload) != sum) return {};
  return payload;
}

constexpr std::string_view title = "herglotz fit journal 1\n";

}  // namespace

FitJournal::FitJournal(std::string file, const std::string& identity) : file_(std::move(file)) {
  std::string header(title);
  put(header, checksum(identity));
  std::string stored;
  if (std::ifstream in(file_, std::ios::binary); in)
    stored.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (!stored.empty() && !stored.starts_with(title))
    throw io::InputError(file_, 0, 0, "this is not the journal of a fit", "remove it, or choose another --out");
  if (!stored.empty() && !stored.starts_with(header))
    throw io::InputError(file_, 0, 0, "this is the journal of another fit",
                         "give the model, data and options with which it began, or remove it");
  std::size_t whole = std::min(stored.size(), header.size());
  Bytes bytes(std::string_view(stored).substr(whole));
  while (const auto record = next_record(bytes)) {
    Bytes payload(*record);
    std::vector<double> key = payload.numbers();
    fit::Evaluation found;
    found.residuals = payload.numbers();
    found.jacobian = payload.numbers();
    if (const auto patience = payload.numbers(); patience.size() == 1) found.patience = patience.front();
    found.failure = payload.text(payload.number());
    if (!payload.ok()) break;
    known_.insert_or_assign(std::move(key), std::move(found));
    whole = stored.size() - bytes.left();
  }
  before_ = known_.size();
  std::error_code problem;
  if (whole < stored.size()) std::filesystem::resize_file(file_, whole, problem);
  if (!problem) out_.open(file_, std::ios::binary | std::ios::app);
  if (!out_) throw io::InputError(file_, 0, 0, "the journal cannot be written", "choose a folder that can be");
  if (stored.empty()) write(header);
}

const fit::Evaluation* FitJournal::find(const std::vector<double>& key) const {
  const auto known = known_.find(key);
  return known == known_.end() ? nullptr : &known->second;
}

void FitJournal::add(const std::vector<double>& key, const fit::Evaluation& found) {
  std::string payload;
  put(payload, key);
  put(payload, found.residuals);
  put(payload, found.jacobian);
  put(payload, std::vector{found.patience});
  put(payload, found.failure.size());
  payload += found.failure;
  std::string record;
  put(record, payload.size());
  put(record, checksum(payload));
  write(record + payload);
  known_.insert_or_assign(key, found);
}

void FitJournal::write(const std::string& bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (!out_) throw io::InputError(file_, 0, 0, "the journal cannot be written", "make room on its disk");
}

void FitJournal::remove() {
  out_.close();
  std::error_code ignored;  // what stays is a file that the next --resume reads
  std::filesystem::remove(file_, ignored);
}

}  // namespace herglotz::app
