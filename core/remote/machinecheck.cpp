#include "remote/machinecheck.h"

#include "base/clock.h"
#include "base/printable.h"
#include "launch/untrustedjson.h"
#include "remote/nodelink.h"
#include "wording/sentence.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds landingLimit = 30s;
constexpr std::chrono::seconds importLimit = 120s;  ///< torch, from a cold file server
constexpr std::chrono::milliseconds answerLimit = 20s;
constexpr std::int64_t littleRoom = std::int64_t{2} << 30U;
constexpr std::int64_t muchOffset = 1'000'000'000;  // ns
constexpr int pings = 8;

/// The last line that it prints is JSON.
constexpr std::string_view pythonScript = R"(
import json, platform
found = {"python": platform.python_version()}
try:
    import torch
    found["torch"] = torch.__version__
    found["cuda"] = torch.version.cuda
    found["gpus"] = torch.cuda.device_count()
    if torch.cuda.is_available():
        found["nccl"] = ".".join(map(str, torch.cuda.nccl.version()))
except Exception as error:
    found["error"] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
)";

std::string inGibibytes(std::int64_t bytes)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g GiB", static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
    return text.data();
}

/// "0.3 ms", "165 ms", "1.7 s"
std::string timeText(std::int64_t nanoseconds)
{
    constexpr std::int64_t whole = 10'000'000;
    if (nanoseconds >= whole)
        return wording::duration(static_cast<double>(nanoseconds) * 1e-9);
    return wording::number(std::round(static_cast<double>(nanoseconds) * 1e-5) / 10) + " ms";
}

/// As programs of OpenSSH take it on a command line.
std::string wordsOf(const SshTarget &target)
{
    return (target.port != 0 ? "-p " + std::to_string(target.port) + " " : std::string()) + target.destination;
}

/// Times of one exchange of pings, as in NTP: the machine's clock minus ours, and how wrong that may be.
struct ClockOffset {
    std::int64_t offset = 0;
    std::int64_t error = 0;
};

class Check {
public:
    Check(const Machine &machine, Questions questions, const PortablePrograms &programs,
          const std::function<void(const CheckRow &)> &report)
        : m_machine(machine), m_programs(programs), m_report(report), m_ssh(machine.ssh, questions)
    {}

    bool run()
    {
        if (!connect() || !land() || !openNode())
            return false;
        const bool runs = startAttempt();
        checkDevices();
        checkRoom();
        checkClock();
        checkData();
        const bool hasPython = checkPython();
        return runs && hasPython;
    }

private:
    bool bad(const std::string &subject, const std::string &text, const std::string &remedy,
             const std::string &setting = {})
    {
        m_report({subject, Finding::Bad, text, remedy, setting});
        return false;
    }
    void good(const std::string &subject, const std::string &text) { m_report({subject, Finding::Good, text}); }

    bool connect()
    {
        QElapsedTimer elapsed;
        elapsed.start();
        if (const Expected<void> connected = m_ssh.connect(); !connected)
            return bad("ssh", connected.error().message, sshRemedy(connected.error().message, m_machine.ssh));
        good("ssh", "connected in " + timeText(elapsed.nsecsElapsed()));
        return true;
    }

    bool land()
    {
        const auto output = m_ssh.runScript(landingScript(m_programs, m_machine.folder), landingLimit);
        const Expected<Landing> landing =
            output ? landingIn(output->output.toStdString(), m_programs) : tl::unexpected(output.error());
        if (!landing) {
            const std::string why = output ? sshMessage(output->errors) : std::string();
            return bad("programs", landing.error().message + (why.empty() ? "" : ": " + why),
                       "choose a folder that you can write to", "folder");
        }
        m_landing = *landing;
        const Expected<std::int64_t> brought = bringPrograms(m_ssh, m_landing, m_programs);
        if (!brought)
            return bad("programs", brought.error().message, "choose another folder", "folder");
        const std::int64_t mebibytes = *brought / (1024 * 1024);
        good("programs",
             m_landing.folder + (*brought > 0 ? ", copied " + std::to_string(mebibytes) + " MiB" : ", already there"));
        return true;
    }

    bool openNode()
    {
        auto link = NodeLink::open(m_ssh, m_landing.folder, m_landing.work);
        if (!link)
            return bad("node process", link.error().message,
                       "to see why, run: ssh " + wordsOf(m_machine.ssh) + " " + m_landing.folder
                           + "/sweepscope-node --version");
        m_link = std::move(*link);
        const node::Welcome &welcome = m_link->welcome();
        good("machine", printable(welcome.host) + ", " + m_landing.system + ", " + std::to_string(welcome.cpus)
                            + " CPUs, " + inGibibytes(welcome.memory) + " of memory");
        return true;
    }

