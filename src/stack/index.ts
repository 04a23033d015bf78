/** Reads the synthesized output of an app of constructs: the same declarations as YAML, without Terraform. */

export type { StackConnection } from './declare/to-declarations.ts'
export { conditionCode } from './evaluate/attributes.ts'
export type { Answers } from './evaluate/look-ups.ts'
export {
  type CompleteOptions,
  completeStack,
  type LoadedStack,
  loadStack,
  type StackOptions,
} from './load-stack.ts'

export { loadStacks, type StacksOptions } from './load-stacks.ts'
export {
  type Annotation,
  type Manifest,
  type ManifestStack,
  manifestFrom,
  manifestName,
  readManifest,
} from './read/manifest.ts'
export { stackFileName } from './read/read-folder.ts'
export { loadTerraformPlan, type TerraformPlanOptions } from './terraform-plan/load-terraform-plan.ts'
export { readTerraformChanges, type TerraformChanges } from './terraform-plan/terraform-changes.ts'
