#include "hdf5/stored_texts.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

#include "hdf5/hdf5_object.hpp"
#include "herglotz/io/bytes.hpp"
#include "herglotz/symbolic/printable.hpp"

namespace herglotz::io {
namespace {

/// Reference to a text as stored in a file: the length of the text, the address of a heap, and the number of the text
/// in that heap.
struct Reference {
  std::uint32_t length;
  std::uint64_t heap;
  std::uint32_t number;
};
constexpr std::size_t kReferenceSize = 16;

/// Conversion that leaves references as they are in the file.
herr_t keep_reference(hid_t source, hid_t target, H5T_cdata_t* data, std::size_t, std::size_t, std::size_t, void*,
                      void*, hid_t) {
  if (data->command != H5T_CONV_INIT) return 0;
  data->need_bkg = H5T_BKG_NO;
  return H5Tget_size(source) == kReferenceSize && H5Tget_size(target) == kReferenceSize ? 0 : -1;
}

/// Guard that makes the library accept the conversion while the guard lives.
class ReferencesAreKept {
 public:
  ReferencesAreKept() : text_(H5Tcopy(H5T_C_S1), H5Tclose, "make a string type"), raw_(raw_type()) {
    check(H5Tset_size(text_, H5T_VARIABLE), "make a string type");
    check(H5Tregister(H5T_PERS_SOFT, kName, text_, raw_, keep_reference), "make a conversion");
  }
  ~ReferencesAreKept() { H5Tunregister(H5T_PERS_SOFT, kName, text_, raw_, keep_reference); }
  ReferencesAreKept(const ReferencesAreKept&) = delete;
  ReferencesAreKept& operator=(const ReferencesAreKept&) = delete;

  [[nodiscard]] hid_t raw() const { return raw_; }

 private:
  static constexpr const char* kName = "reference to a text";
  static Handle raw_type() { return {H5Tcreate(H5T_OPAQUE, kReferenceSize), H5Tclose, "make a type"}; }
  Handle text_;
  Handle raw_;
};

/// Bytes of the file behind an attribute.
class FileBytes {
 public:
  FileBytes(hid_t attribute, std::string tried)
      : tried_(std::move(tried)), file_(H5Iget_file_id(attribute), H5Fclose, tried_) {
    const Handle creation(H5Fget_create_plist(file_), H5Pclose, tried_);
    std::size_t of_addresses = 0;
    std::size_t of_lengths = 0;
    check(H5Pget_sizes(creation, &of_addresses, &of_lengths), tried_);
    hsize_t before = 0;
    check(H5Pget_userblock(creation, &before), tried_);
    void* handle = nullptr;
    check(H5Fget_vfd_handle(file_, H5P_DEFAULT, &handle), tried_);
    descriptor_ = *static_cast<const int*>(handle);
    struct stat state{};
    if (of_addresses != 8 || of_lengths != 8 || before != 0 || ::fstat(descriptor_, &state) != 0) fail();
    size_ = static_cast<std::uint64_t>(state.st_size);
  }

  [[noreturn]] void fail() const { throw Hdf5Failure(tried_); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  [[nodiscard]] std::string read(std::uint64_t first, std::uint64_t count) const {
    if (first > size_ || count > size_ - first) fail();
    std::string bytes(count, '\0');
    for (std::uint64_t done = 0; done < count;) {
      const ssize_t got = ::pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(first + done));
      if (got <= 0) fail();
      done += static_cast<std::uint64_t>(got);
    }
    return bytes;
  }

 private:
  std::string tried_;
  Handle file_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Texts of a global heap by number [HDF5 File Format Specification 2.0, III.E].
class Heap {
 public:
  Heap(const FileBytes& file, std::uint64_t address) {
    constexpr std::uint64_t head_size = 16;
    const std::string head = file.read(address, head_size);
    std::uint64_t size = 0;
    std::memcpy(&size, head.data() + 8, sizeof(size));
    if (!head.starts_with(std::string_view("GCOL\1", 5)) || size < head_size) file.fail();
    bytes_ = file.read(address, size);
    std::string_view left = std::string_view(bytes_).substr(head_size);
    while (left.size() >= head_size) {
      std::uint16_t number = 0;
      std::uint64_t length = 0;
      std::memcpy(&number, left.data(), sizeof(number));
      std::memcpy(&length, left.data() + 8, sizeof(length));
      if (number == 0) break;  // the rest of the heap is free
      if (length > left.size() - head_size) file.fail();
      texts_[number] = left.substr(head_size, length);
      left.remove_prefix(std::min<std::uint64_t>(left.size(), head_size + (length + 7) / 8 * 8));
    }
  }
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Returns nullptr if there is no such text.
  [[nodiscard]] const std::string_view* find(std::uint32_t number) const {
    const auto found = texts_.find(number);
    return found == texts_.end() ? nullptr : &found->second;
  }

 private:
  std::string bytes_;
  std::map<std::uint32_t, std::string_view> texts_;
};

std::vector<Reference> references_of(hid_t attribute, std::size_t count, const std::string& tried) {
  const ReferencesAreKept conversion;
  std::string raw(count * kReferenceSize, '\0');
  check(H5Aread(attribute, conversion.raw(), raw.data()), tried);
  std::vector<Reference> references;
  ByteReader in(raw);
  for (std::size_t k = 0; k < count; ++k) {
    const auto length = in.get<std::uint32_t>();
    const auto heap = in.get<std::uint64_t>();
    references.push_back({length, heap, in.get<std::uint32_t>()});
  }
  return references;
}

}  // namespace

std::vector<std::string> stored_texts(hid_t attribute, std::size_t count, const std::string& tried) {
  std::vector<std::string> texts;
  if (count == 0) return texts;
  const FileBytes file(attribute, tried);
  std::map<std::uint64_t, Heap> heaps;
  std::uint64_t total = 0;
  for (const Reference& reference : references_of(attribute, count, tried)) {
    if (reference.length == 0 || reference.heap == 0) {
      texts.emplace_back();
      continue;
    }
    const Heap& heap = heaps.try_emplace(reference.heap, file, reference.heap).first->second;
    const std::string_view* text = heap.find(reference.number);
    total += reference.length;
    if (text == nullptr || reference.length > text->size() || total > file.size()) file.fail();
    // As in C, a text ends at a zero.
    const std::string_view whole = text->substr(0, reference.length);
    texts.emplace_back(whole.substr(0, whole.find('\0')));
    if (!symbolic::is_utf8(texts.back())) file.fail();
  }
  return texts;
}

}  // namespace herglotz::io
