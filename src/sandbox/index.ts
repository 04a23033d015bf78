export type { Profile } from '../model/connection.ts'
export type { WorldFile } from '../schema/world-schema.ts'
export {
  type FaultEffect,
  type FaultMatch,
  FaultPlan,
  type FaultRule,
  parseFault,
} from './faults.ts'
export { isLoopback, type RequestCounter, type RequestCounts } from './http/admission.ts'
export type { Connection } from './http/messages.ts'
export type {
  PageChange,
  PageEvaluation,
  PageFlag,
  PageNotes,
  PageState,
  SandboxPage,
} from './http/page-routes.ts'
export {
  parseQuirk,
  type Quirk,
  type QuirkName,
  type Quirks,
  quirksOf,
  quirkTable,
} from './quirks.ts'
export {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxSummary,
  type ServedSandbox,
  type ServeOptions,
  sandboxApiKey,
  serveSandbox,
} from './sandbox.ts'

export { emptyWorld, parseAdditions, parseWorld, sampleWorld, WorldFileError } from './world.ts'
