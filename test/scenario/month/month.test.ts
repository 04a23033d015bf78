import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { pagePath, playMarch } from './play-month.ts'

/*
 * A month of a company, from end to end. `march.ts` is its script, and says of each step how the command ends, what is
 * live afterwards, leaf by leaf, and what a plan leaves out; `month.ts` holds it to that, and to what is true of each step:
 *
 * - whatever a step does not name stays as it was, in both environments;
 * - pipelines that plan or look for drift only read;
 * - after an apply, the next plan has nothing but what is left out;
 * - no key is in a text, in a clone, or in what was pushed.
 *
 * The texts are in docs/a-month.md, for people to read. This test never writes it: `npx tsx test/recording/write.ts month` does.
 * That is right when what Vexil says is meant to change.
 */
it('goes as the page tells, on the documented profile', async () => {
  expect(await playMarch('documented')).toBe(await readFile(pagePath, 'utf8'))
}, 300_000)
