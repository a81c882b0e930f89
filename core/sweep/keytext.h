#pragma once

#include "sweep/keys.h"

#include <string>

/// What the table of keys says, as text: messages, TOML, help and reference.
namespace sweepscope::sweep {

/// "an integer from 1 to 4096", "\"auto\", \"gloo\" or \"nccl\"", "a time from 1s to 366d", …
std::string expectation(const Key &key);

/// What is wrong with a value: "must be an integer from 1 to 4096, not 0". Empty: nothing, as far as the key alone says.
std::string checkValue(const Key &key, const KeyValue &value);

/// The value in a sweep file; empty for none.
std::string tomlOf(const Key &key, const KeyValue &value);
/// An example that a sweep file may have: key = value.
std::string exampleOf(const Key &key);
/// What holds without the key: "2", "\"auto\"", "no limit". Markdown.
std::string defaultInWords(const Key &key);

/// The key's row in a table of docs/sweep-file.md: key, value, default.
std::string referenceRow(const Key &key);

/// What the key is, in a few words: "Processes that train one trial together".
std::string summaryOf(const Key &key);
/// What the key is, for a tool tip: lines of at most 100 columns.
std::string descriptionOf(const Key &key);
/// All there is to say about a key: its description, default, example, and what an edit of a running sweep does.
std::string helpText(const Key &key);

std::string summaryOf(const FreeSection &section);
std::string helpText(const FreeSection &section);

}  // namespace sweepscope::sweep
