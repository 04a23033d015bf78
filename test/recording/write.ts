/**
 * Records scenes anew, through every door: `npx tsx test/recording/write.ts NAME...`, or all of them without a name.
 * See the top of `recording.test.ts` for when that is right. `month` is the end of docs/live-edits.md.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { monthIn, pagePath, playMonth } from '../scenario/month/play-month.ts'
import { record } from './record.ts'
import { recordTerraform } from './record-terraform.ts'
import { scenes } from './scenes/index.ts'
import { writeTranscript } from './transcript.ts'
import { type Door, recordedFolder, transcriptPath } from './transcript-path.ts'

const names = process.argv.slice(2)
const unknown = names.filter(wanted => wanted !== 'month' && !scenes.some(({ name }) => name === wanted))
if (unknown.length > 0) throw new Error(`there are no scenes ${unknown.join(', ')}`)
for (const [position, scene] of scenes.entries()) {
  if (names.length > 0 && !names.includes(scene.name)) continue
  await write('worlds', scene.name, writeTranscript(scene, await record(scene)))
  await write('terraform', scene.name, writeTranscript(scene, await recordTerraform(scene, position)))
}

if (names.length === 0 || names.includes('month')) {
  const page = await readFile(pagePath, 'utf8')
  await writeFile(pagePath, page.replace(monthIn(page), () => '') + (await playMonth()))
}

async function write(door: Door, name: string, text: string): Promise<void> {
  await mkdir(recordedFolder(door), { recursive: true })
  await writeFile(transcriptPath(door, name), text)
}
