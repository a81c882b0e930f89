#include "launch/launchspec.h"

#include "base/agentfolders.h"
#include "base/files.h"
#include "process/cpulist.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace sweepscope::launch {

namespace {

using nlohmann::json;

constexpr int formatVersion = 1;
constexpr std::array<std::string_view, 3> formatNames{"text", "json", "auto"};  // in the order of output::OutputFormat
constexpr std::uint64_t maxFileBytes = 16 * 1024 * 1024;
constexpr std::size_t maxIdBytes = 200;
constexpr int maxRanks = 1024;
constexpr int maxPort = 65535;
constexpr double maxHangFactor = 1'000'000;
constexpr std::int64_t maxMilliseconds = std::int64_t{366} * 24 * 3600 * 1000;

/// Reads fields one by one and keeps the first error.
class FieldReader {
public:
    FieldReader(const json &object, std::string file) : m_object(object), m_file(std::move(file)) {}

    void take(const char *name, std::string &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_string())
            return fail(name, "must be a string");
        value = text(name, *field);
    }

    /// An earlier version wrote a sentence, which is left out.
    void take(const char *name, facts::Fact &value)
    {
        const json *field = find(name);
        if (field != nullptr && field->is_object())
            value =
                facts::fromJson(field->dump(-1, ' ', false, json::error_handler_t::replace)).value_or(facts::Fact());
    }

    void take(const char *name, std::int64_t &value, std::int64_t low, std::int64_t high)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        const bool fits =
            field->is_number_integer()
            && (!field->is_number_unsigned()
                || field->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
        if (!fits || field->get<std::int64_t>() < low || field->get<std::int64_t>() > high)
            return fail(name, "must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
        value = field->get<std::int64_t>();
    }

    void take(const char *name, int &value, int low, int high)
    {
        std::int64_t wide = value;
        take(name, wide, low, high);
        value = static_cast<int>(wide);
    }

    void take(const char *name, std::chrono::milliseconds &value)
    {
        std::int64_t count = value.count();
        take(name, count, 0, maxMilliseconds);
        value = std::chrono::milliseconds(count);
    }

    void take(const char *name, double &value, double low, double high)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_number() || !(field->get<double>() >= low && field->get<double>() <= high))
            return fail(name, "must be a number from " + std::to_string(low) + " to " + std::to_string(high));
        value = field->get<double>();
    }

    void take(const char *name, std::vector<std::string> &value)
    {
        if (const json *field = find(name))
            value = texts(name, *field);
    }

    void take(const char *name, std::vector<std::vector<std::string>> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_array())
            return fail(name, "must be a list with one list of devices per rank");
        value.clear();
        for (const json &list : *field)
            value.push_back(texts(name, list));
    }

    /// In Linux notation: "0-3,8".
    void take(const char *name, std::vector<std::vector<int>> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        value.clear();
        for (const std::string &list : texts(name, *field)) {
            const auto cpus = process::parseCpuList(list);
            if (!cpus)
                return fail(name, "has \"" + list + "\", which is not a list of CPUs: write e.g. \"0-3,8\"");
            value.push_back(*cpus);
        }
    }

    void take(const char *name, std::map<std::string, std::string> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_object())
            return fail(name, "must be an object of strings");
        value.clear();
        for (const auto &[key, item] : field->items()) {
            if (key.empty() || key.find('=') != std::string::npos || key.find('\0') != std::string::npos)
                return fail(name, "has the variable \"" + key + "\", which is not a valid name");
            if (!item.is_string())
                return fail(name, "must have a string for \"" + key + "\"");
            value[key] = text(name, item);
        }
    }

    /// In octal notation: "0022".
    void take(const char *name, std::optional<mode_t> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        const std::string digits = field->is_string() ? field->get<std::string>() : std::string();
        mode_t mask = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), mask, 8);
        if (error != std::errc() || end != digits.data() + digits.size() || mask > 0777)
            return fail(name, "must be a string of octal digits, e.g. \"0022\"");
        value = mask;
    }

    void take(const char *name, std::optional<output::MetricsSection> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_object())
            return fail(name, "must be an object");
        FieldReader inner(*field, m_file + ": " + name);
        std::string format = "text";
        value.emplace();
        inner.take("format", format);
        const auto found = std::ranges::find(formatNames, format);
        if (found == formatNames.end())
            inner.fail("format", "must be \"text\", \"json\" or \"auto\"");
        else
            value->format = static_cast<output::OutputFormat>(found - formatNames.begin());
        inner.take("every_rank", value->everyRank);
        inner.take("step", value->step);
        inner.take("series", value->series);
        inner.take("tensorboard", value->tensorboard);
        inner.refuseUnknown();
        if (m_problem.empty())
            m_problem = inner.problem();
    }

    void take(const char *name, std::optional<NodePart> &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_object())
            return fail(name, "must be an object");
        FieldReader inner(*field, m_file + ": " + name);
        value.emplace();
        inner.take("index", value->index, 0, maxRanks);
        inner.take("count", value->count, 1, maxRanks);
        inner.take("first_rank", value->firstRank, 0, maxRanks);
        inner.take("ranks", value->ranks, 1, maxRanks);
        inner.take("master_address", value->masterAddress);
        inner.take("master_port", value->masterPort, 0, maxPort);
        inner.take("of_job", value->ofJob);
        inner.refuseUnknown();
        if (m_problem.empty())
            m_problem = inner.problem();
    }

    void take(const char *name, bool &value)
    {
        const json *field = find(name);
        if (field == nullptr)
            return;
        if (!field->is_boolean())
            return fail(name, "must be true or false");
        value = field->get<bool>();
    }

    void require(const char *name)
    {
        if (!m_object.contains(name))
            fail(name, "is missing");
    }

    void fail(const std::string &name, const std::string &what)
    {
        if (m_problem.empty())
            m_problem = m_file + ": " + name + " " + what;
    }

    void refuseUnknown()
    {
        for (const auto &[key, value] : m_object.items()) {
            if (!m_known.contains(key))
                fail("\"" + key + "\"", "is not a field of launch.json");
        }
    }

    const std::string &problem() const { return m_problem; }

