import type { Plan } from '../core/change.ts'
import { type PlanMeta, type PlanScope, planDocument } from '../core/plan-file.ts'
import type { JsonObject } from '../model/json.ts'

/** What `--out` saves of a plan, worked out when it is asked for the first time. */
export function savedOnce(plan: Plan, meta: PlanMeta, scope?: () => PlanScope): () => JsonObject {
  let saved: JsonObject | undefined
  return () => {
    saved ??= planDocument(plan, meta, scope?.())
    return saved
  }
}
