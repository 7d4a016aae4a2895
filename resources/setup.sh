# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What ./run and ./test share: packages, then the build. Sourced by bash, after `root` is set to this folder's parent.
# Everything said goes to stderr: stdout belongs to the program.

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "${0##*/}: $*"
    exit 1
}

# packagesOf SECTION...: the names under these sections of packages.txt
packagesOf() {
    local line section='' wanted=" $* "
    while read -r line; do
        case $line in
            '#'* | '') ;;
            '['*']') section=${line//[\[\]]/} ;;
            *) if [[ $wanted == *" $section "* ]]; then printf '%s\n' "${line%% *}"; fi ;;
        esac
    done <"$root/resources/packages.txt"
}

# missingOf PACKAGE...: those that are not installed
missingOf() {
    comm -23 <(printf '%s\n' "$@" | sort) \
        <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort)
}

# runApt ARGUMENTS...: apt-get as root, its words kept in a log and shown only when it fails
runApt() {
    "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 \
        -o Acquire::Retries=3 "$@" >"$root/build/packages.log" 2>&1 </dev/null
}

# installMissing SECTION...: nothing when all is there
installMissing() {
    local list='resources/packages.txt' asRoot=() wanted missing
    mapfile -t wanted < <(packagesOf "$@")
    mapfile -t missing < <(missingOf "${wanted[@]}")
    ((${#missing[@]})) || return 0
    [[ -x $(command -v dpkg-query) && -x $(command -v apt-get) ]] ||
        fail "this system has no apt-get; install what $list names by other means, then: cmake --preset release && cmake --build --preset release"
    say "Installing ${#missing[@]} Debian package$( ((${#missing[@]} == 1)) || printf s) ($list says why): ${missing[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail "installing needs root, and there is no sudo; as root run: apt-get install --no-install-recommends ${missing[*]}"
        if [[ -t 0 ]]; then asRoot=(sudo); else asRoot=(sudo -n); fi
        "${asRoot[@]}" true || fail "sudo refused; as root run: apt-get install --no-install-recommends ${missing[*]}"
    fi
    mkdir -p "$root/build"
    # Lists of packages may be old or absent: only when installing fails are they worth the time.
    runApt install --no-install-recommends "${missing[@]}" || {
        say 'Updating the lists of packages first'
        runApt -o APT::Update::Error-Mode=any update ||
            fail "the lists of packages could not be updated (no network?): $(grep -m1 '^[EW]:' "$root/build/packages.log")"
        runApt install --no-install-recommends "${missing[@]}" ||
            fail "apt-get could not install them: $(grep -m1 '^E:' "$root/build/packages.log"); all its words are in build/packages.log"
    }
}

# lacks OPTION CACHE: whether the option is not ON there
lacks() { ! grep -q "^$1:BOOL=ON" "$2" 2>/dev/null; }

# build PRESET TARGET TESTS: quiet and incremental. TESTS is ON or OFF for the first time; a folder that has tests keeps
# them. Output goes to build/PRESET/build.log and is shown when something fails.
build() {
    local preset=$1 target=$2 tests=$3 folder="$root/build/$1"
    local log="$folder/build.log" cache="$folder/CMakeCache.txt" mpich=OFF
    # Open MPI, whichever MPI Debian's alternatives prefer; what is tested runs over MPICH too. Sanitizers look at the same
    # sources once.
    local arguments=(-DCOLLSCOPE_TESTS="$tests" -DMPI_EXECUTABLE_SUFFIX=.openmpi)
    if [[ $tests == ON && $preset == release ]]; then mpich=ON arguments+=(-DCOLLSCOPE_MPICH=ON); fi
    command -v ccache >/dev/null && arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    # What the compiler reads precompiled is as good a key as its text; another clone's objects are as good as one's own.
    export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1
    mkdir -p "$folder"
    (
        flock 9
        cd "$root"
        if { [[ ! -e $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja || $tests == ON ]] &&
            lacks COLLSCOPE_TESTS "$cache"; } || { [[ $mpich == ON ]] && lacks COLLSCOPE_MPICH "$cache"; }; then
            cmake --preset "$preset" "${arguments[@]}" >"$log" 2>&1 || showAndFail "$log" 'configuring failed'
        fi
        [[ -e $folder/.ninja_log ]] || say "Building ($preset) for the first time takes some minutes; ${log#"$root/"} grows"
        cmake --build --preset "$preset" --target "$target" >"$log" 2>&1 || showAndFail "$log" 'building failed'
    ) 9>"$folder/.lock"
}

showAndFail() {
    { sed -n '/^FAILED/,$p' "$1" | grep . || tail -n 60 "$1"; } | head -n 60 >&2
    fail "$2; all output is in ${1#"$root/"}"
}
