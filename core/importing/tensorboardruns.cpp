#include "importing/tensorboardruns.h"

#include "base/files.h"
#include "importing/listedvalues.h"
#include "output/eventstream.h"
#include "sweep/searchspace.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace sweepscope::importing {

namespace {

using output::EventScalar;
using output::EventSession;
using output::EventSessionEnd;
using output::EventStream;
using sweep::Dimension;
using sweep::DimensionKind;
using sweep::ParameterValue;

constexpr std::size_t mostEventFiles = 100'000;

/// Folders that frameworks make for the phases of a run.
constexpr std::array<std::string_view, 8> phaseFolders{"train",      "training", "val",  "valid",
                                                       "validation", "test",     "eval", "evaluation"};

/// A folder with event files.
struct EventFolder {
    std::filesystem::path path;  ///< below the folder of all runs; empty: that folder
    std::vector<std::filesystem::path> files;
    std::set<std::string> series;
    std::optional<EventSession> session;
    std::optional<EventSessionEnd> end;
    WallNs first = 0;  ///< times of scalars; 0: unknown
    WallNs last = 0;

    bool isRun() const { return session || !series.empty(); }
};

/// What becomes one trial.
struct ImportedRun {
    std::filesystem::path path;
    /// With the text that precedes the names of the series.
    std::vector<std::pair<EventFolder, std::string>> parts;

