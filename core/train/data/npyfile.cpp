#include "train/data/npyfile.h"

#include "train/data/tensorrows.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t mostElementBytes = std::uint64_t{1} << 40U;
constexpr std::size_t maxHeader = std::size_t{1} << 20U;

struct Header {
    std::string type;  ///< as numpy writes it: "<f4"
    std::vector<std::int64_t> shape;
    bool fortran = false;
};

/// Returns the text after 'key': in the header's dictionary, up to its end.
std::optional<std::string_view> valueOf(std::string_view dictionary, std::string_view key)
{
    const std::size_t at = dictionary.find(key);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::size_t start = dictionary.find_first_not_of(": ", at + key.size());
    return start == std::string_view::npos ? std::nullopt : std::optional(dictionary.substr(start));
}

std::optional<std::vector<std::int64_t>> parseShape(std::string_view text)
{
    const std::size_t end = text.find(')');
    if (text.empty() || text.front() != '(' || end == std::string_view::npos)
        return std::nullopt;
    std::vector<std::int64_t> shape;
    const char *position = text.data() + 1;
    const char *const last = text.data() + end;
    while (position != last) {
        if (*position == ' ' || *position == ',') {
            ++position;
            continue;
        }
        std::int64_t extent = 0;
        const auto [next, code] = std::from_chars(position, last, extent);
        if (code != std::errc() || extent < 0)
            return std::nullopt;
        shape.push_back(extent);
        position = next;
    }
    return shape;
}

/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
std::optional<Header> parseHeader(std::string_view text)
{
    const auto type = valueOf(text, "'descr'");
    const auto order = valueOf(text, "'fortran_order'");
    const auto shape = valueOf(text, "'shape'");
    if (!type || !order || !shape || type->size() < 3 || type->front() != '\'')
        return std::nullopt;
    const auto extents = parseShape(*shape);
    const std::size_t quote = type->find('\'', 1);
    if (!extents || quote == std::string_view::npos)
        return std::nullopt;
    return Header{std::string(type->substr(1, quote - 1)), *extents, order->starts_with("True")};
}

std::optional<torch::ScalarType> scalarType(const std::string &type)
{
    static const std::map<std::string, torch::ScalarType> types{
        {"|u1", torch::kUInt8},   {"|i1", torch::kInt8},    {"|b1", torch::kBool},
        {"<i2", torch::kInt16},   {"<i4", torch::kInt32},   {"<i8", torch::kInt64},
        {"<f2", torch::kFloat16}, {"<f4", torch::kFloat32}, {"<f8", torch::kFloat64}};
    const auto found = types.find(type);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the first `bytes` bytes of the file, or all of a shorter one.
std::string startOf(const std::filesystem::path &path, std::size_t bytes)
{
    std::string start(bytes, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(bytes));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return start;
}

/// Where the array's values lie; the file has just as many bytes as its header promises.
Expected<TensorRows> findRows(const std::filesystem::path &path)
{
    const auto refuse = [&path](const std::string &why) {
        return makeError(ErrorCode::BadInput, path.string() + ": " + why);
    };
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot read " + path.string() + ": " + error.message());
    std::string bytes = startOf(path, 12);
    if (bytes.size() < 12 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0)
        return refuse("expected an array written by numpy.save");
    const bool wide = bytes[6] > 1;  // 2.0 and later say the header's length in four bytes
    std::size_t length = 0;
    for (std::size_t i = wide ? 4 : 2; i-- > 0;)
        length = length << 8U | static_cast<unsigned char>(bytes[8 + i]);
    const std::size_t start = (wide ? 12 : 10) + length;
    bytes = length <= maxHeader ? startOf(path, start) : std::string();
    const auto header =
        bytes.size() == start ? parseHeader(std::string_view(bytes).substr(wide ? 12 : 10)) : std::nullopt;
    if (!header)
        return refuse("its header is damaged");
    if (header->fortran)
        return refuse("is in Fortran order; save numpy.ascontiguousarray(array) instead");
    const auto type = scalarType(header->type);
    if (!type)
        return refuse("contains values of type " + header->type + "; save booleans, integers or floats");

    std::uint64_t count = 1;
    for (const std::int64_t extent : header->shape) {
        if (extent != 0 && count > mostElementBytes / static_cast<std::uint64_t>(extent))
            return refuse("its header declares too many values");
        count *= static_cast<std::uint64_t>(extent);
    }
    const std::uint64_t expected = count * c10::elementSize(*type);
    if (size - start != expected)
        return refuse("expected " + std::to_string(expected) + " bytes of values, found " + std::to_string(size - start)
                      + ": the file is truncated, or longer than its header says");
    if (header->shape.empty())
        return refuse("contains a single number; expected an array");
    return tensorRows(path, start, header->shape, *type);
}

}  // namespace

Expected<Dataset> readNpyPair(const std::filesystem::path &inputs, const std::filesystem::path &targets,
                              const std::string &task, const RowChoice &choice, bool inMemory)
{
    if (targets.empty())
        return makeError(ErrorCode::BadInput, "target_file: dataset npy needs the .npy file with the targets");
    const Expected<TensorRows> values = findRows(inputs);
    if (!values)
        return tl::unexpected(values.error());
    const Expected<TensorRows> wanted = findRows(targets);
    if (!wanted)
        return tl::unexpected(wanted.error());
    return readTable(*values, *wanted, choice, task, inputs.string() + ", " + targets.string(), inMemory);
}

}  // namespace sweepscope::train
