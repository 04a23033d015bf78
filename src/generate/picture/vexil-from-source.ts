import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** The arguments of Node that run the command without a build, before those of the command. */
export const vexilFromSource: readonly string[] = [
  '--import',
  loader,
  join(import.meta.dirname, '../../cli/from-source.ts'),
]