    WallNs begin() const
    {
        WallNs begin = 0;
        for (const auto &[folder, prefix] : parts) {
            const WallNs own = folder.session && folder.session->started ? *folder.session->started : folder.first;
            if (own != 0 && (begin == 0 || own < begin))
                begin = own;
        }
        return begin;
    }
};

Expected<void> readEvents(const std::filesystem::path &path, EventStream::Sink sink)
{
    constexpr std::size_t chunkBytes = 256 * 1024;
    const Expected<FileDescriptor> file = openRegularFile(path, O_RDONLY, Links::Follow);
    if (!file)
        return tl::unexpected(file.error());
    EventStream stream(std::move(sink));
    std::vector<char> buffer(chunkBytes);
    for (;;) {
        const ssize_t got = ::read(file->get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeErrnoError("cannot read the file", errno);
        if (got == 0)
            return {};
        if (Expected<void> added = stream.add({buffer.data(), static_cast<std::size_t>(got)}); !added)
            return added;
    }
}

bool isEventFile(const std::filesystem::directory_entry &entry)
{
    std::error_code error;
    return entry.path().filename().string().find("tfevents") != std::string::npos && entry.is_regular_file(error);
}

/// By path.
Expected<std::map<std::filesystem::path, EventFolder>> findEventFiles(const std::filesystem::path &root)
{
    std::map<std::filesystem::path, EventFolder> folders;
    std::size_t count = 0;
    std::error_code error;
    std::filesystem::recursive_directory_iterator entry(
        root, std::filesystem::directory_options::skip_permission_denied, error);
    if (error)
        return makeErrnoError("cannot read the folder " + root.string(), error.value());
    for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
        if (!isEventFile(*entry))
            continue;
        if (++count > mostEventFiles)
            return makeError(ErrorCode::BadInput,
                             "has more than " + std::to_string(mostEventFiles) + " event files: name a folder in it");
        std::filesystem::path path = entry->path().parent_path().lexically_relative(root);
        if (path == ".")
            path.clear();
        EventFolder &folder = folders[path];
        folder.path = path;
        folder.files.push_back(entry->path());
    }
    if (error)
        return makeErrnoError("cannot read the folder " + root.string(), error.value());
    for (auto &[path, folder] : folders)
        std::ranges::sort(folder.files);
    return folders;
}

/// Reads all but the values.
void surveyFolder(EventFolder &folder, std::vector<std::string> &metrics, std::vector<std::string> &notes)
{
    EventStream::Sink sink;
    sink.scalar = [&folder](const EventScalar &scalar) {
        folder.series.insert(scalar.tag);
        if (scalar.time == 0)
            return;
        folder.first = folder.first == 0 ? scalar.time : std::min(folder.first, scalar.time);
        folder.last = std::max(folder.last, scalar.time);
    };
    sink.sessionStart = [&folder](const EventSession &session) { folder.session = session; };
    sink.sessionEnd = [&folder](const EventSessionEnd &end) { folder.end = end; };
    sink.metrics = [&metrics](const std::vector<std::string> &tags) { metrics = tags; };
    for (const std::filesystem::path &file : folder.files) {
        if (const Expected<void> read = readEvents(file, sink); !read)
            notes.push_back(file.string() + ": " + read.error().message + ".");
    }
}

bool isPhase(const std::filesystem::path &path)
{
    return std::ranges::find(phaseFolders, path.filename().string()) != phaseFolders.end();
}

using EventFolders = std::map<std::filesystem::path, EventFolder>;

/// The nearest folder around `path` that is a run; nullptr if there is none.
const EventFolder *runAround(const EventFolders &folders, const std::filesystem::path &path)
{
    for (std::filesystem::path around = path; !around.empty();) {
        around = around.parent_path();
        const auto found = folders.find(around);
        if (found != folders.end() && found->second.isRun())
            return &found->second;
    }
    return nullptr;
}

/// The folder whose trial has the curves of this folder.
std::filesystem::path trialFolderOf(const EventFolders &folders, const EventFolder &folder)
{
    const EventFolder *around = runAround(folders, folder.path);
    const bool isWithinRun = around != nullptr && !around->path.empty();
    if (isPhase(folder.path) && !folder.session && !isWithinRun)
        return folder.path.parent_path();
    if (around == nullptr)
        return folder.path;
    if (folder.session) {
        const auto sessions = std::ranges::count_if(folders, [&](const auto &other) {
            return other.second.session && runAround(folders, other.first) == around;
        });
        if (around->session || sessions > 1)
            return folder.path;
    } else if (around->path.empty()) {
        return folder.path;  // scalars next to the folders of runs do not make these parts of one run
    }
    return trialFolderOf(folders, *around);
}

std::vector<ImportedRun> runsOf(EventFolders folders)
{
    std::map<std::filesystem::path, ImportedRun> runs;
    std::map<std::filesystem::path, std::filesystem::path> trialFolders;
    for (const auto &[path, folder] : folders) {
        if (folder.isRun())
            trialFolders[path] = trialFolderOf(folders, folder);
    }
    for (const auto &[path, trialFolder] : trialFolders) {
        EventFolder &folder = folders.at(path);
        ImportedRun &run = runs[trialFolder];
        run.path = trialFolder;
        const std::string name =
            path == trialFolder || folder.session
                ? std::string()
                : (trialFolder.empty() ? path : path.lexically_relative(trialFolder)).string() + '/';
        run.parts.emplace_back(std::move(folder), name);
    }
    std::vector<ImportedRun> sorted;
    for (auto &[path, run] : runs)
        sorted.push_back(std::move(run));
    std::ranges::stable_sort(sorted, {}, &ImportedRun::begin);
    return sorted;
}

StudyCurves curvesOfRun(const ImportedRun &run)
{
    StudyCurves curves;
    for (const auto &[folder, prefix] : run.parts) {
        for (const std::filesystem::path &file : folder.files) {
            StudyCurves more;
            EventStream::Sink sink;
            sink.scalar = [&more, &name = prefix](const EventScalar &scalar) {
                more[name + scalar.tag].push_back({scalar.step, scalar.time, scalar.value});
            };
            (void)readEvents(file, sink);  // damage was noted before
            for (auto &[name, points] : more) {
                std::vector<StudyPoint> &curve = curves[name];
                const std::int64_t first = std::ranges::min(points, {}, &StudyPoint::step).step;
                std::erase_if(curve, [first](const StudyPoint &point) { return point.step >= first; });
                curve.insert(curve.end(), points.begin(), points.end());
            }
        }
    }
    return curves;
}

ParameterValue parameterOf(const std::variant<double, bool, std::string> &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag;
    const double number = std::get<double>(value);
    if (!std::isfinite(number))
        return std::string(std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    return number;
}

/// Hyperparameters of each trial, by the name in the event files.
using TrialValues = std::vector<std::map<std::string, ParameterValue>>;

/// Names of all parameters. If a sweep cannot have as many, those that differ come first.
std::vector<std::string> parameterNamesIn(const TrialValues &trials, std::vector<std::string> &notes)
{
    std::vector<std::string> varying;
    std::vector<std::string> constant;
    std::set<std::string> names;
    for (const auto &values : trials) {
        for (const auto &[name, value] : values)
            names.insert(name);
    }
    for (const std::string &name : names) {
        const auto first = trials.front().find(name);
        const bool isConstant = first != trials.front().end() && std::ranges::all_of(trials, [&](const auto &values) {
                                    const auto found = values.find(name);
                                    return found != values.end() && found->second == first->second;
                                });
        (isConstant ? constant : varying).push_back(name);
    }
    if (names.size() <= sweep::maxDimensions)
        return {names.begin(), names.end()};
    varying.insert(varying.end(), constant.begin(), constant.end());
    varying.resize(sweep::maxDimensions);
    notes.push_back("A sweep has at most " + std::to_string(sweep::maxDimensions)
                    + " parameters: " + std::to_string(names.size() - varying.size()) + " were left out.");
    return varying;
}

/// The values of one parameter, by trial. All are numbers in event files: if all are integers, so is the parameter.
void useIntegers(std::map<std::size_t, ParameterValue> &values)
{
    const auto isWhole = [](const auto &entry) {
        const double *number = std::get_if<double>(&entry.second);
        return number != nullptr && std::trunc(*number) == *number && std::fabs(*number) <= sweep::largestExactInteger;
    };
    if (!std::ranges::all_of(values, isWhole))
        return;
    for (auto &[trial, value] : values)
        value = static_cast<std::int64_t>(std::get<double>(value));
}

void addParameters(Study &study, const TrialValues &trials)
{
    ParameterNames taken;
    for (const std::string &original : parameterNamesIn(trials, study.notes)) {
        const std::string name = taken.nameFor(original);
        if (name != original)
            study.notes.push_back("The parameter " + original + " is called " + name + ".");
        std::map<std::size_t, ParameterValue> values;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (const auto found = trials[i].find(original); found != trials[i].end())
                values.emplace(i, found->second);
        }
        useIntegers(values);
        std::vector<ParameterValue> listed;
        for (const auto &[trial, value] : values)
            listed.push_back(value);
        study.space.push_back(dimensionOfValues(name, listed));
        const auto isString = [](const ParameterValue &value) { return std::holds_alternative<std::string>(value); };
        const bool areStrings = std::ranges::any_of(study.space.back().values, isString);
        if (areStrings && !std::ranges::all_of(listed, isString))
            study.notes.push_back("The values of " + name + " are strings.");
        for (const auto &[trial, value] : values)
            study.trials[trial].parameters.emplace_back(name,
                                                        areStrings ? ParameterValue(sweep::toText(value)) : value);
    }
}

bool hasWord(const std::string &name, std::string_view word)
{
    const auto equal = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(name.begin(), name.end(), word.begin(), word.end(), equal) != name.end();
}

template <std::size_t count>
bool hasAnyWord(const std::string &name, const std::array<std::string_view, count> &words)
{
    return std::ranges::any_of(words, [&name](std::string_view word) { return hasWord(name, word); });
}

constexpr std::array<std::string_view, 15> growingWords{"acc",   "auc",       "f1",     "bleu",   "rouge",
                                                        "score", "precision", "recall", "reward", "return",
                                                        "iou",   "map",       "psnr",   "ssim",   "success"};
constexpr std::array<std::string_view, 5> fallingWords{"loss", "error", "perplexity", "nll", "mse"};

}  // namespace

