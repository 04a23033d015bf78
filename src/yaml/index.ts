/**
 * The YAML front end: converts the files of a repository to declarations, and back. Edits and exports are
 * imported from their own files, because few commands load them.
 */

export { Lines } from '../model/text/text-position.ts'
export { unknownEnvironment } from './check/check-settings.ts'
export { byPlace } from './check/problem-order.ts'
export { diskTree, type FileTree } from './read/find-files.ts'
export {
  type Listed,
  type LoadedSettings,
  listedTree,
  loadSettings,
  type RepositoryOptions,
  settingsFiles,
  wouldRead,
} from './read/open-folder.ts'
export { type ParsedYaml, type ParseYaml, parseYaml } from './read/parse-yaml.ts'

export {
  type DeclaredRepository,
  type LoadedRepository,
  loadRepository,
  loadUnbroken,
  Readings,
  readDeclared,
  readUnchecked,
  testRepository,
} from './read-repository.ts'
export { resolveRole } from './resolve/layers.ts'
export { type DeclaredNames, namingIn, noNames } from './resolve/names.ts'
export type { Environment, Settings, SharedRuns } from './settings.ts'
export { isDeclaredIn, showDeclaration } from './show-declaration.ts'
