# What ./run, ./test and .ci/run share: packages, and the build folder. Sourced by sh. SPDX-License-Identifier: MIT
# Says what it does when there is something to do, and nothing otherwise.

packages_of() {
    awk -v want=" $* " '!/^#/ && NF == 2 && index(want, " " $1 " ") { print $2 }' scripts/packages.txt
}

# need KIND...: the packages of these kinds are installed, or the script ends with what to do.
need() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        # Not Debian: the tools may be there under other names, so only their absence stops.
        if command -v meson >/dev/null && command -v ninja >/dev/null && command -v cmake >/dev/null; then return; fi
        echo "onesum: this is no Debian or Ubuntu system. Install what these packages hold, and try again:" >&2
        packages_of "$@" | sed 's/^/  /' >&2
        exit 2
    fi
    missing=
    for package in $(packages_of "$@"); do
        case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
            *installed*) ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "onesum: these packages are missing:$missing" >&2
            echo "Install them as root with: apt-get update && apt-get install -y --no-install-recommends$missing" >&2
            exit 2
        fi
        as_root=sudo
    fi
    echo "onesum: installing$missing" >&2
    log=$(mktemp)
    if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        echo "onesum: apt-get could not install$missing (its output is above)" >&2
        exit 2
    fi
    rm -f "$log"
}

# quietly COMMAND...: its output only where it fails.
quietly() {
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        exit 2
    fi
    rm -f "$log"
}

# configured FOLDER [meson options...]: a build folder with these options.
configured() {
    folder=$1
    shift
    if [ ! -f "$folder/build.ninja" ]; then
        echo "onesum: configuring $folder" >&2
        quietly meson setup "$folder" "$@"
    elif [ $# -gt 0 ] && [ "$*" != "$(cat "$folder/.onesum-options" 2>/dev/null)" ]; then
        quietly meson configure "$folder" "$@"
    fi
    echo "$*" >"$folder/.onesum-options"
}

# built FOLDER TARGET...: these targets, built.
built() {
    folder=$1
    shift
    case $(ninja -C "$folder" -n "$@" 2>/dev/null) in
        *"no work to do"*) ;;
        *)
            echo "onesum: building" >&2
            quietly ninja -C "$folder" "$@"
            ;;
    esac
}
