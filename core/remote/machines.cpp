#include "remote/machines.h"

#include "base/files.h"
#include "remote/ssh.h"
#include "sweep/deviceplace.h"
#include "sweep/duration.h"
#include "sweep/tomltext.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <toml++/toml.h>

namespace sweepscope::remote {

namespace {

constexpr std::uint64_t mostBytes = 1024 * 1024;

class MachineReader {
public:
    MachineReader(std::string name, std::string file) : m_where(std::move(file) + ": machine " + name)
    {
        m_machine.name = std::move(name);
    }

    Expected<Machine> read(const toml::table &table)
    {
        std::string ssh;
        for (const auto &[key, value] : table) {
            const std::string name(key.str());
            if (name == "data")
                readData(value);
            else if (name == "concurrent")
                readConcurrent(value);
            else if (name == "lost_after")
                readLostAfter(value);
            else if (name == "slurm")
                readSlurm(value);
            else if (std::string *text = fieldOf(name, ssh); text == nullptr)
                fail("has the unknown key " + name);
            else if (!value.is_string())
                fail("must have a string for " + name);
            else
                *text = value.as_string()->get();
        }
        if (m_machine.name == sweep::thisMachine && table.size() == 1 && m_machine.slurm)
            return m_machine;
        if (!sweep::isMachineName(m_machine.name))
            fail("has no valid name: use letters, digits, '-', '_' and '.'");
        const Expected<SshTarget> target = parseSshTarget(ssh);
        if (ssh.empty())
            fail("needs ssh, the address");
        else if (!target)
            fail(target.error().message);
        else
            m_machine.ssh = *target;
        if (!m_problem.empty())
            return makeError(ErrorCode::BadInput, m_problem);
        return m_machine;
    }

private:
    std::string *fieldOf(const std::string &name, std::string &ssh)
    {
        const std::array<std::pair<const char *, std::string *>, 6> fields{{{"ssh", &ssh},
                                                                            {"folder", &m_machine.folder},
                                                                            {"setup", &m_machine.setup},
                                                                            {"container", &m_machine.container},
                                                                            {"python", &m_machine.python},
                                                                            {"address", &m_machine.address}}};
        const auto found = std::ranges::find(fields, name, [](const auto &field) { return std::string(field.first); });
        return found != fields.end() ? found->second : nullptr;
    }

    void readConcurrent(const toml::node &value)
    {
        constexpr std::int64_t most = 10'000;
        const auto number = value.value_exact<std::int64_t>();
        if (!number || *number < 1 || *number > most)
            return fail("must have an integer from 1 to 10,000 for concurrent");
        m_machine.concurrent = static_cast<int>(*number);
    }

    void readLostAfter(const toml::node &value)
    {
        const auto text = value.value_exact<std::string>();
        m_machine.lostAfter = text ? sweep::parseDuration(*text) : std::nullopt;
        if (!m_machine.lostAfter || m_machine.lostAfter->count() == 0)
            fail("must have a duration such as \"2h\" for lost_after");
    }

    void readData(const toml::node &value)
    {
        const toml::table *table = value.as_table();
        if (table == nullptr)
            return fail("must have a table for data");
        for (const auto &[key, path] : *table) {
            if (path.is_string())
                m_machine.data[std::string(key.str())] = path.as_string()->get();
            else
                fail("must have strings in data");
        }
    }

    void readSlurm(const toml::node &value)
    {
        const toml::table *table = value.as_table();
        if (table == nullptr)
            return fail("must have a table for slurm");
        std::ostringstream toml;
        toml << *table;
        const Expected<slurm::Settings> settings = slurm::settingsIn(toml.str());
        if (!settings)
            return fail(settings.error().message + " in its table slurm");
        m_machine.slurm = *settings;
    }

    void fail(const std::string &what)
    {
        if (m_problem.empty())
            m_problem = m_where + " " + what;
    }

