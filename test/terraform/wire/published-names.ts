import { enums, type MessageName, messages } from '../../../src/terraform/serve/messages.ts'

/** What a message or an enum of ours is called in the published files, where that is not simply its own name. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Step: ['AttributePath.Step'],
  Block: ['Schema.Block'],
  Attribute: ['Schema.Attribute'],
  Object: ['Schema.Object'],
  Parameter: ['Function.Parameter'],
  Return: ['Function.Return'],
  ImportedResource: ['ImportResourceState.ImportedResource'],
  TypeName: [
    'GetMetadata.DataSourceMetadata',
    'GetMetadata.ResourceMetadata',
    'GetMetadata.EphemeralMetadata',
    'GetMetadata.ListResourceMetadata',
  ],
  FunctionName: ['GetMetadata.FunctionMetadata'],
  IdentityAttribute: ['ResourceIdentitySchema.IdentityAttribute'],
  ListResourceEvent: ['ListResource.Event'],
  Knock: ['ConnInfo.Knock'],
  Severity: ['Diagnostic.Severity'],
  Nesting: ['Schema.Object.NestingMode'],
  StdioChannel: ['StdioData.Channel'],
  ServingStatus: ['HealthCheckResponse.ServingStatus'],
}

/** The published names of a message or an enum of ours: several, where one of ours stands for messages alike. */
export function publishedNames(name: string): readonly string[] {
  const ofCall = /^(?!HealthCheck)(\w+)(Request|Response)$/.exec(name)
  return otherNames[name] ?? [ofCall ? `${ofCall[1]}.${ofCall[2]}` : name]
}

// The names of literals' own keys.
export const messageNames = Object.keys(messages) as MessageName[]
export const enumNames = Object.keys(enums) as (keyof typeof enums)[]

/** What the published files call ours, by the published name. */
export const ownNames: ReadonlyMap<string, string> = new Map(
  [...messageNames, ...enumNames].flatMap(name => publishedNames(name).map(published => [published, name])),
)
