import { readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { placeTypes } from './place-types.ts'

const dist = join(import.meta.dirname, '../../dist')
const compiled = join(dist, 'types/src')
const engines = Object.keys(manifest.peerDependencies).filter(name => name.startsWith('cdkt'))

const folders = await readdir(join(compiled, 'constructs/generated'), { withFileTypes: true })
const generated = folders
  .filter(each => each.isDirectory())
  .map(({ name }) => `constructs/generated/${name}/index.d.ts`)
const read = (path: string) => readFileSync(join(compiled, path), 'utf8')

for (const engine of engines) await place(engine, engine, ['constructs/index.d.ts', ...generated])
// A test chooses its engine, so its types must not name one.
await place('testing', 'cdktf', ['testing/index.d.ts', 'testing/jest.d.ts', 'testing/vitest.d.ts'])

await place('.', 'cdktf', ['index.d.ts'])

// Everything that can be imported is in its final place now.
await rm(compiled, { recursive: true })

async function place(folder: string, engine: string, entries: readonly string[]): Promise<void> {
  for (const { path, text } of placeTypes(engine, entries, read)) {
    await mkdir(dirname(join(dist, folder, path)), { recursive: true })
    await writeFile(join(dist, folder, path), text)
  }
}
