#!/usr/bin/env bash
# Makes the folder of sources that `sweepctl worker build` compiles, for packages without the worker.
#
#   packaging/worker/sources.sh FOLDER
#
# Takes headers and static libraries of others from this system, so that users need none but PyTorch. version.txt is a digest of
# everything: a release with other sources does not use a worker compiled before.
set -euo pipefail
folder="$(realpath -m "${1:?}")"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -rf "$folder"
mkdir -p "$folder/cmake" "$folder/dependencies/lib" "$folder/dependencies/include" "$folder/dependencies/licenses"

read -ra rooms <<<"$(sed -nE 's/^foreach\(room (.*)\)/\1/p' packaging/worker/CMakeLists.txt)"
find app/worker "${rooms[@]/#/core/}" \( -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.map' -o -name CMakeLists.txt \) \
    ! -path '*/examples/*' -print0 | xargs -0 cp --parents -t "$folder"
cp cmake/{FindLibTorch,SweepscopePolicy,SweepscopeTargets}.cmake "$folder/cmake/"
cp packaging/worker/CMakeLists.txt LICENSE "$folder/"

# license HEADER_OR_LIBRARY
license() {
    local package
    package="$(dpkg-query -S "$(realpath "$1")" | cut -d: -f1)"
    cp "/usr/share/doc/$package/copyright" "$folder/dependencies/licenses/$package"
}

cd /usr/include
for headers in CLI csv.h nlohmann re2 tl/expected.hpp toml++ utf8.h utf8 zconf.h zlib.h zstd.h zstd_errors.h; do
    [ -e "$headers" ] || cd "/usr/include/$(gcc -print-multiarch)"
    cp -rL --parents "$headers" "$folder/dependencies/include/"
    license "$(find -L "$PWD/$headers" -type f | head -1)"
    cd /usr/include
done
for library in csv re2 z zstd; do
    file="$(g++ -print-file-name="lib$library.a")"
    objcopy --strip-debug "$file" "$folder/dependencies/lib/lib$library.a"
    license "$file"
done

cd "$folder"
find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-12 >../version.txt
mv ../version.txt .
