#include "workspaceoption.h"

#include "hostoption.h"

#include "base/workspaceaccess.h"
#include "base/workspacelayout.h"

#include <cerrno>
#include <system_error>
#include <unistd.h>

namespace sweepscope::ctl {

void addWorkspaceOption(CLI::App &command, std::string &workspace)
{
    workspace = defaultWorkspaceRoot().string();
    command.add_option("--workspace", workspace, "Folder with the sweeps and their results")
        ->type_name("DIR")
        ->capture_default_str();
}

std::vector<std::string> withCommandFirst(const std::vector<std::string> &words)
{
    const std::string option = "--workspace";
    auto command = words.begin();
    if (command != words.end() && *command == option)
        command += words.end() - command > 1 ? 2 : 1;
    else if (command != words.end() && command->rfind(option + "=", 0) == 0)
        ++command;
    if (command == words.end())  // no command
        return words;
    std::vector<std::string> ordered{*command};
    ordered.insert(ordered.end(), words.begin(), command);
    ordered.insert(ordered.end(), command + 1, words.end());
    return ordered;
}

std::string workspaceArgument(const std::string &workspace)
{
    const std::string host = typedHost().empty() ? "" : " --host " + typedHost();
    if (workspace == defaultWorkspaceRoot().string())
        return host;
    const bool isPlain = workspace.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                     "/._-+@%,:")
                         == std::string::npos;
    std::string quoted;
    for (const char c : workspace)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return host + " --workspace " + (isPlain ? workspace : "'" + quoted + "'");
}

Expected<std::filesystem::path> writableWorkspace(const std::string &workspace)
{
    std::error_code error;
    std::filesystem::path folder = std::filesystem::absolute(workspace, error).lexically_normal();
    if (Expected<void> made = makeWorkspaceFolder(folder); !made)
        return tl::unexpected<Error>(made.error());
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return makeErrnoError(
            "the workspace folder " + folder.string() + " is not writable; choose another one with --workspace", errno);
    return folder;
}

}  // namespace sweepscope::ctl
