export type { Profile } from '../model/profile.ts'
export type { Connection } from './connection.ts'
export { type FaultEffect, type FaultMatch, FaultPlan, type FaultRule } from './faults.ts'
export { parseFault } from './parse-fault.ts'
export { parseQuirk } from './parse-quirk.ts'
export { parseWorld, WorldFileError } from './parse-world.ts'
export { type Quirk, type QuirkName, type Quirks, quirksOf, quirkTable } from './quirks.ts'
export type { RequestCounter, RequestCounts } from './request-counter.ts'
export { emptyWorld, sampleWorld } from './sample-world.ts'
export {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxSummary,
  sandboxApiKey,
} from './sandbox.ts'
export { type ServedSandbox, type ServeOptions, serveSandbox } from './serve.ts'
export type { WorldFile } from './world-file.ts'
