#!/bin/sh
# Install what the viewer needs from the system: OpenGL without a screen, and a virtual screen for
# the window's test. Does nothing where it is all there; says the one line to run where it may not.
packages="libgl1 libegl1 libgl1-mesa-dri libglx-mesa0 xvfb xauth xdotool"

command -v dpkg-query >/dev/null 2>&1 || exit 0 # not Debian: the README names what is needed
missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "For pictures and the window, run: sudo $install"
    exit 0
fi
log=$(mktemp)
if { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive $install; } >"$log" 2>&1; then
    echo "Installed:$missing"
else
    tail -n 3 "$log"
    echo "Could not install system packages; pictures and the window may not work. Run: $install"
fi
rm -f "$log"
