/**
 * Records scenes anew: `npx tsx test/recording/write.ts NAME...`, or all of them without a name.
 * See the top of `recording.test.ts` for when that is right. `month` is the end of docs/live-edits.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { monthIn, pagePath, playMonth } from '../scenario/month/play-month.ts'
import { play } from './play.ts'
import { scenes } from './scenes.ts'
import { transcriptPath, writeTranscript } from './transcript.ts'

const names = process.argv.slice(2)
const unknown = names.filter(wanted => wanted !== 'month' && !scenes.some(({ name }) => name === wanted))
if (unknown.length > 0) throw new Error(`there are no scenes ${unknown.join(', ')}`)
for (const scene of scenes) {
  if (names.length > 0 && !names.includes(scene.name)) continue
  await writeFile(transcriptPath(scene.name), writeTranscript(scene, await play(scene)))
}

if (names.length === 0 || names.includes('month')) {
  const page = await readFile(pagePath, 'utf8')
  await writeFile(pagePath, page.replace(monthIn(page), () => '') + (await playMonth()))
}
