import { join } from 'node:path'
import { type Measured, measure } from './process.ts'
import { builtLoader } from './repository.ts'

const here = import.meta.dirname
const dist = join(here, '../../dist')

/** Starts node and loads what a command consists of, as the command does when it is not the first. */
export async function loadOf(folder: string, command: 'plan' | 'apply'): Promise<() => Promise<Measured>> {
  const compiled = join(folder, `compiled-${command}`)
  const chunks = [command, 'text', 'open-connections']
  const argv = [join(here, 'floor-load.js'), dist, await builtLoader(folder), compiled, ...chunks]
  await measure(argv)
  return () => measure(argv)
}
