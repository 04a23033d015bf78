#!/bin/sh
# A schedule of six fields: croniter 7.0.0 reads the seconds from the last field, cron-parser 4.9.0 (of pg-boss 10), croner 11.0.0
# and cronsim 2.8 from the first. So `30 * * * * *` is each second of one minute of the hour, or once a minute.
. "$(dirname "$0")/lib.sh"
npm_packages croner@11.0.0 cron-parser@4.9.0
pip_packages croniter==7.0.0 cronsim==2.8
node_program <<'PROGRAM'
import cronParser from 'cron-parser'
import { Cron } from 'croner'
const currentDate = new Date('2026-01-01T00:00:45Z')
const dates = cronParser.parseExpression('30 * * * * *', { currentDate, tz: 'UTC' })
const show = list => console.log(list.map(date => date.toISOString().slice(11, 19)).join(' '))
show([dates.next(), dates.next()])
show(new Cron('30 * * * * *', { timezone: 'UTC' }).nextRuns(2, currentDate))
PROGRAM
venv/bin/python >> out <<'PROGRAM'
from datetime import datetime
from cronsim import CronSim
from croniter import croniter
start = datetime(2026, 1, 1, 0, 0, 45)
simulated, iterated = CronSim("30 * * * * *", start), croniter("30 * * * * *", start)
print(*[f"{next(simulated):%H:%M:%S}" for _ in range(2)])
print(*[f"{iterated.get_next(datetime):%H:%M:%S}" for _ in range(2)])
PROGRAM
seen 'cron-parser, croner, cronsim, croniter' '00:01:30 00:02:30
00:01:30 00:02:30
00:01:30 00:02:30
00:30:00 00:30:01' "$(cat out)"
