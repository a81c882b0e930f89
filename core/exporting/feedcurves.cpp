#include "exporting/feedcurves.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace sweepscope::exporting {

namespace {

/// The same series may be declared again under another id (a later writer of the same feed): the name is what counts.
class IdsByName : public feed::RecordVisitor {
public:
    void series(const feed::SeriesDeclaration &declaration) final
    {
        m_curveOfId.insert_or_assign(declaration.id, curveOf(declaration.name));
    }

protected:
    virtual std::size_t curveOf(const std::string &name) = 0;
    /// Points of undeclared series are not handed out by the reader.
    std::size_t curveOf(std::uint16_t id) const { return m_curveOfId.at(id); }

private:
    std::unordered_map<std::uint16_t, std::size_t> m_curveOfId;
};

}  // namespace

class FeedCurves::Scanner final : public IdsByName {
public:
    explicit Scanner(FeedCurves &owner) : m_owner(owner) {}
    void point(const feed::Point &point) override
    {
        ++m_owner.m_curves[curveOf(point.series)].points;
        m_owner.m_lastStep = std::max(m_owner.m_lastStep, point.step);
    }
    void gap(const feed::Gap &gap) override { m_owner.m_gaps.push_back(gap); }

protected:
    using IdsByName::curveOf;
    std::size_t curveOf(const std::string &name) override
    {
        const auto [known, isNew] = m_owner.m_indexByName.emplace(name, m_owner.m_curves.size());
        if (isNew)
            m_owner.m_curves.push_back({name, 0});
        return known->second;
    }

private:
    FeedCurves &m_owner;
};

/// Keeps the points of the curves [first, last), at most the number that the scan saw; hands the points of a single one
/// out immediately.
class FeedCurves::Collector final : public IdsByName {
public:
    Collector(const FeedCurves &owner, std::size_t first, std::size_t last, const PointSink &sink,
              std::function<bool()> shouldContinue)
        : m_owner(owner),
          m_curves(owner.m_curves),
          m_first(first),
          m_last(last),
          m_sink(sink),
          m_shouldContinue(std::move(shouldContinue)),
          m_kept(last - first)
    {
        for (std::size_t i = first; i < last; ++i)
            m_wanted.push_back(owner.isWanted(m_curves[i]));
    }

    void point(const feed::Point &point) override
    {
        const std::size_t curve = curveOf(point.series);
        if (curve < m_first || curve >= m_last || !m_wanted[curve - m_first])
            return;
        if (m_last - m_first == 1) {
            if (m_emitted < m_curves[curve].points)
                emitPoint(curve, point);
        } else if (m_kept[curve - m_first].size() < m_curves[curve].points) {
            m_kept[curve - m_first].push_back(point);
        }
    }

    void emitKept()
    {
        for (std::size_t i = 0; i < m_kept.size(); ++i) {
            for (const feed::Point &point : m_kept[i])
                emitPoint(m_first + i, point);
        }
    }
    bool isStopped() const { return m_isStopped; }

protected:
    using IdsByName::curveOf;
    std::size_t curveOf(const std::string &name) override { return m_owner.indexOf(name); }

private:
    /// Millions of points take seconds, so this checks in between whether the export was cancelled.
    void emitPoint(std::size_t curve, const feed::Point &point)
    {
        constexpr std::uint64_t pointsBetween = 1 << 14;
        if (m_isStopped)
            return;
        m_sink(m_curves[curve], point);
        m_isStopped = ++m_emitted % pointsBetween == 0 && !m_shouldContinue();
    }

    const FeedCurves &m_owner;
    const std::vector<Curve> &m_curves;
    std::size_t m_first;
    std::size_t m_last;
    const PointSink &m_sink;
    std::function<bool()> m_shouldContinue;
    std::vector<std::vector<feed::Point>> m_kept;
    std::vector<bool> m_wanted;
    std::uint64_t m_emitted = 0;
    bool m_isStopped = false;
};

FeedCurves::FeedCurves(std::filesystem::path logPath, std::filesystem::path ringPath, std::uint64_t budgetPoints)
    : m_logPath(std::move(logPath)), m_ringPath(std::move(ringPath)), m_budgetPoints(budgetPoints)
{}

std::size_t FeedCurves::indexOf(const std::string &name) const
{
    const auto known = m_indexByName.find(name);
    return known != m_indexByName.end() ? known->second : m_curves.size();
}

bool FeedCurves::pass(feed::RecordVisitor &visitor, const Progress &progress, std::uint64_t upTo)
{
    feed::FeedReader reader(m_logPath, m_ringPath);
    while (reader.offset() < upTo) {
        const auto polled = reader.poll(visitor);
        if (!polled)
            m_damage = polled.error().message;
        else if (reader.damage() && m_damage.empty())
            m_damage = reader.damage()->message;
        if (!polled || *polled == 0)
            break;
        const double share =
            m_scannedBytes > 0 ? static_cast<double>(reader.offset()) / static_cast<double>(m_scannedBytes) : 0.0;
        if (!progress(std::min(1.0, share)))
            return false;
    }
    m_scannedBytes = std::max(m_scannedBytes, reader.offset());
    return true;
}

bool FeedCurves::scan(const Progress &progress)
{
    Scanner scanner(*this);
    const bool wentOn = pass(scanner, progress, std::numeric_limits<std::uint64_t>::max());
    noteCut();
    return wentOn;
}

void FeedCurves::scanUpTo(std::uint64_t bytes)
{
    Scanner scanner(*this);
    pass(
        scanner, [](double) { return true; }, bytes);
}

/// Half a record at the end of a log is completed from the ring; where there is none any more, it never will be.
void FeedCurves::noteCut()
{
    std::error_code error;
    if (!m_damage.empty() || std::filesystem::exists(m_ringPath, error))
        return;
    const std::uintmax_t size = std::filesystem::file_size(m_logPath, error);
    if (!error && size > m_scannedBytes)
        m_damage = m_logPath.string() + " ends within a record, after " + std::to_string(m_scannedBytes)
                   + " complete bytes: it was truncated";
}

bool FeedCurves::read(const PointSink &sink, const Progress &progress)
{
    const auto kept = [this](const Curve &curve) { return isWanted(curve) ? curve.points : 0; };
    std::size_t first = 0;
    while (first < m_curves.size()) {
        std::size_t last = first;
        std::uint64_t points = 0;
        while (last < m_curves.size() && (last == first || points + kept(m_curves[last]) <= m_budgetPoints))
            points += kept(m_curves[last++]);
        double done = static_cast<double>(first) / static_cast<double>(m_curves.size());
        Collector collector(*this, first, last, sink, [&] { return progress(done); });
        const double before = static_cast<double>(first) / static_cast<double>(m_curves.size());
        const double part = static_cast<double>(last - first) / static_cast<double>(m_curves.size());
        if (!pass(
                collector,
                [&](double share) {
                    done = before + part * share;
                    return !collector.isStopped() && progress(done);
                },
                m_scannedBytes))
            return false;
        collector.emitKept();
        if (collector.isStopped())
            return false;
        first = last;
    }
    return true;
}

}  // namespace sweepscope::exporting
