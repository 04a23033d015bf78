import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { monthIn, pagePath, playMonth } from './play-month.ts'

/*
 * `play-month.ts` plays the month and checks after each step what is live. The last part of the page has the lines of output that it names.
 * `npx tsx test/recording/write.ts month` writes that part again, for output that is meant to change.
 */
it('goes as the page tells, on the documented profile', async () => {
  expect(await playMonth()).toBe(monthIn(await readFile(pagePath, 'utf8')))
}, 300_000)
