#!/bin/sh
# promql-parser 0.11.0 for Python: the text of a parsed query may be another query. A subquery without a step, `foo[5m:]`, loses
# its colon, so that `deriv` works on samples and not on steps, and a label name in quotes loses these, which no parser takes.
. "$(dirname "$0")/lib.sh"
pip_packages promql-parser==0.11.0
venv/bin/python > out <<'PROGRAM'
import promql_parser
for query in ["deriv(foo[5m:])", "sum by (a) (foo)", 'foo{"x.y"="1"}']:
    parsed = promql_parser.parse(query)
    try:
        again = type(promql_parser.parse(str(parsed))).__name__
    except Exception:
        again = "refused"
    print(query, "->", parsed, again)
argument = promql_parser.parse("deriv(foo[5m:])").args[0]
print(type(argument).__name__, type(promql_parser.parse(str(argument))).__name__)
PROGRAM
seen 'query, its text, read again' 'deriv(foo[5m:]) -> deriv(foo{}[5m]) Call
sum by (a) (foo) -> sum by (a)(foo{}) AggregateExpr
foo{"x.y"="1"} -> foo{x.y="1"} refused
SubqueryExpr MatrixSelector' "$(cat out)"
