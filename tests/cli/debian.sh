# SPDX-License-Identifier: ISC
# debian.sh - sources of Debian's packages, for tests that build and explore them (after lib.sh). The lines for sources
# are in a configuration of their own; nothing of the machine's is changed.

# fetch PACKAGE: its upstream source, unpacked into the folder PACKAGE.
mkdir -p apt/lists/partial apt/parts
cat >apt/parts/source.sources <<-END
	Types: deb-src
	URIs: $(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/debian.sources 2>/dev/null)
	Suites: $(. /etc/os-release && echo "$VERSION_CODENAME")
	Components: main
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
apt=(-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$scratch/apt/parts"
	-o Dir::State::lists="$scratch/apt/lists" -o APT::Sandbox::User=root)
apt-get "${apt[@]}" update >apt.log 2>&1
fetch() {
	timeout 120 apt-get "${apt[@]}" source --download-only --tar-only "$1" >>apt.log 2>&1 &&
		mkdir "$1" && tar -xf "$1"_*.orig.tar.* -C "$1" --strip-components=1 && return
	echo "ok - $1 # SKIP its source cannot be had: $(grep '^E:' apt.log | tail -1)"
	return 1
}

findings=$here/../source/findings
# Is the finding in this line known? Rows of the file: library, verdict, and a pattern of the line.
known() {
	local library verdict pattern
	while read -r library verdict pattern; do
		if [ "$library" = "$1" ] && [[ $2 =~ $pattern ]]; then
			echo "# $1: $verdict: ${2%% (*}"
			return 0
		fi
	done < <(grep -v '^#' "$findings")
	return 1
}

# Is this one of LIBRARIES? All are, if it is empty.
wanted() {
	case " ${LIBRARIES:-$1} " in *" $1 "*) return 0 ;; esac
	return 1
}
