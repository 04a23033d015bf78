/** The YAML front end: from the files of a repository to what they declare, and back. */

export { unknownEnvironment } from './check-environments.ts'
export { type DeclaredNames, noNames } from './declared-names.ts'
export type { DeclaredProtection } from './declared-protection.ts'
export {
  type CheckedRepository,
  checkRepository,
  type LoadedRepository,
  loadRepository,
} from './load.ts'
export { type LoadedSettings, loadSettings, type RepositoryOptions } from './load-settings.ts'
export { type ParsedYaml, parseYaml } from './parse.ts'
export { settingsFiles } from './read-settings.ts'
export { resolveRole } from './roles.ts'
export type { Environment, Settings } from './settings.ts'
export { Lines } from './text-position.ts'
export { wouldRead } from './would-read.ts'
