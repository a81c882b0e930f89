#include "ui/logs/errorpattern.h"

namespace sweepscope::ui {

const QRegularExpression &errorPattern()
{
    static const QRegularExpression pattern(QStringLiteral(
        R"(\bTraceback \(most recent|\b\w*(Error|Exception)\b\s*[:(]|\b(ERROR|FATAL|CRITICAL)\b|\b(error|fatal):)"
        R"(|Segmentation fault|\bAborted\b|\bKilled\b|[Oo]ut of memory|terminate called|[Aa]ssertion .*failed|runtime error)"));
    return pattern;
}

const QRegularExpression &errorLinePattern()
{
    static const QRegularExpression pattern(errorPattern().pattern().replace(QLatin1String(R"(\b\w*(Error|Exception))"),
                                                                             QLatin1String("E(rror|xception)")));
    return pattern;
}

}  // namespace sweepscope::ui
