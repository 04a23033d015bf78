/** The YAML front end: from the files of a repository to what they declare, and back. */

export { Lines } from '../model/text/text-position.ts'
export { unknownEnvironment } from './check/check-environments.ts'
export { byPlace } from './check/problem-order.ts'
export {
  type CheckedRepository,
  checkRepository,
  type DeclaredRepository,
  type LoadedRepository,
  loadRepository,
  loadUnbroken,
  readDeclared,
  readUnchecked,
  type TestedRepository,
  testRepository,
  type UnbrokenRepository,
  type UncheckedRepository,
} from './load-repository.ts'
export { type ParsedYaml, type ParseYaml, parseYaml } from './parse/parse-yaml.ts'
export { diskTree, type FileTree } from './read/file-tree.ts'
export { type Listed, listedTree } from './read/listed-tree.ts'
export { type LoadedSettings, loadSettings, type RepositoryOptions } from './read/load-settings.ts'
export { settingsFiles } from './read/read-settings.ts'
export { wouldRead } from './read/would-read.ts'
export { type DeclaredNames, noNames } from './resolve/declared-names.ts'
export { namingIn } from './resolve/numbered-names.ts'
export { resolveRole } from './resolve/roles.ts'
export type { Environment, Settings, SharedRuns } from './settings.ts'
export { isDeclaredIn, showDeclaration } from './show/show-declaration.ts'
