import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of this package. */
export const packageRoot = join(import.meta.dirname, '../..')

const dist = join(packageRoot, 'dist')

/** A file of `dist`, for tests that start what is built. Throws where there is none. */
export function built(path: string): string {
  const file = join(dist, path)
  if (!existsSync(file))
    throw new Error(`dist/${path} is not there; this test needs it: run \`npm run build\``)
  return file
}