private:
    const json *find(const char *name)
    {
        m_known.insert(name);
        const auto found = m_object.find(name);
        return found == m_object.end() ? nullptr : &*found;
    }

    std::string text(const char *name, const json &value)
    {
        auto content = value.get<std::string>();
        if (content.find('\0') != std::string::npos)  // arguments and variables of a process cannot contain one
            fail(name, "contains a zero byte");
        return content;
    }

    std::vector<std::string> texts(const char *name, const json &list)
    {
        std::vector<std::string> values;
        if (!list.is_array()) {
            fail(name, "must be a list of strings");
            return values;
        }
        for (const json &item : list) {
            if (!item.is_string()) {
                fail(name, "must contain only strings");
                return values;
            }
            values.push_back(text(name, item));
        }
        return values;
    }

    const json &m_object;
    std::string m_file;
    std::string m_problem;
    std::set<std::string> m_known;
};

void checkMeaning(const LaunchSpec &spec, FieldReader &fields)
{
    if (spec.attemptId.empty() || spec.attemptId.size() > maxIdBytes)
        fields.fail("attempt_id", "must have 1 to " + std::to_string(maxIdBytes) + " bytes");
    for (const char c : spec.attemptId) {
        if (static_cast<unsigned char>(c) <= ' ')
            fields.fail("attempt_id", "must not contain spaces or control characters");
    }
    if (spec.argv.empty() || spec.argv.front().empty())
        fields.fail("argv", "must name a program and its arguments");
    if (spec.workingFolder.empty() || spec.workingFolder.front() != '/')
        fields.fail("working_folder", "must be an absolute path, not \"" + spec.workingFolder + "\"");
    if (!spec.environmentFile.empty() && spec.environmentFile.front() != '/')
        fields.fail("environment_file", "must be an absolute path, not \"" + spec.environmentFile + "\"");
    if (spec.node && spec.node->firstRank + spec.ranks > spec.node->ranks)
        fields.fail("node", "has ranks beyond the last of the attempt");
    if (!spec.devices.empty() && spec.devices.size() != static_cast<std::size_t>(spec.ranks))
        fields.fail("devices", "has " + std::to_string(spec.devices.size()) + " lists for " + std::to_string(spec.ranks)
                                   + " ranks: it needs one list per rank, or none");
    if (!spec.cpus.empty() && spec.cpus.size() != static_cast<std::size_t>(spec.ranks))
        fields.fail("cpus", "has " + std::to_string(spec.cpus.size()) + " lists for " + std::to_string(spec.ranks)
                                + " ranks: it needs one list per rank, or none");
    for (const auto &rank : spec.devices) {
        for (const std::string &id : rank) {
            if (id.empty() || id.find(',') != std::string::npos)
                fields.fail("devices", "has \"" + id + "\", which is not a device: use GPU UUIDs or \"cpu:N\"");
        }
    }
}

}  // namespace

