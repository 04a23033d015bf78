/**
 * One field of a message: its number, its type, and how often it stands there. The type is a scalar, an enum of
 * `enums` or a message of `messages`. Without a label a scalar that is missing reads as its zero, a message as
 * undefined; `optional` tells a missing scalar from a zero, and is what the members of a `oneof` are.
 */
export type FieldRow = readonly [number: number, type: string, label?: FieldLabel]
export type FieldLabel = 'optional' | 'repeated' | 'map'
export type MessageTable = Readonly<Record<string, FieldRow>>

/** The scalar types, and what each is here. An int64 is a number wherever that is exact. */
export interface Scalars {
  readonly string: string
  readonly bytes: Uint8Array
  readonly bool: boolean
  readonly uint32: number
  readonly int64: number | bigint
}
