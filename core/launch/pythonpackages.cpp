#include "launch/pythonpackages.h"

#include "base/files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fcntl.h>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace sweepscope::launch {

namespace {

namespace fs = std::filesystem;
using Variables = std::map<std::string, std::string>;

constexpr std::size_t mostEntries = 20'000;  ///< of a folder
constexpr std::size_t mostOfFirstLine = 256;
constexpr std::uint64_t mostOfSettings = 64 * 1024;

std::string valueIn(const Variables &environment, const std::string &name)
{
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

std::vector<std::string> partsOf(const std::string &list)
{
    std::vector<std::string> parts;
    std::istringstream stream(list);
    for (std::string part; std::getline(stream, part, ':');) {
        if (!part.empty())
            parts.push_back(part);
    }
    return parts;
}

/// Finds a program as a shell does; empty if there is none.
fs::path programInPath(const std::string &name, const fs::path &folder, const Variables &environment)
{
    const auto isProgram = [](const fs::path &path) { return ::access(path.c_str(), X_OK) == 0; };
    if (name.find('/') != std::string::npos)
        return isProgram(folder / name) ? (folder / name).lexically_normal() : fs::path();
    for (const std::string &part : partsOf(valueIn(environment, "PATH"))) {
        if (isProgram(folder / part / name))
            return (folder / part / name).lexically_normal();
    }
    return {};
}

std::string firstWordOf(const fs::path &file)
{
    std::istringstream content(readFile(file, mostOfSettings).value_or(std::string()));
    std::string word;
    content >> word;
    return word;
}

/// The program behind a shim of pyenv, which is a script that starts the version of the folder.
fs::path behindShim(const fs::path &program, fs::path folder, const Variables &environment)
{
    if (program.parent_path().filename() != "shims")
        return program;
    const fs::path root = program.parent_path().parent_path();
    std::string version = valueIn(environment, "PYENV_VERSION");
    for (; version.empty() && folder.has_relative_path(); folder = folder.parent_path())
        version = firstWordOf(folder / ".python-version");
    if (version.empty())
        version = firstWordOf(root / "version");
    const fs::path real = root / "versions" / version / "bin" / program.filename();
    return !version.empty() && ::access(real.c_str(), X_OK) == 0 ? real : program;
}

fs::path programOf(const std::string &name, const fs::path &folder, const Variables &environment)
{
    return behindShim(programInPath(name, folder, environment), folder, environment);
}

/// "python", "python3.11", "pypy3"
bool isPython(const fs::path &program)
{
    const std::string name = program.filename().string();
    for (const std::string_view start : {"python", "pypy"}) {
        if (name.starts_with(start) && name.find_first_not_of("0123456789.t", start.size()) == std::string::npos)
            return true;
    }
    return false;
}

/// The words after "#!"; empty if the file does not begin so.
std::vector<std::string> firstLine(const fs::path &file)
{
    std::array<char, mostOfFirstLine> bytes{};
    const auto open = openRegularFile(file, O_RDONLY, Links::Follow);
    const ssize_t got = open ? ::read(open->get(), bytes.data(), bytes.size()) : 0;
    const std::string_view text(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (!text.starts_with("#!"))
        return {};
    std::istringstream words{std::string(text.substr(2, text.find('\n') - 2))};
    std::vector<std::string> result;
    for (std::string word; words >> word;)
        result.push_back(word);
    return result;
}

/// Of the environment that is active in the user's shell, else the first in PATH.
fs::path activePython(const fs::path &folder, const Variables &environment)
{
    for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const std::string prefix = valueIn(environment, name);
        if (const fs::path python =
                prefix.empty() ? fs::path() : programOf(prefix + "/bin/python", folder, environment);
            !python.empty())
            return python;
    }
    const fs::path python = programOf("python", folder, environment);
    return python.empty() ? programOf("python3", folder, environment) : python;
}

/// The name of PEP 503: equal for all spellings.
std::string normalized(std::string_view name)
{
    std::string result;
    for (const char letter : name) {
        const bool isSeparator = letter == '-' || letter == '_' || letter == '.';
        if (!isSeparator)
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        else if (!result.ends_with('-'))
            result += '-';
    }
    return result;
}

std::vector<std::string> namesIn(const fs::path &folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end && names.size() < mostEntries;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// From names such as "numpy-1.26.4.dist-info" and "PyYAML-6.0-py3.11.egg-info".
void addPackages(const fs::path &folder, std::map<std::string, std::string> &packages)
{
    for (const std::string &name : namesIn(folder)) {
        std::string_view stem = name;
        const bool isEgg = stem.ends_with(".egg-info");
        // pip renames what it removes to "~umpy-1.26.4.dist-info".
        if ((!isEgg && !stem.ends_with(".dist-info")) || stem.starts_with('~'))
            continue;
        stem = stem.substr(0, stem.rfind('.'));
        const std::size_t dash = stem.find('-');
        std::string_view version = dash == std::string_view::npos ? std::string_view() : stem.substr(dash + 1);
        if (isEgg)
            version = version.substr(0, version.find("-py"));
        packages.emplace(normalized(stem.substr(0, dash)), version);
    }
}

/// From names such as "cudatoolkit-11.8.0-h4ba93d1_13.json".
void addCondaPackages(const fs::path &prefix, std::map<std::string, std::string> &packages)
{
    for (const std::string &name : namesIn(prefix / "conda-meta")) {
        if (!name.ends_with(".json"))
            continue;
        const std::string stem = name.substr(0, name.size() - 5);
        const std::size_t build = stem.rfind('-');
        const std::size_t version = build == std::string::npos || build == 0 ? build : stem.rfind('-', build - 1);
        if (version != std::string::npos && version != 0 && version != build)
            packages.emplace(stem.substr(0, version),
                             stem.substr(version + 1, build - version - 1) + " " + stem.substr(build + 1));
    }
}

/// pyvenv.cfg of a virtual environment.
struct VirtualEnvironment {
    fs::path prefix;
    fs::path home;  ///< the folder of the interpreter that made it
    bool seesSystem = false;
};

std::optional<VirtualEnvironment> virtualEnvironmentOf(const fs::path &interpreter)
{
    const fs::path prefix = interpreter.parent_path().parent_path();
    const Expected<std::string> settings = readFile(prefix / "pyvenv.cfg", mostOfSettings);
    if (!settings)
        return std::nullopt;
    VirtualEnvironment found{prefix, {}};
    std::istringstream lines(*settings);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        std::string equals;
        std::string value;
        words >> name >> equals;
        std::getline(words >> std::ws, value);
        if (name == "home")
            found.home = value;
        else if (name == "include-system-site-packages")
            found.seesSystem = value.starts_with("true");
    }
    return found;
}

/// "python3.11", from the name of the program or the only such folder; empty if unknown.
std::string libraryOf(const fs::path &program, const fs::path &prefix)
{
    if (const std::string name = program.filename().string(); name.find('.') != std::string::npos)
        return name;
    std::string only;
    for (const std::string &name : namesIn(prefix / "lib")) {
        if (!name.starts_with("python3.") && !name.starts_with("pypy3."))
            continue;
        if (!only.empty())
            return {};
        only = name;
    }
    return only;
}

void addFolders(const fs::path &prefix, const std::string &library, std::vector<fs::path> &folders)
{
    const bool isSystem = prefix == "/usr";  // Debian installs to /usr/local, and shares packages of all versions
    if (isSystem)
        folders.push_back(fs::path("/usr/local/lib") / library / "dist-packages");
    for (const char *lib : {"lib", "lib64"})
        folders.push_back(prefix / lib / library / "site-packages");
    if (isSystem)
        folders.emplace_back("/usr/lib/python3/dist-packages");
}

}  // namespace

fs::path pythonOf(const std::vector<std::string> &command, const fs::path &folder, const Variables &environment)
{
    if (command.empty())
        return {};
    const fs::path program = programOf(command.front(), folder, environment);
    const std::string name = fs::path(command.front()).filename().string();
    if (program.empty() || isPython(name))
        return program;
    if (name == "uv") {
        const fs::path python = programOf("./.venv/bin/python", folder, environment);
        return python.empty() ? activePython(folder, environment) : python;
    }
    // "env python train.py", "conda run python train.py"
    constexpr std::array<std::string_view, 9> starters{"env",  "conda", "mamba", "micromamba", "sh",
                                                       "bash", "dash",  "zsh",   "poetry"};
    const auto pythonAmong = [&](const std::vector<std::string> &words) {
        const auto word =
            std::find_if(words.begin(), words.end(), [](const std::string &each) { return isPython(each); });
        const fs::path found = word == words.end() ? fs::path() : programOf(*word, folder, environment);
        return found.empty() ? activePython(folder, environment) : found;
    };
    if (std::find(starters.begin(), starters.end(), name) != starters.end())
        return pythonAmong(command);
    const std::vector<std::string> line = firstLine(program);
    return line.empty() ? fs::path() : pythonAmong(line);
}

PythonPackages packagesOf(const fs::path &interpreter, const Variables &environment)
{
    PythonPackages packages;
    if (interpreter.empty())
        return packages;
    std::vector<fs::path> folders;
    for (const std::string &part : partsOf(valueIn(environment, "PYTHONPATH")))
        folders.emplace_back(part);
    std::error_code error;
    const fs::path program = fs::canonical(interpreter, error);
    const auto environmentHere = virtualEnvironmentOf(interpreter);
    const fs::path base = environmentHere && !environmentHere->home.empty() ? environmentHere->home.parent_path()
                                                                            : program.parent_path().parent_path();
    if (environmentHere) {
        addFolders(environmentHere->prefix, libraryOf(program, environmentHere->prefix), folders);
    }
    if (!environmentHere || environmentHere->seesSystem) {
        const std::string library = libraryOf(program, base);
        if (const std::string home = valueIn(environment, "HOME");
            !home.empty() && valueIn(environment, "PYTHONNOUSERSITE").empty())
            folders.push_back(fs::path(home) / ".local/lib" / library / "site-packages");
        addFolders(base, library, folders);
    }
    for (const fs::path &folder : folders)
        addPackages(folder, packages.ofPython);
    addCondaPackages(environmentHere ? environmentHere->prefix : base, packages.ofConda);
    return packages;
}

}  // namespace sweepscope::launch
