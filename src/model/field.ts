import type { Profile } from './connection.ts'
import { isJsonObject, type Json, pickMembers } from './text/json.ts'

/**
 * Who sets a field.
 * - `managed`: people declare it; it is compared, planned and sent.
 * - `writable`: the interface accepts it, but declaring it would fight the service (it computes or only adds to it).
 * - `read`: returned only.
 */
export type Access = 'managed' | 'writable' | 'read'

/** The guards that check one field of the live object; the table of guards describes what each blocks. */
export type FieldGuard = 'can_edit' | 'experiment' | 'feature' | 'rollback' | 'survey'

export type StringFormat = 'uuid' | 'date-time' | 'email' | 'url'

/** The spelling of a value on the wire, for the services that a client may be talking to. */
export interface ByService {
  readonly toWire: (value: Json, services: readonly Profile[]) => Json
  readonly fromWire: (value: Json, services: readonly Profile[]) => Json
}

/** A named group of fields inside something else: the author of a flag, the role inside a grant. */
export interface Structure {
  readonly name: string
  readonly fields: Fields
}

interface Described {
  readonly access: Access
  readonly doc: string
  /** True when a new object cannot be declared without it. */
  readonly required?: true
  /** True when the service takes null in a request. On reading, null is accepted everywhere. */
  readonly nullable?: true
  /** The form in which two values of this field are compared. Must be idempotent. */
  readonly canonical?: (value: Json) => Json
  /** A quick test that two values have one canonical form; false if only that form can decide. */
  readonly isSurelySame?: (left: Json, right: Json) => boolean
  /** The form of a value in output and files, if the canonical form changes people's spelling. */
  readonly compact?: (value: Json) => Json
  /**
   * A value in the spelling of `model` wherever parts of both are the same, so that only real differences
   * remain between them. Numbers of the model may keep their written form. By default, this works by members
   * and elements.
   */
  readonly keepSpelling?: (value: Json, model: Json) => Json
  /** The form in which a declared value is sent, if it differs from the declared text. */
  readonly wire?: (value: Json) => Json
  /**
   * The same with every member, so that services which replace a value and services which merge members get
   * the same result. `live` is the value before; undefined for a new object, which gets all members.
   */
  readonly complete?: (value: Json, live: Json | undefined) => Json
  /** The value in the spelling that services obey, and the meaning of a record's value in its own service. */
  readonly byService?: ByService
  /**
   * The members that declarations own. All others are written by other parts of the product, including those
   * of later services. An undeclared one is kept.
   */
  readonly ownMembers?: readonly string[]
  /** A value that SDKs with `ignored` for this rule of evaluation skip, and what they do instead. */
  readonly passedOver?: { readonly value: Json; readonly rule: 'devices'; readonly instead: string }
  /**
   * Members that the service keeps encrypted while another field of the object is true. Vexil then ignores
   * them: they are not declared, compared, shown, recorded or sent.
   */
  readonly sealed?: { readonly members: readonly string[]; readonly by: string }
  /**
   * The boolean field that makes the service open conditions for 0% to everybody when it creates an object,
   * or later. Such a percentage cannot be kept there.
   */
  readonly openedBy?: string
  /** The most characters that the service accepts, in each text of a set too. It trims before it counts. */
  readonly maxLength?: number
  /** Sent only when it changes: naming it in a request needs more permission. */
  readonly sendOnChangeOnly?: true
  /** True if it is stored beside the record: the service cannot detect that others changed it meanwhile. */
  readonly unversioned?: true
  /** Shown beside what is declared: it never changes by itself. */
  readonly shown?: true
  /** The guard that checks it in the live object. */
  readonly guard?: FieldGuard
  /** The member of each element that is false once it has ended: then it blocks nothing. */
  readonly runsBy?: string
  /** The values that the guard `can_edit` refuses, if not `false`. */
  readonly forbidding?: readonly Json[]
  /** The name of the field on the wire in each service profile; its name here, if absent. */
  readonly spelling?: Readonly<Record<string, string>>
  /** The value in a new object that was created without it, if not the empty value of the type. */
  readonly initial?: Json
  /** The interface document has no such field: newer services do, and others show none. */
  readonly newer?: true
  /**
   * The services that have the field, if not all: those with one value of a behaviour in which services
   * differ. Others neither return nor accept it.
   */
  readonly offered?: { readonly behaviour: string; readonly is: string }
  /** The meaning of an undeclared field, if the service has it. */
  readonly assumed?: Json
  /** Whose place in percentages and variants changes with its value: everybody's, or of people who log in. */
  readonly places?: 'everybody' | 'logging_in'
  /** The part of `redact` for its whole value. */
  readonly redactedAs?: RedactedPart
  /** A value that the service writes: the time of the creation or of the last change, or the creator. */
  readonly stamp?: 'created' | 'changed' | 'author'
}

export interface StringField extends Described {
  readonly type: 'string'
  readonly format?: StringFormat
  readonly oneOf?: readonly string[]
  /** A note about the object for colleagues, whatever its name: nobody who gets the object sees it. */
  readonly describes?: true
  /** The characters that every service accepts. Newer ones refuse others, which older ones keep. */
  readonly characters?: { readonly pattern: RegExp; readonly words: string }
}
export interface IntegerField extends Described {
  readonly type: 'integer'
}
export interface BooleanField extends Described {
  readonly type: 'boolean'
  /** While it is false nobody gets the object, whatever its targeting is. */
  readonly switch?: true
  /** The words for an object that has it, and one that does not. */
  readonly words?: { readonly true: string; readonly false: string }
}
/** An object with free-form members. `orArray` marks that services may answer with an array instead. */
export interface JsonField extends Described {
  readonly type: 'json'
  readonly orArray?: true
  /** Its value defines who gets the object, as in `targeting`; any other JSON is only compared. */
  readonly targeting?: true
}
/** Several values; a `set` has no order and no repeats. The interface calls both "array". */
export interface ArrayField extends Described {
  readonly type: 'list' | 'set'
  readonly of?: 'string' | 'integer'
  /** The most elements that the service accepts. */
  readonly maxElements?: number
}
export interface StructureField extends Described {
  readonly type: 'structure'
  readonly of: Structure
}

