#include "slurm/cluster.h"

#include "base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <set>

namespace sweepscope::slurm {

namespace {

constexpr std::chrono::seconds proposedTime = std::chrono::hours(24);
constexpr std::size_t longestValue = 1000;

std::vector<std::string_view> pieces(std::string_view text, char separator)
{
    std::vector<std::string_view> all;
    while (true) {
        const std::size_t end = text.find(separator);
        all.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return all;
        text.remove_prefix(end + 1);
    }
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string plainValue(std::string_view text)
{
    text = trimmed(text.substr(0, longestValue));
    return text == "(null)" ? std::string() : printable(std::string(text));
}

int smallNumber(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && value > 0 ? value : 0;
}

std::map<std::string, std::string> keysIn(std::string_view line)
{
    std::map<std::string, std::string> keys;
    for (const std::string_view word : pieces(line, ' ')) {
        const std::size_t equal = word.find('=');
        if (equal != std::string_view::npos)
            keys.emplace(word.substr(0, equal), plainValue(word.substr(equal + 1)));
    }
    return keys;
}

/// Of "gpu:h100:8(S:0-1),mps:400" or "gpu:2".
void addGpus(std::string_view gres, int &count, std::set<std::string> &types)
{
    int sum = 0;
    std::size_t depth = 0;
    std::string outside;  // without "(S:0-1,3)"
    for (const char c : gres) {
        depth += c == '(' ? 1 : 0;
        if (depth == 0)
            outside += c;
        depth -= c == ')' && depth > 0 ? 1 : 0;
    }
    for (const std::string_view one : pieces(outside, ',')) {
        const std::vector<std::string_view> parts = pieces(one, ':');
        if (parts.front() != "gpu")
            continue;
        sum += parts.size() > 1 ? smallNumber(parts.back()) : 1;
        if (parts.size() > 2)
            types.insert(printable(std::string(parts[1])));
    }
    count = std::max(count, sum);
}

bool holdsWord(const std::string &list, std::string_view word)
{
    return list.find(word) != std::string::npos;
}

}  // namespace

std::string Cluster::value(const std::string &name) const
{
    const auto found = configuration.find(name);
    return found != configuration.end() ? found->second : std::string();
}

bool Cluster::signalsPreempted() const
{
    return holdsWord(value("SlurmctldParameters"), "preempt_send_user_signal")
           || holdsWord(value("PreemptParameters"), "send_user_signal");
}

bool Cluster::preempts() const
{
    const std::string type = value("PreemptType");
    return !type.empty() && type != "preempt/none" && type != "(null)" && value("PreemptMode") != "OFF";
}

int Cluster::year() const
{
    return smallNumber(value("SLURM_VERSION"));
}

std::map<std::string, std::string> parseConfiguration(std::string_view text)
{
    std::map<std::string, std::string> values;
    for (const std::string_view line : pieces(text, '\n')) {
        const std::size_t equal = line.find('=');
        if (equal != std::string_view::npos)
            values.emplace(std::string(trimmed(line.substr(0, equal))), plainValue(line.substr(equal + 1)));
    }
    return values;
}

std::vector<Partition> parsePartitions(std::string_view text)
{
    std::vector<Partition> partitions;
    for (const std::string_view line : pieces(text, '\n')) {
        std::map<std::string, std::string> keys = keysIn(line);
        Partition partition;
        partition.name = keys["PartitionName"];
        if (partition.name.empty())
            continue;
        partition.isDefault = keys["Default"] == "YES";
        partition.isUp = keys["State"] == "UP";
        partition.longest = slurmTime(keys["MaxTime"]);
        partition.usualTime = slurmTime(keys["DefaultTime"]);
        partition.preemptMode = keys["PreemptMode"];
        partition.grace = std::chrono::seconds(smallNumber(keys["GraceTime"]));
        partitions.push_back(std::move(partition));
    }
    return partitions;
}

void addNodes(std::vector<Partition> &partitions, std::string_view text)
{
    std::map<std::string, std::set<std::string>> types;
    for (const std::string_view line : pieces(text, '\n')) {
        const std::vector<std::string_view> fields = pieces(line, '|');
        if (fields.size() != 3)
            continue;
        const auto partition = std::ranges::find(partitions, plainValue(fields[0]), &Partition::name);
        if (partition == partitions.end())
            continue;
        partition->nodes += smallNumber(fields[1]);
        addGpus(fields[2], partition->gpus, types[partition->name]);
    }
    for (Partition &partition : partitions) {
        for (const std::string &type : types[partition.name])
            partition.gpuTypes += (partition.gpuTypes.empty() ? "" : ", ") + type;
    }
}

std::vector<Association> parseAssociations(std::string_view text)
{
    std::vector<Association> associations;
    for (const std::string_view line : pieces(text, '\n')) {
        const std::vector<std::string_view> fields = pieces(line, '|');
        if (fields.size() != 4 || fields[0].empty())
            continue;
        Association association{plainValue(fields[0]), plainValue(fields[1]), {}, {}};
        for (const std::string_view qos : pieces(fields[2], ',')) {
            if (!qos.empty())
                association.qos.push_back(plainValue(qos));
        }
        if (const int most = smallNumber(fields[3]); most > 0)
            association.mostSubmitted = most;
        associations.push_back(std::move(association));
    }
    return associations;
}

Settings proposeSettings(const Cluster &cluster, Settings settings)
{
    const auto isUsed = [&settings](const Partition &partition) {
        return settings.partition.empty() ? partition.isDefault : partition.name == settings.partition;
    };
    auto used = std::ranges::find_if(cluster.partitions, isUsed);
    if (settings.partition.empty() && (used == cluster.partitions.end() || used->gpus == 0)) {
        const auto best = std::ranges::max_element(cluster.partitions, {}, [](const Partition &partition) {
            return std::tuple(partition.isUp, partition.gpus > 0, partition.nodes);
        });
        if (best != cluster.partitions.end() && (best->gpus > 0 || used == cluster.partitions.end())) {
            settings.partition = best->name;
            used = best;
        }
    }
    if (settings.time.empty() && used != cluster.partitions.end())
        settings.time = toSlurmTime(std::min(proposedTime, used->longest.value_or(proposedTime)));
    return settings;
}

std::string toSlurmTime(std::chrono::seconds time)
{
    const auto total = time.count();
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%02lld:%02lld:%02lld", static_cast<long long>(total / 3600 % 24),
                  static_cast<long long>(total / 60 % 60), static_cast<long long>(total % 60));
    return (total >= 86'400 ? std::to_string(total / 86'400) + "-" : "") + text.data();
}

}  // namespace sweepscope::slurm