Expected<LaunchSpec> readLaunchSpec(const std::filesystem::path &file)
{
    const auto content = readFile(file, maxFileBytes);
    if (!content)
        return tl::unexpected(content.error());

    json object;
    try {
        object = json::parse(*content);
    } catch (const json::parse_error &error) {
        return makeError(ErrorCode::BadInput, file.string() + ": invalid JSON: " + error.what());
    }
    if (!object.is_object())
        return makeError(ErrorCode::BadInput, file.string() + ": must be a JSON object");

    FieldReader fields(object, file.string());
    std::int64_t version = 0;
    fields.require("version");
    fields.take("version", version, 1, std::numeric_limits<std::int64_t>::max());
    if (fields.problem().empty() && version > formatVersion)
        return makeError(ErrorCode::Unsupported, file.string() + ": version " + std::to_string(version)
                                                     + " is newer than this sweepscope-agent supports ("
                                                     + std::to_string(formatVersion) + "): update it");

    LaunchSpec spec;
    for (const char *name : {"attempt_id", "argv", "working_folder", "ranks"})
        fields.require(name);
    fields.take("attempt_id", spec.attemptId);
    fields.take("sweep", spec.sweepName);
    fields.take("trial", spec.trial, 0, std::numeric_limits<int>::max());
    fields.take("attempt", spec.attempt, 1, std::numeric_limits<int>::max());
    fields.take("argv", spec.argv);
    fields.take("environment", spec.environment);
    fields.take("environment_file", spec.environmentFile);
    fields.take("umask", spec.umask);
    fields.take("machine", spec.machine);
    fields.take("source_folder", spec.sourceFolder);
    fields.take("working_folder", spec.workingFolder);
    fields.take("ranks", spec.ranks, 1, maxRanks);
    fields.take("node", spec.node);
    fields.take("devices", spec.devices);
    fields.take("device_group", spec.deviceGroup);
    fields.take("cpus", spec.cpus);
    fields.take("omp_threads", spec.ompThreads, 1, 4096);
    fields.take("timeout_ms", spec.timeout);
    fields.take("grace_ms", spec.grace);
    fields.take("hang_factor", spec.hangFactor, 0, maxHangFactor);
    fields.take("hang_after_ms", spec.hangAfter);
    fields.take("exit_grace_ms", spec.exitGrace);
    fields.take("python_path", spec.pythonPath);
    fields.take("watch", spec.watch);
    fields.take("distributed", spec.distributed);
    fields.take("gpus_of_job", spec.gpusOfJob);
    fields.take("metrics", spec.metrics);
    fields.refuseUnknown();
    if (fields.problem().empty())
        checkMeaning(spec, fields);
    if (!fields.problem().empty())
        return makeError(ErrorCode::BadInput, fields.problem());
    return spec;
}

Expected<std::vector<LaunchSpec>> readLaunchSpecs(const AttemptLayout &attempt)
{
    std::vector<LaunchSpec> agents;
    for (const AttemptLayout &files : agentFolders(attempt)) {
        Expected<LaunchSpec> spec = readLaunchSpec(files.launchFile());
        if (spec)
            agents.push_back(std::move(*spec));
        else if (agents.empty())
            return tl::unexpected<Error>(spec.error());
    }
    return agents;
}

Expected<std::string> toJson(const LaunchSpec &spec)
{
    json object = {
        {"version", formatVersion},
        {"attempt_id", spec.attemptId},
        {"sweep", spec.sweepName},
        {"trial", spec.trial},
        {"attempt", spec.attempt},
        {"argv", spec.argv},
        {"environment", spec.environment},
        {"working_folder", spec.workingFolder},
        {"ranks", spec.ranks},
        {"devices", spec.devices},
        {"omp_threads", spec.ompThreads},
        {"timeout_ms", spec.timeout.count()},
        {"grace_ms", spec.grace.count()},
        {"hang_factor", spec.hangFactor},
        {"hang_after_ms", spec.hangAfter.count()},
        {"exit_grace_ms", spec.exitGrace.count()},
        {"python_path", spec.pythonPath},
        {"watch", spec.watch},
        {"distributed", spec.distributed},
    };
    if (spec.node)
        object["node"] = {{"index", spec.node->index},
                          {"count", spec.node->count},
                          {"first_rank", spec.node->firstRank},
                          {"ranks", spec.node->ranks},
                          {"master_address", spec.node->masterAddress},
                          {"master_port", spec.node->masterPort},
                          {"of_job", spec.node->ofJob}};
    if (spec.gpusOfJob)
        object["gpus_of_job"] = true;
    if (!spec.environmentFile.empty())
        object["environment_file"] = spec.environmentFile;
    if (!spec.machine.empty())
        object["machine"] = spec.machine;
    if (!spec.sourceFolder.empty())
        object["source_folder"] = spec.sourceFolder;
    if (spec.umask) {
        std::array<char, 8> digits{};
        std::snprintf(digits.data(), digits.size(), "%04o", static_cast<unsigned>(*spec.umask) & 0777U);
        object["umask"] = digits.data();
    }
    if (spec.deviceGroup)
        object["device_group"] = json::parse(facts::toJson(spec.deviceGroup), nullptr, false);
    for (const std::vector<int> &cpus : spec.cpus)
        object["cpus"].push_back(process::cpuListText(cpus));
    if (spec.metrics)
        object["metrics"] = {{"format", formatNames.at(static_cast<std::size_t>(spec.metrics->format))},
                             {"every_rank", spec.metrics->everyRank},
                             {"step", spec.metrics->step},
                             {"series", spec.metrics->series},
                             {"tensorboard", spec.metrics->tensorboard}};
    try {
        return object.dump(2) + "\n";
    } catch (const json::type_error &) {
        return makeError(ErrorCode::BadInput, "an argument, variable or path is not valid UTF-8");
    }
}

Expected<void> writeLaunchSpec(const LaunchSpec &spec, const std::filesystem::path &file)
{
    const Expected<std::string> text = toJson(spec);
    if (!text)
        return makeError(text.error().code, "cannot write " + file.string() + ": " + text.error().message);
    return writeFileAtomically(file, *text, Survives::Kill);  // without fsync: a loss of power ends the attempt too
}

}  // namespace sweepscope::launch
