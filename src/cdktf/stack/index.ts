/** Reads what an app of constructs has synthesized: the same declarations as YAML, without Terraform. */
export { type LoadedStack, loadStack, type StackOptions } from './load-stack.ts'
export { type Manifest, type ManifestStack, manifestName, readManifest } from './manifest.ts'
export { stackFileName } from './read-folder.ts'
export type { StackConnection } from './target.ts'
