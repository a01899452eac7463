#!/bin/sh
# Install what the viewer needs from the system: OpenGL without a screen, and a virtual screen for
# the window's test. It says first what it would install, and does nothing where it is all there.
# RMP3D_NO_APT=1 (or `make demo NO_APT=1`) only says it.
packages="libgl1 libegl1 libgl1-mesa-dri libglx-mesa0 xvfb xauth xdotool"

command -v dpkg-query >/dev/null 2>&1 || exit 0 # not Debian: docs/installation.md says what is needed
missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
[ -z "$missing" ] && exit 0

echo "Pictures and the window need these packages of the system:$missing"
install="apt-get install -y --no-install-recommends$missing"
if [ -n "$RMP3D_NO_APT" ]; then
    echo "Not installed, as you asked. Everything but pictures and the window works without them."
    exit 0
elif [ "$(id -u)" = 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "To install them, run: sudo $install"
    exit 0
fi
echo "Installing them with apt. To go without: Ctrl-C, then \`make demo NO_APT=1\`."
[ -t 1 ] && sleep 5 # where somebody is there to read it
log=$(mktemp)
if { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive $install; } >"$log" 2>&1; then
    echo "Installed:$missing"
else
    tail -n 3 "$log"
    echo "Could not install them; pictures and the window may not work. Run: $install"
fi
rm -f "$log"
