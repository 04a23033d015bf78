import type { ArrayField, Field, StringField } from '../../model/field.ts'
import { sortedUnique } from '../../model/json/canonical.ts'
import { isJsonArray, type Json, type JsonArray } from '../../model/json/json.ts'
import { identityField, writableFields } from '../../model/kind.ts'
import { invalid } from '../http/refusal.ts'
import type { ResourceRow } from '../store/rows.ts'
import { isUnique } from '../store/table.ts'
import { normalTime } from '../time.ts'
import type { Call } from './call.ts'
import type { Resource } from './resource.ts'

/** The columns that a request body sets, each checked and in the form in which it is kept. */
export function keptFields<R extends ResourceRow>(
  resource: Resource<R>,
  call: Call,
  before: R,
  isNew: boolean,
): Partial<R> {
  const body = resource.sent?.(call, before, isNew) ?? call.body
  let written: Partial<R> = {}
  for (const name of writtenOrder(resource, isNew)) {
    const [value, field] = [body[name], resource.kind.fields[name]]
    if (value === undefined || !field) continue
    const keep = resource.keep?.[name]
    const kept = keep
      ? keep(call, value, { ...before, ...written }, isNew)
      : keptValue(resource, call, name, field, value, before[name])
    if (kept !== undefined) written = { ...written, [name]: kept }
  }
  return { ...written, ...resource.keptBeside?.(call, { ...before, ...written }, isNew) }
}

/** What identifies an object goes first, since what is said of other fields may name it. */
function writtenOrder(
  { kind, first = [] }: Pick<Resource, 'kind' | 'first'>,
  isNew: boolean,
): readonly string[] {
  const { endpoints, lifecycle } = kind
  const { body } = endpoints[(isNew ? lifecycle.create : lifecycle.update) ?? ''] ?? {}
  const documented = writableFields(kind).filter(name => !kind.fields[name]?.newer)
  const taken = typeof body === 'object' ? body : documented
  const early = isUnique(kind) ? [...first, identityField(kind)] : first
  return [...new Set([...early.filter(name => taken.includes(name)), ...taken])]
}

function keptValue(
  { keepsTextsAsSent }: Pick<Resource, 'keepsTextsAsSent'>,
  call: Call,
  name: string,
  field: Field,
  value: Json,
  before: Json | undefined,
): Json {
  switch (field.type) {
    case 'string':
      return keepsTextsAsSent || typeof value !== 'string' ? value : keptText(name, field, value)
    case 'boolean':
      return value ?? (field.nullable ? null : false)
    case 'set':
      // Numbers in a set are ids; texts are tags.
      if (field.of === 'integer' || !isJsonArray(value)) return value
      return keptTags(call, name, field, value, before)
    default:
      return value
  }
}

/** A text as it is kept: a time in the service's own form, an id in lower case, any other trimmed. */
export function keptText(name: string, field: StringField, value: string): string {
  if (field.format === 'date-time') {
    const time = normalTime(value)
    if (time === undefined) throw invalid(name, 'Datetime has wrong format.')
    return time
  }
  const text = value.trim()
  if (text === '' && field.required) throw invalid(name, 'This field may not be blank.', 'blank')
  checkLength(name, text, field.maxLength)
  return field.format === 'uuid' ? text.toLowerCase() : text
}

/** Tags in canonical form. A plan without tagging keeps what there was, and says nothing. */
function keptTags(
  { quirks }: Call,
  name: string,
  { maxLength, canonical = sortedUnique }: ArrayField,
  value: JsonArray,
  before: Json | undefined,
): Json {
  for (const [index, element] of value.entries()) {
    const attr = `${name}__${index}`
    if (typeof element !== 'string') throw invalid(attr, 'Not a valid string.')
    const text = element.trim()
    if (text === '') throw invalid(attr, 'This field may not be blank.', 'blank')
    checkLength(attr, text, maxLength)
  }
  return quirks.tags === 'dropped' ? (before ?? []) : canonical(value)
}

function checkLength(attr: string, text: string, maxLength = Number.POSITIVE_INFINITY): void {
  if ([...text].length > maxLength)
    throw invalid(attr, `Ensure this field has no more than ${maxLength} characters.`, 'max_length')
}
