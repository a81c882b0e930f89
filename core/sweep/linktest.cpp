#include "sweep/linktest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace sweepscope::sweep {

namespace {

using Json = nlohmann::ordered_json;
using Pair = LinkTest::Pair;

constexpr std::size_t mostGpus = 1024;
constexpr double mostSeconds = 1e6;

std::string gigabytes(double bytesPerSecond)
{
    std::array<char, 32> text{};
    const double value = bytesPerSecond / 1e9;
    std::snprintf(text.data(), text.size(), value < 10 ? "%.2g GB/s" : "%.0f GB/s", value);
    return text.data();
}

std::string namesOf(const LinkTest &test, const std::vector<int> &ranks)
{
    std::string names;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        names += (i == 0                  ? ""
                  : i + 1 == ranks.size() ? " and "
                                          : ", ")
                 + test.gpus[static_cast<std::size_t>(ranks[i])].name;
    return names;
}

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

LinkVerdict brokenVerdict(const LinkTest &test)
{
    LinkVerdict verdict{.fault = LinkFault::Broken, .ranks = test.broken};
    const bool isPair = test.broken.size() == 2;
    verdict.sentence = (isPair ? "the link between " : "the links between ") + namesOf(test, test.broken)
                       + (isPair ? " is broken: " : " are broken: ") + test.reason;
    verdict.hint = "exclude one of them with devices.exclude, or reset it (nvidia-smi -r); devices.preflight = false "
                   "starts trials all the same";
    return verdict;
}

std::optional<LinkVerdict> slowVerdict(const LinkTest &test, const Pair &pair, double median, std::size_t equals)
{
    const double measured = busBandwidth(test.bytes, *pair.seconds, 2);
    const double promised = pair.bandwidth.value_or(0) * slowShare;
    const double usual = equals > 2 ? median * slowShareOfEquals : 0;
    if (measured >= std::max(promised, usual))
        return std::nullopt;
    LinkVerdict verdict{.ranks = {pair.a, pair.b}, .measured = measured, .expected = std::max(promised, usual)};
    verdict.sentence = "the link between " + namesOf(test, verdict.ranks) + " is slow: " + gigabytes(measured);
    if (measured < promised)
        verdict.sentence += ", and " + pair.link + " promises " + gigabytes(*pair.bandwidth);
    else
        verdict.sentence += ", and the median of links of its kind (" + pair.link + ") is " + gigabytes(median);
    verdict.hint = "look for disabled links (nvidia-smi nvlink --status), PCIe access control (ACS, IOMMU) and NCCL "
                   "variables such as NCCL_P2P_DISABLE, or exclude one of the GPUs with devices.exclude";
    return verdict;
}

/// Throws Json::exception for another type.
LinkTest readTest(const Json &json)
{
    LinkTest test;
    for (const Json &gpu : json.at("gpus"))
        test.gpus.push_back({gpu.at("id").get<std::string>(), gpu.at("name").get<std::string>()});
    const auto optional = [](const Json &value) {
        return value.is_null() ? std::nullopt : std::optional(value.get<double>());
    };
    for (const Json &pair : json.at("pairs"))
        test.pairs.push_back({pair.at("a").get<int>(), pair.at("b").get<int>(), pair.at("link").get<std::string>(),
                              optional(pair.at("promised")), optional(pair.at("seconds"))});
    test.bytes = json.at("bytes").get<std::uint64_t>();
    test.backend = json.at("backend").get<std::string>();
    test.allReduceSeconds = optional(json.at("all_reduce_seconds"));
    test.broken = json.at("broken").get<std::vector<int>>();
    test.reason = json.at("reason").get<std::string>();
    test.simulated = json.at("simulated").get<bool>();
    return test;
}

/// Empty if it makes sense.
std::string mistakeIn(const LinkTest &test)
{
    const auto isRank = [&](int rank) { return rank >= 0 && static_cast<std::size_t>(rank) < test.gpus.size(); };
    const auto isTime = [](std::optional<double> seconds) {
        return !seconds || (*seconds > 0 && *seconds < mostSeconds);
    };
    if (test.gpus.size() < 2 || test.gpus.size() > mostGpus || test.bytes == 0)
        return "gpus";
    for (const Pair &pair : test.pairs) {
        if (!isRank(pair.a) || !isRank(pair.b) || pair.a == pair.b || !isTime(pair.seconds)
            || !std::isfinite(pair.bandwidth.value_or(0)))
            return "pairs";
    }
    if (!std::ranges::all_of(test.broken, isRank))
        return "broken";
    return isTime(test.allReduceSeconds) ? "" : "all_reduce_seconds";
}

}  // namespace

double busBandwidth(std::uint64_t bytes, double seconds, std::size_t ranks)
{
    const auto n = static_cast<double>(ranks);
    return static_cast<double>(bytes) / seconds * 2 * (n - 1) / n;
}

std::vector<LinkVerdict> judgeLinks(const LinkTest &test)
{
    std::vector<LinkVerdict> verdicts;
    if (!test.broken.empty())
        verdicts.push_back(brokenVerdict(test));
    std::map<std::string, std::vector<double>> byLink;
    for (const Pair &pair : test.pairs) {
        if (pair.seconds)
            byLink[pair.link].push_back(busBandwidth(test.bytes, *pair.seconds, 2));
    }
    for (const Pair &pair : test.pairs) {
        if (!pair.seconds)
            continue;
        const std::vector<double> &equals = byLink[pair.link];
        if (auto verdict = slowVerdict(test, pair, medianOf(equals), equals.size()))
            verdicts.push_back(std::move(*verdict));
    }
    std::ranges::stable_sort(verdicts, {}, &LinkVerdict::measured);
    return verdicts;
}

std::string toJson(const LinkTest &test)
{
    Json gpus = Json::array();
    for (const LinkTest::Gpu &gpu : test.gpus)
        gpus.push_back({{"id", gpu.id}, {"name", gpu.name}});
    const auto orNull = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
    Json pairs = Json::array();
    for (const Pair &pair : test.pairs)
        pairs.push_back({{"a", pair.a},
                         {"b", pair.b},
                         {"link", pair.link},
                         {"promised", orNull(pair.bandwidth)},
                         {"seconds", orNull(pair.seconds)}});
    const Json json{{"gpus", std::move(gpus)},
                    {"pairs", std::move(pairs)},
                    {"bytes", test.bytes},
                    {"backend", test.backend},
                    {"all_reduce_seconds", orNull(test.allReduceSeconds)},
                    {"broken", test.broken},
                    {"reason", test.reason},
                    {"simulated", test.simulated}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Expected<LinkTest> parseLinkTest(const std::string &untrusted)
{
    try {
        LinkTest test = readTest(Json::parse(untrusted));
        if (const std::string mistake = mistakeIn(test); !mistake.empty())
            return makeError(ErrorCode::BadInput, "the link test has no valid " + mistake);
        return test;
    } catch (const Json::exception &error) {
        return makeError(ErrorCode::BadInput, std::string("the link test cannot be read: ") + error.what());
    }
}

}  // namespace sweepscope::sweep
