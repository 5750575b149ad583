# Sourced behind lib.sh by the tests that try to get out of the folder of a replay. A case is a trace that tries; it is
# replayed, and run as a kernel, each with the sandbox of the operating system and without it, so that each wall is
# seen to hold by itself. Whatever a trace says, nothing outside the root is created, changed, renamed or deleted, and
# a call that was refused is said to have been, in words and by the exit code.
#
# Three witnesses: a manifest of what stands around the root, before and after; strace, which sees what the kernel of
# the system was asked to change; the exit code. All cases are tried, and `wall_verdict` says which failed.
need strace python3 make cc
strace -qq -o "$base/strace" true 2>/dev/null || { echo "skipped: strace is not permitted to trace"; exit 77; }

room=$base/room             # holds the root and what stands beside it
root=$room/root             # of every replay, and where programs are recorded
outside=$base/outside       # what traces are after
forge=$build/tests/forge_trace
ways_out=()                 # what failed
tried=0
sandboxes=("" --no-sandbox)
# Where libraries keep things of their own, whatever the trace says.
allowed=(/dev/shm "$base/tmp")
mkdir "$base/tmp"
export TMPDIR=$base/tmp     # of MPI

# Functions of the test that put something into a fresh root and outside; nothing by default.
plant() { :; }
furnish() { :; }

# Puts everything back as it was.
put_back() {
  cd "$base"
  rm -rf "$outside" "$room" "$base"/evil*
  mkdir -p "$outside/folder/deeper" "$outside/empty" "$root" "$room/rootother"
  local file
  for file in "$outside"/{file,victim,folder/inner,folder/deeper/inner} "$room"/{file,rootother/file} "$base/file"; do
    echo "precious: ${file##*/}" >"$file"
  done
  chmod 640 "$outside/file" "$room/file" "$base/file"
  ln -s file "$outside/link"
  furnish
  cd "$root"
  plant
}
# Type, rights, owner, links, size, times and target of everything but the root. The time of the last change of
# anything, content and attributes included, is the one that can't be set.
manifest() {
  find "$outside" "$room" "$base"/file "$base"/evil* -path "$root" -prune -o \
    -printf '%p %M %U:%G links %n, %s bytes, %T@, changed %C@ %l\n' 2>/dev/null | sort || true
}

way_out() {
  ways_out+=("$1")
  { echo "WAY OUT: $*"; } >&2
}

# traced LAUNCHER... -- COMMAND...  Runs it in $base, with strace around the command of each rank.
watched_calls=?open,openat,openat2,?creat,?mkdir,mkdirat,?rmdir,?unlink,unlinkat,?rename,?renameat,renameat2,?link
watched_calls=$watched_calls,linkat,?symlink,symlinkat,?mknod,mknodat,?chmod,fchmod,fchmodat,?fchmodat2,?chown,?lchown
watched_calls=$watched_calls,fchown,fchownat,truncate,ftruncate,fallocate,?utime,?utimes,?futimesat,utimensat,setxattr
watched_calls=$watched_calls,lsetxattr,fsetxattr,removexattr,lremovexattr,fremovexattr,ioctl,chdir,fchdir,bind,mount
watched_calls=$watched_calls,umount2,pivot_root,chroot,open_by_handle_at,swapon,reboot
traced() {
  local launcher=()
  while [ "$1" != -- ]; do launcher+=("$1"); shift; done
  shift
  rm -rf "$base/strace"
  mkdir "$base/strace"
  run timeout -k 5 60 "${launcher[@]}" strace -qq -f --seccomp-bpf -y -s 5000 -e "trace=$watched_calls" -e signal=none \
    -o "|exec cat >>$base/strace/\$\$" "$@" </dev/null
}

