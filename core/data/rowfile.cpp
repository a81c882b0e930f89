#include "data/rowfile.h"

#include "base/filedescriptor.h"
#include "data/unpackedfile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <string>
#include <unistd.h>

namespace sweepscope::data {

namespace {

std::uint64_t startOf(const RowFile &file, std::int64_t row)
{
    return file.start + static_cast<std::uint64_t>(row) * file.stride;
}

std::uint8_t *placeOf(const RowFile &file, const RowWish &wish, std::uint8_t *to)
{
    return to + static_cast<std::uint64_t>(wish.place) * file.bytes;
}

tl::unexpected<Error> cutOff(const RowFile &file, std::int64_t row)
{
    return makeError(ErrorCode::BadInput, file.path.string() + ": ends within row " + std::to_string(row) + " of "
                                              + std::to_string(file.count)
                                              + ": the file is truncated; download it again");
}

Expected<void> readAt(const RowFile &file, int fd, const RowWish &first, std::uint64_t bytes, std::uint8_t *to)
{
    std::uint64_t done = 0;
    while (done < bytes) {
        const ssize_t got = pread(fd, to + done, bytes - done, static_cast<off_t>(startOf(file, first.row) + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeErrnoError("cannot read " + file.path.string(), errno);
        if (got == 0)
            return cutOff(file, first.row + static_cast<std::int64_t>(done / file.bytes));
        done += static_cast<std::uint64_t>(got);
    }
    return {};
}

/// Neighbours in the file that are to be neighbours in memory come with one read.
Expected<void> readPlain(const RowFile &file, const std::vector<RowWish> &wishes, std::uint8_t *to)
{
    const FileDescriptor opened(::open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!opened)
        return makeErrnoError("cannot read " + file.path.string(), errno);
    for (std::size_t i = 0; i < wishes.size();) {
        std::size_t end = i + 1;
        while (end < wishes.size() && file.stride == file.bytes && wishes[end].row == wishes[end - 1].row + 1
               && wishes[end].place == wishes[end - 1].place + 1)
            ++end;
        const Expected<void> read =
            readAt(file, opened.get(), wishes[i], (end - i) * file.bytes, placeOf(file, wishes[i], to));
        if (!read)
            return read;
        i = end;
    }
    return {};
}

/// The part of each row that a piece of the file holds.
Expected<void> readGzipped(const RowFile &file, const std::vector<RowWish> &wishes, std::uint8_t *to)
{
    std::size_t first = 0;  // of the rows that have not come whole
    std::uint64_t position = 0;
    const Expected<void> read = unpackInPieces(file.path, [&](std::span<const std::uint8_t> piece) {
        const std::uint64_t pieceEnd = position + piece.size();
        for (std::size_t i = first; i < wishes.size() && startOf(file, wishes[i].row) < pieceEnd; ++i) {
            const std::uint64_t start = startOf(file, wishes[i].row);
            const std::uint64_t from = std::max(start, position);
            const std::uint64_t until = std::min(start + file.bytes, pieceEnd);
            if (from < until)
                std::memcpy(placeOf(file, wishes[i], to) + (from - start), piece.data() + (from - position),
                            until - from);
        }
        while (first < wishes.size() && startOf(file, wishes[first].row) + file.bytes <= pieceEnd)
            ++first;
        position = pieceEnd;
        return true;  // to the end, where the archive's checksum is
    });
    if (read && first < wishes.size())
        return cutOff(file, wishes[first].row);
    return read;
}

}  // namespace

std::vector<RowWish> inThisOrder(const std::vector<std::int64_t> &rows)
{
    std::vector<RowWish> wishes;
    wishes.reserve(rows.size());
    for (const std::int64_t row : rows)
        wishes.push_back({row, static_cast<std::int64_t>(wishes.size())});
    return wishes;
}

Expected<void> readRows(const RowFile &file, std::vector<RowWish> wishes, std::uint8_t *to)
{
    if (wishes.empty() || file.bytes == 0)
        return {};
    std::sort(wishes.begin(), wishes.end(), [](const RowWish &a, const RowWish &b) { return a.row < b.row; });
    return isGzipped(file.path) ? readGzipped(file, wishes, to) : readPlain(file, wishes, to);
}

}  // namespace sweepscope::data
