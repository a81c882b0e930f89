#pragma once

#include "exporting/reportedrun.h"
#include "exporting/sweepexport.h"
#include "ui/exporting/pagelayout.h"

#include <QLocale>
#include <QPageSize>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// The paper that is usual there: US Letter or A4.
QPageSize::PageSizeId paperOf(const QLocale &locale);

struct PdfPages {
    PageLayout layout;
    std::string damage{};  ///< of feeds, whose readable part is in the report; empty: none
};

/// The report on a sweep: summary and best trial, curves of the objective, importance of parameters, the best
/// trials, failures by cause, findings, code and environment of `run`, and the definition. Secrets are masked. May be
/// called by any thread. nullopt: stopped by `progress`.
std::optional<PdfPages> pdfPages(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<sweep::TrialRecord> &trials,
                                 const std::optional<exporting::ReportedRun> &run, const sweep::CostFactors &factors,
                                 const exporting::Progress &progress, QPageSize::PageSizeId paper);

/// Writes these pages. Corrupt: a feed is damaged, and its readable part was written. Unavailable: stopped by `progress`.
Expected<void> writePdfReport(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const std::optional<exporting::ReportedRun> &run, const sweep::CostFactors &factors,
                              const exporting::Progress &progress, QPageSize::PageSizeId paper);

}  // namespace sweepscope::ui
