#include "base/workspacelayout.h"
#include "remote/mirrorfolder.h"

#include <QTemporaryDir>

#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::remote;

TEST_CASE("mirrors that were not opened for a month are removed")
{
    const QTemporaryDir folder;
    ::setenv("XDG_CACHE_HOME", folder.path().toLocal8Bit().constData(), 1);
    const MirrorFolder used = mirrorOf(parseSshTarget("ann@gpu1").value()).value();
    const MirrorFolder recent = mirrorOf(parseSshTarget("ann@gpu2").value()).value();
    const MirrorFolder old = mirrorOf(parseSshTarget("ann@gpu3").value()).value();
    const auto age = [](const MirrorFolder &mirror, int days) {
        std::ofstream(mirror.root / "rank-0.log") << "x";
        std::filesystem::last_write_time(WorkspaceLayout{mirror.root}.mirrorFile(),
                                         std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days));
    };
    age(used, 40);  // open since then
    age(recent, 20);
    age(old, 40);
    std::filesystem::create_directory(used.root.parent_path() / "no mirror");
    removeUnusedMirrors(used);
    ::unsetenv("XDG_CACHE_HOME");
    CHECK(std::filesystem::exists(used.root));
    CHECK(std::filesystem::exists(recent.root));
    CHECK_FALSE(std::filesystem::exists(old.root));
    CHECK(std::filesystem::exists(used.root.parent_path() / "no mirror"));
}