    /// Of a command that does nothing.
    bool startAttempt()
    {
        const std::string folder = "check/" + std::to_string(wallNow());
        const nlohmann::json launch{
            {"version", 1}, {"attempt_id", folder}, {"argv", {"true"}}, {"ranks", 1}, {"working_folder", "/"}};
        QElapsedTimer elapsed;
        elapsed.start();
        const auto started =
            m_link->ask(node::Start{0, folder, folder, {{"launch.json", launch.dump()}}, {}}, answerLimit);
        if (!started)
            return bad("agent", started.error().message, {});
        m_link->send(node::Credit{1'000'000});
        m_link->send(node::Follow{folder, {}, started->process});
        while (elapsed.elapsed() < answerLimit.count()) {
            const auto parcel = m_link->next(1s);
            if (!parcel)
                return bad("agent", parcel.error().message, {});
            const auto *life = *parcel ? std::get_if<node::Life>(&(*parcel)->message) : nullptr;
            if (life != nullptr && !life->runs) {
                good("agent", "ran an attempt in " + timeText(elapsed.nsecsElapsed()));
                static_cast<void>(m_ssh.runScript("cd " + shellWord(m_landing.work) + " && rm -rf " + shellWord(folder)
                                                      + "; rmdir check 2>/dev/null",
                                                  landingLimit));
                return true;
            }
        }
        return bad("agent", "the test attempt did not finish", {});
    }

    void checkDevices()
    {
        m_link->send(node::Sample{true});
        QElapsedTimer elapsed;
        elapsed.start();
        while (elapsed.elapsed() < answerLimit.count()) {
            const auto parcel = m_link->next(1s);
            if (!parcel)
                break;
            if (const auto *machine = *parcel ? std::get_if<node::Machine>(&(*parcel)->message) : nullptr) {
                m_link->send(node::Sample{false});
                return reportDevices(*machine);
            }
        }
        m_report({"GPUs", Finding::Warning, "nvidia-smi does not answer",
                  "to see why, run: ssh " + wordsOf(m_machine.ssh) + " nvidia-smi"});
    }

    void reportDevices(const node::Machine &machine)
    {
        std::map<std::string, int> counts;
        std::set<std::string> leased;
        for (const node::MachineDevice &device : machine.devices) {
            if (device.kind != "gpu")
                continue;
            ++m_gpus;
            ++counts[printable(device.name) + (device.memory > 0 ? ", " + inGibibytes(device.memory) : "")
                     + (device.simulated ? ", simulated" : "")];
            if (machine.leases.contains(device.id))
                leased.insert(device.id);
        }
        if (counts.empty())
            return m_report({"GPUs", Finding::Warning, "none: " + printable(machine.note),
                             "trials can use its CPUs: devices.kind = \"cpu\""});
        std::string text;
        for (const auto &[name, count] : counts)
            text += (text.empty() ? "" : "; ") + std::to_string(count) + " x " + name;
        if (!leased.empty())
            text += "; " + std::to_string(leased.size()) + " used by other sweeps";
        good("GPUs", text);
    }

    void checkRoom()
    {
        const auto [room, total] = m_link->welcome().disk;  // with the programs there
        if (total <= 0)
            return m_report({"disk", Finding::Warning, "the free space in " + m_landing.work + " is unknown", {}});
        const std::string text = inGibibytes(room) + " free in " + m_landing.work;
        if (room < littleRoom)
            m_report({"disk", Finding::Warning, text, "free some space there, or choose another folder", "folder"});
        else
            good("disk", text);
    }

    void checkClock()
    {
        std::optional<ClockOffset> best;
        for (int i = 0; i < pings; ++i) {
            m_link->send(node::Ping{wallNow()});
            const auto parcel = m_link->next(answerLimit);
            const WallNs now = wallNow();
            const auto *pong = parcel && *parcel ? std::get_if<node::Pong>(&(*parcel)->message) : nullptr;
            if (pong == nullptr)
                continue;
            const std::int64_t away = (now - pong->sent) - (pong->answered - pong->received);
            const ClockOffset found{((pong->received - pong->sent) + (pong->answered - now)) / 2, away / 2};
            if (!best || found.error < best->error)
                best = found;
        }
        if (!best)
            return m_report({"clock", Finding::Warning, "unknown: no ping was answered", {}});
        const std::string difference =
            timeText(std::abs(best->offset)) + (best->offset < 0 ? " behind" : " ahead") + " of this one";
        const std::string text = std::abs(best->offset) <= best->error ? "same as here, ± " + timeText(best->error)
                                                                       : difference + ", ± " + timeText(best->error);
        if (std::abs(best->offset) > muchOffset)
            m_report({"clock", Finding::Warning, text,
                      "synchronize both clocks; on most systems: sudo timedatectl set-ntp true"});
        else
            good("clock", text);
    }

