import { callEnums, callMessages } from './call-messages.ts'
import type { FieldRow, MessageTable, Scalars } from './field-row.ts'
import { schemaEnums, schemaMessages } from './schema-messages.ts'

/** What a plugin host and a plugin say to each other whatever the plugin does. */
const pluginMessages = {
  Empty: {},
  StdioData: { channel: [1, 'StdioChannel'], data: [2, 'bytes'] },
  ConnInfo: {
    service_id: [1, 'uint32'],
    network: [2, 'string'],
    address: [3, 'string'],
    knock: [4, 'Knock'],
  },
  Knock: { knock: [1, 'bool'], ack: [2, 'bool'], error: [3, 'string'] },
  HealthCheckRequest: { service: [1, 'string'] },
  HealthCheckResponse: { status: [1, 'ServingStatus'] },
} as const satisfies Readonly<Record<string, MessageTable>>

const pluginEnums = {
  StdioChannel: ['invalid', 'stdout', 'stderr'],
  ServingStatus: ['unknown', 'serving', 'not_serving', 'service_unknown'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Every message on the wire, each once: the codec reads these tables and the types below are inferred from them. */
export const messages = { ...callMessages, ...schemaMessages, ...pluginMessages }
/** The members of an enum stand at their number. */
export const enums = { ...callEnums, ...schemaEnums, ...pluginEnums }

type Tables = typeof messages
type Enums = typeof enums
export type MessageName = keyof Tables
export type EnumName = keyof Enums

/** A message as it is read: every field is there. */
export type Message<Name extends MessageName> = {
  readonly [Field in keyof Tables[Name]]: Read<Tables[Name][Field]>
}

/** A message as it is written: what is left out, or zero, is not sent. */
export type Draft<Name extends MessageName> = {
  readonly [Field in keyof Tables[Name]]?: Written<Tables[Name][Field]>
}

/** The calls that answer one request with one response. */
export type RpcName = {
  [Name in MessageName]: Name extends `${infer Rpc}Request`
    ? `${Rpc}Response` extends MessageName
      ? Rpc
      : never
    : never
}[MessageName]
export type RequestName<Rpc extends RpcName | StreamName> = Extract<MessageName, `${Rpc}Request`>
export type ResponseName<Rpc extends RpcName> = Extract<MessageName, `${Rpc}Response`>

/** The calls that answer one request with any number of events. */
export type StreamName = {
  [Name in MessageName]: Name extends `${infer Rpc}Request`
    ? `${Rpc}Event` extends MessageName
      ? Rpc
      : never
    : never
}[MessageName]
export type EventName<Rpc extends StreamName> = Extract<MessageName, `${Rpc}Event`>

export function eventName<Rpc extends StreamName>(rpc: Rpc): EventName<Rpc> {
  // TypeScript makes a text of the parts, and not the one name that they make.
  return `${rpc}Event` as EventName<Rpc>
}

export function requestName<Rpc extends RpcName | StreamName>(rpc: Rpc): RequestName<Rpc> {
  // TypeScript makes a text of the parts, and not the one name that they make.
  return `${rpc}Request` as RequestName<Rpc>
}

export function responseName<Rpc extends RpcName>(rpc: Rpc): ResponseName<Rpc> {
  // The same.
  return `${rpc}Response` as ResponseName<Rpc>
}

type Read<Row> = Row extends FieldRow
  ? Row[2] extends 'repeated'
    ? readonly ReadOne<Row[1]>[]
    : Row[2] extends 'map'
      ? Readonly<Record<string, ReadOne<Row[1]>>>
      : Row[2] extends 'optional'
        ? ReadOne<Row[1]> | undefined
        : Row[1] extends MessageName
          ? ReadOne<Row[1]> | undefined
          : ReadOne<Row[1]>
  : never

type Written<Row> = Row extends FieldRow
  ? Row[2] extends 'repeated'
    ? readonly WrittenOne<Row[1]>[] | undefined
    : Row[2] extends 'map'
      ? Readonly<Record<string, WrittenOne<Row[1]>>> | undefined
      : WrittenOne<Row[1]> | undefined
  : never

type ReadOne<Type> = Type extends MessageName ? Message<Type> : Plain<Type>
type WrittenOne<Type> = Type extends MessageName ? Draft<Type> : Plain<Type>
type Plain<Type> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends EnumName
    ? Enums[Type][number]
    : never
