#!/bin/sh
# A day of the month and one of the week: `1-31` and Monday is every day for cron-parser 5.10.5, and Monday for 4.9.0 and cron
# 4.4.0; `*/2` and Monday is either for these, and both for cronsim 2.8. cronstrue 3.39.0 says "and" where either day is enough.
. "$(dirname "$0")/lib.sh"
npm_packages cron@4.4.0 cronstrue@3.39.0 cron-parser@5.10.5 older@npm:cron-parser@4.9.0
pip_packages cronsim==2.8
node_program <<'PROGRAM'
import { CronTime } from 'cron'
import { CronExpressionParser } from 'cron-parser'
import cronstrue from 'cronstrue'
import older from 'older'
const currentDate = new Date('2026-01-01T00:00:30Z')
for (const text of ['0 0 1-31 * 1', '0 0 */2 * 1', '0 0 13 * 1']) {
  const options = { currentDate, tz: 'UTC' }
  const dates = [older.parseExpression(text, options).next(), CronExpressionParser.parse(text, options).next()]
  dates.push(new CronTime(text, 'UTC').getNextDateFrom(currentDate, 'UTC').toJSDate())
  console.log(text, dates.map(date => date.toISOString().slice(8, 10)).join(' '))
}
console.log(cronstrue.toString('0 0 13 * 1'))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
from datetime import datetime
from cronsim import CronSim
print(*[f"{next(CronSim(text, datetime(2026, 1, 1, 0, 0, 30))).day:02}" for text in ["0 0 1-31 * 1", "0 0 */2 * 1", "0 0 13 * 1"]])
PROGRAM
seen 'the next day of January by cron-parser 4, 5, cron; cronstrue; cronsim' '0 0 1-31 * 1 05 02 05
0 0 */2 * 1 03 03 03
0 0 13 * 1 05 05 05
At 12:00 AM, on day 13 of the month, and on Monday
02 05 05' "$(cat out)"
