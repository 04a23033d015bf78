import type { Json } from '../../model/json/json.ts'
import type { RunCommit } from '../record/run.ts'
import type { SettingRun } from './live-edit.ts'

/**
 * The base of live edits, by address: the declaration of an object when it last converged. It converges when
 * a run of its target finds it as declared or makes it so. An object that no such run knows has no base.
 */
export type Base = Readonly<Record<string, BaseObject | undefined>>

export interface BaseObject {
  readonly ensure: 'present' | 'absent'
  /** The id by which the object was found or made; a rename in the product does not change it. */
  readonly id?: string
  /** By name, each field that was declared. A field that was not declared has no base. */
  readonly fields: Readonly<Record<string, BaseField | undefined>>
  /** The run that all this is from, except for fields with their own origin. */
  readonly origin: BaseOrigin
}

export interface BaseField {
  /** A short digest of its canonical form, as `sentDigests` makes them. */
  readonly digest: string
  /** The value, if the commit of its origin has it with this digest. Read only on request. */
  readonly value?: Json
  /** The run that the field is from, if it was held in later runs. */
  readonly origin?: BaseOrigin
  /**
   * Digests of values that later runs may have written. The result is unknown: an answer was lost, or the
   * request waits for approval. A live value with one of them counts as equal to the base.
   */
  readonly maybe?: readonly string[]
  /** The paths in it that the declaration left to the service, which are not in the digest; without any, undefined. */
  readonly ignore?: readonly string[]
}

/**
 * By the address of a flag, the roles that its list of grants named when an apply last read it whole. Any
 * other role had no grant then, so a later grant was made in the product.
 */
export type GrantLists = Readonly<Record<string, GrantList | undefined>>

export interface GrantList {
  /** Ids of roles. */
  readonly roles: readonly string[]
  readonly origin: BaseOrigin
  /** Addresses of grants that existed outside the list, with an unknown date of creation. */
  readonly unknown?: readonly string[]
}

/** A run on record, as far as a base needs it. */
export interface BaseOrigin {
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Without git there is none. */
  readonly revision?: RunCommit
}

/** A recorded write without a declaration: by `vexil undo` or `vexil disable`. */
export interface OutsideWrite {
  readonly by: SettingRun['command']
  readonly run: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly who?: string
  /** The reason, in the words of the person who did it. */
  readonly reason?: string
  /**
   * By name, a short digest of each written value, with the ownership tag if it was sent. `exists` has the
   * digest of `true` if the run brought the object back, and of `false` if it deleted it.
   */
  readonly fields: Readonly<Record<string, string>>
}

/**
 * By address, the writes that are the last ones of some field, the newest first: an undo of the conditions stays when
 * the flag is disabled later. Each field is in at most one of them, and in none after a run has made it as declared.
 */
export type OutsideWrites = Readonly<Record<string, readonly OutsideWrite[] | undefined>>

/** By address and field, since when runs leave its value from the product; milliseconds since 1970. */
export type HeldSince = Readonly<Record<string, Readonly<Record<string, number>> | undefined>>

/**
 * The base of a live grant that is not in the declared list of its flag.
 *
 * | the list, when an apply last read it whole  | its base                                          |
 * |---------------------------------------------|---------------------------------------------------|
 * | is not on record                            | its own, if any                                   |
 * | named its role                              | that it was declared                              |
 * | did not, and the apply left the grant there | its own, if any; otherwise unknown                |
 * | did not                                     | that it was not there: it was made in the product |
 */
export function surplusBase(
  list: GrantList | undefined,
  own: BaseObject | undefined,
  { address, identity }: { readonly address: string; readonly identity: string },
): BaseObject | undefined {
  if (!list) return own
  const { origin, roles, unknown = [] } = list
  if (roles.includes(identity))
    return own?.ensure === 'present' ? own : { ensure: 'present', fields: {}, origin }
  return own ?? (unknown.includes(address) ? undefined : { ensure: 'absent', fields: {}, origin })
}

/** The base of a plan's live edits, as far as people want to know. */
export interface Measured extends BaseOrigin {
  /** How many declared objects were last as declared in an earlier run; absent if there are none. */
  readonly earlier?: number
}

/** The newest run among the bases of some objects; undefined if none of them has a base. */
export function measuredFrom(base: Base, addresses: readonly string[]): Measured | undefined {
  const origins = addresses.flatMap(address => {
    const object = Object.hasOwn(base, address) ? base[address] : undefined
    return object ? [object.origin] : []
  })
  const [first, ...others] = origins
  if (!first) return undefined
  // Names of runs sort in the order of the runs; clocks may differ.
  const newest = others.reduce((newest, origin) => (origin.run > newest.run ? origin : newest), first)
  const earlier = origins.filter(({ run }) => run !== newest.run).length
  return { ...newest, ...(earlier === 0 ? {} : { earlier }) }
}
