#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace sweepscope::exporting {

/// RFC 8259, written as it comes: nothing is kept. Commas and colons are put where they belong. JSON has no NaN and no
/// infinities; they are the texts "nan", "inf" and "-inf", so that nothing is lost and every program reads the file.
class JsonWriter {
public:
    explicit JsonWriter(std::ostream &out) : m_out(out) {}

    void beginObject() { open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void endArray() { close(']'); }
    void key(std::string_view name);
    /// UTF-8; what is not is replaced.
    void value(std::string_view text);
    void value(const char *text) { value(std::string_view(text)); }
    void value(double number);  ///< shortest text that reads back the same
    void value(std::int64_t number);
    void value(std::uint64_t number);
    void value(bool flag);
    void null();
    /// Before the next value: for people and for diff.
    void newLine() { m_newLine = true; }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void quoted(std::string_view text);

    std::ostream &m_out;
    std::vector<bool> m_hasItems;  ///< of each object and array that is open
    bool m_afterKey = false;
    bool m_newLine = false;
};

}  // namespace sweepscope::exporting