# attempt LABEL COMMAND...  One run in a fresh root, and what can be said against it. `launcher` is what starts ranks.
launcher=()
attempt() {
  local label=$1
  shift
  tried=$((tried + 1))
  put_back
  manifest >"$base/before"
  cd "$base"
  traced "${launcher[@]}" -- "$@"
  manifest >"$base/after"
  cd "$base"
  if ! diff "$base/before" "$base/after" >"$base/diff"; then
    way_out "$label: what stands outside has changed"
    head -n 6 "$base/diff" >&2
  fi
  python3 "$source_tree/tests/e2e/wall.py" "$base" "$root" "$base"/strace/* -- "${allowed[@]}" >"$base/seen"
  if grep -q ^CHANGED "$base/seen"; then
    way_out "$label: strace saw it change something outside"
    grep -m 3 ^CHANGED "$base/seen" | cut -c 1-400 >&2
  fi
  case $code in
    0)
      if grep -q ^REFUSED "$base/seen"; then
        way_out "$label: a call was refused, and the exit code is 0"
        grep -m 3 ^REFUSED "$base/seen" | cut -c 1-400 >&2
      fi ;;
    1 | 2) [ -s "$err" ] || way_out "$label: ended with $code, without a word" ;;
    *)
      way_out "$label: ended with $code"
      head -n 3 "$err" >&2 ;;
  esac
}

# expected LABEL  The last attempt ended as the case says: `refused` (not 0, and a line), `made` (0) or `any`.
expectation=any
expected() {
  case $expectation.$code in
    refused.0) way_out "$1: should have been refused, and the exit code is 0" ;;
    made.[1-9]*) way_out "$1: should have worked: $(tail -n 1 "$err")" ;;
  esac
}

# stays_inside LABEL TRACE [refused|made]  Tries the trace in all ways.
stays_inside() {
  local label=$1 trace=$2 sandbox kernel
  expectation=${3:-any}
  for sandbox in "${sandboxes[@]}"; do
    attempt "$label, replay $sandbox" "$refrain" replay -q --keep-going --prepare $sandbox --root "$root" "$trace"
    if grep -q -e --prepare "$err"; then  # it went no further than that
      attempt "$label, replay $sandbox" "$refrain" replay -q --keep-going $sandbox --root "$root" "$trace"
    fi
    expected "$label, replay $sandbox"
  done
  rm -rf "$base/kernel"
  run "$refrain" generate -q "$trace" -o "$base/kernel"
  if [ "$code" -ne 0 ]; then  # no kernel, no way out
    [ "$code" -le 2 ] && [ -s "$err" ] || way_out "$label: generate ended with $code"
    return 0
  fi
  run make -s -C "$base/kernel" CFLAGS=-O0
  [ "$code" -eq 0 ] || { way_out "$label: the kernel can't be compiled"; head -n 3 "$err" >&2; return 0; }
  kernel=$(find "$base/kernel" -type f -perm -1 ! -name '*.sh' -print -quit)
  for sandbox in "${sandboxes[@]}"; do
    attempt "$label, kernel $sandbox" "$kernel" --prepare $sandbox --root "$root"
    if [ "$code" -ne 0 ]; then  # what was prepared may be in the way
      attempt "$label, kernel $sandbox" "$kernel" $sandbox --root "$root"
    fi
    expected "$label, kernel $sandbox"
  done
}

# recorded LABEL [refused|made] -- COMMAND...  The command, recorded in a fresh root, gets out; its trace must not.
recorded() {
  local label=$1 expectation=any
  shift
  [ "$1" = -- ] || { expectation=$1; shift; }
  shift
  put_back
  manifest >"$base/before"
  cd "$root"
  rm -f "$base/case.rfn"
  run "$refrain" record -q -o "$base/case.rfn" -- "$@" </dev/null
  expect_code 0
  manifest >"$base/after"
  ! cmp -s "$base/before" "$base/after" || fail "$label: the recorded program has changed nothing outside"
  stays_inside "$label" "$base/case.rfn" "$expectation"
}

# forged LABEL [refused|made]  The same for calls written down on standard input; see tests/forge_trace.cpp.
forged() {
  "$forge" "$base/case.rfn" || fail "$1: the trace can't be forged"
  stays_inside "$1" "$base/case.rfn" "${2:-any}"
}

wall_verdict() {
  cd "$base"
  echo "$tried runs"
  [ ${#ways_out[@]} -eq 0 ] || { printf 'FAILED: %s\n' "${ways_out[@]}" >&2; exit 1; }
}
