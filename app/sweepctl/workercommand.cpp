#include "buildprogress.h"
#include "exitcode.h"
#include "subcommand.h"

#include "base/builtworker.h"
#include "base/childprogram.h"
#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/lineprogram.h"
#include "device/hostload.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sweepscope::ctl {

namespace {

constexpr std::chrono::seconds importLimit{120};  // a first import from a network file system
constexpr std::size_t shownBytes = 1500;

bool isOnPath(const std::string &program)
{
    const char *path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (::access((std::filesystem::path(rest.substr(0, end)) / program).c_str(), X_OK) == 0)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

/// What a build needs; any one of `programs` will do.
struct Tool {
    std::string name;
    std::vector<std::string> programs;
    std::string debian;
    std::string fedora;
};

/// Returns what is missing, and how to install it; empty if nothing is.
std::string missingTools()
{
    std::vector<Tool> tools{{"CMake", {"cmake"}, "cmake", "cmake"},
                            {"Ninja or make", {"ninja", "make"}, "make", "make"}};
    if (std::getenv("CXX") == nullptr)
        tools.push_back({"a C++ compiler", {"c++", "g++", "clang++"}, "g++", "gcc-c++"});
    std::string names;
    std::string debian;
    std::string fedora;
    for (const Tool &tool : tools) {
        if (std::ranges::any_of(tool.programs, isOnPath))
            continue;
        names += (names.empty() ? "" : ", ") + tool.name;
        debian += ' ' + tool.debian;
        fedora += ' ' + tool.fedora;
    }
    if (names.empty())
        return {};
    return "missing on this system: " + names + ". To install:\n  Debian, Ubuntu: sudo apt install" + debian
           + "\n  Fedora, RHEL:   sudo dnf install" + fedora + '\n';
}

/// Asks a Python for its PyTorch, which it does not import, because that takes seconds.
Expected<InstalledTorch> torchOf(const std::string &python)
{
    const std::atomic<bool> cancelled = false;
    Expected<LineProgram> program = LineProgram::start(
        {{python, "-c",
          "import importlib.util, sys\n"
          "spec = importlib.util.find_spec('torch')\n"
          "print(sys.executable, spec.submodule_search_locations[0] if spec else '', sep='\\n', flush=True)"},
         {}});
    if (!program)
        return tl::unexpected(program.error());
    InstalledTorch torch;
    const Expected<std::string> executable = program->read(importLimit, cancelled);
    const Expected<std::string> folder = executable ? program->read(importLimit, cancelled) : executable;
    if (!folder)
        return makeError(folder.error().code, python + ": " + folder.error().message);
    torch.python = *executable;
    torch.folder = *folder;
    torch.version = torchVersion(torch.folder);
    if (torch.version.empty())
        return makeError(ErrorCode::NotFound,
                         torch.python
                             + " has no PyTorch: activate the environment that has it, or name its "
                               "Python with --python");
    return torch;
}

/// A compiler per core, if each can have 2 GiB, which LibTorch's headers need.
unsigned int compilersFor(const std::filesystem::path &folder)
{
    constexpr double bytesEach = 2.0 * 1024 * 1024 * 1024;
    const device::HostLoad load = device::HostLoadReader(folder).read(std::chrono::steady_clock::now());
    const double available = load.memoryBytes.value_or(bytesEach) - load.memoryUsedBytes.value_or(0);
    return std::clamp(static_cast<unsigned int>(available / bytesEach), 1U,
                      std::max(1U, std::thread::hardware_concurrency()));
}

/// Rewrites one line of a terminal; elsewhere, prints every tenth percent.
class Progress {
public:
    void show(int percentage)
    {
        const int step = m_isTerminal ? 1 : 10;
        if (percentage / step == m_shown / step && m_shown >= 0)
            return;
        m_shown = percentage;
        std::cout << (m_isTerminal ? "\r" : "") << "Compiling: " << percentage << '%' << (m_isTerminal ? "" : "\n")
                  << std::flush;
    }
    ~Progress()
    {
        if (m_isTerminal && m_shown >= 0)
            std::cout << '\n';
    }

private:
    const bool m_isTerminal = ::isatty(STDOUT_FILENO) == 1;
    int m_shown = -1;
};

/// Runs a step of the build with its output in the log. Returns whether it succeeded.
Expected<bool> runStep(const std::vector<std::string> &command, const FileDescriptor &log,
                       const std::filesystem::path &logFile, Progress &progress)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return makeErrnoError("cannot create a pipe", errno);
    const FileDescriptor output(ends[0]);
    FileDescriptor written(ends[1]);
    const FileDescriptor input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const Expected<pid_t> child = startChild({command, {}, environmentWith({{"LC_ALL", "C.UTF-8"}})},
                                             {input.get(), written.get(), written.get()});
    if (!child)
        return tl::unexpected(child.error());
    written.reset();
    std::array<char, 4096> bytes{};
    std::string unread;
    Expected<void> logged;
    for (;;) {
        const ssize_t count = ::read(output.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        unread.append(bytes.data(), static_cast<std::size_t>(count));
        if (logged)
            logged = writeAll(log.get(), {bytes.data(), static_cast<std::size_t>(count)}, logFile);
        for (std::size_t end = unread.find('\n'); end != std::string::npos; end = unread.find('\n')) {
            if (const std::optional<int> percentage = buildPercentage(unread.substr(0, end)))
                progress.show(*percentage);
            unread.erase(0, end + 1);
        }
    }
    int status = 0;
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!logged)
        return tl::unexpected(logged.error());
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Returns whether the compiler succeeded.
Expected<bool> compile(const std::filesystem::path &folder, const InstalledTorch &torch, const FileDescriptor &log,
                       const std::filesystem::path &logFile)
{
    std::error_code error;
    std::filesystem::remove(folder / "CMakeCache.txt", error);  // perhaps of another PyTorch or compiler
    Progress progress;
    const Expected<bool> configured =
        runStep({"cmake", "-S", workerSources().string(), "-B", folder.string(), "-G",
                 isOnPath("ninja") ? "Ninja" : "Unix Makefiles", "-DSWEEPSCOPE_TORCH_PREFIX=" + torch.folder.string()},
                log, logFile, progress);
    if (!configured || !*configured)
        return configured;
    return runStep({"cmake", "--build", folder.string(), "--target", "sweepscope-worker", "--parallel",
                    std::to_string(compilersFor(folder))},
                   log, logFile, progress);
}

/// Starts the new worker, which shows whether all libraries that it needs are there.
Expected<void> tryWorker(const std::filesystem::path &worker)
{
    const std::atomic<bool> cancelled = false;
    Expected<LineProgram> program = LineProgram::start({{worker.string(), "--help"}, {}});
    if (!program)
        return tl::unexpected(program.error());
    if (const Expected<std::string> line = program->read(importLimit, cancelled); !line)
        return makeError(line.error().code, "the worker was compiled, but does not start: " + line.error().message);
    return {};
}

/// Puts the parts of the compiled worker where it is looked for; one that runs meanwhile keeps its file.
Expected<void> install(const std::filesystem::path &folder, const InstalledTorch &torch)
{
    namespace fs = std::filesystem;
    std::error_code error;
    fs::create_directories(folder / "share" / "sweepscope", error);
    fs::copy(shareFolder() / "data", folder / "share" / "sweepscope" / "data",
             fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
    fs::create_directory(folder / "bin", error);
    if (!error)
        fs::rename(folder / "build" / "bin" / "sweepscope-worker", folder / "bin" / "sweepscope-worker", error);
    if (error)
        return makeError(ErrorCode::Io, "cannot write to " + folder.string() + ": " + error.message());
    fs::remove_all(folder / "build", error);
    return recordTorch(folder, torch);
}

int refuse(const std::string &sentence)
{
    std::cerr << sentence << '\n';
    return badInput;
}

int build(const std::string &python)
{
    const std::filesystem::path folder = builtWorkerFolder();
    if (folder.empty())
        return refuse("this installation has no sources of the built-in worker in " + workerSources().string()
                      + "; on Debian, the worker is in the package sweepscope-worker");
    if (const std::string missing = missingTools(); !missing.empty()) {
        std::cerr << missing;
        return badInput;
    }
    const Expected<InstalledTorch> torch = torchOf(python);
    if (!torch)
        return refuse(torch.error().message);

    std::error_code error;
    std::filesystem::create_directories(folder, error);  // else the log cannot be opened
    const std::filesystem::path logFile = folder / "build.log";
    const FileDescriptor log(::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log)
        return refuse(makeErrnoError("cannot write " + logFile.string(), errno).value().message);
    if (::flock(log.get(), LOCK_EX | LOCK_NB) != 0)
        return refuse("another `sweepctl worker build` is running: " + logFile.string());
    if (::ftruncate(log.get(), 0) != 0)
        return refuse(makeErrnoError("cannot write " + logFile.string(), errno).value().message);

    std::cout << "Compiling the built-in worker for PyTorch " << torch->version << " of " << torch->python << '\n'
              << "Log: " << logFile.string() << std::endl;
    const std::filesystem::path buildFolder = folder / "build";
    const Expected<bool> succeeded = compile(buildFolder, *torch, log, logFile);
    if (!succeeded)
        return refuse(succeeded.error().message);
    if (!*succeeded)
        return refuse("The last lines of " + logFile.string() + ":\n" + readTail(logFile, shownBytes)
                      + "The worker was not compiled.");
    if (const Expected<void> works = tryWorker(buildFolder / "bin" / "sweepscope-worker"); !works)
        return refuse(works.error().message);
    if (const Expected<void> installed = install(folder, *torch); !installed)
        return refuse(installed.error().message);
    std::cout << "The built-in worker for PyTorch " << torch->version << " is "
              << (folder / "bin" / "sweepscope-worker").string() << '\n';
    return good;
}

}  // namespace

Subcommand makeWorkerCommand(CLI::App &app)
{
    auto python = std::make_shared<std::string>("python3");
    CLI::App *command = app.add_subcommand("worker", "Compile the built-in worker for your PyTorch");
    command->require_subcommand(1);
    command->footer(
        "Needs a C++ compiler (g++ 11 or newer), CMake 3.22 or newer, and Ninja or make. Takes minutes. The worker is\n"
        "stored in ~/.local/share/sweepscope/worker. Compile it again after an upgrade of PyTorch or Sweepscope.\n"
        "\n"
        "Example:\n"
        "  sweepctl worker build --python ~/venv/bin/python");
    CLI::App *building = command->add_subcommand("build", "Compile the built-in worker, which wheels do not include");
    building->add_option("--python", *python, "Python with PyTorch 2.7 or newer; default: python3");
    return {command, [python] { return build(*python); }};
}

}  // namespace sweepscope::ctl
