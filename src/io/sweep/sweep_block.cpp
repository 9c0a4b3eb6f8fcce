#include "sweep/sweep_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hdf5/chunk.hpp"
#include "herglotz/io/bytes.hpp"
#include "herglotz/io/sweep_file.hpp"

namespace herglotz::io {
namespace {

using ensemble::Block;
using ensemble::Failure;
using ensemble::Layout;
using ensemble::Moments;

std::vector<Moments> moments_of_last_row(const Block& block, const Layout& layout) {
  const std::size_t rows = layout.times.size();
  std::vector<Moments> last(layout.columns.size());
  if (!block.statistics.empty()) {
    std::copy(block.statistics.end() - static_cast<std::ptrdiff_t>(last.size()), block.statistics.end(), last.begin());
    return last;
  }
  for (std::size_t c = 0; c < block.columns.size(); ++c)
    for (std::size_t member = 0; member < block.members; ++member)
      last[c].add(block.columns[c][member * rows + rows - 1]);
  return last;
}

/// Returns the largest value of all members, or NaN if no member has one.
double largest_number(const std::vector<double>& values) {
  double largest = std::numeric_limits<double>::quiet_NaN();
  for (const double value : values) largest = std::fmax(largest, value);
  return largest;
}

/// Returns the packed chunk of the values, padded with NaN because the last block may have fewer members than its
/// chunk.
std::string chunk_of(const std::vector<double>& values, std::size_t size) {
  if (values.size() == size)
    return packed_chunk({reinterpret_cast<const char*>(values.data()), size * sizeof(double)}, sizeof(double));
  std::vector<double> padded(values);
  padded.resize(size, std::numeric_limits<double>::quiet_NaN());
  return chunk_of(padded, size);
}

std::vector<Failure> get_failures(ByteReader& in) {
  std::vector<Failure> failures;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto member = in.get<std::uint64_t>();
    failures.push_back({member, std::string(in.get_text())});
  }
  return failures;
}

void put_moments(ByteWriter& out, const std::vector<Moments>& moments) {
  out.put(static_cast<std::uint64_t>(moments.size()));
  for (const Moments& each : moments) out.put(each);
}

std::vector<Moments> get_moments(ByteReader& in) {
  std::vector<Moments> moments;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) moments.push_back(in.get<Moments>());
  return moments;
}

}  // namespace

std::string largest_of(const std::string& column) {
  return "largest_" + column;
}

std::size_t chunk_members(const Layout& layout) {
  return std::min(layout.block_members, layout.members);
}

std::string encoded_block(const Block& block, const Layout& layout) {
  ByteWriter out;
  out.put_text(packing_library());
  out.put(static_cast<std::uint64_t>(block.failures.size()));
  for (const Failure& failure : block.failures) {
    out.put(static_cast<std::uint64_t>(failure.member));
    out.put_text(failure.reason);
  }
  out.put(static_cast<std::uint64_t>(block.steps));
  put_moments(out, moments_of_last_row(block, layout));
  out.put(static_cast<std::uint64_t>(block.largest_residuals.size()));
  for (const auto& of_members : block.largest_residuals) {
    out.put(largest_number(of_members));
    out.put_text(block.columns.empty() ? std::string() : chunk_of(of_members, chunk_members(layout)));
  }
  put_moments(out, block.statistics);
  out.put(static_cast<std::uint64_t>(block.columns.size()));
  const std::size_t size = chunk_members(layout) * layout.times.size();
  for (const auto& column : block.columns) out.put_text(chunk_of(column, size));
  return out.take();
}

StoredBlock decoded_block(std::string_view bytes) {
  ByteReader in(bytes);
  StoredBlock block;
  block.zlib = in.get_text();
  block.failures = get_failures(in);
  block.steps = in.get<std::uint64_t>();
  block.last = get_moments(in);
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    block.largest_residuals.push_back(in.get<double>());
    block.residual_chunks.emplace_back(in.get_text());
  }
  block.statistics = get_moments(in);
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) block.chunks.emplace_back(in.get_text());
  return block;
}

}  // namespace herglotz::io
