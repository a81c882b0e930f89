#include "alerts/alertsettings.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::alerts;

namespace {

struct Folder {
    std::filesystem::path path;
    Folder()
    {
        char name[] = "/tmp/sweepscope-alerts-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
};

}  // namespace

TEST_CASE("settings are read as they were written, and have defaults without a file")
{
    const Folder folder;
    const std::filesystem::path file = folder.path / "new" / "alerts.toml";
    REQUIRE(readAlertSettings(file).has_value());
    CHECK(*readAlertSettings(file) == AlertSettings());
    AlertSettings settings;
    settings.command = "mail -s \"$SWEEPSCOPE_TITLE\" ann@lab <<< 'it''s done'\n";
    settings.desktop = {};
    settings.byCommand = {AlertKind::TrialFailed, AlertKind::DiskFilling};
    REQUIRE(writeAlertSettings(file, settings).has_value());
    REQUIRE(readAlertSettings(file).has_value());
    CHECK(*readAlertSettings(file) == settings);
}

TEST_CASE("what is wrong in the file is named")
{
    const Folder folder;
    const std::filesystem::path file = folder.path / "alerts.toml";
    for (const char *text : {"desktop = [\"no_such\"]", "desktop = 3", "command = 5", "colour = 1", "= ="}) {
        std::ofstream(file) << text;
        const auto read = readAlertSettings(file);
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().message.find(file.string()) != std::string::npos);
    }
}

TEST_CASE("every kind has a name")
{
    for (const AlertKind kind : allAlertKinds())
        CHECK((alertKindFromString(toString(kind)) == kind));
    CHECK_FALSE(alertKindFromString("nothing").has_value());
}
