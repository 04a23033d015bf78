/**
 * What a program may import. `load` reads a repository, its `plan()` compares it with the live service, `apply()` of
 * that plan carries it out, and each of them renders itself as the command line would. Everything else is the inside of
 * this house and changes without notice.
 */

export { ServiceError, TransportError, UnexpectedAnswerError } from './api/errors.ts'
export { SettingError } from './api/settings.ts'

export { CommandError, type ExitCode, exitCode, ProblemsError } from './cli/host/exit-code.ts'
export type { Action, Blocked, Change, Drift, Plan, Risk } from './core/change.ts'
export { load, validate } from './library/load.ts'
export type {
  Applied,
  ApplyOptions,
  LoadOptions,
  Planned,
  PlanOptions,
  Rendered,
  Repository,
} from './library/public-interface.ts'
export type { Problem, Source } from './model/problem.ts'
export type { Json, JsonArray, JsonObject } from './model/text/json.ts'
export type { Document, RunEvent } from './report/document.ts'
export type { FormatName } from './report/formats.ts'
