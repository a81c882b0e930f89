#pragma once

#include "ui/models/trialtablemodel.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// What a person types above the trials table: an expression of the language that constraints and conditions are written in
/// (docs/sweep-file.md), and words that are searched for.
///   adam                      a part of any cell's text, whatever its case; "two words" in quotes
///   lr < 0.01                 a parameter, or trial, state, best, last, step, seconds, attempts, ranks, seed, device, tag,
///                             note, star, or the objective's name; as numbers, else as strings
///   val_accuracy > 0.9        any other metric's last value; min.loss and max.loss its range; metric.step where the name
///                             means something else too
///   batch_size * ranks > 256  arithmetic and functions, and columns compared with each other
///   optimizer == SGD          as = but case counts; what is in quotes is compared as a string, even if it looks like a number
///   parameter.best > 1        always a parameter, trial.best always a column of the table: where both have a name, it means the
///                             parameter
///   lr = 1e-4..1e-2           both ends included; lr in [1e-4, 1e-2]: one of them
///   note contains "warm up"   a part of the value
///   momentum = unset          a parameter that a trial does not have, or a value that there is none of yet; != unset
///   layer = "a \"b\" \\ c"     in quotes nothing is an operator, a range or unset; between " marks \" is ", \\ is \, and
///                             \n, \t and \r are such characters; between ' marks a backslash is one
///   state = failed or lr > 1  and, or, not, parentheses; words next to each other must all match
class TrialFilter {
public:
    TrialFilter() = default;
    explicit TrialFilter(const QString &text);

    bool isEmpty() const { return m_text.trimmed().isEmpty() || !m_problem.isEmpty(); }
    /// What is wrong with the text, in sentences; then the filter is empty. Nothing: it is right. Names are checked by bind().
    const QString &problem() const { return m_problem; }
    /// Names before a comparison sign that are no column of `model`: these comparisons are looked for as text.
    QStringList unknownNames(const TrialTableModel &model) const;

    /// Looks the names up. Again when the model has other columns.
    void bind(const TrialTableModel &model);
    /// Row of the model, to which it was bound.
    bool accepts(const TrialTableModel &model, int row) const;

    /// A name or a value as an expression has it: in quotation marks where it is no plain word.
    static QString quoted(const QString &text);
    /// In quotation marks whatever it is.
    static QString quotedAlways(const QString &text);
    /// A parameter as an expression has it: with its kind before it where its name alone could mean another column.
    static QString parameterName(const QString &name);
    static QString unsetWord();
    /// What a comparison with the trials of `model` may begin with, as an expression has it.
    static QStringList names(const TrialTableModel &model);
    /// `text`, or the numbers of `trials` where the model has no column that it asks for, such as of a metric beyond the
    /// most that a table has. Numbers ascend.
    static QString sayable(const QString &text, const std::vector<int> &trials, const TrialTableModel &model);

private:
    struct Compiled;
    void compile(const TrialTableModel *model);

    QString m_text;
    std::shared_ptr<const Compiled> m_compiled;
    QString m_problem;
};

}  // namespace sweepscope::ui