sweep::Goal likelyGoal(const std::string &objective)
{
    return hasAnyWord(objective, growingWords) && !hasAnyWord(objective, fallingWords) ? sweep::Goal::Maximize
                                                                                       : sweep::Goal::Minimize;
}

std::string likelyObjective(const std::map<std::string, std::size_t> &series, std::size_t trials)
{
    constexpr std::array<std::string_view, 3> heldOut{"val", "eval", "test"};
    std::string best;
    int bestScore = 0;
    std::size_t bestCount = 0;
    for (const auto &[name, count] : series) {
        const int quality = hasWord(name, "loss")                                              ? 2
                            : hasAnyWord(name, growingWords) || hasAnyWord(name, fallingWords) ? 1
                                                                                               : 0;
        // A training that failed early has no evaluation.
        const int score = quality == 0 || 2 * count < trials ? 0 : quality + (hasAnyWord(name, heldOut) ? 2 : 0);
        if (score > bestScore || (score == bestScore && score > 0 && count > bestCount)) {
            best = name;
            bestScore = score;
            bestCount = count;
        }
    }
    return best.empty() && series.size() == 1 ? series.begin()->first : best;
}

Expected<Study> readRuns(const std::filesystem::path &folder, const RunsChoice &choice)
{
    const std::filesystem::path root = std::filesystem::absolute(folder).lexically_normal();
    Expected<EventFolders> folders = findEventFiles(root);
    if (!folders)
        return tl::unexpected(folders.error());
    Study study;
    study.name = (root.has_filename() ? root : root.parent_path()).filename().string();
    study.origin = "Runs with event files of TensorBoard.";
    study.failure = "Failed according to its event files";
    std::vector<std::string> metrics;
    for (auto &[path, each] : *folders)
        surveyFolder(each, metrics, study.notes);
    const std::vector<ImportedRun> runs = runsOf(*std::move(folders));
    std::map<std::string, std::size_t> series;
    TrialValues values;
    bool hasParameters = false;
    for (const ImportedRun &run : runs) {
        StudyTrial &trial = study.trials.emplace_back();
        trial.state = StudyState::Complete;
        trial.mark.note = run.path.empty() ? study.name : run.path.string();
        auto &own = values.emplace_back();
        std::set<std::string> names;
        const WallNs begin = run.begin();
        WallNs last = begin;
        for (const auto &[part, prefix] : run.parts) {
            for (const std::string &name : part.series)
                names.insert(prefix + name);
            if (part.session) {
                for (const auto &[name, value] : part.session->parameters)
                    own.insert_or_assign(name, parameterOf(value));
            }
            if (part.end && part.end->hasFailed)
                trial.state = StudyState::Fail;
            last = std::max({last, part.last, part.end ? part.end->ended.value_or(0) : 0});
        }
        if (begin > 0) {
            trial.started = begin;
            trial.completed = last;
        }
        for (const std::string &name : names)
            ++series[name];
        hasParameters = hasParameters || !own.empty();
    }
    if (series.empty())
        return makeError(ErrorCode::NotFound, "has no event files with scalars");
    if (!hasParameters) {
        for (std::size_t i = 0; i < runs.size(); ++i)
            values[i]["run"] = study.trials[i].mark.note;
    }
    addParameters(study, values);

    std::string objective = choice.objective;
    const auto isKnown = [&series](const std::string &name) { return series.contains(name); };
    if (!objective.empty() && !isKnown(objective))
        return makeError(ErrorCode::NotFound, "has no series '" + objective + "'");
    // Lightning reports hp_metric, whose only value is -1, if there is no other.
    if (const auto named = std::ranges::find_if(
            metrics, [&](const std::string &name) { return name != "hp_metric" && isKnown(name); });
        objective.empty() && named != metrics.end())
        objective = *named;
    if (objective.empty())
        objective = likelyObjective(series, runs.size());
    if (objective.empty()) {
        std::string names;
        constexpr std::size_t mostNamed = 10;
        for (auto each = series.begin(); each != series.end() && std::distance(series.begin(), each) < int{mostNamed};
             ++each)
            names += (names.empty() ? "" : ", ") + each->first;
        return makeError(ErrorCode::BadInput,
                         "has no series that is an objective by its name: choose one with --objective: " + names
                             + (series.size() > mostNamed ? ", ..." : ""));
    }
    study.objectives.push_back({objective, choice.goal.value_or(likelyGoal(objective))});
    study.curvesOf = [runs](std::size_t trial) { return curvesOfRun(runs[trial]); };
    return study;
}

}  // namespace sweepscope::importing
