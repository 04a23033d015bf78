#!/bin/sh
# When clocks change: 2:30 in New York is 3:30 for cron-parser 4.9.0 (of pg-boss 10) and 5.10.5, and 3:00 for croner 11.0.0, cron
# 4.4.0 and croniter 7.0.0, which runs 1:30 twice in autumn. Where midnight is left out, as in Chile, cron-parser 4.9.0 skips the
# day.
. "$(dirname "$0")/lib.sh"
npm_packages croner@11.0.0 cron@4.4.0 cron-parser@5.10.5 older@npm:cron-parser@4.9.0
pip_packages croniter==7.0.0
cat > cases.json <<'CASES'
[["30 2 * * *", "America/New_York", "2026-03-08T05:00:00Z"], ["30 1 * * *", "America/New_York", "2026-11-01T04:00:00Z"],
 ["0 0 * * *", "America/Santiago", "2026-09-05T12:00:00Z"]]
CASES
node_program <<'PROGRAM'
import { readFileSync } from 'node:fs'
import { CronTime } from 'cron'
import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import older from 'older'
const twice = next => [next(), next()]
const ways = {
  'cron-parser 4': (text, tz, currentDate) => {
    const dates = older.parseExpression(text, { tz, currentDate })
    return twice(() => dates.next().toDate())
  },
  'cron-parser 5': (text, tz, currentDate) => {
    const dates = CronExpressionParser.parse(text, { tz, currentDate })
    return twice(() => dates.next().toDate())
  },
  croner: (text, timezone, from) => new Cron(text, { timezone }).nextRuns(2, from),
  cron: (text, zone, from) => twice(() => (from = new CronTime(text, zone).getNextDateFrom(from, zone).toJSDate())),
}
for (const [text, zone, from] of JSON.parse(readFileSync('cases.json', 'utf8')))
  for (const [name, next] of Object.entries(ways))
    console.log(name, ...next(text, zone, new Date(from)).map(date => date.toISOString().slice(5, 16)))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
import json
from datetime import datetime, timezone
from zoneinfo import ZoneInfo
from croniter import croniter
for text, zone, start in json.load(open("cases.json")):
    dates = croniter(text, datetime.fromisoformat(start.replace("Z", "+00:00")).astimezone(ZoneInfo(zone)))
    print("croniter", *[dates.get_next(datetime).astimezone(timezone.utc).isoformat()[5:16] for _ in range(2)])
PROGRAM
seen 'the next two in UTC: 2:30 in spring, 1:30 in autumn, midnight in Santiago' 'cron-parser 4 03-08T07:30 03-09T06:30
cron-parser 5 03-08T07:30 03-09T06:30
croner 03-08T07:00 03-09T06:30
cron 03-08T07:00 03-09T06:30
cron-parser 4 11-01T05:30 11-02T06:30
cron-parser 5 11-01T05:30 11-02T06:30
croner 11-01T05:30 11-02T06:30
cron 11-01T05:30 11-02T06:30
cron-parser 4 09-07T03:00 09-08T03:00
cron-parser 5 09-06T04:00 09-07T03:00
croner 09-06T04:00 09-07T03:00
cron 09-06T04:00 09-07T03:00
croniter 03-08T07:00 03-09T06:30
croniter 11-01T05:30 11-01T06:30
croniter 09-06T04:00 09-07T03:00' "$(cat out)"
