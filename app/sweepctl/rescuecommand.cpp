#include "exitcode.h"
#include "subcommand.h"
#include "workspaceoption.h"

#include "base/workspaceaccess.h"
#include "engine/rescue.h"

#include <filesystem>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

int rescue(const std::string &folder)
{
    std::error_code error;
    const WorkspaceLayout workspace{std::filesystem::canonical(folder, error)};
    if (error) {
        std::cerr << "there is no workspace in " << folder << '\n';
        return noEngine;
    }
    (void)enterUmaskOf(workspace.root);
    const Expected<engine::RescueReport> report = engine::rescueDatabase(workspace);
    if (!report) {
        std::cerr << report.error().message << '\n';
        return badInput;
    }
    const auto counted = [](int count, const std::string &noun) {
        return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
    };
    std::cout << "Recovered " << counted(report->sweeps, "sweep") << ", " << counted(report->trials, "trial") << " and "
              << counted(report->attempts, "attempt") << ": " << workspace.database().string() << '\n';
    if (!report->notRecovered.empty())
        std::cout << "Not recovered:\n";
    for (const std::string &what : report->notRecovered)
        std::cout << "  " << what << '\n';
    return good;
}

}  // namespace

Subcommand makeRescueCommand(CLI::App &app)
{
    auto workspace = std::make_shared<std::string>();
    CLI::App *command =
        app.add_subcommand("rescue", "Rebuild a lost or damaged database from the files of a workspace");
    addWorkspaceOption(*command, *workspace);
    command->footer("Reads sweep.toml, launch.json, params.json, events.jsonl and the curves of every "
                    "attempt, and reports\n"
                    "what could not be restored. Keeps a damaged database as sweepscope.db.damaged. Refuses "
                    "to replace an\n"
                    "intact one (exit code 2). End the engine first, and try its backup sweepscope.db.bak "
                    "before this.\n"
                    "\n"
                    "Example:\n"
                    "  sweepctl rescue --workspace ~/experiments");
    return {command, [workspace] { return rescue(*workspace); }};
}

}  // namespace sweepscope::ctl
