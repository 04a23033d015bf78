/** The YAML front end: from the files of a repository to what they declare, and back. */
export { type DeclaredNames, noNames } from './declared-names.ts'
export { type ExportedObject, type ExportOptions, exportYaml, fileName, type TextFile } from './export.ts'
export { codeFrame, problemLine } from './frame.ts'
export { ignoredByGit, type StarterFile, type StarterOptions, starterFiles } from './init.ts'
export {
  type CheckedRepository,
  checkRepository,
  type LoadedRepository,
  loadRepository,
  type RepositoryOptions,
} from './load.ts'
export { type ParsedYaml, parseYaml } from './parse.ts'
export { settingsFiles } from './read-settings.ts'
export { resolveRole } from './roles.ts'
export type { Environment, Settings } from './settings.ts'
export { wouldRead } from './would-read.ts'
