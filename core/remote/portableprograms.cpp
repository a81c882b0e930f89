#include "remote/portableprograms.h"

#include "base/folderentries.h"
#include "base/printable.h"

#include <QCryptographicHash>
#include <QFile>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <sstream>
#include <unistd.h>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view mark = "sweepscope-landing 1";
constexpr std::size_t digitsOfVersion = 16;
constexpr std::chrono::milliseconds versionLimit = 30s;
constexpr std::chrono::milliseconds uploadLimit = 10min;
constexpr std::int64_t mostRoom = std::int64_t{1} << 60U;

Expected<void> bring(const Ssh &ssh, const std::string &folder, const PortableProgram &program)
{
    QFile file(QString::fromStdString(program.file.string()));
    if (!file.open(QIODevice::ReadOnly))
        return makeError(ErrorCode::Io, program.file.string() + " cannot be read");
    // A file system may have no hard links.
    const std::string part = "sweepscope-node.part-" + std::to_string(::getpid());
    const std::string script = "cd " + shellWord(folder) + " && cat > " + part + " && [ \"$(sha256sum < " + part
                               + " | cut -c1-64)\" = " + program.sha256 + " ] && chmod 700 " + part + " && mv -f "
                               + part + " sweepscope-node && { ln -f sweepscope-node sweepscope-agent 2>/dev/null || "
                               + "cp -f sweepscope-node sweepscope-agent; } || { rm -f " + part + "; exit 9; }";
    const Expected<Ssh::Output> sent = ssh.run(inShell(script), file.readAll(), uploadLimit);
    if (!sent)
        return tl::unexpected(sent.error());
    if (sent->exitCode == 0)
        return {};
    const std::string why = sshMessage(sent->errors);
    return makeError(ErrorCode::Io, "sweepscope-node could not be written to " + folder + " on "
                                        + toString(ssh.target()) + (why.empty() ? std::string() : ": " + why));
}

}  // namespace

std::string hashOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex().toStdString();
}

Expected<PortablePrograms> portablePrograms(const std::filesystem::path &shareFolder)
{
    PortablePrograms all;
    for (const auto &architecture : entriesOf(shareFolder / "portable")) {
        const std::filesystem::path program = architecture.path() / "sweepscope-node";
        QFile file(QString::fromStdString(program.string()));
        if (file.open(QIODevice::ReadOnly))
            all[architecture.path().filename().string()] = {program, hashOf(file.readAll())};
    }
    if (all.empty())
        return makeError(ErrorCode::NotFound,
                         (shareFolder / "portable").string()
                             + " has no programs for other machines: this build does not include them");
    return all;
}

std::string versionOf(const PortableProgram &program)
{
    return program.sha256.substr(0, digitsOfVersion);
}

/// Folders of versions that were not used for 30 days are removed: programs that still run from one are not disturbed.
std::string landingScript(const PortablePrograms &programs, const std::string &folder)
{
    std::string script = "umask 077\necho '" + std::string(mark) + "'\nuname -sm\n";
    if (folder.empty())
        script += "base=${XDG_DATA_HOME:-$HOME/.local/share}/sweepscope\n";
    else if (folder == "~" || folder.starts_with("~/"))
        script += "base=$HOME" + shellWord(folder.substr(1)) + "\n";
    else
        script += "cd && base=" + shellWord(folder) + "\n";
    script += "case $(uname -m) in\n";
    for (const auto &[architecture, program] : programs)
        script += shellWord(architecture) + ") version=" + versionOf(program) + " ;;\n";
    script +=
        "*) exit 0 ;;\nesac\n"
        "mkdir -p \"$base/programs/$version\" \"$base/work\" && cd \"$base/programs/$version\" && touch . || exit 3\n"
        "find .. -mindepth 1 -maxdepth 1 -type d -mtime +30 ! -name $version -exec rm -rf {} + 2>/dev/null\n"
        "for old in $(find ../../code ../../python -mindepth 1 -maxdepth 1 -type d -mtime +30 2>/dev/null); do\n"
        "    chmod -R u+w \"$old\" && rm -rf \"$old\"\n"
        "done\n"
        "pwd\ncd ../../work && pwd && df -Pk . | tail -n 1\ncd - >/dev/null\n"
        "for file in sweepscope-agent sweepscope-node; do\n"
        "    if [ -x $file ]; then sha256sum < $file; else echo missing; fi\n"
        "done\n";
    return script;
}

Expected<Landing> landingIn(const std::string &output, const PortablePrograms &programs)
{
    std::istringstream lines(output);
    std::string line;
    while (std::getline(lines, line) && line != mark) {
    }
    Landing landing;
    std::string space;
    if (!std::getline(lines, landing.system))
        return makeError(ErrorCode::Unsupported,
                         "its shell did not run the script, and printed: " + printable(output.substr(0, 200)));
    landing.system = printable(landing.system.substr(0, 100));
    landing.architecture = landing.system.substr(landing.system.find(' ') + 1);
    const auto program = programs.find(landing.architecture);
    if (!landing.system.starts_with("Linux ") || program == programs.end())
        return makeError(ErrorCode::Unsupported,
                         "it runs " + landing.system + ", for which Sweepscope has no programs");
    if (!std::getline(lines, landing.folder) || !std::getline(lines, landing.work) || !std::getline(lines, space)
        || !landing.folder.starts_with('/') || !landing.work.starts_with('/'))
        return makeError(ErrorCode::Io, "no folder could be created there");
    std::istringstream words(space);
    std::string word;
    for (int i = 0; i < 4; ++i)
        words >> word;  // file system, size, used, free; in KiB
    std::int64_t kibibytes = 0;
    std::from_chars(word.data(), word.data() + word.size(), kibibytes);
    landing.room = std::clamp<std::int64_t>(kibibytes, 0, mostRoom / 1024) * 1024;
    for (int name = 0; name < 2; ++name) {
        if (!std::getline(lines, line) || !line.starts_with(program->second.sha256))
            landing.isMissing = true;
    }
    return landing;
}

Expected<std::int64_t> bringPrograms(const Ssh &ssh, const Landing &landing, const PortablePrograms &programs)
{
    std::int64_t bytes = 0;
    if (landing.isMissing) {
        const PortableProgram &program = programs.at(landing.architecture);
        if (const Expected<void> brought = bring(ssh, landing.folder, program); !brought)
            return tl::unexpected(brought.error());
        bytes = QFile(QString::fromStdString(program.file.string())).size();
    }
    const Expected<Ssh::Output> ran =
        ssh.run(inShell(shellWord(landing.folder) + "/sweepscope-node --version"), {}, versionLimit);
    if (!ran)
        return tl::unexpected(ran.error());
    if (ran->exitCode == 126)
        return makeError(ErrorCode::NotPermitted,
                         landing.folder + " is mounted noexec, so no program can run there: choose another folder");
    if (ran->exitCode != 0)
        return makeError(ErrorCode::Unsupported, "sweepscope-node does not run there: " + sshMessage(ran->errors));
    return bytes;
}

}  // namespace sweepscope::remote
