#pragma once

#include "base/error.h"
#include "sweep/keys.h"

#include <QString>

namespace sweepscope::ui {

/// Returns a key's value as typed into the form; empty for none. A command is written as in a terminal, other lists
/// with commas.
QString typedText(const sweep::Key &key, const sweep::KeyValue &value);

/// Parses non-empty text; returns a sentence for the form if it is invalid. Does not check ranges.
tl::expected<sweep::KeyValue, QString> readTyped(const sweep::Key &key, const QString &text);

}  // namespace sweepscope::ui
