#!/bin/sh
# python-hcl2 8.1.4: a text keeps its quotes, a heredoc is a text with its markers and its indentation, and 1e3 is the template
# `${1e3}`. An integer is a number, also above 2^53.
. "$(dirname "$0")/lib.sh"
pip_packages python-hcl2==8.1.4
printf 'a = "x"\nb = <<-EOT\n    one\n  EOT\nc = 1e3\nd = 9007199254740993\n' > in.hcl
seen 'values' '{"a": "\"x\"", "b": "\"<<-EOT\n    one\n  EOT\"", "c": "${1e3}", "d": 9007199254740993}' \
  "$(venv/bin/python -c "import hcl2, json; print(json.dumps(hcl2.load(open('in.hcl'))))")"
