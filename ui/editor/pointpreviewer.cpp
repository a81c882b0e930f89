#include "ui/editor/pointpreviewer.h"

#include "sweep/searchspace.h"

namespace sweepscope::ui {
using namespace std::chrono_literals;

PointPreview previewPoints(const sweep::SweepSpec &spec, const std::atomic<bool> &cancelled)
{
    PointPreview preview;
    preview.trials = spec.trials;
    for (const sweep::Dimension &dimension : spec.space)
        preview.names.push_back(dimension.name);
    const auto space = sweep::SearchSpace::compile(spec);
    if (!space)
        return preview;
    preview.first = search::firstPoints(spec, *space, mostPreviewedPoints, cancelled);
    std::vector<const sweep::ParameterSet *> points;
    for (const sweep::ParameterSet &point : preview.first.points)
        points.push_back(&point);
    preview.parameters = analysis::parametersOf(spec, preview.names, points);
    return preview;
}

PointPreviewer::PointPreviewer(QObject *parent)
    : QObject(parent), m_job(50ms, this), m_cancelled(std::make_shared<std::atomic<bool>>(false))
{}

PointPreviewer::~PointPreviewer()
{
    cancel();
}

void PointPreviewer::request(const sweep::SweepSpec &spec)
{
    if (m_spec == spec)
        return;
    cancel();
    m_spec = spec;
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_job.request([this, spec, cancelled = m_cancelled]() -> std::function<void()> {
        return [this, preview = std::make_shared<const PointPreview>(previewPoints(spec, *cancelled))] {
            m_preview = preview;
            Q_EMIT previewed();
        };
    });
}

void PointPreviewer::drop()
{
    cancel();
    m_spec.reset();
    m_preview.reset();
    m_job.drop();
}

void PointPreviewer::cancel()
{
    m_cancelled->store(true, std::memory_order_relaxed);  // relaxed: the flag protects no other data
}

}  // namespace sweepscope::ui
