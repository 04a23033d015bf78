import type { Profile } from './connection.ts'
import { isJsonObject, type Json, pickMembers } from './text/json.ts'

/**
 * Who sets a field.
 * - `managed`: people declare it; it is compared, planned and sent.
 * - `writable`: the interface accepts it, but nobody can declare it, because the service computes it or only
 *   adds to it.
 * - `read`: only in answers.
 */
export type Access = 'managed' | 'writable' | 'read'

/** The guards that check one field of the live object. Their table describes what each blocks. */
export type FieldGuard = 'can_edit' | 'experiment' | 'feature' | 'rollback' | 'survey'

export type StringFormat = 'uuid' | 'date-time' | 'email' | 'url'

/** Converts a value between the spellings of the possible services. */
export interface ByService {
  readonly toWire: (value: Json, services: readonly Profile[]) => Json
  readonly fromWire: (value: Json, services: readonly Profile[]) => Json
}

/** A named group of fields inside another object: the author of a flag, the role in a grant. */
export interface Structure {
  readonly name: string
  readonly fields: Fields
}

interface Described {
  readonly access: Access
  readonly doc: string
  /** Whether a new object must have it. */
  readonly required?: true
  /** Whether the service accepts null in a request. When reading, null is accepted everywhere. */
  readonly nullable?: true
  /** The form for comparing values of this field. It must be idempotent. */
  readonly canonical?: (value: Json) => Json
  /** A quick test for equal canonical forms. False means: compare the canonical forms. */
  readonly isSurelySame?: (left: Json, right: Json) => boolean
  /** The form of a value in output and files, if the canonical form changes the spelling. */
  readonly compact?: (value: Json) => Json
  /**
   * Gives a value the spelling of `model` wherever their parts are equal, so that only real differences
   * remain. Numbers of the model may keep their written form. By default, this works by members and elements.
   */
  readonly keepSpelling?: (value: Json, model: Json) => Json
  /** The form of a declared value in a request, if it differs from the declared text. */
  readonly wire?: (value: Json) => Json
  /**
   * The form in a request with every member, so that services that replace a value and services that merge
   * members store the same result. `live` is the earlier value; it is undefined for a new object, which gets
   * all members.
   */
  readonly complete?: (value: Json, live: Json | undefined) => Json
  /** Converts between the spelling that services obey and the meaning of a value in its own service. */
  readonly byService?: ByService
  /**
   * The members that declarations own. Other parts of the product, including later services, write all
   * others. An undeclared member stays unchanged.
   */
  readonly ownMembers?: readonly string[]
  /** A value that SDKs with `ignored` for this rule skip, and what they do instead. */
  readonly passedOver?: { readonly value: Json; readonly rule: 'devices'; readonly instead: string }
  /**
   * Members that the service encrypts while another field of the object is true. Vexil then ignores them:
   * they are not declared, compared, shown, recorded or sent.
   */
  readonly sealed?: { readonly members: readonly string[]; readonly by: string }
  /**
   * A boolean field. If it is true, the service changes conditions with 0% to everybody when it creates an
   * object, or later. So such a percentage is not possible then.
   */
  readonly openedBy?: string
  /** The most characters that the service accepts, also in each text of a set. It counts after trimming. */
  readonly maxLength?: number
  /** Sent only if it changes, because a request with it needs more permission. */
  readonly sendOnChangeOnly?: true
  /** The service stores it outside the record, so it cannot detect concurrent changes of it. */
  readonly unversioned?: true
  /** Shown together with the declared fields: it never changes without a request. */
  readonly shown?: true
  readonly guard?: FieldGuard
  /** The member of each element that is false after its end. Such an element blocks nothing. */
  readonly runsBy?: string
  /** The values that the guard `can_edit` refuses. Default: `false`. */
  readonly forbidding?: readonly Json[]
  /** The name of the field in requests, by profile. Default: the name here. */
  readonly spelling?: Readonly<Record<string, string>>
  /** The value in a new object that was created without this field. Default: the empty value of the type. */
  readonly initial?: Json
  /** The interface document lacks this field. Newer services have it, and others return none. */
  readonly newer?: true
  /** Only on services with one value of a behaviour. Others neither return nor accept the field. */
  readonly offered?: { readonly behaviour: string; readonly is: string }
  /** The value that an undeclared field has, if the service has the field. */
  readonly assumed?: Json
  /** Whose share in percentages and variants changes with it: everybody's, or that of people who log in. */
  readonly places?: 'everybody' | 'logging_in'
  /** The part of `redact` that hides this value. */
  readonly redactedAs?: RedactedPart
  /** The service writes this value: the time of the creation or of the last change, or the creator. */
  readonly stamp?: 'created' | 'changed' | 'author'
}

