#include "base/detachedprogram.h"

#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <spawn.h>
#include <unistd.h>

namespace sweepscope {

namespace {

/// Owns the attributes and file actions of posix_spawn.
class SpawnSettings {
public:
    explicit SpawnSettings(const DetachedProgram &wanted)
    {
        ::posix_spawn_file_actions_init(&m_actions);
        ::posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&m_actions, STDOUT_FILENO, wanted.output.c_str(),
                                           O_WRONLY | O_CREAT | O_APPEND, 0644);
        ::posix_spawn_file_actions_adddup2(&m_actions, STDOUT_FILENO, STDERR_FILENO);
        if (wanted.kept.empty())
            ::posix_spawn_file_actions_addclosefrom_np(&m_actions, STDERR_FILENO + 1);
        else  // ours are closed on exec, too; kernels before 5.11 rely on O_CLOEXEC
            ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        for (const int descriptor : wanted.kept)
            ::posix_spawn_file_actions_adddup2(&m_actions, descriptor, descriptor);  // which keeps it over exec
        if (!wanted.folder.empty())
            ::posix_spawn_file_actions_addchdir_np(&m_actions, wanted.folder.c_str());
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_init(&m_attributes);
        ::posix_spawnattr_setsigmask(&m_attributes, &none);
        ::posix_spawnattr_setsigdefault(&m_attributes, &all);
        ::posix_spawnattr_setflags(
            &m_attributes, static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    }
    ~SpawnSettings()
    {
        ::posix_spawn_file_actions_destroy(&m_actions);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnSettings(const SpawnSettings &) = delete;
    SpawnSettings &operator=(const SpawnSettings &) = delete;

    const posix_spawn_file_actions_t *actions() const { return &m_actions; }
    const posix_spawnattr_t *attributes() const { return &m_attributes; }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

}  // namespace

Expected<pid_t> startDetached(const DetachedProgram &wanted)
{
    const SpawnSettings settings(wanted);
    std::vector<std::string> words{wanted.program.string()};
    words.insert(words.end(), wanted.arguments.begin(), wanted.arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = 0;
    const int result =
        ::posix_spawn(&pid, wanted.program.c_str(), settings.actions(), settings.attributes(), argv.data(), environ);
    if (result != 0)
        return makeErrnoError("cannot start " + wanted.program.string(), result);
    return pid;
}

}  // namespace sweepscope
