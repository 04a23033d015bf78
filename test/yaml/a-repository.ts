import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LoadedRepository, loadRepository, type RepositoryOptions } from '../../src/yaml/index.ts'

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A folder with files, gone when the test is over. */
export async function aRepository(files: Files): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vexil-declare-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return directory
}

/** Writes files and loads them. */
export async function load(
  files: Files,
  options: Partial<RepositoryOptions> = {},
): Promise<LoadedRepository> {
  return loadRepository({ directory: await aRepository(files), env: {}, ...options })
}

/** Two environments and two roles, for tests that are about something else. */
export const settings = `version: 1
environments:
  staging: { project: "2" }
  production: { project: "1" }
roles:
  support: 01900000-0000-0000-0000-0000000000aa
  growth: 01900000-0000-0000-0000-0000000000bb
`
