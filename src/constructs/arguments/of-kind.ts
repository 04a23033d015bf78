import type { TerraformMetaArguments } from 'cdktf'
import type { Field, Fields } from '../../model/field.ts'
import { isTargeting, type Kind, managedFields } from '../../model/kind.ts'
import { compareTexts } from '../../model/text/compare-texts.ts'
import { propertyOf } from '../engine/property-name.ts'
import { escapeAll } from '../synthesized/escape-template.ts'
import { jsonText } from '../synthesized/json-with-references.ts'
import { json, number, type Reader, text, texts, truth } from './argument.ts'
import type { Readers } from './read-arguments.ts'

/** A name of the wire in the form of constructs. */
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name

type JsonName<F extends Fields, Name extends keyof F & string> = F[Name] extends {
  readonly type: 'json'
  readonly access: 'managed'
}
  ? F[Name] extends { readonly targeting: true }
    ? never
    : CamelCase<Name>
  : never

/** The JSON fields of a kind as properties: any JSON value. */
type JsonProps<F extends Fields> = { readonly [Name in keyof F & string as JsonName<F, Name>]?: unknown }

/** The properties for a kind's declared fields, without those that define who gets an object. */
export type FieldProps<K extends Kind, Config, Other extends string> = Omit<
  Config,
  keyof TerraformMetaArguments | keyof JsonProps<K['fields']> | Other
> &
  JsonProps<K['fields']>

/** The readers of these properties. */
export function fieldArguments<Props>(kind: Kind): Readers<Props> {
  const rows = fieldsOf(kind).map(([name, field]) => [name, readerOf(field)] as const)
  // The generated construct has an attribute for each of these fields, with the type of its reader.
  return Object.fromEntries(rows) as Readers<Props>
}

/** The properties for the generated construct: these fields, and other properties unchanged. */
export function fieldConfig<Config>(kind: Kind, props: object, others: readonly string[]): Config {
  const given = new Map(Object.entries(props))
  const fields = fieldsOf(kind).map(([name, { type }]) => {
    const value = given.get(name)
    return [name, type === 'json' && value !== undefined ? jsonText(value) : escapeAll(value)] as const
  })
  const more = others.map(name => [name, escapeAll(given.get(name))] as const)
  // As above: each was read with the type of its attribute.
  return Object.fromEntries([...fields, ...more]) as Config
}

/** Rows sorted by name, as messages list them. */
export function inOrder<Rows extends object>(rows: Rows): Rows {
  const sorted = Object.entries(rows).sort(([left], [right]) => compareTexts(left, right))
  // The same members.
  return Object.fromEntries(sorted) as Rows
}

function fieldsOf(kind: Kind): (readonly [name: string, field: Field])[] {
  return managedFields(kind).flatMap(name => {
    const field = kind.fields[name]
    return field && !isTargeting(kind, name) ? [[propertyOf(name), field] as const] : []
  })
}

function readerOf({ type }: Field): Reader<unknown> {
  switch (type) {
    case 'string':
      return text
    case 'boolean':
      return truth
    case 'integer':
      return number
    case 'list':
    case 'set':
      return texts
    case 'json':
    case 'structure':
      return json
    default:
      return type satisfies never
  }
}
