#!/bin/sh
# Durations: parse-duration 2.1.9 reads 1:30 as 1.03 milliseconds, 1,5h as 15 hours, and leaves out a unit that it does not know.
# ms 2.1.3 knows one unit only, so 1h30m is undefined. 1M is a minute for both. pytimeparse2 1.7.1 reads 1:30 as 90 seconds; its
# year is shorter.
. "$(dirname "$0")/lib.sh"
npm_packages ms@2.1.3 parse-duration@2.1.9
pip_packages pytimeparse2==1.7.1
node_program <<'PROGRAM'
import ms from 'ms'
import parse from 'parse-duration'
for (const text of ['1h30m', '1M', '1:30', '1,5h', '1h 5quarters', '1y']) console.log(text, ms(text), parse(text))
PROGRAM
venv/bin/python > other <<'PROGRAM'
from pytimeparse2 import parse
for text in ["1h30m", "1M", "1:30", "1,5h", "1h 5quarters", "1y"]:
    seconds = parse(text)
    print(seconds and seconds * 1000)
PROGRAM
seen 'milliseconds: ms, parse-duration, pytimeparse2' '1h30m undefined 5400000 5400000
1M 60000 60000 60000
1:30 undefined 1.03 90000
1,5h undefined 54000000 None
1h 5quarters undefined 3600000 None
1y 31557600000 31557600000 31536000000' "$(paste -d ' ' out other)"
