#pragma once

#include <QAbstractEventDispatcher>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <ctime>
#include <vector>

namespace sweepscope::bench {

/// Measures how long the window's thread was busy for each repaint of the plots.
class FrameClock : public QObject {
public:
    explicit FrameClock(QWidget *watched)
    {
        watched->installEventFilter(this);
        const auto *dispatcher = QAbstractEventDispatcher::instance();
        connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] { m_woken = now(); });
        connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
            const Times slept = now();
            m_busy.wall += slept.wall - m_woken.wall;
            m_busy.cpu += slept.cpu - m_woken.cpu;
            m_woken = slept;
            if (!m_painted)
                return;
            m_wall.push_back(m_busy.wall * 1e-6);
            m_cpu.push_back(m_busy.cpu * 1e-6);
            m_busy = {};
            m_painted = false;
        });
    }

    void clear()
    {
        m_wall.clear();
        m_cpu.clear();
        m_busy = {};
    }
    std::size_t count() const { return m_wall.size(); }
    double wall(double share) const { return percentile(m_wall, share); }
    double cpu(double share) const { return percentile(m_cpu, share); }

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        m_painted = m_painted || event->type() == QEvent::Paint;
        return false;
    }

private:
    struct Times {
        double wall = 0;  ///< nanoseconds
        double cpu = 0;
    };
    static Times now()
    {
        const auto read = [](clockid_t clock) {
            timespec time{};
            ::clock_gettime(clock, &time);
            return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
        };
        return {read(CLOCK_MONOTONIC), read(CLOCK_THREAD_CPUTIME_ID)};
    }
    static double percentile(std::vector<double> sorted, double share)
    {
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }

    Times m_woken = now();
    Times m_busy;  ///< since the last frame
    bool m_painted = false;
    std::vector<double> m_wall;
    std::vector<double> m_cpu;
};

}  // namespace sweepscope::bench