    std::string m_where;
    Machine m_machine;
    std::string m_problem;
};

}  // namespace

std::string setupScript(const Machine &machine)
{
    if (machine.setup.empty())
        return {};
    return "trap 'setup_code=$?; echo \"the setup ended its shell (exit code $setup_code)\" >&2; "
           "[ $setup_code -ne 0 ] || setup_code=1; exit $setup_code' EXIT\n"
           + machine.setup
           + "\nsetup_code=$?\ntrap - EXIT\n[ $setup_code -eq 0 ] || { echo \"the machine's setup failed with code "
             "$setup_code\" "
             ">&2; "
             "exit $setup_code; }\n";
}

std::string inContainer(const Machine &machine)
{
    return machine.container.empty() ? std::string() : machine.container + " ";
}

std::string inLoginShell(const std::string &script, std::chrono::seconds limit)
{
    return "exec $(command -v timeout >/dev/null && echo timeout -k 5 " + std::to_string(limit.count())
           + ") $(command -v bash || command -v sh) -lc " + shellWord(script);
}

Expected<std::vector<Machine>> machinesIn(const std::string &toml, const std::string &nameOfFile)
{
    if (const auto nested = sweep::nestingProblem(toml))
        return makeError(ErrorCode::BadInput, nameOfFile + ": " + nested->message);
    std::vector<Machine> machines;
    try {
        const toml::table all = toml::parse(toml);
        for (const auto &[key, value] : all) {
            const toml::table *table = value.as_table();
            if (table == nullptr)
                return makeError(ErrorCode::BadInput, nameOfFile + ": " + std::string(key.str())
                                                          + " must be a table: write [NAME] and its keys");
            Expected<Machine> machine = MachineReader(std::string(key.str()), nameOfFile).read(*table);
            if (!machine)
                return tl::unexpected(machine.error());
            machines.push_back(std::move(*machine));
        }
    } catch (const toml::parse_error &error) {
        return makeError(ErrorCode::BadInput, nameOfFile + ":" + std::to_string(error.source().begin.line) + ": "
                                                  + std::string(error.description()));
    }
    return machines;
}

std::string freeMachineName(const SshTarget &target, const std::vector<Machine> &known)
{
    std::string host = target.destination.substr(target.destination.rfind('@') + 1);
    const bool isNumber = host.find_first_not_of("0123456789.") == std::string::npos;
    if (!isNumber)
        host.resize(std::min(host.find('.'), host.size()));
    std::string name;
    for (const char c : host)
        name += sweep::isMachineName(name + c) || name + c == sweep::thisMachine ? std::string(1, c) : std::string();
    if (!sweep::isMachineName(name))
        name = "machine";
    std::string free = name;
    for (int number = 2; std::ranges::find(known, free, &Machine::name) != known.end(); ++number)
        free = name + "-" + std::to_string(number);
    return free;
}

Expected<std::vector<Machine>> readMachines(const std::filesystem::path &file)
{
    const Expected<std::string> toml = readFile(file, mostBytes);
    if (!toml && toml.error().code == ErrorCode::NotFound)
        return std::vector<Machine>();
    if (!toml)
        return tl::unexpected(toml.error());
    return machinesIn(*toml, file.string());
}

std::string toToml(const std::vector<Machine> &machines)
{
    std::string toml;
    for (const Machine &machine : machines) {
        toml += (toml.empty() ? "[" : "\n[") + sweep::tomlKey(machine.name);
        if (machine.name == sweep::thisMachine) {
            toml += ".slurm]\n" + slurm::toToml(machine.slurm.value_or(slurm::Settings()));
            continue;
        }
        toml += "]\nssh = " + sweep::tomlString(toString(machine.ssh)) + "\n";
        for (const auto &[key, value] : {std::pair("folder", machine.folder), std::pair("setup", machine.setup),
                                         std::pair("container", machine.container)}) {
            if (!value.empty())
                toml += std::string(key) + " = " + sweep::tomlString(value) + "\n";
        }
        if (machine.python != Machine().python)
            toml += "python = " + sweep::tomlString(machine.python) + "\n";
        if (!machine.address.empty())
            toml += "address = " + sweep::tomlString(machine.address) + "\n";
        if (machine.concurrent > 0)
            toml += "concurrent = " + std::to_string(machine.concurrent) + "\n";
        if (machine.lostAfter)
            toml += "lost_after = " + sweep::tomlString(sweep::toText(*machine.lostAfter)) + "\n";
        std::string data;
        for (const auto &[name, path] : machine.data)
            data += (data.empty() ? "" : ", ") + sweep::tomlKey(name) + " = " + sweep::tomlString(path);
        if (!data.empty())
            toml += "data = { " + data + " }\n";
        if (machine.slurm)
            toml += "\n[" + sweep::tomlKey(machine.name) + ".slurm]\n" + slurm::toToml(*machine.slurm);
    }
    return toml;
}

Expected<void> writeMachines(const std::filesystem::path &file, const std::vector<Machine> &machines)
{
    return writeFileAtomically(file, toToml(machines));
}

}  // namespace sweepscope::remote
