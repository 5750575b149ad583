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

# They complete as bash does, in a shell that somebody types into.
if command -v fish >/dev/null; then
  # fish_offers LINE PATTERN
  fish_offers() {
    run env HOME="$base" fish --no-config -c 'source for_fish; complete -C $argv[1]' "$1"
    expect_code 0
    expect_matches "$out" "$2"
  }
  fish_offers 'refrain rec' '^record[[:space:]]'
  fish_offers 'refrain schedule pl' '^plan[[:space:]]'
  fish_offers 'refrain record --lay' '^--layers[[:space:]]'
  fish_offers 'refrain extrapolate --times ' '^fitted'
fi
if command -v zsh >/dev/null; then
  cat >typed.zsh <<'ZSH'
zmodload zsh/zpty
zpty -b shell "TERM=dumb PROMPT= zsh -fi"
zpty -w shell "autoload -Uz compinit; compinit -u -D; source $1; echo rea''dy"
zpty -r -m shell line '*ready*' || exit 1
zpty -w -n shell "$2"$'\t'
for ((i = 0; i < 200; ++i)); do
  while zpty -r -t shell part; do text+=$part; done
  [[ ${text//$'\a'/} == *"$3"* ]] && exit 0
  sleep 0.05
done
print -r -- "$text"
exit 1
ZSH
  # zsh_completes LINE AS
  zsh_completes() {
    run env HOME="$base" zsh -f typed.zsh "$PWD/for_zsh" "$1" "$2"
    expect_code 0
  }
  zsh_completes 'refrain advi' 'refrain advise '
  zsh_completes 'refrain schedule pl' 'refrain schedule plan '
  zsh_completes 'refrain extrapolate --verif' 'refrain extrapolate --verify '
fi

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
