import {
  TerraformCount,
  type TerraformMetaArguments,
  TerraformProvider,
  type TerraformResource,
  type TerraformResourceLifecycle,
} from 'cdktf'
import type { Field, Fields } from '../model/field.ts'
import { type DeclarableKind, isTargeting, type Kind, managedFields } from '../model/kind.ts'
import {
  defaultMember,
  existsField,
  type LiveEditWay,
  liveEditFields,
  liveEditWays,
} from '../model/live-edit-policy.ts'
import { compareTexts, meantHint } from '../model/text/names.ts'
import {
  json,
  knownText,
  knownTruth,
  members,
  notA,
  notKnown,
  number,
  type Reader,
  text,
  texts,
  truth,
} from './argument.ts'
import { markedForm, propertyOf } from './engine/engine-marks.ts'
import { escapeAll } from './templates.ts'
import { jsonText } from './write-json.ts'

/** The readers of a construct's properties. The compiler reports a property without a reader. */
export type Readers<Props> = { readonly [Name in keyof Required<Props>]: Reader<Props[Name]> }

/**
 * Reads the properties of a construct, each with its reader. Missing and undefined ones are omitted. A
 * property without a reader is refused, because it would have no effect. `at` is the path in the app's code,
 * if the properties are inside another argument: `lifecycle`, `shares.control`.
 */
export function readArguments<Props extends object>(
  given: Props,
  readers: Readers<Props>,
  what: string,
  at?: string,
): Props {
  const rows = new Map<string, Reader<unknown>>(Object.entries(readers))
  const entries = Object.entries(members(given, at ?? what)).filter(([, value]) => value !== undefined)
  const read = entries.map(([name, value]) => {
    const reader = rows.get(name)
    if (reader === undefined) throw stray(name, [...rows.keys()], what, at)
    return [name, reader(value, at === undefined ? name : `${at}.${name}`)] as const
  })
  // Each value has the type of its reader.
  return Object.fromEntries(read) as Props
}

function stray(name: string, known: readonly string[], what: string, at: string | undefined): TypeError {
  return new TypeError(
    `"${at === undefined ? name : `${at}.${name}`}" is not a property of ${what}; ${meantHint(name, known, `the properties are ${known.join(', ')}`)}`,
  )
}

/** A wire name in the form of constructs. */
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

/** The properties for a kind's declared fields, except those that decide who gets an object. */
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
  // Each value was read with the type of its attribute.
  return Object.fromEntries([...fields, ...more]) as Config
}

