/** The messages in which a provider describes its own values. */
const schemaMessages = {
  Schema: { version: [1, 'int64'], block: [2, 'Block'] },
  Block: {
    version: [1, 'int64'],
    attributes: [2, 'Attribute', 'repeated'],
    description: [4, 'string'],
    description_kind: [5, 'StringKind'],
    deprecated: [6, 'bool'],
  },
  Attribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    description: [3, 'string'],
    required: [4, 'bool'],
    optional: [5, 'bool'],
    computed: [6, 'bool'],
    sensitive: [7, 'bool'],
    description_kind: [8, 'StringKind'],
    deprecated: [9, 'bool'],
    nested_type: [10, 'Object'],
    write_only: [11, 'bool'],
  },
  Object: { attributes: [1, 'Attribute', 'repeated'], nesting: [3, 'Nesting'] },
  ResourceIdentitySchema: {
    version: [1, 'int64'],
    identity_attributes: [2, 'IdentityAttribute', 'repeated'],
  },
  IdentityAttribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    required_for_import: [3, 'bool'],
    optional_for_import: [4, 'bool'],
    description: [5, 'string'],
  },
  Function: {
    parameters: [1, 'Parameter', 'repeated'],
    variadic_parameter: [2, 'Parameter'],
    return: [3, 'Return'],
    summary: [4, 'string'],
    description: [5, 'string'],
    description_kind: [6, 'StringKind'],
    deprecation_message: [7, 'string'],
  },
  Parameter: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    allow_null_value: [3, 'bool'],
    allow_unknown_values: [4, 'bool'],
    description: [5, 'string'],
    description_kind: [6, 'StringKind'],
  },
  Return: { type: [1, 'bytes'] },
} as const satisfies Readonly<Record<string, MessageTable>>

