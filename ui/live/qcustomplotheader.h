#pragma once

// QCustomPlot's header says `signals`, `slots` and `foreach`, which our policy (QT_NO_KEYWORDS) does not define. The
// only place that includes it.
#include <QObject>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef foreach
