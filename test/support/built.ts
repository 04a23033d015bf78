import { existsSync } from 'node:fs'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '../../dist')

/** A file of `dist`, for tests that start what is built. Throws where there is none. */
export function built(path: string): string {
  const file = join(dist, path)
  if (!existsSync(file))
    throw new Error(`dist/${path} is not there; this test needs it: run \`npm run build\``)
  return file
}