export type Field = StringField | IntegerField | BooleanField | JsonField | ArrayField | StructureField
export type Fields = Readonly<Record<string, Field>>

/** The TypeScript type of one field's value. */
export type ValueOf<F extends Field> = F extends {
  readonly type: 'string'
  readonly oneOf: readonly (infer O)[]
}
  ? O
  : F extends { readonly type: 'string' }
    ? string
    : F extends { readonly type: 'integer' }
      ? number
      : F extends { readonly type: 'boolean' }
        ? boolean
        : F extends { readonly type: 'json' }
          ? Json
          : F extends { readonly type: 'list' | 'set'; readonly of: 'integer' }
            ? readonly number[]
            : F extends { readonly type: 'list' | 'set'; readonly of: 'string' }
              ? readonly string[]
              : F extends { readonly type: 'list' | 'set' }
                ? readonly Json[]
                : F extends {
                      readonly type: 'structure'
                      readonly of: { readonly fields: infer S extends Fields }
                    }
                  ? AnswerOf<S>
                  : never

/** What the service answers: any field may be missing or null, since required-ness is not promised. */
export type AnswerOf<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | null }

/** The names of the fields whose access is one of `A`. */
export type NamesWith<F extends Fields, A extends Access> = {
  [Name in keyof F]: F[Name]['access'] extends A ? Name : never
}[keyof F]

/** A request body: any subset of the fields that the interface accepts. */
export type WriteOf<F extends Fields> = {
  readonly [Name in NamesWith<F, 'managed' | 'writable'>]?: ValueOf<F[Name]> | null
}

/** The members of a value that other parts of the product write. */
export function membersElsewhere(
  field: Pick<Described, 'ownMembers'> | undefined,
  value: Json | undefined,
): readonly string[] {
  const own = field?.ownMembers
  return own && isJsonObject(value) ? Object.keys(value).filter(name => !own.includes(name)) : []
}

/** A value without them. */
export function withoutElsewhere(field: Pick<Described, 'ownMembers'> | undefined, value: Json): Json {
  const elsewhere = membersElsewhere(field, value)
  return elsewhere.length > 0 && isJsonObject(value)
    ? pickMembers(value, (_, name) => !elsewhere.includes(name))
    : value
}

/** The member of a declaration that names source files; reports of their live edits use it as the field. */
export const sourceField = 'source'

const prefix = `${sourceField}/`

/** The field that one source file is: `source/index.ts`. No other field has a slash in its name. */
export function fieldOfFile(name: string): string {
  return prefix + name
}

/** The name of the source file behind a field; undefined if it is no file. */
export function fileOfField(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined
}

/** Values of source files, or results for them, by their fields. */
export function byFileField<Value>(files: Readonly<Record<string, Value>> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [fieldOfFile(name), value]))
}

/** The parts of objects that `redact` removes from all output and records, each with a description. */
export const redactedParts = {
  payloads: 'what code receives beside the answer',
  descriptions: 'what people say of an object, of its conditions and of its variants',
  values: 'what conditions compare with, the settings that plugins ask for, and source files',
} as const

export type RedactedPart = keyof typeof redactedParts

export function isRedactedPart(text: string): text is RedactedPart {
  return Object.hasOwn(redactedParts, text)
}

export function redactedPartNames(): readonly RedactedPart[] {
  return Object.keys(redactedParts).filter(isRedactedPart)
}

/**
 * The `redact` of a declaration. `true` is every payload and every value of its conditions; a list names the
 * payloads by their variants.
 */
export type Sensitive = true | readonly string[]

/** The replacement for a hidden value; with the beginning of a digest, if that cannot reveal the value. */
export function standIn(digest?: string): string {
  return digest === undefined ? '(sensitive)' : `(sensitive ${digest})`
}

export function isStandIn(text: string): boolean {
  return /^\(sensitive(?: [0-9a-f]{8})?\)$/.test(text)
}

/**
 * Members of a declaration that are stored as one tag each, beside the declared tags: `owner: payments` is
 * `owner:payments`. Kinds whose objects have tags support them.
 */
export const tagMembers = {
  owner: {
    type: 'name',
    doc: 'Who answers for it, such as a team: in the service the tag `owner:NAME`. `--owner NAME` limits a command to what is theirs.',
  },
  expires: {
    type: 'day',
    doc: 'The last day on which it is wanted, as in 2027-03-01: in the service the tag `expires:DAY`. Later, `validate` and plans warn.',
  },
} as const satisfies Readonly<Record<string, { readonly type: 'name' | 'day'; readonly doc: string }>>

export type TagMember = keyof typeof tagMembers

// The table has these keys and no others.
export const tagMemberNames = Object.keys(tagMembers) as readonly TagMember[]

/** The tag for a member. */
export function tagOfMember(member: TagMember, value: string): string {
  return `${member}:${value}`
}

/** The member in a tag, if it has one. */
export function memberOfTag(tag: string): { readonly member: TagMember; readonly value: string } | undefined {
  const member = tagMemberNames.find(name => tag.startsWith(`${name}:`))
  return member && { member, value: tag.slice(member.length + 1) }
}

/** Whether a text is a day of the calendar, such as 2027-03-01. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The day of a time in milliseconds, in UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