export interface StringField extends Described {
  readonly type: 'string'
  readonly format?: StringFormat
  readonly oneOf?: readonly string[]
  /** A note for colleagues about the object. People who get the object do not see it. */
  readonly describes?: true
  /** The characters that every service accepts. Newer services refuse others, which older services store. */
  readonly characters?: { readonly pattern: RegExp; readonly words: string }
}
export interface IntegerField extends Described {
  readonly type: 'integer'
}
export interface BooleanField extends Described {
  readonly type: 'boolean'
  /** While it is false, nobody gets the object, whatever its targeting is. */
  readonly switch?: true
  /** The words for true and false in summaries. */
  readonly words?: { readonly true: string; readonly false: string }
}
/** An object with free-form members. `orArray`: services may answer with an array instead. */
export interface JsonField extends Described {
  readonly type: 'json'
  readonly orArray?: true
  /** The value defines who gets the object, as in `targeting`. Any other JSON is only compared. */
  readonly targeting?: true
}
/** Several values. A `set` has no order and no repeats; the interface calls both "array". */
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

/** Any field may be missing or null, because the interface does not promise required fields. */
export type AnswerOf<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> | null }

/** The names of the fields whose access is one of `A`. */
export type NamesWith<F extends Fields, A extends Access> = {
  [Name in keyof F]: F[Name]['access'] extends A ? Name : never
}[keyof F]

/** A request body: any subset of the writable fields. */
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

/** A value without such members. */
export function withoutElsewhere(field: Pick<Described, 'ownMembers'> | undefined, value: Json): Json {
  const elsewhere = membersElsewhere(field, value)
  return elsewhere.length > 0 && isJsonObject(value)
    ? pickMembers(value, (_, name) => !elsewhere.includes(name))
    : value
}

/** The member of a declaration for source files. Reports of their live edits use it as the field. */
export const sourceField = 'source'

const prefix = `${sourceField}/`

/** The field for one source file: `source/index.ts`. Only such fields have a slash in their name. */
export function fieldOfFile(name: string): string {
  return prefix + name
}

/** The name of the source file for a field; undefined if the field is not a file. */
export function fileOfField(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined
}

/** Values of source files, or results for them, by field. */
export function byFileField<Value>(files: Readonly<Record<string, Value>> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [fieldOfFile(name), value]))
}

/** The parts of objects that `redact` hides in all output and records, each with a description. */
export const redactedParts = {
  payloads: 'the payloads that code receives',
  descriptions: 'descriptions of objects, conditions and variants',
  values: 'values in conditions, settings of plugins, and source files',
} as const

export type RedactedPart = keyof typeof redactedParts

export function isRedactedPart(text: string): text is RedactedPart {
  return Object.hasOwn(redactedParts, text)
}

export function redactedPartNames(): readonly RedactedPart[] {
  return Object.keys(redactedParts).filter(isRedactedPart)
}

/**
 * The member `sensitive` of a declaration. `true`: every payload and every value in conditions. A list: the
 * payloads of these variants.
 */
export type Sensitive = true | readonly string[]

/** The replacement for a hidden value. It includes the start of a digest if that cannot reveal the value. */
export function standIn(digest?: string): string {
  return digest === undefined ? '(sensitive)' : `(sensitive ${digest})`
}

export function isStandIn(text: string): boolean {
  return /^\(sensitive(?: [0-9a-f]{8})?\)$/.test(text)
}

/**
 * Members of a declaration that are stored as one tag each, in addition to the declared tags: `owner:
 * payments` becomes `owner:payments`. Only kinds with tags support them.
 */
export const tagMembers = {
  owner: {
    type: 'name',
    doc: 'The owner, such as a team. The service stores it as the tag `owner:NAME`. `--owner NAME` limits a command to the objects of this owner.',
  },
  expires: {
    type: 'day',
    doc: 'The last day of its planned use, such as 2027-03-01. The service stores it as the tag `expires:DAY`. After this day, `validate` and plans warn.',
  },
} as const satisfies Readonly<Record<string, { readonly type: 'name' | 'day'; readonly doc: string }>>

export type TagMember = keyof typeof tagMembers

// The table has exactly these keys.
export const tagMemberNames = Object.keys(tagMembers) as readonly TagMember[]

export function tagOfMember(member: TagMember, value: string): string {
  return `${member}:${value}`
}

export function memberOfTag(tag: string): { readonly member: TagMember; readonly value: string } | undefined {
  const member = tagMemberNames.find(name => tag.startsWith(`${name}:`))
  return member && { member, value: tag.slice(member.length + 1) }
}

/** Whether a text is a calendar day, such as 2027-03-01. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The UTC day of a time in milliseconds. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
