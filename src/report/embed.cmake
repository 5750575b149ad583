# Writes OUTPUT, a header with the texts of the page: HTML, STYLES and SCRIPTS are lists of files. Each file becomes a
# literal of its own, because compilers need not take longer ones than 65,536 characters.
set(text "#pragma once\n\n#include <string_view>\n\nnamespace refrain::report {\n\n")
foreach(part HTML STYLES SCRIPTS)
  string(TOLOWER ${part} name)
  string(APPEND text "inline constexpr std::string_view page_${name}[] = {\n")
  foreach(file ${${part}})
    file(READ ${file} content)
    string(APPEND text "    R\"page(${content})page\",\n")
  endforeach()
  string(APPEND text "};\n\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace refrain::report\n")