/** Rows sorted by name, as in messages. */
export function inOrder<Rows extends object>(rows: Rows): Rows {
  const sorted = Object.entries(rows).sort(([left], [right]) => compareTexts(left, right))
  // The members are the same.
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

/** Values of the engine for its own properties are passed to the generated construct unchanged. */
type Meta<Name extends keyof TerraformMetaArguments> = Reader<TerraformMetaArguments[Name]>

const count: Meta<'count'> = (value, name) =>
  TerraformCount.isTerraformCount(value) ? value : number(value, name)

const forEach: Meta<'forEach'> = (value, name) => {
  // Only this class of the engine has that member.
  if (isMade(value, '_getForEachExpression')) return value as TerraformMetaArguments['forEach']
  throw notA('an iterator; write TerraformIterator.fromMap(...) or fromList(...)', value, name)
}

const dependsOn: Meta<'dependsOn'> = (value, name) => {
  if (markedForm(value) !== undefined) throw notKnown(name)
  if (!Array.isArray(value)) throw notA('a list of resources', value, name)
  const other = value.findIndex(each => !isMade(each, 'fqn'))
  if (other >= 0)
    throw notA('a resource; for a construct of Vexil, use `flag.resource`', value[other], `${name}[${other}]`)
  return value
}

export const provider: Reader<TerraformProvider | undefined> = (value, name) => {
  if (TerraformProvider.isTerraformProvider(value)) return value
  throw notA('a provider; write new VexilProvider(...)', value, name)
}

/** A list of values that the engine itself checks: texts, resources, conditions in its own form. */
const listForTheEngine =
  <Value>(): Reader<Value> =>
  (value, name) => {
    if (markedForm(value) !== undefined) throw notKnown(name)
    if (!Array.isArray(value)) throw notA('a list', value, name)
    for (const [index, each] of value.entries()) {
      const isForIt =
        typeof each === 'string' ||
        markedForm(each) !== undefined ||
        isMade(each, 'fqn') ||
        isMade(each, 'condition')
      if (!isForIt) throw notA('a text, a resource or a condition', each, `${name}[${index}]`)
    }
    return value as Value
  }

const ignoreChanges: Reader<TerraformResourceLifecycle['ignoreChanges']> = (value, name) =>
  value === 'all' ? value : listForTheEngine<string[]>()(value, name)

/** Terraform does not accept references in lifecycle settings, except inside conditions. */
const lifecycleArguments: Readers<TerraformResourceLifecycle> = {
  createBeforeDestroy: knownTruth,
  ignoreChanges,
  postcondition: listForTheEngine(),
  precondition: listForTheEngine(),
  preventDestroy: knownTruth,
  replaceTriggeredBy: listForTheEngine(),
}

const lifecycle: Meta<'lifecycle'> = (value, name) =>
  // A value without members is also reported under this name.
  readArguments(value as TerraformResourceLifecycle, lifecycleArguments, 'a lifecycle', name)

/** Checks for a member and not for the class, because the engine may be loaded twice. */
function isMade(value: unknown, by: string): boolean {
  return typeof value === 'object' && value !== null && markedForm(value) === undefined && by in value
}

/** The common properties of all constructs here. */
export interface DeclaredProps
  extends Pick<TerraformMetaArguments, 'count' | 'dependsOn' | 'forEach' | 'lifecycle' | 'provider'> {
  /**
   * Refuses every plan that would delete the object: `lifecycle.prevent_destroy`. False leaves it
   * unprotected, even with policies.
   */
  readonly protect?: boolean
  /**
   * How Vexil handles fields that were changed in the product when it applies the stack. Terraform warns, and
   * sets them to the declared values.
   */
  readonly liveEdits?: LiveEdits
  /** Its name in Terraform, in place of the default from its key or name. */
  readonly logicalId?: string
}

/** The readers for a kind. */
export function declaredArguments(kind: DeclarableKind): Readers<DeclaredProps> {
  return {
    count,
    dependsOn,
    forEach,
    lifecycle,
    liveEdits: liveEditsOf(kind),
    provider,
    // Terraform does not accept references here either.
    protect: knownTruth,
    logicalId: knownText,
  }
}

/** The properties that are passed to the generated construct unchanged. */
export function metaArguments(props: DeclaredProps): TerraformMetaArguments {
  const { count, dependsOn, forEach, provider } = props
  return { count, dependsOn, forEach, provider, lifecycle: lifecycleOf(props) }
}

function lifecycleOf({ protect, lifecycle }: DeclaredProps): TerraformResourceLifecycle | undefined {
  return protect === undefined ? lifecycle : { ...lifecycle, preventDestroy: protect }
}

/**
 * The handling of fields that were changed in the product: one mode for all of them, or modes by name.
 * `default` is for fields without their own mode, and `exists` is for the object itself.
 */
export type LiveEdits = LiveEditWay | { readonly [field: string]: LiveEditWay }

/** Maps field names to those of the service. Terraform does not accept references in comments. */
function liveEditsOf(kind: DeclarableKind): Reader<LiveEdits> {
  const fields = [defaultMember, existsField, ...liveEditFields(kind)]
  const names = new Map(fields.map(name => [propertyOf(name), name]))
  return (value, name) => {
    if (typeof value === 'string') return wayOf(value, name)
    const modes = Object.entries(members(value, name)).map(([member, way]) => {
      const field = names.get(member)
      if (field === undefined) {
        const hint = meantHint(member, [...names.keys()], `there are: ${[...names.keys()].join(', ')}`)
        throw new TypeError(`"${name}" names "${member}", which is not a field of a ${kind.title}; ${hint}`)
      }
      return [field, wayOf(way, `${name}.${member}`)] as const
    })
    return Object.fromEntries(modes)
  }
}

/** Writes the value into the stack for Vexil, as a comment that Terraform ignores. */
export function writeLiveEdits(resource: TerraformResource, liveEdits: LiveEdits | undefined): void {
  if (liveEdits !== undefined) resource.addOverride('//.vexil.live_edits', liveEdits)
}

function wayOf(value: unknown, name: string): LiveEditWay {
  const text = knownText(value, name)
  const way = liveEditWays.find(each => each === text)
  if (way) return way
  const hint = meantHint(text, liveEditWays, `use one of ${liveEditWays.map(each => `"${each}"`).join(', ')}`)
  throw new TypeError(`"${name}" cannot be ${JSON.stringify(text)}; ${hint}`)
}
