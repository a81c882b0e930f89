#include "completion.h"

#include "completionplace.h"
#include "exitcode.h"
#include "storedsweeps.h"
#include "sweepselection.h"

#include "base/workspacelayout.h"
#include "remote/machines.h"
#include "sweep/keys.h"

#include <algorithm>
#include <cctype>
#include <iostream>

namespace sweepscope::ctl {

namespace {

void offer(const std::string &candidate, std::string description = {})
{
    std::replace(description.begin(), description.end(), '\n', ' ');
    std::cout << candidate << '\t' << description << '\n';
}

void offerOptions(const CLI::App &command)
{
    for (const CLI::Option *option : command.get_options()) {
        if (!option->get_lnames().empty())
            offer("--" + option->get_lnames().front(), option->get_description());
    }
}

void offerSweeps(const StoredSweeps &stored)
{
    const std::vector<sweep::SweepRecord> &sweeps = stored.sweeps();
    for (const sweep::SweepRecord &sweep : sweeps) {
        const auto sharesName = [&](const sweep::SweepRecord &other) { return other.name == sweep.name; };
        const bool isUnique = std::count_if(sweeps.begin(), sweeps.end(), sharesName) == 1;
        offer(isUnique ? sweep.name : sweep.folder, std::string(sweep::toString(sweep.state)));
    }
}

void offerTrials(const StoredSweeps &stored, const std::string &words)
{
    const auto selected = selectSweep(stored.sweeps(), words, Wanted::Any);
    if (!selected)
        return;
    const auto trials = stored.trials((*selected)->id);
    if (!trials)
        return;
    for (const sweep::TrialRecord &trial : *trials)
        offer(std::to_string(trial.number), std::string(sweep::toString(trial.state)));
}

void offerChoices(const std::string &choices)
{
    for (std::size_t begin = 0; begin <= choices.size();) {
        const std::size_t end = std::min(choices.find('|', begin), choices.size());
        offer(choices.substr(begin, end - begin));
        begin = end + 1;
    }
}

void offerMachines(const CompletionPlace &place)
{
    const auto machines = remote::readMachines(WorkspaceLayout{place.workspace}.machinesFile());
    if (!machines)
        return;
    for (const remote::Machine &machine : *machines)
        offer(machine.name, toString(machine.ssh));
}

void offerValues(const CompletionPlace &place)
{
    const std::string &value = place.value;
    const auto is = [&](const char *name) { return value == name; };
    if (is("FILE") || is("FILE|SWEEP"))
        std::cout << ":files\n";
    if (is("DIR") || is("FOLDER"))
        std::cout << ":folders\n";
    if (is("KEY")) {
        for (const sweep::Key &key : sweep::keys())
            offer(key.path(), key.description);
    }
    if (is("MACHINE") || (is("NAME") && place.option.empty()))
        offerMachines(place);
    if (value.find('|') != std::string::npos && std::islower(static_cast<unsigned char>(value.front())) != 0)
        offerChoices(value);
    const bool isTrial = is("TRIAL") || (is("N") && (place.option == "--trial" || place.option == "--from"));
    if (!isTrial && !is("SWEEP") && !is("FILE|SWEEP"))
        return;
    if (const auto stored = StoredSweeps::open(place.workspace))
        isTrial ? offerTrials(*stored, place.sweep) : offerSweeps(*stored);
}

}  // namespace

int printCompletions(const CLI::App &app, const std::vector<std::string> &words)
{
    const CompletionPlace place = completionPlace(app, words);
    if (place.isOption) {
        offerOptions(*place.command);
        return good;
    }
    if (place.option.empty()) {
        for (const CLI::App *command : place.command->get_subcommands([](const CLI::App *) { return true; }))
            offer(command->get_name(), command->get_description());
    }
    offerValues(place);
    return good;
}

}  // namespace sweepscope::ctl
