import type { Profile } from './connection.ts'
import { isJsonObject, type Json, pickMembers } from './json/json.ts'
import type { RedactedPart } from './redacted-part.ts'

/**
 * Who sets a field.
 * - `managed`: people declare it; it is compared, planned and sent.
 * - `writable`: the interface accepts it, but declaring it would fight the service (it computes or only adds to it).
 * - `read`: returned only.
 */
export type Access = 'managed' | 'writable' | 'read'

/** The guards that look at one field of the live object; what each holds back stands in the table of guards. */
export type FieldGuard = 'can_edit' | 'experiment' | 'feature' | 'rollback' | 'survey'

export type StringFormat = 'uuid' | 'date-time' | 'email' | 'url'

/** How a value is spelled on the wire, by the services that a client may be talking to. */
export interface ByService {
  readonly toWire: (value: Json, services: readonly Profile[]) => Json
  readonly fromWire: (value: Json, services: readonly Profile[]) => Json
}

/** A named group of fields that never stands alone: the author of a flag, the role inside a grant. */
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
  /** Tells of most values with one canonical form that they have it, in less time; false where only that form can tell. */
  readonly isSurelySame?: (left: Json, right: Json) => boolean
  /** The form in which a value is shown and written down, where the canonical form spells it otherwise than people did. */
  readonly compact?: (value: Json) => Json
  /**
   * A value in the spelling of `model` wherever parts of both are the same, so that what differs between them is what
   * one means and the other does not. Numbers of the model may be as somebody wrote them. By members and elements, when
   * left out.
   */
  readonly keepSpelling?: (value: Json, model: Json) => Json
  /** The form in which a declared value is sent, when that is more than the declared text. */
  readonly wire?: (value: Json) => Json
  /**
   * The same with every member said, so that services which replace a value and services which merge its members end
   * alike. `live` is what it is written over, undefined for a new object, which is sent it in any case.
   */
  readonly complete?: (value: Json, live: Json | undefined) => Json
  /** The value in the spelling that services obey, and what the value of a record means to the service that it is from. */
  readonly byService?: ByService
  /**
   * The members that a declaration owns. Any other is written by other parts of the product, those of later services too:
   * it is kept as it is when nobody declares it.
   */
  readonly ownMembers?: readonly string[]
  /** A value that SDKs with `ignored` for this rule of evaluation pass over, and what they do in its place. */
  readonly passedOver?: { readonly value: Json; readonly rule: 'devices'; readonly instead: string }
  /**
   * Members that the service keeps encrypted while another field of the object is true. Then they are left to it: not
   * declared, and neither compared, shown, recorded nor sent.
   */
  readonly sealed?: { readonly members: readonly string[]; readonly by: string }
  /**
   * The boolean field with which the service opens conditions for 0% to everybody when it creates an object, and may do
   * so later: such a percentage cannot hold there.
   */
  readonly openedBy?: string
  /** The most characters that the service takes; of a set, in each of its texts. It trims before it counts. */
  readonly maxLength?: number
  /** Sent only when it changes: merely naming it asks for more permission. */
  readonly sendOnChangeOnly?: true
  /** True when it is kept beside the record: a change of it may not be held against what others have made of it. */
  readonly unversioned?: true
  /** Shown beside what is declared: it never changes by itself. */
  readonly shown?: true
  /** The guard that looks at it in the live object. */
  readonly guard?: FieldGuard
  /** The member of each element that is false once it has ended: then it holds nothing back. */
  readonly runsBy?: string
  /** The values at which the guard `can_edit` objects, where that is not false. */
  readonly forbidding?: readonly Json[]
  /** How each service profile spells the field on the wire; as it is called here, where absent. */
  readonly spelling?: Readonly<Record<string, string>>
  /** What a new object holds that was made without it, where that is not the empty value of the type. */
  readonly initial?: Json
  /** The interface document has no such field: newer services do, and others show none. */
  readonly newer?: true
  /**
   * The services that have the field, where that is not all: those that do so in a behaviour in which services differ.
   * Others show none and take none.
   */
  readonly offered?: { readonly behaviour: string; readonly is: string }
  /** What is meant where a declaration says nothing of the field and the service has it. */
  readonly assumed?: Json
  /** Whose place in percentages and among variants another value of it changes: that of everybody, or of who logs in. */
  readonly places?: 'everybody' | 'logging_in'
  /** The part of `redact` that its whole value is. */
  readonly redactedAs?: RedactedPart
  /** What the service writes there by itself: the time of the creation or of the last change, or who created it. */
  readonly stamp?: 'created' | 'changed' | 'author'
}

export interface StringField extends Described {
  readonly type: 'string'
  readonly format?: StringFormat
  readonly oneOf?: readonly string[]
  /** What people say of the object to each other, whatever the field is called: nobody who gets the object sees it. */
  readonly describes?: true
  /** The texts that every service takes. Newer ones refuse others, which older ones keep. */
  readonly characters?: { readonly pattern: RegExp; readonly words: string }
}
export interface IntegerField extends Described {
  readonly type: 'integer'
}
export interface BooleanField extends Described {
  readonly type: 'boolean'
  /** While it is false nobody gets the object, whatever its targeting says. */
  readonly switch?: true
  /** What people call an object that has it, and one that does not. */
  readonly words?: { readonly true: string; readonly false: string }
}
/** An object with free-form members. `orArray` marks where services answer with an array in its place. */
export interface JsonField extends Described {
  readonly type: 'json'
  readonly orArray?: true
  /** Its value says who gets the object, and is worked out as `targeting` does; any other JSON is only compared. */
  readonly targeting?: true
}
/** Several values; a `set` has no order and no repeats. The interface calls both "array". */
export interface ArrayField extends Described {
  readonly type: 'list' | 'set'
  readonly of?: 'string' | 'integer'
  /** The most elements that the service takes. */
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

/** The member of a declaration that names source files, and the field under which live edits of them are told and held. */
export const sourceField = 'source'

const prefix = `${sourceField}/`

/** The field that one source file is: `source/index.ts`. No other field has a slash in its name. */
export function fieldOfFile(name: string): string {
  return prefix + name
}

/** The name of the source file that a field is; undefined where it is no file. */
export function fileOfField(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined
}

/** Values of source files, or what was made of them, by the fields that they are. */
export function byFileField<Value>(files: Readonly<Record<string, Value>> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [fieldOfFile(name), value]))
}
