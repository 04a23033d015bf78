import { type LoadedRepository, loadRepository, type RepositoryOptions } from '../../src/yaml/index.ts'
import { type Files, folderOfTest } from '../support/folder.ts'

/** Writes files and loads them. */
export async function load(
  files: Files,
  options: Partial<RepositoryOptions> = {},
): Promise<LoadedRepository> {
  return loadRepository({ directory: await folderOfTest(files), env: {}, ...options })
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
