# Shells complete commands, options and values; manual pages are there for every command and have no mistakes.
source "$(dirname "$0")/lib.sh"

# offered WORD...  What bash would offer for the last word.
offered() {
  bash --norc -c '
    source /dev/stdin <<<"$("$0" completion bash)"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _refrain
    printf "%s\n" "${COMPREPLY[@]}"' "$refrain" refrain "$@" >"$base/offered"
}
touch input.rfn
mkdir folder
offered rec
expect_matches "$base/offered" '^record$'
offered record --lay
expect_matches "$base/offered" '^--layers$'
offered schedule pl
expect_matches "$base/offered" '^plan$'
offered extrapolate --times ''
expect_matches "$base/offered" '^fitted$'
expect_matches "$base/offered" '^none$'
offered extrapolate --verify in
expect_matches "$base/offered" '^input.rfn$'
offered replay --root ''
expect_matches "$base/offered" '^folder$'
expect_lacks "$base/offered" input
offered completion ''
offered nonsense --x
expect_equal "$(tr -d "\n" <"$base/offered")" ""

# Each shell reads its own.
run "$refrain" completion klingon
expect_refused
for shell in bash zsh fish; do
  run "$refrain" completion "$shell"
  expect_code 0
  expect_contains "$out" extrapolate
  expect_contains "$out" keep-attributes
  cp "$out" "for_$shell"
  if command -v "$shell" >/dev/null; then
    run "$shell" -n "for_$shell"
    expect_code 0
    expect_empty "$err"
  fi
done

# Manual pages.
mkdir pages
run "$refrain" help --man-pages pages
expect_code 0
for command in $("$refrain" --help | sed -n '/^Commands:/,/^$/p' | awk 'NF > 1 { print $1 }') schedule-plan; do
  [ -s "pages/refrain-$command.1" ] || fail "no page of $command"
done
run "$refrain" help --man record
expect_code 0
expect_same "$out" pages/refrain-record.1
expect_contains pages/refrain-record.1 '.SH ENVIRONMENT'
expect_contains pages/refrain-record.1 'REFRAIN_IN_PLACE'
expect_contains pages/refrain.1 'REFRAIN_PARTS'
if command -v man >/dev/null; then
  for page in pages/*.1; do
    run env MANROFFSEQ= MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page"
    expect_code 0
    expect_empty "$err"
  done
fi
