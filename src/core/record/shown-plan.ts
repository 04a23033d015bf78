import { isJsonObject, type JsonObject } from '../../model/json/json.ts'
import { readJsonIfAny, writeJson } from '../../model/json/json-text.ts'
import { type Change, writtenFields } from '../change.ts'
import { digestOf } from '../diff.ts'
import { type Redaction, redactedPlan } from '../redaction.ts'
import { changeToJson, liveEditToJson, sameForm, toDocument } from './change-json.ts'
import type { SavedPlan } from './plan-file.ts'

/**
 * A saved plan for display, without the values that are hidden now, even if they were shown then.
 *
 * | hidden when it was made | its values       | its text                                           |
 * |-------------------------|------------------|----------------------------------------------------|
 * | all that is hidden now  | are placeholders | stays: it was made without the hidden values       |
 * | less than that          | are placeholders | names only the changed fields: it may quote values |
 */
export function shownPlan(saved: SavedPlan, redaction: Redaction): SavedPlan {
  return redactedPlan(readablePlan(saved, redaction), redaction)
}

/** The same with its values, for an apply: a run shows and records the text of a change. */
export function readablePlan(saved: SavedPlan, redaction: Redaction): SavedPlan {
  return isMadeFor(saved, redaction) ? saved : withoutWords(saved)
}

/** The text of its file in the same form, without members that an apply uses to restore hidden values. */
export function shownText(text: string, saved: SavedPlan, redaction: Redaction): string {
  const document = readJsonIfAny(text)
  const isShown = isMadeFor(saved, redaction)
  if ((isShown && !saved.redacted) || !isJsonObject(document)) return text
  // Digests of declarations have no salt, so hidden values could be found by trial.
  const { digest: _, declared: __, ...others } = document
  const parts = [...(isShown ? (saved.redacted?.parts ?? []) : redaction.parts)]
  const content: JsonObject = {
    ...others,
    ...(isShown ? {} : partsOf(shownPlan(saved, redaction))),
    redacted: { parts },
  }
  return `${writeJson({ ...content, digest: digestOf(content) }, 2)}\n`
}

function partsOf({ changes, blocked, drift, liveEdits }: SavedPlan): JsonObject {
  return {
    changes: changes.map(changeToJson),
    blocked: blocked.map(each => toDocument(each, sameForm)),
    drift: drift.map(each => toDocument(each, sameForm)),
    live_edits: liveEdits.map(liveEditToJson),
  }
}

function isMadeFor({ redacted }: SavedPlan, { parts }: Redaction): boolean {
  return parts.every(part => redacted?.parts.includes(part))
}

function withoutWords(plan: SavedPlan): SavedPlan {
  return {
    ...plan,
    changes: plan.changes.map(changeWithoutWords),
    blocked: plan.blocked.map(each => ({ ...each, summary: [], reason: withheld, remedy: planAgain })),
    drift: plan.drift.map(each => ({ ...each, summary: [fieldsText(each.fields)] })),
    liveEdits: plan.liveEdits.map(each => ({
      ...each,
      fields: each.fields.map(field => ({ ...field, summary: [] })),
    })),
  }
}

function changeWithoutWords({ alert, ...change }: Change): Change {
  const { riskReasons, exposure } = change
  return {
    ...change,
    summary: [fieldsText(writtenFields(change))],
    riskReasons: riskReasons.map(each => ({ ...each, reason: withheld })),
    ...(alert === undefined
      ? {}
      : { alert: exposure ? `${exposure.before}% -> ${exposure.after}%` : withheld }),
  }
}

const withheld = 'not shown: it was recorded with values that are hidden now'
const planAgain = 'plan again to see why'

function fieldsText(fields: readonly string[]): string {
  return fields.length === 0 ? withheld : `${fields.join(', ')}; more is ${withheld}`
}
