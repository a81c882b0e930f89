#pragma once

#include <QPushButton>
#include <QString>

#include <map>
#include <set>
#include <vector>

class QMenu;

namespace sweepscope::ui {

/// A button whose menu chooses the sweeps that a sweep is compared with. Until the user chooses, these are the newest. The
/// choices are kept for each sweep as long as the window exists.
class ComparedSweeps : public QPushButton {
    Q_OBJECT

public:
    struct Sweep {
        qint64 id = 0;
        QString name;
        bool operator==(const Sweep &) const = default;
    };
    explicit ComparedSweeps(QWidget *parent = nullptr);

    /// Offers these sweeps, the newest first, for the comparison with `sweepId`.
    void offer(qint64 sweepId, std::vector<Sweep> sweeps);
    bool isChosen(qint64 sweepId) const;

    static constexpr std::size_t mostByDefault = 5;

Q_SIGNALS:
    void chosenChanged();

private:
    std::set<qint64> chosen() const;
    void choose(qint64 sweepId, bool on);
    void fillMenu();

    QMenu *m_menu;
    qint64 m_sweepId = 0;
    std::vector<Sweep> m_offered;
    std::map<qint64, std::set<qint64>> m_choices;  ///< of the sweeps for which the user has chosen
};

}  // namespace sweepscope::ui
