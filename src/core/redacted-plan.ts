import { declarableKind } from '../kinds/index.ts'
import { byFileField } from '../model/field.ts'
import { isSameJson, type Json, type JsonObject } from '../model/json/json.ts'
import type { Change, Plan } from './change.ts'
import { writtenDigests } from './diff.ts'
import type { ObjectRedaction, Redaction } from './redaction.ts'

/** A plan for display, with a placeholder for each hidden value. It cannot be applied. */
export function redactedPlan<Shown extends Pick<Plan, 'changes'>>(plan: Shown, redaction: Redaction): Shown {
  return { ...plan, changes: redactedChanges(plan.changes, redaction) }
}

export function redactedChanges(changes: readonly Change[], redaction: Redaction): readonly Change[] {
  return changes.map(change => {
    const hidden = redaction.of(change)
    return hidden ? redactedChange(change, hidden) : change
  })
}

/** The same for a record: later runs use its digests to compare the values written to hidden fields. */
export function recordedChanges(changes: readonly Change[], redaction: Redaction): readonly Change[] {
  return redactedChanges(changes, redaction).map((shown, at) => {
    const change = changes[at]
    if (!change || !shown.hidden) return shown
    const written = Object.entries(writtenDigests(declarableKind(change.kind), change))
    const digests = written.filter(([field]) => shown.hidden?.includes(field))
    return digests.length === 0 ? shown : { ...shown, digests: Object.fromEntries(digests) }
  })
}

/** Its summary was made without the hidden values. */
function redactedChange(change: Change, hidden: ObjectRedaction): Change {
  const { fingerprint, files, filesBefore } = change
  const shown: Change = {
    ...change,
    before: hidden.fields(change.before),
    after: hidden.fields(change.after),
    ...(files ? { files: hidden.files(files) } : {}),
    ...(filesBefore ? { filesBefore: hidden.files(filesBefore) } : {}),
    // It is a digest of the whole object: anyone who knows the rest could find hidden values by trial.
    fingerprint: fingerprint === null ? null : hidden.digest(fingerprint),
  }
  const names = hiddenFields(change, shown)
  return names.length === 0 ? shown : { ...shown, hidden: names }
}

/** The fields, and the source files as fields, that hold a placeholder. */
function hiddenFields(change: Change, shown: Change): string[] {
  const [values, others] = [valuesByField(change), valuesByField(shown)]
  const names = values.flatMap((fields, side) =>
    Object.keys(fields).filter(name => !isSameJson(fields[name] ?? null, others[side]?.[name] ?? null)),
  )
  return [...new Set(names)].sort()
}

function valuesByField({ before, after, files, filesBefore }: Change): readonly JsonObject[] {
  // Source files are texts, and null means that there is none.
  const fields = (all: Readonly<Record<string, Json>> = {}) => byFileField(all)
  return [
    { ...before, ...fields(filesBefore) },
    { ...after, ...fields(files) },
  ]
}
