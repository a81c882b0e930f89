#include "sweep/memoryprofile.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace sweepscope::sweep {

namespace {

using Json = nlohmann::ordered_json;

constexpr double largestSize = 1e15;
constexpr std::size_t mostLayers = 100'000;

Json toJson(const BatchMemory &memory)
{
    return {{"constant", memory.constant}, {"per_sample", memory.perSample}};
}

/// Reads fields and remembers the first mistake.
class FieldReader {
public:
    explicit FieldReader(const Json &object, std::string path = {}) : m_object(object), m_path(std::move(path)) {}

    double number(const char *name)
    {
        const auto found = m_object.is_object() ? m_object.find(name) : m_object.end();
        const bool isNumber = m_object.is_object() && found != m_object.end() && found->is_number();
        const double value = isNumber ? found->get<double>() : NAN;
        if (std::isfinite(value) && std::abs(value) <= largestSize)
            return value;
        fail(name);
        return 0;
    }
    std::uint64_t bytes(const char *name)
    {
        const double value = number(name);
        if (value >= 0)
            return static_cast<std::uint64_t>(value);
        fail(name);
        return 0;
    }
    BatchMemory memory(const char *name)
    {
        FieldReader inner(child(name), m_path + name + ".");
        const BatchMemory memory{inner.number("constant"), inner.number("per_sample")};
        if (m_mistake.empty())
            m_mistake = inner.m_mistake;
        return memory;
    }
    const Json &child(const char *name) const
    {
        static const Json nothing;
        if (!m_object.is_object())
            return nothing;
        const auto found = m_object.find(name);
        return found != m_object.end() ? *found : nothing;
    }
    void fail(const std::string &name)
    {
        if (m_mistake.empty())
            m_mistake = m_path + name;
    }
    const std::string &mistake() const { return m_mistake; }

private:
    const Json &m_object;
    std::string m_path;
    std::string m_mistake;
};

}  // namespace

std::uint64_t MemoryProfile::parameters() const
{
    std::uint64_t sum = 0;
    for (const Layer &layer : layers)
        sum += layer.parameters;
    return sum;
}

std::uint64_t MemoryProfile::buffers() const
{
    std::uint64_t sum = 0;
    for (const Layer &layer : layers)
        sum += layer.buffers;
    return sum;
}

std::string toJson(const MemoryProfile &profile)
{
    Json layers = Json::array();
    for (const MemoryProfile::Layer &layer : profile.layers)
        layers.push_back(
            {{"parameters", layer.parameters}, {"buffers", layer.buffers}, {"activations", toJson(layer.kept)}});
    const Json json{{"parameters", profile.parameters()},
                    {"buffers", profile.buffers()},
                    {"gradients", profile.gradients},
                    {"optimizer", profile.optimizer},
                    {"update", profile.update},
                    {"peak", toJson(profile.peak)},
                    {"input_per_sample", profile.inputPerSample},
                    {"data", profile.data},
                    {"samples", profile.samples},
                    {"process", profile.process},
                    {"batch_size", profile.batchSize},
                    {"measured_batch_sizes", profile.measuredSizes},
                    {"can_be_split", profile.canBeSplit},
                    {"layers", std::move(layers)}};
    return json.dump();
}

Expected<MemoryProfile> parseMemoryProfile(const std::string &untrusted)
{
    const Json json = Json::parse(untrusted, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return makeError(ErrorCode::BadInput, "the memory profile is not a JSON object");
    FieldReader reader(json);
    MemoryProfile profile;
    profile.gradients = reader.bytes("gradients");
    profile.optimizer = reader.bytes("optimizer");
    profile.update = reader.bytes("update");
    profile.peak = reader.memory("peak");
    profile.inputPerSample = reader.number("input_per_sample");
    profile.data = reader.bytes("data");
    profile.samples = static_cast<std::int64_t>(reader.bytes("samples"));
    profile.process = reader.bytes("process");
    profile.batchSize = static_cast<std::int64_t>(reader.bytes("batch_size"));
    const Json &splits = reader.child("can_be_split");
    profile.canBeSplit = splits.is_boolean() && splits.get<bool>();
    for (const Json &size : reader.child("measured_batch_sizes")) {
        if (size.is_number_integer())
            profile.measuredSizes.push_back(size.get<std::int64_t>());
    }
    const Json &layers = reader.child("layers");
    if (!layers.is_array() || layers.empty() || layers.size() > mostLayers)
        reader.fail("layers");
    for (std::size_t i = 0; reader.mistake().empty() && i < layers.size(); ++i) {
        FieldReader inner(layers[i], "layers[" + std::to_string(i) + "].");
        profile.layers.push_back({inner.bytes("parameters"), inner.bytes("buffers"), inner.memory("activations")});
        if (!inner.mistake().empty())
            return makeError(ErrorCode::BadInput, "the memory profile has no valid " + inner.mistake());
    }
    if (!reader.mistake().empty())
        return makeError(ErrorCode::BadInput, "the memory profile has no valid " + reader.mistake());
    return profile;
}

}  // namespace sweepscope::sweep
