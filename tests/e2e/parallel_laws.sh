# What must hold for every parallel application, on several numbers of ranks: recording changes neither its output
# nor its files; the merged trace gives back, rank by rank, exactly what that rank's own part holds; two recordings
# are equal; and it makes no difference whether the ranks merged in place or their parts were merged afterwards.
source "$(dirname "$0")/lib.sh"
need mpirun h5diff

# laws RANKS COMMAND...
laws() {
  local ranks=$1 rank
  shift
  prepare_box
  run mpi "$ranks" "$@"
  expect_code 0
  keep_box plain
  prepare_box
  run env REFRAIN_IN_PLACE=never "$refrain" record -q --keep-parts -o "$base/parts.rfn" -- mpirun -n "$ranks" "$@"
  expect_code 0
  expect_empty "$err"
  keep_box traced
  expect_same "$base/plain.stdout" "$base/traced.stdout"
  same_files "$base/plain" "$base/traced"
  prepare_box
  run "$refrain" record -q -o "$base/place.rfn" -- mpirun -n "$ranks" "$@"
  expect_code 0
  expect_empty "$err"
  cd "$work"
  run "$refrain" diff "$base/parts.rfn" "$base/place.rfn"
  expect_code 0
  run "$refrain" dump --no-times "$base/parts.rfn"
  cp "$out" "$base/parts.txt"
  run "$refrain" dump --no-times "$base/place.rfn"
  expect_same "$base/parts.txt" "$out"
  for ((rank = 0; rank < ranks; rank += ranks > 4 ? 5 : 1)); do one_rank "$rank"; done
  rm -r "$base/parts.rfn.parts"
}

# The merged trace of rank $1 against what its part alone says.
one_rank() {
  local part
  rm -rf "$base/one.parts"
  mkdir "$base/one.parts"
  cp "$base/parts.rfn.parts/session" "$base/one.parts/"
  for part in "$base"/parts.rfn.parts/*.part; do
    [ "$(rank_of "$part")" != "$1" ] || cp "$part" "$base/one.parts/"
  done
  run "$refrain" merge "$base/one.parts" -o "$base/one.rfn"
  expect_code 0
  run "$refrain" dump --expand --no-times --layer-streams --rank "$1" "$base/one.rfn"
  expect_code 0
  grep -E '^ ' "$out" >"$base/one.txt"
  run "$refrain" dump --expand --no-times --layer-streams --rank "$1" "$base/parts.rfn"
  expect_code 0
  grep -E '^ ' "$out" >"$base/merged.txt"
  expect_same "$base/one.txt" "$base/merged.txt"
}

# Parts are made in the order in which processes start; which rank one is, only its trace tells.
declare -A known_ranks
rank_of() {
  local name
  name=$(basename "$1")
  if [ -z "${known_ranks[$name]:-}" ]; then
    rm -rf "$base/which.parts"
    mkdir "$base/which.parts"
    cp "$(dirname "$1")/session" "$1" "$base/which.parts/"
    "$refrain" merge -q "$base/which.parts" -o "$base/which.rfn"
    known_ranks[$name]=$("$refrain" info --json "$base/which.rfn" |
      python3 -c 'import json, sys; print(json.load(sys.stdin)["processes"][0]["ranks"])')
  fi
  echo "${known_ranks[$name]}"
}

# HDF5 keeps times in its files, so these are compared by content.
same_files() {
  local file
  (cd "$1" && find . -type f | sort) >"$base/files.plain"
  (cd "$2" && find . -type f | sort) >"$base/files.traced"
  expect_same "$base/files.plain" "$base/files.traced"
  while read -r file; do
    cmp -s "$1/$file" "$2/$file" || h5diff "$1/$file" "$2/$file" >/dev/null 2>&1 || fail "$file differs"
  done <"$base/files.plain"
}

# Each on one of two numbers of ranks, or, with REFRAIN_LONG=1, on both.
odd=1
for name in vpicio vorpalio gcrmio iosample checkpoint jacobi fortran_mpiio; do
  [ -x "$examples/$name" ] || continue
  odd=$((1 - odd))
  for ranks in 4 6; do
    [ -z "${REFRAIN_LONG:-}" ] && [ $ranks -ne $((4 + 2 * odd)) ] || laws $ranks "$examples/$name"
  done
done
if [ -x "$examples/vorpalio" ]; then laws 16 "$examples/vorpalio"; fi
if /usr/bin/python3 -c 'import h5py, mpi4py, sys; sys.exit(not h5py.get_config().mpi)' 2>/dev/null; then
  laws 4 /usr/bin/python3 "$examples/h5py_write.py"
fi
