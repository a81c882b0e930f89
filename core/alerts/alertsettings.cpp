#include "alerts/alertsettings.h"

#include "base/files.h"
#include "sweep/tomltext.h"

#include <cstdlib>
#include <toml++/toml.h>

namespace sweepscope::alerts {

namespace {

constexpr std::uint64_t mostBytes = 64 * 1024;

Expected<std::set<AlertKind>> kindsIn(const toml::node &value, const std::string &where)
{
    std::set<AlertKind> kinds;
    const toml::array *list = value.as_array();
    if (list == nullptr)
        return makeError(ErrorCode::BadInput, where + " must be a list");
    for (const toml::node &item : *list) {
        const std::string name = item.value_or(std::string());
        const std::optional<AlertKind> kind = alertKindFromString(name);
        if (!kind)
            return makeError(ErrorCode::BadInput, where + ": unknown alert \"" + name + "\"");
        kinds.insert(*kind);
    }
    return kinds;
}

std::string listOf(const std::set<AlertKind> &kinds)
{
    std::vector<std::string> names;
    for (const AlertKind kind : allAlertKinds()) {
        if (kinds.contains(kind))
            names.push_back(toString(kind));
    }
    return sweep::tomlStrings(names);
}

}  // namespace

std::filesystem::path alertSettingsFile()
{
    const char *config = std::getenv("XDG_CONFIG_HOME");
    const char *home = std::getenv("HOME");
    const std::filesystem::path folder = config != nullptr && *config != '\0'
                                             ? std::filesystem::path(config)
                                             : std::filesystem::path(home == nullptr ? "/" : home) / ".config";
    return folder / "sweepscope" / "alerts.toml";
}

Expected<AlertSettings> readAlertSettings(const std::filesystem::path &file)
{
    const Expected<std::string> text = readFile(file, mostBytes);
    if (!text && text.error().code == ErrorCode::NotFound)
        return AlertSettings();
    if (!text)
        return tl::unexpected(text.error());
    if (const auto nested = sweep::nestingProblem(*text))
        return makeError(ErrorCode::BadInput, file.string() + ": " + nested->message);
    AlertSettings settings;
    try {
        const toml::table all = toml::parse(*text);
        for (const auto &[key, value] : all) {
            const std::string where = file.string() + ": " + std::string(key.str());
            if (key == "command" && value.is_string()) {
                settings.command = value.value_or(std::string());
            } else if (key == "desktop" || key == "by_command") {
                Expected<std::set<AlertKind>> kinds = kindsIn(value, where);
                if (!kinds)
                    return tl::unexpected(kinds.error());
                (key == "desktop" ? settings.desktop : settings.byCommand) = std::move(*kinds);
            } else {
                return makeError(ErrorCode::BadInput,
                                 where + (key == "command" ? " must be a string" : ": unknown setting"));
            }
        }
    } catch (const toml::parse_error &error) {
        return makeError(ErrorCode::BadInput, file.string() + ":" + std::to_string(error.source().begin.line) + ": "
                                                  + std::string(error.description()));
    }
    return settings;
}

Expected<void> writeAlertSettings(const std::filesystem::path &file, const AlertSettings &settings)
{
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        return makeErrnoError("cannot create the folder " + file.parent_path().string(), error.value());
    const Expected<void> written = writeFileAtomically(
        file, "desktop = " + listOf(settings.desktop) + "\nby_command = " + listOf(settings.byCommand)
                  + "\ncommand = " + sweep::tomlString(settings.command) + "\n");
    // Commands may have tokens in them.
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, error);
    return written;
}

}  // namespace sweepscope::alerts
