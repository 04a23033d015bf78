import type { CallDocument, OperationsDocument } from './document/call.ts'
import type { ComparisonDocument } from './document/comparison.ts'
import type { DoctorDocument } from './document/doctor.ts'
import type { EditDocument } from './document/edit.ts'
import type { EvaluationDocument } from './document/evaluation.ts'
import type { ExportDocument } from './document/export.ts'
import type { InitDocument, InstallationDocument, UnlockDocument } from './document/place.ts'
import type { DriftDocument, PlanDocument, SavedPlanDocument } from './document/plan.ts'
import type { FailureDocument, ValidationDocument } from './document/problems.ts'
import type { ReferencesDocument } from './document/references.ts'
import type { HistoryDocument, RunDocument } from './document/run.ts'
import type { QuirksDocument, SandboxDocument } from './document/sandbox.ts'
import type { StaleDocument } from './document/stale.ts'
import type { TestsDocument } from './document/tests.ts'

export type * from './document/call.ts'
export type * from './document/comparison.ts'
export type * from './document/doctor.ts'
export type * from './document/edit.ts'
export type * from './document/evaluation.ts'
export type * from './document/export.ts'
export type * from './document/place.ts'
export type * from './document/plan.ts'
export type * from './document/problems.ts'
export type * from './document/references.ts'
export type * from './document/run.ts'
export type * from './document/sandbox.ts'
export type * from './document/stale.ts'
export type * from './document/tests.ts'

/**
 * What a command has to say: plain data with everything that any format says of it. A command builds one and hands it
 * over; which format it is written in is none of its business.
 */
export type Document =
  | PlanDocument
  | SavedPlanDocument
  | DriftDocument
  | RunDocument
  | ValidationDocument
  | ExportDocument
  | EditDocument
  | EvaluationDocument
  | TestsDocument
  | ComparisonDocument
  | ReferencesDocument
  | StaleDocument
  | HistoryDocument
  | DoctorDocument
  | SandboxDocument
  | QuirksDocument
  | InitDocument
  | UnlockDocument
  | InstallationDocument
  | CallDocument
  | OperationsDocument
  | FailureDocument
