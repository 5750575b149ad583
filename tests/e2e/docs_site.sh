# The manual becomes a site without a link that leads nowhere, with a reference of every command.
source "$(dirname "$0")/lib.sh"
need mkdocs
run "$source_tree/scripts/docs" "$build"
expect_code 0
site=$source_tree/build/docs/site
expect_file "$site/index.html"
for command in $("$refrain" --help | sed -n '/^Commands:/,/^$/p' | awk 'NF > 1 { print $1 }') 'schedule plan' 'kernels build'; do
  expect_contains "$site/commands.html" "refrain $command"
done
expect_contains "$site/commands.html" REFRAIN_IN_PLACE
