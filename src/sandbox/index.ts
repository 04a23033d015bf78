export type { Profile } from '../model/connection.ts'
export type { WorldFile } from '../schema/input/world-schema.ts'
export {
  type FaultEffect,
  type FaultMatch,
  FaultPlan,
  type FaultRule,
  parseFault,
} from './behaviour/faults.ts'
export {
  parseQuirk,
  type Quirk,
  type QuirkName,
  type Quirks,
  quirksOf,
  quirkTable,
} from './behaviour/quirks.ts'
export type { Connection } from './http/answer.ts'
export type { RequestCounter, RequestCounts } from './http/request-counter.ts'
export { type ServedSandbox, type ServeOptions, serveSandbox } from './http/serve-sandbox.ts'
export {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxSummary,
  sandboxApiKey,
} from './sandbox.ts'
export { parseWorld, WorldFileError } from './seed/parse-world.ts'
export { emptyWorld, sampleWorld } from './seed/sample-world.ts'
