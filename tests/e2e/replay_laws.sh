# What must hold for the replay of every example: recorded, it gives the trace that is replayed, in the calls of the
# program and in those below them; it leaves the files that the program left, and the same bytes as a kernel.
source "$(dirname "$0")/lib.sh"

# names_and_sizes FOLDER
names_and_sizes() { (cd "$1" && find . -type f -printf '%p %s\n' | sort); }

# laws RANKS COMMAND...  0 ranks: not under MPI.
laws() {
  local ranks=$1 launcher=()
  shift
  [ "$ranks" -eq 0 ] || launcher=(mpirun -n "$ranks")
  rm -rf "$base"/{app,replay,app.rfn,replay.rfn}
  mkdir "$base/app"
  cd "$base/app"
  "$refrain" record -q -o "$base/app.rfn" -- "${launcher[@]}" "$@" </dev/null 2>&1 | cat >/dev/null || true  # no file
  cd "$work"
  replay_again() {
    run "$refrain" record -q -o "$base/replay.rfn" -- "${launcher[@]}" "$refrain" replay --root "$base/replay" "$base/app.rfn" </dev/null
    expect_code 0
    expect_matches "$out" "^$([ "$ranks" -eq 0 ] && echo '1 process' || echo "$ranks processes"), [0-9.]+ s"
  }
  expect_all_equal "$base/app.rfn" "$base/replay.rfn" "$base/replay" replay_again
  names_and_sizes "$base/app" >"$base/app.files"
  names_and_sizes "$base/replay" >"$base/replay.files"
  expect_same "$base/app.files" "$base/replay.files"
}

# calls_of STREAM  The calls of a written-out stream; a path and its image below the folder of a replay are the same.
calls_of() {
  awk -v header="$1" '/^process|^ +thread/ { on = 0 } index($0, header) { on = 1 } on' |
    sed -nE 's|^ +([A-Za-z_0-9]+\()|\1|p' | sed 's|^\([a-z0-9]*\)("/|\1("|'
}

# layer_law RANKS LAYER LAYERS  Replays one layer of the last trace, inner calls too. Recorded, it has made exactly the
# calls of that layer's stream, on every rank. Below MPI-IO nothing keeps ranks in step, so how much of what others
# write is there already, and with it what a call returns, depends on the moment.
layer_law() {
  rm -rf "$base"/{layer,layer.rfn}
  run "$refrain" record -q --layers "$3" -o "$base/layer.rfn" -- \
    mpirun -n "$1" "$refrain" replay -q --root "$base/layer" --layer "$2" "$base/app.rfn" </dev/null
  expect_code 0
  local rank
  for ((rank = 0; rank < $1; ++rank)); do
    "$refrain" dump --expand --no-times --layer-streams --rank "$rank" "$base/app.rfn" | calls_of " layer $2" >"$base/here"
    "$refrain" dump --expand --no-times --rank "$rank" "$base/layer.rfn" | calls_of process >"$base/there"
    [ -s "$base/here" ] || fail "no calls"
    [ "$2" != posix ] || sed -i 's/ -> [0-9]*$//' "$base/here" "$base/there"
    expect_same "$base/here" "$base/there"
  done
}

# as_kernel  The kernel of the last trace leaves the files of its replay, byte for byte.
as_kernel() {
  rm -rf "$base/kernel"
  "$refrain" generate -q "$base/app.rfn" -o "$base/kernel"
  make -s -C "$base/kernel" CFLAGS=-O0
  local program
  program=$(ls "$base"/kernel/*.c)
  "$@" "${program%.c}" --root "$base/kernel/run" >/dev/null </dev/null
  (cd "$base/replay" && find . -type f) | while read -r file; do
    case $file in
      *.h5 | *.h5part) run h5diff "$base/kernel/run/$file" "$base/replay/$file" ;;  # the file holds the time of day, too
      *) run cmp "$base/kernel/run/$file" "$base/replay/$file" ;;
    esac
    expect_code 0
  done
}

for name in timesteps amr logger threads; do
  laws 0 "$examples/$name"
  if command -v make >/dev/null; then as_kernel; fi
done
for name in iostreams irregular descriptors idle_thread made_up every_posix h5_stand_ins h5_handed_on; do
  [ ! -x "$programs/$name" ] || laws 0 "$programs/$name"
done
if command -v mpirun >/dev/null; then
  for name in vpicio vorpalio gcrmio iosample checkpoint jacobi fortran_mpiio; do
    [ -x "$examples/$name" ] || continue
    laws 4 "$examples/$name"
    case $name in
      vpicio | vorpalio | gcrmio) layer_law 4 mpiio mpiio,mpi ;;
    esac
    case $name in
      vpicio | gcrmio | jacobi) layer_law 4 posix posix ;;
    esac
    if command -v make h5diff >/dev/null; then as_kernel mpirun -n 4; fi
  done
  if [ -x "$programs/mpi_threads" ]; then laws 4 "$programs/mpi_threads"; fi
  if [ -x "$programs/mpi_held" ]; then laws 4 "$programs/mpi_held"; fi
  if [ -x "$programs/h5_handed_out" ]; then laws 2 "$programs/h5_handed_out"; fi
fi
