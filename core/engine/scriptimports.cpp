#include "engine/scriptimports.h"

#include "base/lineprogram.h"
#include "launch/environmentfile.h"
#include "sweep/command.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sweepscope::engine {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds answerLimit = 5s;  ///< less than that of a whole check

/// Prints one line: the name of the module and the interpreter, or nothing. Imports in blocks are ignored: they may be
/// guarded by `try`.
constexpr const char *importCheck = R"(
import ast, importlib.util, os, sys
def missing():
    with open(sys.argv[1], 'rb') as file:
        source = file.read()
    if b'sys.path' in source:
        return ''
    for node in ast.parse(source).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        for name in names:
            top = name.split('.')[0]
            if top not in sys.modules and importlib.util.find_spec(top) is None:
                return top + '\t' + sys.executable
    return ''
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[1]))
print(missing(), flush=True)
)";

/// The beginning of a command, up to the script.
struct PythonCommand {
    std::vector<std::string> interpreter;  ///< with its options
    std::string script;
};

std::optional<PythonCommand> pythonCommand(const std::vector<std::string> &argv)
{
    if (argv.empty() || !fs::path(argv.front()).filename().string().starts_with("python"))
        return std::nullopt;
    PythonCommand command;
    for (const std::string &word : argv) {
        const auto names = sweep::placeholders(word);
        if (!names || !names->empty() || word == "-m" || word == "-c")
            return std::nullopt;
        if (!command.interpreter.empty() && !word.starts_with('-')) {
            command.script = word;
            return fs::path(word).extension() == ".py" ? std::optional(command) : std::nullopt;
        }
        command.interpreter.push_back(word);
    }
    return std::nullopt;
}

/// Of a rank, as far as it matters for imports: the variables of the sweep, and Sweepscope's own modules.
std::map<std::string, std::string> variablesOf(const sweep::SweepSpec &spec, const fs::path &baseFolder,
                                               const fs::path &pythonPath)
{
    std::map<std::string, std::string> variables = spec.run.environment;
    if (!spec.run.environmentFile.empty()) {
        if (auto read = launch::readEnvironmentFile(baseFolder / spec.run.environmentFile))
            variables.merge(*read);
    }
    const auto given = variables.find("PYTHONPATH");
    const char *inherited = std::getenv("PYTHONPATH");
    std::string path = given != variables.end() ? given->second : inherited != nullptr ? inherited : "";
    if (!pythonPath.empty())
        path += (path.empty() ? "" : ":") + pythonPath.string();
    variables["PYTHONPATH"] = path;
    return variables;
}

}  // namespace

std::optional<sweep::Problem> missingImport(const sweep::SweepSpec &spec, const fs::path &baseFolder,
                                            const fs::path &pythonPath)
{
    const auto varies = [](const std::string &text) { return text.find('{') != std::string::npos; };
    if (spec.run.worker != sweep::WorkerKind::Command || varies(spec.run.workingFolder))
        return std::nullopt;
    const std::optional<PythonCommand> command = pythonCommand(spec.run.command);
    const std::map<std::string, std::string> variables = variablesOf(spec, baseFolder, pythonPath);
    for (const auto &[name, value] : variables) {
        if (name.find("PATH") != std::string::npos && varies(value))
            return std::nullopt;
    }
    if (!command)
        return std::nullopt;
    LineProgram::Wanted wanted{
        {"env"}, baseFolder / spec.run.workingFolder, variables};  // env searches the sweep's PATH
    wanted.command.insert(wanted.command.end(), command->interpreter.begin(), command->interpreter.end());
    wanted.command.insert(wanted.command.end(), {"-c", importCheck, command->script});
    Expected<LineProgram> program = LineProgram::start(wanted);
    if (!program)
        return std::nullopt;
    const std::atomic<bool> neverCancelled{false};
    const Expected<std::string> line = program->read(answerLimit, neverCancelled);
    const std::size_t tab = line ? line->find('\t') : std::string::npos;
    if (tab == std::string::npos)
        return std::nullopt;
    const std::string module = line->substr(0, tab);
    return sweep::Problem{"run.command", line->substr(tab + 1) + " has no module named '" + module + "', which "
                                             + command->script + " imports: install " + module
                                             + " for it, or begin the command with another Python"};
}

}  // namespace sweepscope::engine
