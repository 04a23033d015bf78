/** Reads the synthesized output of an app of constructs: the same declarations as YAML, without Terraform. */

export {
  type Annotation,
  type Manifest,
  type ManifestStack,
  manifestFrom,
  manifestName,
  readManifest,
  stackFileName,
} from './app-stacks.ts'
export { conditionCode } from './evaluate/attributes.ts'
export type { Answers } from './evaluate/providers.ts'
export type { StackConnection } from './evaluate/to-declarations.ts'
export {
  type CompleteOptions,
  completeStack,
  type LoadedStack,
  loadStack,
  loadStacks,
  type StackOptions,
  type StacksOptions,
} from './load-stacks.ts'

export { loadTerraformPlan, type TerraformPlanOptions } from './terraform-plan/load-terraform-plan.ts'
export { readTerraformChanges, type TerraformChanges } from './terraform-plan/terraform-changes.ts'
