/**
 * Records worlds anew: `npx tsx test/recording/write.ts NAME...`, or all of them without a name. See the top of
 * `recording.test.ts` for when that is right.
 */
import { writeFile } from 'node:fs/promises'
import { record } from './record.ts'
import { scenes } from './scenes/index.ts'
import { writeTranscript } from './transcript.ts'
import { transcriptPath } from './transcript-path.ts'

const names = process.argv.slice(2)
for (const scene of scenes.filter(({ name }) => names.length === 0 || names.includes(name)))
  await writeFile(transcriptPath(scene.name), writeTranscript(scene, await record(scene)))
