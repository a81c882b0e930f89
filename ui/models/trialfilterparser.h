#pragma once

#include "ui/models/trialfilter.h"

namespace sweepscope::ui {

/// One part of an expression, with its parts.
struct TrialFilter::Node {
    enum class Kind { Text, Comparison, And, Or, Not };
    enum class Operator { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual };

    Kind kind = Kind::Text;
    QString text;  ///< of Text what is looked for, in lower case; of a comparison the value
    QString name;  ///< before the sign
    Operator op = Operator::Equal;
    std::optional<double> number;  ///< the value, where it is one
    std::optional<double> upTo;    ///< of a range: its other end
    bool isQuoted = false;         ///< the value is in quotation marks: a text, whatever it looks like
    bool isExact = false;          ///< ==: case counts
    QString asTyped;               ///< of a comparison, in lower case: what it is when no column has its name
    int section = -1;              ///< of the model; -1: no column has the name
    std::vector<std::shared_ptr<Node>> parts;
};

struct ParsedFilter {
    std::shared_ptr<TrialFilter::Node> root;  ///< null: nothing was typed, or it is wrong
    QString problem;                          ///< a sentence
};
ParsedFilter parseFilter(const QString &text);

}  // namespace sweepscope::ui
