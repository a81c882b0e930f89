#include "sweepselection.h"

#include "sweepwords.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sweepscope::ctl {

namespace {

using Candidates = std::vector<const sweep::SweepRecord *>;

/// Accepts "3", and "0003" as in the folder's name.
std::optional<std::int64_t> toId(const std::string &words)
{
    std::int64_t id = 0;
    const auto [end, code] = std::from_chars(words.data(), words.data() + words.size(), id);
    return code == std::errc() && end == words.data() + words.size() ? std::optional(id) : std::nullopt;
}

std::string sweepsInWords(const std::vector<sweep::SweepRecord> &sweeps)
{
    constexpr std::size_t most = 10;
    std::string words;
    for (std::size_t i = sweeps.size() > most ? sweeps.size() - most : 0; i < sweeps.size(); ++i)
        words += (words.empty() ? "" : ", ") + sweeps[i].folder;
    if (words.empty())
        return "this workspace has no sweeps";
    return (sweeps.size() > most ? "the most recent are: " : "there are: ") + words;
}

std::string listOf(const Candidates &candidates)
{
    std::string lines;
    for (const sweep::SweepRecord *sweep : candidates)
        lines += "\n  " + std::to_string(sweep->id) + "  " + sweep->folder + "  started "
                 + localTimeInWords(sweep->created) + "  " + sweep::toString(sweep->state);
    return lines;
}

}  // namespace

void addSweepOption(CLI::App &command, std::string &words)
{
    command.add_option("SWEEP", words, "Id, name or folder of the sweep, as listed by sweepctl status")
        ->required()
        ->type_name("");
}

void addSweepsOption(CLI::App &command, std::vector<std::string> &words, const std::string &note)
{
    command.add_option("SWEEP", words, "Ids, names or folders of sweeps, as listed by sweepctl status" + note)
        ->required()
        ->expected(-1)
        ->type_name("");
}

Expected<const sweep::SweepRecord *> selectSweep(const std::vector<sweep::SweepRecord> &sweeps,
                                                 const std::string &words, Wanted wanted)
{
    const std::optional<std::int64_t> id = toId(words);
    Candidates named;
    for (const sweep::SweepRecord &sweep : sweeps) {
        if (sweep.id == id || sweep.folder == words)
            return &sweep;
        if (sweep.name == words)
            named.push_back(&sweep);
    }
    if (named.empty())
        return makeError(ErrorCode::BadInput, "there is no sweep '" + words + "'; " + sweepsInWords(sweeps));
    const auto hasEnded = [](const sweep::SweepRecord *sweep) { return sweep->ended.has_value(); };
    if (wanted == Wanted::NotEnded && !std::all_of(named.begin(), named.end(), hasEnded))
        std::erase_if(named, hasEnded);
    if (named.size() == 1)
        return named.front();
    return makeError(ErrorCode::BadInput, std::to_string(named.size()) + " sweeps are named '" + words
                                              + "'; use the id of one of them:" + listOf(named));
}

Expected<std::vector<const sweep::SweepRecord *>> selectSweeps(const std::vector<sweep::SweepRecord> &sweeps,
                                                               const std::vector<std::string> &words)
{
    Candidates selected;
    for (const std::string &each : words) {
        const Expected<const sweep::SweepRecord *> found = selectSweep(sweeps, each, Wanted::Any);
        if (!found)
            return tl::unexpected(found.error());
        if (std::ranges::find(selected, *found) == selected.end())
            selected.push_back(*found);
    }
    return selected;
}

}  // namespace sweepscope::ctl
