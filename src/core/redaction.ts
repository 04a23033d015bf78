import { hash } from 'node:crypto'
import { declarableKind } from '../kinds/index.ts'
import { canonicalValue } from '../model/canonical.ts'
import {
  byFileField,
  isRedactedPart,
  isStandIn,
  type RedactedPart,
  redactedPartNames,
  type Sensitive,
  standIn,
} from '../model/field.ts'
import { type DeclarableKind, fieldOf, isTargeting } from '../model/kind.ts'
import {
  canonicalText,
  isEmptyJson,
  isJsonArray,
  isJsonNumber,
  isJsonObject,
  isSameJson,
  type Json,
  type JsonObject,
} from '../model/text/json.ts'
import { type HiddenValue, payloadValue, redactFilters } from '../targeting/index.ts'
import type { Change, Plan } from './change.ts'
import { writtenDigests } from './diff.ts'

export interface Redactable {
  readonly kind: string
  readonly sensitive?: Sensitive
}

type Files = Readonly<Record<string, string | null>>

/**
 * Which values of one object are hidden, and their placeholders. Two placeholders are equal exactly if their
 * values count as equal: so a plan still shows what changes.
 */
export interface ObjectRedaction {
  hides(part: RedactedPart): boolean
  fields(fields: JsonObject): JsonObject
  files(files: Files): Files
  /** A digest that reveals nothing without the salt, in the same form as other digests. */
  digest(text: string): string
  /** Removes values that were hidden so far from a text that may quote them. */
  text(text: string): string
}

/**
 * The values that a command hides in its output and records. Options and settings add to them.
 *
 * | `redact`       | hides                                                                                     |
 * |----------------|-------------------------------------------------------------------------------------------|
 * | `payloads`     | the payload of each variant, or of a flag without variants                                |
 * | `descriptions` | the texts that describe an object, a condition or a variant; of a plugin its manifest too |
 * | `values`       | the values in conditions, and the configuration and source files of plugins               |
 *
 * An object that is declared `sensitive` hides its payloads and values, or the payloads that it names. Each
 * command salts the digests that it shows, so that values cannot be found by trial.
 */
export class Redaction {
  readonly #parts = new Set<RedactedPart>()
  readonly #known = new Set<string>()
  readonly #makeSalt: (() => string) | undefined
  #salt: string | undefined
  #search: RegExp | undefined

  /** Without a salt no digest is shown, and equal values cannot be recognized. */
  constructor(makeSalt?: () => string) {
    this.#makeSalt = makeSalt
  }

  add(parts: Iterable<string>): void {
    for (const part of parts) if (isRedactedPart(part)) this.#parts.add(part)
  }

