#include "slurm/settings.h"

#include "sweep/tomltext.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <toml++/toml.h>

namespace sweepscope::slurm {

namespace {

constexpr std::int64_t mostDays = 36'500;
constexpr std::int64_t mostWaiting = 10'000;

/// Options that decide how Sweepscope finds and follows its jobs.
constexpr std::array<std::string_view, 24> ownOptions{
    "--job-name", "-J",           "--output",    "-o",      "--error", "-e",       "--chdir",  "-D",
    "--requeue",  "--no-requeue", "--open-mode", "--array", "-a",      "--signal", "--export", "--parsable",
    "--wrap",     "--test-only",  "--wait",      "-W",      "--nodes", "-N",       "--ntasks", "-n"};

std::string problemOfExtra(const std::string &option)
{
    const std::string name = option.substr(0, option.find_first_of("= "));
    if (!option.starts_with('-'))
        return "has '" + option + "' in extra, which is not an option: write it like \"--mem=64G\"";
    if (std::ranges::find(ownOptions, name) != ownOptions.end())
        return "has " + name + " in extra, which Sweepscope sets itself";
    if (option.find(' ') < option.find('='))
        return "has a space in extra: write \"--mem=64G\", each option by itself";
    return {};
}

std::string problemIn(const Settings &settings)
{
    for (const auto &[key, text] : {std::pair("account", &settings.account),
                                    {"partition", &settings.partition},
                                    {"qos", &settings.qos},
                                    {"gres", &settings.gres},
                                    {"time", &settings.time},
                                    {"constraint", &settings.constraint}}) {
        if (std::ranges::any_of(*text, [](char c) { return static_cast<unsigned char>(c) < ' '; }))
            return std::string("has a control character in ") + key;
    }
    if (!settings.time.empty() && !slurmTime(settings.time))
        return "has no valid time: write minutes, \"hours:minutes:seconds\" or \"days-hours:minutes:seconds\"";
    for (const std::string &module : settings.modules) {
        if (module.empty() || module.find('\n') != std::string::npos)
            return "has an empty module";
    }
    for (const std::string &option : settings.extra) {
        if (std::string problem = problemOfExtra(option); !problem.empty())
            return problem;
    }
    return {};
}

}  // namespace

Expected<Settings> settingsIn(const std::string &toml)
{
    if (const auto nested = sweep::nestingProblem(toml))
        return makeError(ErrorCode::BadInput, nested->message);
    Settings settings;
    const auto textOf = [&settings](std::string_view key) -> std::string * {
        for (const auto &[name, field] : {std::pair("account", &settings.account),
                                          {"partition", &settings.partition},
                                          {"qos", &settings.qos},
                                          {"gres", &settings.gres},
                                          {"time", &settings.time},
                                          {"constraint", &settings.constraint}}) {
            if (key == name)
                return field;
        }
        return nullptr;
    };
    try {
        const toml::table table = toml::parse(toml);
        for (const auto &[node, value] : table) {
            const std::string key(node.str());
            if (std::string *text = textOf(key)) {
                if (!value.is_string())
                    return makeError(ErrorCode::BadInput, "must have a string for " + key);
                *text = value.as_string()->get();
                continue;
            }
            if (key == "waiting") {
                const auto number = value.value_exact<std::int64_t>();
                if (!number || *number < 1 || *number > mostWaiting)
                    return makeError(ErrorCode::BadInput, "must have an integer from 1 to 10,000 for waiting");
                settings.waiting = static_cast<int>(*number);
                continue;
            }
            if (key != "modules" && key != "extra")
                return makeError(ErrorCode::BadInput, "has the unknown key " + key);
            const toml::array *array = value.as_array();
            if (array == nullptr || std::ranges::any_of(*array, [](const toml::node &one) { return !one.is_string(); }))
                return makeError(ErrorCode::BadInput, "must have a list of strings for " + key);
            for (const toml::node &one : *array)
                (key == "modules" ? settings.modules : settings.extra).push_back(one.as_string()->get());
        }
    } catch (const toml::parse_error &error) {
        return makeError(ErrorCode::BadInput, std::string(error.description()));
    }
    if (const std::string problem = problemIn(settings); !problem.empty())
        return makeError(ErrorCode::BadInput, problem);
    return settings;
}

std::string toToml(const Settings &settings)
{
    std::string toml;
    for (const auto &[key, text] : {std::pair("account", &settings.account),
                                    {"partition", &settings.partition},
                                    {"qos", &settings.qos},
                                    {"gres", &settings.gres},
                                    {"time", &settings.time},
                                    {"constraint", &settings.constraint}}) {
        if (!text->empty() && (key != std::string_view("gres") || *text != Settings().gres))
            toml += std::string(key) + " = " + sweep::tomlString(*text) + "\n";
    }
    if (!settings.modules.empty())
        toml += "modules = " + sweep::tomlStrings(settings.modules) + "\n";
    if (!settings.extra.empty())
        toml += "extra = " + sweep::tomlStrings(settings.extra) + "\n";
    if (settings.waiting != Settings().waiting)
        toml += "waiting = " + std::to_string(settings.waiting) + "\n";
    return toml;
}

std::optional<std::chrono::seconds> slurmTime(const std::string &text)
{
    std::array<std::int64_t, 4> parts{};  // as they come
    std::size_t count = 0;
    bool hasDays = false;
    std::string_view rest = text;
    while (true) {
        if (count == parts.size())
            return std::nullopt;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), parts[count]);
        if (error != std::errc() || parts[count] < 0 || parts[count] > mostDays * 24 * 60)
            return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        ++count;
        if (rest.empty())
            break;
        if (rest.front() != ':' && (rest.front() != '-' || count > 1))
            return std::nullopt;
        hasDays = hasDays || rest.front() == '-';
        rest.remove_prefix(1);
    }
    const auto [a, b, c, d] = parts;
    using std::chrono::seconds;
    if (hasDays)
        return seconds(((a * 24 + b) * 60 + c) * 60 + d);
    if (count == 4)
        return std::nullopt;
    return seconds(count == 3 ? (a * 60 + b) * 60 + c : a * 60 + b);
}

}  // namespace sweepscope::slurm
