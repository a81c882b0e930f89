#include "train/data/safetensorsfile.h"

#include "train/data/tensorrows.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t longestHeader = std::uint64_t{100} << 20U;  // that of the reference implementation

std::optional<torch::ScalarType> scalarTypeOf(const std::string &name)
{
    static const std::map<std::string, torch::ScalarType> types{
        {"F64", torch::kFloat64}, {"F32", torch::kFloat32}, {"F16", torch::kFloat16}, {"BF16", torch::kBFloat16},
        {"I64", torch::kInt64},   {"I32", torch::kInt32},   {"I16", torch::kInt16},   {"I8", torch::kInt8},
        {"U8", torch::kUInt8},    {"BOOL", torch::kBool}};
    const auto found = types.find(name);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// The size of a tensor in bytes; empty if it is larger than any file.
std::optional<std::uint64_t> bytesOfValues(const std::vector<std::int64_t> &shape, torch::ScalarType type)
{
    std::uint64_t bytes = c10::elementSize(type);
    for (const std::int64_t extent : shape) {
        if (extent < 0
            || (extent > 0 && bytes > std::numeric_limits<std::int64_t>::max() / static_cast<std::uint64_t>(extent)))
            return std::nullopt;
        bytes *= static_cast<std::uint64_t>(extent);
    }
    return bytes;
}

class SafetensorsHeader {
public:
    static Expected<SafetensorsHeader> read(const std::filesystem::path &path)
    {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(path, error);
        if (error)
            return makeError(ErrorCode::Io, "cannot read " + path.string() + ": " + error.message());
        std::ifstream file(path, std::ios::binary);
        std::array<unsigned char, 8> prefix{};
        file.read(reinterpret_cast<char *>(prefix.data()), prefix.size());
        std::uint64_t length = 0;
        for (std::size_t i = prefix.size(); i-- > 0;)
            length = length << 8U | prefix[i];
        if (!file || size < prefix.size() || length > std::min(longestHeader, size - prefix.size()))
            return makeError(ErrorCode::BadInput, path.string() + " is not a safetensors file");
        std::string text(length, '\0');
        file.read(text.data(), static_cast<std::streamsize>(length));
        SafetensorsHeader header(path, prefix.size() + length, size);
        header.m_entries = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
        if (!file || !header.m_entries.is_object() || !header.fillsTheFile())
            return makeError(ErrorCode::BadInput,
                             path.string() + ": its header is damaged, or does not describe the whole file");
        return header;
    }

    /// Where the tensor's values lie.
    Expected<TensorRows> rowsOf(const char *name) const
    {
        const auto entry = m_entries.find(name);
        if (entry == m_entries.end())
            return refuse("expected the tensors \"inputs\" and \"targets\"");
        try {
            const auto shape = entry->at("shape").get<std::vector<std::int64_t>>();
            const auto offsets = entry->at("data_offsets").get<std::array<std::uint64_t, 2>>();
            const auto typeName = entry->at("dtype").get<std::string>();
            const auto type = scalarTypeOf(typeName);
            if (!type)
                return refuse(std::string(name) + " has values of type " + typeName + "; save integers or floats");
            const std::uint64_t values = m_size - m_start;
            if (shape.empty() || offsets[0] > offsets[1] || offsets[1] > values
                || bytesOfValues(shape, *type) != offsets[1] - offsets[0])
                return refuse(std::string("the data_offsets of ") + name + " do not match its shape");
            return tensorRows(m_path, m_start + offsets[0], shape, *type);
        } catch (const nlohmann::json::exception &) {
            return refuse(std::string("its header does not describe ") + name);
        }
    }

private:
    SafetensorsHeader(std::filesystem::path path, std::uint64_t start, std::uint64_t size)
        : m_path(std::move(path)), m_start(start), m_size(size)
    {}

    /// Tensors lie one after the other, without gaps, from the header to the end of the file.
    bool fillsTheFile() const
    {
        std::vector<std::array<std::uint64_t, 2>> places;
        for (const auto &[name, entry] : m_entries.items()) {
            if (name == "__metadata__")
                continue;
            try {
                places.push_back(entry.at("data_offsets").get<std::array<std::uint64_t, 2>>());
            } catch (const nlohmann::json::exception &) {
                return false;
            }
        }
        std::ranges::sort(places);
        std::uint64_t end = 0;
        for (const auto &place : places) {
            if (place[0] != end || place[1] < place[0])
                return false;
            end = place[1];
        }
        return end == m_size - m_start;
    }

    tl::unexpected<Error> refuse(const std::string &why) const
    {
        return makeError(ErrorCode::BadInput, m_path.string() + ": " + why);
    }

    std::filesystem::path m_path;
    std::uint64_t m_start;
    std::uint64_t m_size;
    nlohmann::json m_entries;
};

}  // namespace

Expected<Dataset> readSafetensorsPair(const std::filesystem::path &path, const std::string &task,
                                      const RowChoice &choice, bool inMemory)
{
    const Expected<SafetensorsHeader> header = SafetensorsHeader::read(path);
    if (!header)
        return tl::unexpected(header.error());
    const Expected<TensorRows> inputs = header->rowsOf("inputs");
    if (!inputs)
        return tl::unexpected(inputs.error());
    const Expected<TensorRows> targets = header->rowsOf("targets");
    if (!targets)
        return tl::unexpected(targets.error());
    return readTable(*inputs, *targets, choice, task, path.string(), inMemory);
}

}  // namespace sweepscope::train