    /// Trials find these paths in their environment as they are written, so the shell must not replace anything in them.
    void checkData()
    {
        for (const auto &[name, path] : m_machine.data) {
            const auto found = m_ssh.runScript("cd / && test -r " + shellWord(path), answerLimit);
            if (!found)
                return m_report({"data", Finding::Warning, found.error().message, {}});
            m_report(dataRow(name, path, found->exitCode == 0));
        }
    }

    bool checkPython()
    {
        const std::string command = setupScript(m_machine) + "exec " + inContainer(m_machine) + m_machine.python
                                    + " -c " + shellWord(std::string(pythonScript));
        const auto output = m_ssh.runScript(inLoginShell(command, importLimit), importLimit + answerLimit);
        if (output && output->exitCode == setupTimedOut)
            return bad("Python",
                       (m_machine.setup.empty() ? "importing torch" : "the setup commands with `import torch`")
                           + std::string(" did not finish within ") + std::to_string(importLimit.count()) + " s",
                       "correct the commands that set up the environment", "setup");
        if (!output)
            return bad("Python", output.error().message, "correct the commands that set up the environment", "setup");
        const CheckRow row = pythonRow(output->output.toStdString(), sshMessage(output->errors), m_machine, m_gpus);
        m_report(row);
        return row.finding != Finding::Bad;
    }

    const Machine &m_machine;
    const PortablePrograms &m_programs;
    const std::function<void(const CheckRow &)> &m_report;
    Ssh m_ssh;
    Landing m_landing;
    std::unique_ptr<NodeLink> m_link;
    int m_gpus = 0;
};

}  // namespace

std::string sshRemedy(const std::string &message, const SshTarget &target)
{
    const auto says = [&message](std::string_view words) { return message.find(words) != std::string::npos; };
    if (says("HOST IDENTIFICATION HAS CHANGED"))
        return "if the machine was reinstalled, remove its old key as ssh says above; otherwise do not connect";
    if (says("Host key verification failed"))
        return "connect once to check and accept its key: ssh " + wordsOf(target);
    if (says("Permission denied"))
        return "allow your key there: ssh-copy-id " + wordsOf(target);
    if (says("Could not resolve hostname"))
        return "correct the address, or name the host in ~/.ssh/config";
    return "check that the machine runs and that sshd answers: ssh " + wordsOf(target);
}

CheckRow dataRow(const std::string &name, const std::string &path, bool isReadable)
{
    const std::string text = name + ": " + printable(path);
    if (path.empty() || path.front() != '/')
        return {"data", Finding::Warning, text + " is not an absolute path", "write the full path", "data"};
    if (!isReadable)
        return {"data", Finding::Warning, text + " does not exist there or cannot be read",
                "copy the data there, or correct the path", "data"};
    return {"data", Finding::Good, text};
}

CheckRow pythonRow(const std::string &output, const std::string &errors, const Machine &machine, int gpus)
{
    const std::size_t end = output.find_last_not_of("\r\n");
    const std::string whole = output.substr(0, end == std::string::npos ? 0 : end + 1);
    const std::size_t line = whole.rfind('\n');
    const nlohmann::json found = launch::parseUntrustedJson(std::string_view(whole).substr(line + 1));
    const auto text = [&found](const char *key) {
        const auto value = found.is_object() ? found.find(key) : found.end();
        return found.is_object() && value != found.end() && value->is_string() ? printable(value->get<std::string>())
                                                                               : std::string();
    };
    if (text("python").empty())
        return {"Python", Finding::Bad,
                "'" + machine.python + "' does not run" + (machine.container.empty() ? "" : " in the container")
                    + (machine.setup.empty() ? "" : " after the setup commands")
                    + (errors.empty() ? "" : ": " + errors),
                "set up an environment that has it, such as source ~/venv/bin/activate", "setup"};
    CheckRow row{"Python", Finding::Good, text("python")};
    if (const std::string error = text("error"); !error.empty()) {
        row.finding = Finding::Warning;
        row.text += ", without torch: " + error;
        if (!machine.setup.empty() && !errors.empty())
            row.text += "; the setup printed: " + errors;
        row.remedy = "set up an environment that has it, such as source ~/venv/bin/activate";
        row.setting = "setup";
        return row;
    }
    row.text += ", torch " + text("torch");
    row.text += text("cuda").empty() ? " for CPUs" : ", CUDA " + text("cuda");
    if (!text("nccl").empty())
        row.text += ", NCCL " + text("nccl");
    const auto seen = found.find("gpus");
    const int visible = seen != found.end() && seen->is_number_integer() ? seen->get<int>() : 0;
    if (gpus > 0 && visible == 0) {
        row.finding = Finding::Warning;
        row.text += ", which sees no GPU";
        row.remedy = "install a torch for the CUDA version that nvidia-smi shows there";
    }
    return row;
}

bool checkMachine(const Machine &machine, Questions questions, const PortablePrograms &programs,
                  const std::function<void(const CheckRow &)> &report)
{
    return Check(machine, questions, programs, report).run();
}

}  // namespace sweepscope::remote
