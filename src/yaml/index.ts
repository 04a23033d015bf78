/**
 * The YAML front end: from the files of a repository to what they declare, and back. Edits and exports are
 * imported from their own files, since few commands load them.
 */

export { Lines } from '../model/text/text-position.ts'
export { unknownEnvironment } from './check/check-environments.ts'
export { byPlace } from './check/problem-order.ts'
export { type ParsedYaml, type ParseYaml, parseYaml } from './parse/parse-yaml.ts'
export { wouldRead } from './read/find-declaration-files.ts'
export { diskTree, type FileTree } from './read/find-files.ts'
export { type Listed, listedTree } from './read/listed-tree.ts'
export { type LoadedSettings, loadSettings, type RepositoryOptions } from './read/load-settings.ts'
export { settingsFiles } from './read/read-settings.ts'
export {
  type DeclaredRepository,
  type LoadedRepository,
  loadRepository,
  loadUnbroken,
  readDeclared,
  readUnchecked,
  testRepository,
} from './read-repository.ts'
export { resolveRole } from './resolve/effective.ts'
export { type DeclaredNames, namingIn, noNames } from './resolve/names.ts'
export type { Environment, Settings, SharedRuns } from './settings.ts'
export { isDeclaredIn, showDeclaration } from './show-declaration.ts'
