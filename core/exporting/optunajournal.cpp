#include "exporting/optunajournal.h"

#include "exporting/optunastudy.h"
#include "exporting/outputfile.h"

namespace sweepscope::exporting {

Expected<void> exportOptuna(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                            const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                            const Progress &progress, std::uint64_t mostPoints)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    OptunaStudy study(workspace, sweep, trials, mostPoints);
    output->stream() << study.lines();
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const auto report = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(trials.size()));
        };
        const auto line = report(0) ? study.lineOf(trials[i], report) : std::nullopt;
        if (!line)
            return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
        output->stream() << *line;
    }
    return finish(*output, file, study.damage(), progress);
}

}  // namespace sweepscope::exporting
