import type { MessageTable } from './field-row.ts'

/**
 * What is asked and answered in those calls of Terraform's plugin protocol, version 6, that the provider has an answer
 * to, and what these consist of. All others are answered as unimplemented, and what Terraform sends for them beside the
 * rest is skipped.
 */
export const callMessages = {
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

export const callEnums = {
  Severity: ['invalid', 'error', 'warning'],
} as const satisfies Readonly<Record<string, readonly string[]>>
