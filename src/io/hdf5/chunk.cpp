#include "hdf5/chunk.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace herglotz::io {
namespace {

/// Compressing end of a zlib stream, which writes into a growing string.
class Deflate {
 public:
  explicit Deflate(std::size_t expected) {
    if (::deflateInit(&stream_, kDeflateLevel) != Z_OK) throw std::bad_alloc();
    // Every change of the level ends a block of the stream.
    out_.resize(::deflateBound(&stream_, expected) + 1024);
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
  }
  ~Deflate() { ::deflateEnd(&stream_); }
  Deflate(const Deflate&) = delete;
  Deflate& operator=(const Deflate&) = delete;

  void level(int wanted) {
    if (wanted == level_) return;
    level_ = wanted;
    require(::deflateParams(&stream_, wanted, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  void put(std::string_view bytes, bool last) {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    const int status = ::deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
    require(last ? status == Z_STREAM_END : status == Z_OK && stream_.avail_in == 0);
  }
  std::string take() {
    out_.resize(stream_.total_out);
    return std::move(out_);
  }

 private:
  static void require(bool fine) {
    if (!fine) throw std::logic_error("a chunk was not compressed");
  }

  z_stream stream_{};
  std::string out_;
  int level_ = kDeflateLevel;
};

/// Returns whether deflating is likely to gain nothing: the low bytes of computed numbers are noise.
bool is_noise(std::string_view plane) {
  constexpr std::size_t sample = 4096;
  constexpr double entropy_of_noise = 7.5;
  if (plane.size() < sample) return false;
  plane = plane.substr((plane.size() - sample) / 2, sample);
  std::array<unsigned, 256> counts{};
  for (const char byte : plane) ++counts[static_cast<unsigned char>(byte)];
  double bits = 0;
  for (const unsigned count : counts)
    if (count != 0) bits -= count * std::log2(static_cast<double>(count) / sample);
  if (bits < entropy_of_noise * sample) return false;
  // All byte values occur about equally often, but sequences of them may repeat.
  Deflate trial(sample);
  trial.put(plane, true);
  return trial.take().size() > sample * 15 / 16;
}

/// Returns the stream of `width` planes, which are the first, second, ... bytes of all elements.
template <class PlaneAt>
std::string deflated(std::size_t size, std::size_t width, const PlaneAt& plane_at) {
  Deflate deflate(size);
  for (std::size_t k = 0; k < width; ++k) {
    const std::string_view plane = plane_at(k);
    deflate.level(is_noise(plane) ? Z_NO_COMPRESSION : kDeflateLevel);
    deflate.put(plane, k + 1 == width);
  }
  return deflate.take();
}

}  // namespace

std::string packed_chunk(std::string_view bytes, std::size_t width) {
  const std::size_t count = bytes.size() / width;
  std::string plane(count, '\0');
  return deflated(bytes.size(), width, [&](std::size_t k) {
    for (std::size_t i = 0; i < count; ++i) plane[i] = bytes[i * width + k];
    return std::string_view(plane);
  });
}

std::string packing_library() {
  return std::string("zlib ") + ::zlibVersion();
}

std::optional<std::string> repacked_chunk(std::string_view stream, std::size_t size, std::size_t width) {
  std::string planes(size, '\0');
  auto inflated = static_cast<uLongf>(size);
  if (::uncompress(reinterpret_cast<Bytef*>(planes.data()), &inflated, reinterpret_cast<const Bytef*>(stream.data()),
                   static_cast<uLong>(stream.size())) != Z_OK ||
      inflated != size)
    return std::nullopt;
  const std::size_t count = size / width;
  return deflated(size, width, [&](std::size_t k) { return std::string_view(planes).substr(k * count, count); });
}

bool inflates_to_at_most(std::string_view stream, std::size_t most) {
  z_stream state{};
  if (::inflateInit(&state) != Z_OK) throw std::bad_alloc();
  std::vector<Bytef> buffer(std::size_t{1} << 16U);
  state.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(stream.data()));
  state.avail_in = static_cast<uInt>(stream.size());
  int status = Z_OK;
  while (status == Z_OK && state.total_out <= most) {
    state.next_out = buffer.data();
    state.avail_out = static_cast<uInt>(buffer.size());
    status = ::inflate(&state, Z_NO_FLUSH);
  }
  const bool small = state.total_out <= most;
  ::inflateEnd(&state);
  return small;
}

}  // namespace herglotz::io
