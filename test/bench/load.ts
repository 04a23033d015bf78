import { join } from 'node:path'
import { type Measured, measure } from './process.ts'
import { builtLoader } from './repository.ts'

const here = import.meta.dirname
const dist = join(here, '../../dist')

/** What a program is given that loads what a command consists of, as the command does when it is not the first. */
export interface Loading {
  readonly dist: string
  readonly loader: string
  /** Where what was compiled is kept. */
  readonly compiled: string
  readonly chunks: readonly string[]
}

export async function loadingOf(folder: string, command: 'plan' | 'apply'): Promise<Loading> {
  const compiled = join(folder, `compiled-${command}`)
  return { dist, loader: await builtLoader(folder), compiled, chunks: [command, 'text', 'open-connections'] }
}

/** Starts node and loads that. */
export async function loadOf(folder: string, command: 'plan' | 'apply'): Promise<() => Promise<Measured>> {
  const { loader, compiled, chunks } = await loadingOf(folder, command)
  const argv = [join(here, 'floor-load.js'), dist, loader, compiled, ...chunks]
  await measure(argv)
  return () => measure(argv)
}
