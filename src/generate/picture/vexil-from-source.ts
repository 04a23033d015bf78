import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

/** What Node is given to run the command without a build, before the words of the command. */
export const vexilFromSource: readonly string[] = [
  '--import',
  loader,
  join(import.meta.dirname, '../../cli/from-source.ts'),
]
