#pragma once

#include "analysis/trialvalues.h"
#include "search/firstpoints.h"
#include "ui/models/newestjob.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// The first points of a search that has not begun.
struct PointPreview {
    search::FirstPoints first;
    std::vector<std::string> names;               ///< of all parameters
    std::vector<analysis::Parameter> parameters;  ///< those that vary, with a value per point
    std::uint64_t trials = 0;                     ///< of the sweep; 0 if it has no limit
};

inline constexpr int mostPreviewedPoints = 20;

/// At most mostPreviewedPoints. `spec` must be valid; once `cancelled` is set it returns what it has.
PointPreview previewPoints(const sweep::SweepSpec &spec, const std::atomic<bool> &cancelled);

/// Calculates the first points of a search off the GUI thread. Only the newest request is answered.
class PointPreviewer : public QObject {
    Q_OBJECT

public:
    explicit PointPreviewer(QObject *parent = nullptr);
    ~PointPreviewer() override;

    void request(const sweep::SweepSpec &spec);
    /// Discards the preview and cancels requests.
    void drop();
    /// Of the newest request; null until it is ready.
    const PointPreview *preview() const { return m_job.isPending() ? nullptr : m_preview.get(); }

Q_SIGNALS:
    void previewed();

private:
    void cancel();

    NewestJob m_job;
    std::shared_ptr<std::atomic<bool>> m_cancelled;  ///< of the newest request
    std::optional<sweep::SweepSpec> m_spec;
    std::shared_ptr<const PointPreview> m_preview;
};

}  // namespace sweepscope::ui
