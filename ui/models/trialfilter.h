#pragma once

#include "ui/models/trialtablemodel.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The filter of the trial table: an expression in the language of constraints and conditions (docs/sweep-file.md), and
/// words to search for.
///   adam                      part of any cell's text, ignoring case; "two words" in quotes
///   lr < 0.01                 a parameter, or trial, state, best, last, step, seconds, attempts, ranks, seed, device,
///                             tag, note, star, or the objective's name; compared as numbers if possible, else as strings
///   val_accuracy > 0.9        any other metric's last value; min.loss and max.loss its range; metric.step if the name
///                             has another meaning, too
///   batch_size * ranks > 256  arithmetic, functions, and comparisons of columns
///   optimizer == SGD          like =, but case-sensitive; text in quotes is compared as a string, even if it looks
///                             like a number
///   parameter.best > 1        always a parameter, trial.best always a column of the table: a name that both have
///                             means the parameter
///   lr = 1e-4..1e-2           both ends included; lr in [1e-4, 1e-2]: one of them
///   note contains "warm up"   part of the value
///   momentum = unset          a parameter that the trial does not have, or a missing value; != unset
///   layer = "a \"b\" \\ c"     text in quotes is no operator, range or unset; between " marks \" is ", \\ is \, and
///                             \n, \t and \r are escapes; between ' marks a backslash is literal
///   state = failed or lr > 1  and, or, not, parentheses; words next to each other must all match
class TrialFilter {
public:
    TrialFilter() = default;
    explicit TrialFilter(const QString &text);

    bool isEmpty() const { return m_text.trimmed().isEmpty() || !m_problem.isEmpty(); }
    /// The problems of the text, in sentences; then the filter is empty. Empty if the text is valid. Names are checked
    /// by bind().
    const QString &problem() const { return m_problem; }
    /// Names before a comparison operator that are no column of `model`: these comparisons are searched as text.
    QStringList unknownNames(const TrialTableModel &model) const;

    /// Resolves the names. Call again when the columns of the model change.
    void bind(const TrialTableModel &model);
    /// `row` is one of the model that it was bound to.
    bool accepts(const TrialTableModel &model, int row) const;

    /// Returns a name or value in the syntax of expressions: in quotation marks unless it is a plain word.
    static QString quoted(const QString &text);
    /// Returns it in quotation marks in any case.
    static QString quotedAlways(const QString &text);
    /// Returns a parameter in the syntax of expressions: with the prefix of its kind if the name alone could mean
    /// another column.
    static QString parameterName(const QString &name);
    static QString unsetWord();
    static QString divergedWord();  ///< a state that trials have in addition to theirs
    /// Returns the names that a comparison may begin with, in the syntax of expressions.
    static QStringList names(const TrialTableModel &model);
    /// Returns `text`, or the numbers of `trials` if the model lacks one of its columns, such as a metric beyond the
    /// maximum of a table. `trials` must be ascending.
    static QString textFor(const QString &text, const std::vector<int> &trials, const TrialTableModel &model);

private:
    struct Compiled;
    void compile(const TrialTableModel *model);

    QString m_text;
    std::shared_ptr<const Compiled> m_compiled;
    QString m_problem;
};

}  // namespace sweepscope::ui
