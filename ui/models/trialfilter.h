#pragma once

#include "ui/models/trialtablemodel.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// What a person types above the trials table. All words must fit a row:
///   adam            a part of any cell's text, whatever its case
///   lr<0.01         a parameter, or trial, best, last, seconds, attempts, or the objective's name: compared as a
///   number optimizer=adam  compared as text where it is none; also !=, <=, >=
class TrialFilter {
public:
    TrialFilter() = default;
    explicit TrialFilter(const QString &text);

    bool isEmpty() const { return m_words.isEmpty() && m_comparisons.empty(); }
    bool accepts(const TrialTableModel &model, int row) const;

private:
    enum class Operator { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Comparison {
        QString name;
        Operator op;
        QString text;
        std::optional<double> number;
        QString word;  ///< as typed: what it is when no column has this name
    };

    static std::optional<Comparison> comparison(const QString &word);
    static bool fits(const QVariant &value, const Comparison &comparison);
    static int sectionOf(const TrialTableModel &model, const QString &name);
    static bool contains(const TrialTableModel &model, int row, const QString &word);

    QStringList m_words;
    std::vector<Comparison> m_comparisons;
};

}  // namespace sweepscope::ui
