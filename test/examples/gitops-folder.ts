import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { type CliOptions, type CliResult, cli } from '../support/cli.ts'
import { type Service, startService } from '../support/service.ts'

export const gitops = join(import.meta.dirname, '../../examples/gitops')

/** A copy of examples/gitops with a service of its own, whose world is that of `vexil sandbox`. */
export interface GitopsFolder {
  readonly service: Service
  readonly directory: string
  vexil(line: string, options?: Pick<CliOptions, 'host'>): Promise<CliResult>
  /** Writes something else in place of the first such text of a file. */
  edit(file: string, before: string, after: string): Promise<void>
}

/** A new one for each test. */
export function useGitops(): () => GitopsFolder {
  let current: GitopsFolder | undefined
  beforeEach(async () => {
    const service = await startService({ seed: sampleWorld })
    const directory = await mkdtemp(join(tmpdir(), 'vexil-example-'))
    await cp(gitops, directory, { recursive: true })
    // Everything comes from the example itself, except for where this sandbox listens.
    const settings = join(directory, 'vexil.yaml')
    const text = await readFile(settings, 'utf8')
    await writeFile(settings, text.replaceAll('http://127.0.0.1:8100', service.url))
    current = {
      service,
      directory,
      vexil: (line, options = {}) =>
        cli(line, { directory, env: { VEXIL_API_KEY: service.env.VEXIL_API_KEY }, ...options }),
      async edit(file, before, after) {
        const path = join(directory, file)
        const found = await readFile(path, 'utf8')
        expect(found).toContain(before)
        await writeFile(path, found.replace(before, after))
      },
    }
  })
  afterEach(async () => {
    await current?.service.close()
    await rm(current?.directory ?? '', { recursive: true, force: true })
  })
  // Tests run after it was made.
  return () => current as GitopsFolder
}
