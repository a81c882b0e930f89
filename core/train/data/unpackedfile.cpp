#include "train/data/unpackedfile.h"

#include <cerrno>
#include <memory>
#include <string>
#include <type_traits>
#include <zlib.h>

namespace sweepscope::train {

Expected<UnpackedFile> unpackFile(const std::filesystem::path &path, std::uint64_t maxBytes)
{
    struct Close {
        void operator()(gzFile file) const { gzclose(file); }
    };
    errno = 0;
    const std::unique_ptr<std::remove_pointer_t<gzFile>, Close> file(gzopen(path.c_str(), "rbe"));
    if (!file)
        return makeErrnoError("cannot read " + path.string(), errno != 0 ? errno : EIO);
    gzbuffer(file.get(), 1U << 18U);

    constexpr std::size_t chunk = std::size_t{1} << 20U;
    UnpackedFile unpacked;
    for (;;) {
        const std::size_t used = unpacked.bytes.size();
        unpacked.bytes.resize(used + chunk);
        const int got = gzread(file.get(), unpacked.bytes.data() + used, static_cast<unsigned>(chunk));
        unpacked.bytes.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got < 0 || static_cast<std::size_t>(got) < chunk) {
            int code = Z_OK;
            const std::string text = gzerror(file.get(), &code);
            if (code == Z_BUF_ERROR)
                unpacked.cutOff = true;
            else if (code == Z_ERRNO)
                return makeErrnoError("cannot read " + path.string(), errno);
            else if (code != Z_OK && code != Z_STREAM_END)
                return makeError(ErrorCode::Corrupt, path.string() + " is damaged (" + text + "); get it again");
            break;
        }
        if (unpacked.bytes.size() > maxBytes)
            break;
    }
    if (unpacked.bytes.size() > maxBytes)
        return makeError(ErrorCode::BadInput, path.string() + " holds more than " + std::to_string(maxBytes)
                                                  + " bytes after unpacking: it is not the file that was expected");
    return unpacked;
}

}  // namespace sweepscope::train
