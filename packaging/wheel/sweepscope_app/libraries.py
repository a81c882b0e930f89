"""Which libraries of the system Qt needs, and the packages that have them. Without them, Qt names a plugin and ends the program."""

import ctypes
import os

# library: package of Debian and Ubuntu, package of Fedora and RHEL
CORE = {
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2"),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2", "krb5-libs"),
    "libbrotlidec.so.1": ("libbrotli1", "libbrotli"),
}
WINDOW = {
    **CORE,
    "libEGL.so.1": ("libegl1", "libglvnd-egl"),
    "libGL.so.1": ("libgl1", "libglvnd-glx"),
    "libX11.so.6": ("libx11-6", "libX11"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig"),
    "libfreetype.so.6": ("libfreetype6", "freetype"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon"),
}
PLATFORMS = {
    "wayland": {
        "libwayland-client.so.0": ("libwayland-client0", "libwayland-client"),
        "libwayland-cursor.so.0": ("libwayland-cursor0", "libwayland-cursor"),
    },
    "xcb": {
        "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb"),
        "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor"),
        "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm"),
        "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image"),
        "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms"),
        "libxcb-randr.so.0": ("libxcb-randr0", "libxcb"),
        "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil"),
        "libxcb-shape.so.0": ("libxcb-shape0", "libxcb"),
        "libxcb-sync.so.1": ("libxcb-sync1", "libxcb"),
        "libxcb-util.so.1": ("libxcb-util1", "xcb-util"),
        "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb"),
        "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb"),
        "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11"),
    },
}


def platforms(environment):
    """The platforms that Qt tries, in its order. Empty without a display."""
    chosen = environment.get("QT_QPA_PLATFORM")
    if chosen:
        return [name.split(":")[0] for name in chosen.split(";")]
    displays = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    return [platform for platform, variable in displays.items() if environment.get(variable)]


def is_there(library):
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing(program, environment=os.environ, is_there=is_there):
    """The libraries that this program lacks, with their packages. One platform that works is enough."""
    lacks = {library: packages for library, packages in (WINDOW if program == "sweepscope" else CORE).items() if not is_there(library)}
    if program != "sweepscope":
        return lacks
    of_platforms = [{library: packages for library, packages in PLATFORMS.get(platform, {}).items() if not is_there(library)}
                    for platform in platforms(environment)]
    return {**lacks, **min(of_platforms, key=len, default={})}


def advice(program, lacks):
    """What to install."""
    debian, fedora = (" ".join(dict.fromkeys(packages[system] for packages in lacks.values())) for system in (0, 1))
    return (f"{program}: missing from this system: {', '.join(lacks)}. To install:\n"
            f"  Debian, Ubuntu: sudo apt install {debian}\n"
            f"  Fedora, RHEL:   sudo dnf install {fedora}")
