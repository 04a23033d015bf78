import type { FieldLabel, FieldRow, MessageTable, Scalars } from './field-row.ts'
import { type EnumName, enums, type MessageName, messages } from './messages.ts'

export type FieldType =
  | { readonly is: 'scalar'; readonly scalar: keyof Scalars }
  | { readonly is: 'enum'; readonly members: readonly string[] }
  | { readonly is: 'message'; readonly message: MessageName }

export interface Field {
  readonly name: string
  readonly number: number
  readonly type: FieldType
  readonly label: FieldLabel | undefined
}

export interface CompiledMessage {
  readonly fields: readonly Field[]
  readonly byNumber: ReadonlyMap<number, Field>
}

/** The tables, made ready for the codec once. */
export const compiled: ReadonlyMap<string, CompiledMessage> = new Map(
  Object.entries<MessageTable>(messages).map(([name, table]) => [name, compile(table)]),
)

function compile(table: MessageTable): CompiledMessage {
  const fields = Object.entries(table).map(([name, row]) => compileField(name, row))
  return { fields, byNumber: new Map(fields.map(field => [field.number, field])) }
}

function compileField(name: string, [number, type, label]: FieldRow): Field {
  return { name, number, type: fieldType(type), label }
}

function fieldType(type: string): FieldType {
  if (isMessage(type)) return { is: 'message', message: type }
  if (isEnum(type)) return { is: 'enum', members: enums[type] }
  if (isScalar(type)) return { is: 'scalar', scalar: type }
  throw new TypeError(`"${type}" is the type of a field, but no table has it`)
}

function isMessage(type: string): type is MessageName {
  return Object.hasOwn(messages, type)
}

function isEnum(type: string): type is EnumName {
  return Object.hasOwn(enums, type)
}

function isScalar(type: string): type is keyof Scalars {
  return ['string', 'bytes', 'bool', 'uint32', 'int64'].includes(type)
}