  /** The parts that are hidden for every object, in the order of the documentation. */
  get parts(): readonly RedactedPart[] {
    return redactedPartNames().filter(part => this.#parts.has(part))
  }

  get salt(): string | undefined {
    this.#salt ??= this.#makeSalt?.()
    return this.#salt
  }

  /** Undefined if nothing of the object is hidden. */
  of({ kind: name, sensitive }: Redactable): ObjectRedaction | undefined {
    if (this.#parts.size === 0 && sensitive === undefined) return undefined
    const kind = declarableKind(name)
    const hides = (part: RedactedPart) =>
      this.#parts.has(part) || (sensitive === true && part !== 'descriptions')
    const hide = ({ part, value, compared, variant }: HiddenValue) => {
      // A placeholder from a saved plan stays: its value is unknown here.
      if (typeof value === 'string' && isStandIn(value)) return value
      const isNamed = variant !== undefined && isJsonArray(sensitive) && sensitive.includes(variant)
      return hides(part) || isNamed ? this.#standFor(value, compared) : value
    }
    return {
      hides,
      fields: fields => this.#fields(kind, fields, hide),
      files: files => this.#files(kind, files, hides),
      digest: text => `sha256:${hash('sha256', `${this.salt} ${text}`)}`,
      text: text => this.text(text),
    }
  }

  /** Removes values that were hidden so far from another text, such as an error of the service. */
  text(text: string): string {
    if (this.#known.size === 0) return text
    this.#search ??= searchFor([...this.#known])
    return text.replace(this.#search, () => standIn())
  }

  /** A text that may contain values of unknown objects. All of it is hidden if anything is hidden. */
  foreign(text: string): string {
    return this.#parts.size > 0 ? standIn() : this.text(text)
  }

  #fields(kind: DeclarableKind, fields: JsonObject, hide: (hidden: HiddenValue) => Json): JsonObject {
    const shown = Object.entries(fields).map(([name, value]) => {
      if (isTargeting(kind, name)) return [name, redactFilters(value, hide)] as const
      const part = kind.fields[name]?.redactedAs
      if (!part || isEmptyJson(value)) return [name, value] as const
      return [name, hide({ part, value, compared: canonicalValue(fieldOf(kind, name), value) })] as const
    })
    return Object.fromEntries(shown)
  }

  #files({ lifecycle }: DeclarableKind, files: Files, hides: (part: RedactedPart) => boolean): Files {
    const manifest = lifecycle.files?.manifest?.file
    const shown = Object.entries(files).map(([name, text]) => {
      const isHidden = hides('values') || (name === manifest && hides('descriptions'))
      return [name, text === null || !isHidden ? text : String(this.#standFor(text, text))] as const
    })
    return Object.fromEntries(shown)
  }

  #standFor(value: Json, compared: Json): string {
    for (const text of textsIn(value)) this.#remember(text)
    const { salt } = this
    return standIn(
      salt === undefined ? undefined : hash('sha256', `${salt} ${canonicalText(compared)}`).slice(0, 8),
    )
  }

  #remember(text: string): void {
    if (text === '' || this.#known.has(text)) return
    this.#known.add(text)
    this.#search = undefined
  }
}

/** Each text in a value, and its words: a message may quote either. */
function textsIn(value: Json): string[] {
  if (typeof value === 'string') {
    const inside = payloadValue(value)
    return inside === value ? [value] : [value, ...textsIn(inside)]
  }
  if (isJsonArray(value)) return [canonicalText(value), ...value.flatMap(textsIn)]
  if (isJsonObject(value)) return [canonicalText(value), ...Object.values(value).flatMap(textsIn)]
  return isJsonNumber(value) ? [canonicalText(value)] : []
}

/** Shorter texts occur in too many others, so these are found only as whole words or in quotes. */
const shortestPart = 4

function searchFor(texts: readonly string[]): RegExp {
  const forms = texts.flatMap(text => {
    const written = [...new Set([text, JSON.stringify(text).slice(1, -1)])].map(escapePattern)
    if (text.length >= shortestPart) return written
    if (/^\p{L}+$/u.test(text)) return [`(?<!\\p{L})${text}(?!\\p{L})`]
    return written.flatMap(each => [`"${each}"`, `'${each}'`])
  })
  // The longest first, because a short text may be part of a longer one.
  return new RegExp(forms.sort((left, right) => right.length - left.length).join('|'), 'gu')
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

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

/** The same for a record, with digests: later runs compare hidden values by them. */
export function recordedChanges(changes: readonly Change[], redaction: Redaction): readonly Change[] {
  return redactedChanges(changes, redaction).map((shown, at) => {
    const change = changes[at]
    if (!change || !shown.hidden) return shown
    const written = Object.entries(writtenDigests(declarableKind(change.kind), change))
    const digests = written.filter(([field]) => shown.hidden?.includes(field))
    return digests.length === 0 ? shown : { ...shown, digests: Object.fromEntries(digests) }
  })
}

/** The summary already has no hidden values. */
function redactedChange(change: Change, hidden: ObjectRedaction): Change {
  const { fingerprint, files, filesBefore } = change
  const shown: Change = {
    ...change,
    before: hidden.fields(change.before),
    after: hidden.fields(change.after),
    ...(files ? { files: hidden.files(files) } : {}),
    ...(filesBefore ? { filesBefore: hidden.files(filesBefore) } : {}),
    // A digest of the whole object: hidden values could be found by trial.
    fingerprint: fingerprint === null ? null : hidden.digest(fingerprint),
  }
  const names = hiddenFields(change, shown)
  return names.length === 0 ? shown : { ...shown, hidden: names }
}

/** The fields (and source files, as fields) that contain a placeholder. */
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