const schemaEnums = {
  StringKind: ['plain', 'markdown'],
  Nesting: ['invalid', 'single', 'list', 'set', 'map'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * The requests, answers and parts of the calls of Terraform's plugin protocol, version 6, that the provider
 * handles. Other calls are answered as unimplemented, and other fields from Terraform are skipped.
 */
const callMessages = {
  DynamicValue: { msgpack: [1, 'bytes'], json: [2, 'bytes'] },
  RawState: { json: [1, 'bytes'], flatmap: [2, 'string', 'map'] },
  AttributePath: { steps: [1, 'Step', 'repeated'] },
  Step: {
    attribute_name: [1, 'string', 'optional'],
    element_key_string: [2, 'string', 'optional'],
    element_key_int: [3, 'int64', 'optional'],
  },
  Diagnostic: {
    severity: [1, 'Severity'],
    summary: [2, 'string'],
    detail: [3, 'string'],
    attribute: [4, 'AttributePath'],
  },
  FunctionError: { text: [1, 'string'], function_argument: [2, 'int64', 'optional'] },
  ServerCapabilities: {
    plan_destroy: [1, 'bool'],
    get_provider_schema_optional: [2, 'bool'],
    move_resource_state: [3, 'bool'],
    generate_resource_config: [4, 'bool'],
  },
  TypeName: { type_name: [1, 'string'] },
  ResourceIdentityData: { identity_data: [1, 'DynamicValue'] },
  FunctionName: { name: [1, 'string'] },

  GetMetadataRequest: {},
  GetMetadataResponse: {
    server_capabilities: [1, 'ServerCapabilities'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    data_sources: [3, 'TypeName', 'repeated'],
    resources: [4, 'TypeName', 'repeated'],
    functions: [5, 'FunctionName', 'repeated'],
    ephemeral_resources: [6, 'TypeName', 'repeated'],
    list_resources: [7, 'TypeName', 'repeated'],
  },
  GetProviderSchemaRequest: {},
  GetProviderSchemaResponse: {
    provider: [1, 'Schema'],
    resource_schemas: [2, 'Schema', 'map'],
    data_source_schemas: [3, 'Schema', 'map'],
    diagnostics: [4, 'Diagnostic', 'repeated'],
    server_capabilities: [6, 'ServerCapabilities'],
    functions: [7, 'Function', 'map'],
    list_resource_schemas: [9, 'Schema', 'map'],
  },
  GetResourceIdentitySchemasRequest: {},
  GetResourceIdentitySchemasResponse: {
    identity_schemas: [1, 'ResourceIdentitySchema', 'map'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  ValidateProviderConfigRequest: { config: [1, 'DynamicValue'] },
  ValidateProviderConfigResponse: { diagnostics: [2, 'Diagnostic', 'repeated'] },
  ConfigureProviderRequest: {
    terraform_version: [1, 'string'],
    config: [2, 'DynamicValue'],
  },
  ConfigureProviderResponse: { diagnostics: [1, 'Diagnostic', 'repeated'] },
  StopProviderRequest: {},
  StopProviderResponse: { Error: [1, 'string'] },

  ValidateResourceConfigRequest: {
    type_name: [1, 'string'],
    config: [2, 'DynamicValue'],
  },
  ValidateResourceConfigResponse: { diagnostics: [1, 'Diagnostic', 'repeated'] },
  UpgradeResourceStateRequest: {
    type_name: [1, 'string'],
    version: [2, 'int64'],
    raw_state: [3, 'RawState'],
  },
  UpgradeResourceStateResponse: {
    upgraded_state: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  UpgradeResourceIdentityRequest: {
    type_name: [1, 'string'],
    version: [2, 'int64'],
    raw_identity: [3, 'RawState'],
  },
  UpgradeResourceIdentityResponse: {
    upgraded_identity: [1, 'ResourceIdentityData'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  ReadResourceRequest: {
    type_name: [1, 'string'],
    current_state: [2, 'DynamicValue'],
    private: [3, 'bytes'],
    current_identity: [6, 'ResourceIdentityData'],
  },
  ReadResourceResponse: {
    new_state: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    private: [3, 'bytes'],
    new_identity: [5, 'ResourceIdentityData'],
  },
  PlanResourceChangeRequest: {
    type_name: [1, 'string'],
    prior_state: [2, 'DynamicValue'],
    proposed_new_state: [3, 'DynamicValue'],
    config: [4, 'DynamicValue'],
    prior_private: [5, 'bytes'],
    prior_identity: [8, 'ResourceIdentityData'],
  },
  PlanResourceChangeResponse: {
    planned_state: [1, 'DynamicValue'],
    requires_replace: [2, 'AttributePath', 'repeated'],
    planned_private: [3, 'bytes'],
    diagnostics: [4, 'Diagnostic', 'repeated'],
    legacy_type_system: [5, 'bool'],
    planned_identity: [7, 'ResourceIdentityData'],
  },
  ApplyResourceChangeRequest: {
    type_name: [1, 'string'],
    prior_state: [2, 'DynamicValue'],
    planned_state: [3, 'DynamicValue'],
    config: [4, 'DynamicValue'],
    planned_private: [5, 'bytes'],
    planned_identity: [7, 'ResourceIdentityData'],
  },
  ApplyResourceChangeResponse: {
    new_state: [1, 'DynamicValue'],
    private: [2, 'bytes'],
    diagnostics: [3, 'Diagnostic', 'repeated'],
    legacy_type_system: [4, 'bool'],
    new_identity: [5, 'ResourceIdentityData'],
  },
  ImportResourceStateRequest: {
    type_name: [1, 'string'],
    id: [2, 'string'],
    identity: [4, 'ResourceIdentityData'],
  },
  ImportResourceStateResponse: {
    imported_resources: [1, 'ImportedResource', 'repeated'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  ImportedResource: {
    type_name: [1, 'string'],
    state: [2, 'DynamicValue'],
    private: [3, 'bytes'],
    identity: [4, 'ResourceIdentityData'],
  },
  MoveResourceStateRequest: {
    source_provider_address: [1, 'string'],
    source_type_name: [2, 'string'],
    source_schema_version: [3, 'int64'],
    source_state: [4, 'RawState'],
    target_type_name: [5, 'string'],
    source_private: [6, 'bytes'],
  },
  MoveResourceStateResponse: {
    target_state: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    target_private: [3, 'bytes'],
    target_identity: [4, 'ResourceIdentityData'],
  },

  ValidateDataResourceConfigRequest: { type_name: [1, 'string'], config: [2, 'DynamicValue'] },
  ValidateDataResourceConfigResponse: { diagnostics: [1, 'Diagnostic', 'repeated'] },
  ReadDataSourceRequest: {
    type_name: [1, 'string'],
    config: [2, 'DynamicValue'],
  },
  ReadDataSourceResponse: {
    state: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },

  ValidateListResourceConfigRequest: { type_name: [1, 'string'], config: [2, 'DynamicValue'] },
  ValidateListResourceConfigResponse: { diagnostics: [1, 'Diagnostic', 'repeated'] },
  ListResourceRequest: {
    type_name: [1, 'string'],
    config: [2, 'DynamicValue'],
    include_resource_object: [3, 'bool'],
    limit: [4, 'int64'],
  },
  ListResourceEvent: {
    identity: [1, 'ResourceIdentityData'],
    display_name: [2, 'string'],
    resource_object: [3, 'DynamicValue', 'optional'],
    diagnostic: [4, 'Diagnostic', 'repeated'],
  },

  GetFunctionsRequest: {},
  GetFunctionsResponse: {
    functions: [1, 'Function', 'map'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  CallFunctionRequest: { name: [1, 'string'], arguments: [2, 'DynamicValue', 'repeated'] },
  CallFunctionResponse: { result: [1, 'DynamicValue'], error: [2, 'FunctionError'] },
} as const satisfies Readonly<Record<string, MessageTable>>

const callEnums = {
  Severity: ['invalid', 'error', 'warning'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The messages of every plugin host and plugin. */
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

/** All messages on the wire. The codec reads these tables, and the types below are inferred from them. */
export const messages = { ...callMessages, ...schemaMessages, ...pluginMessages }
/** The index of an enum's member is its number. */
export const enums = { ...callEnums, ...schemaEnums, ...pluginEnums }

type Tables = typeof messages
type Enums = typeof enums
export type MessageName = keyof Tables
export type EnumName = keyof Enums

/** A decoded message: it has every field. */
export type Message<Name extends MessageName> = {
  readonly [Field in keyof Tables[Name]]: Read<Tables[Name][Field]>
}

/** A message to encode: missing fields and zeros are not sent. */
export type Draft<Name extends MessageName> = {
  readonly [Field in keyof Tables[Name]]?: Written<Tables[Name][Field]>
}

/** The calls with one request and one response. */
export type RpcName = {
  [Name in MessageName]: Name extends `${infer Rpc}Request`
    ? `${Rpc}Response` extends MessageName
      ? Rpc
      : never
    : never
}[MessageName]
export type RequestName<Rpc extends RpcName | StreamName> = Extract<MessageName, `${Rpc}Request`>
export type ResponseName<Rpc extends RpcName> = Extract<MessageName, `${Rpc}Response`>

/** The calls with one request and any number of events. */
export type StreamName = {
  [Name in MessageName]: Name extends `${infer Rpc}Request`
    ? `${Rpc}Event` extends MessageName
      ? Rpc
      : never
    : never
}[MessageName]
export type EventName<Rpc extends StreamName> = Extract<MessageName, `${Rpc}Event`>

export function eventName<Rpc extends StreamName>(rpc: Rpc): EventName<Rpc> {
  // TypeScript gives this template a general type, not the resulting name.
  return `${rpc}Event` as EventName<Rpc>
}

export function requestName<Rpc extends RpcName | StreamName>(rpc: Rpc): RequestName<Rpc> {
  // TypeScript gives this template a general type, not the resulting name.
  return `${rpc}Request` as RequestName<Rpc>
}

export function responseName<Rpc extends RpcName>(rpc: Rpc): ResponseName<Rpc> {
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

/**
 * One field of a message: its number, its type, and how often it occurs. The type is a scalar, an enum of
 * `enums` or a message of `messages`. Without a label, a missing scalar reads as zero and a missing message
 * as undefined. `optional` distinguishes a missing scalar from zero, as in members of a `oneof`.
 */
export type FieldRow = readonly [number: number, type: string, label?: FieldLabel]
export type FieldLabel = 'optional' | 'repeated' | 'map'
export type MessageTable = Readonly<Record<string, FieldRow>>

/** The scalar types, and their TypeScript types. An int64 is a number if that is exact. */
export interface Scalars {
  readonly string: string
  readonly bytes: Uint8Array
  readonly bool: boolean
  readonly uint32: number
  readonly int64: number | bigint
}
