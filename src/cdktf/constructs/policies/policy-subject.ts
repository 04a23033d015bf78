import { TerraformResource } from 'cdktf'
import type { IConstruct } from 'constructs'
import { EventDefinition } from '../../generated/event-definition/index.ts'
import { FeatureFlag } from '../../generated/feature-flag/index.ts'
import { Plugin } from '../../generated/plugin/index.ts'

/** What kind of thing a policy looks at. */
export type SubjectKind = 'flag' | 'event' | 'plugin'

/** A resource as a policy sees it, whether it was made by our constructs or by the generated ones. */
export interface PolicySubject {
  readonly kind: SubjectKind
  /** The key of a flag, the name of anything else. */
  readonly name: string
  /** The generated construct. */
  readonly resource: TerraformResource
  /** The construct that people wrote, where messages belong. */
  readonly construct: IConstruct
  /** What will be synthesized as things stand, `addOverride` included. */
  readonly attributes: { readonly [name: string]: unknown }
}

/** The resource that a construct is, as a policy sees it; undefined for all constructs that are none of ours. */
export function subjectOf(construct: IConstruct): PolicySubject | undefined {
  if (!TerraformResource.isTerraformResource(construct)) return undefined
  const type = construct.terraformResourceType
  const known = kinds.get(type)
  if (known === undefined) return undefined
  const attributes = memberOf(
    memberOf(memberOf(construct.toTerraform(), 'resource'), type),
    construct.friendlyUniqueId,
  )
  // A resource that was moved elsewhere leaves nothing but the note of that.
  if (!isRecord(attributes)) return undefined
  const { scope } = construct.node
  return {
    kind: known.kind,
    name: String(attributes[known.named] ?? ''),
    resource: construct,
    construct: scope?.node.defaultChild === construct ? scope : construct,
    attributes,
  }
}

/** By type and not by class: an app may hold constructs of another copy of this package. */
const kinds: ReadonlyMap<string, { readonly kind: SubjectKind; readonly named: string }> = new Map([
  [FeatureFlag.tfResourceType, { kind: 'flag', named: 'key' }],
  [EventDefinition.tfResourceType, { kind: 'event', named: 'name' }],
  [Plugin.tfResourceType, { kind: 'plugin', named: 'name' }],
])

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null
}
