/** The YAML front end: from the files of a repository to what they declare, and back. */
export { type ExportedObject, type ExportOptions, exportYaml, type TextFile } from './export.ts'
export { codeFrame, problemLine } from './frame.ts'
export { ignoredByGit, type StarterOptions, starterFiles } from './init.ts'
export {
  type CheckedRepository,
  checkRepository,
  type LoadedRepository,
  loadRepository,
  type RepositoryOptions,
} from './load.ts'
export { type ParsedYaml, parseYaml } from './parse.ts'
export { settingsFiles } from './read-settings.ts'
export type { Environment, Settings } from './settings.ts'
