import { Token } from 'cdktf'
import type { Property } from '../../targeting/filters.ts'
import { payloadText } from '../../targeting/payload.ts'
import type {
  FeatureFlagConfig,
  FeatureFlagRelease,
  FeatureFlagReleaseProperties,
} from '../generated/feature-flag/index.ts'
import { escapeText } from './escape-text.ts'
import { jsonText } from './json-text.ts'
import { hasReference, isReference } from './reference.ts'
import type { DeclaredFilters } from './targeting.ts'
import type { DescribedCondition } from './when.ts'

type TargetingConfig = Pick<
  FeatureFlagConfig,
  'filters' | 'release' | 'variants' | 'payload' | 'groupTypeIndex'
>

/**
 * The attributes that say what the filters say. A plan shows `release` and `variants` line by line, so they are taken
 * wherever they can say all of it; the rest is JSON text.
 *
 * | in the filters | attributes |
 * | --- | --- |
 * | conditions, variants, payloads, a group type | `release`, `variants`, `payload`, `group_type_index` |
 * | a variant of another flag that is called "true" or "false", or may be | `filters` |
 * | members of the service that are written as they are | `filters` |
 */
export function targetingConfig(filters: DeclaredFilters, isOurs: boolean): TargetingConfig {
  return isOurs && isTyped(filters) ? typedConfig(filters) : { filters: jsonText(filters) }
}

const typedConditionMembers = new Set(['properties', 'rollout_percentage', 'variant', 'description'])

function isTyped({ groups = [], multivariate, payloads = {}, ...others }: DeclaredFilters): boolean {
  const receivers = multivariate === undefined ? ['true'] : multivariate.variants.map(({ key }) => key)
  return (
    Object.keys(others).every(name => name === 'aggregation_group_type_index') &&
    groups.every(isTypedCondition) &&
    Object.keys(payloads).every(key => receivers.includes(key))
  )
}

function isTypedCondition(condition: DescribedCondition): boolean {
  return (
    Object.keys(condition).every(name => typedConditionMembers.has(name)) &&
    (condition.properties ?? []).every(isTypedProperty)
  )
}

/** The attribute takes these words for what another flag is, and not for a variant that is called so. */
function isTypedProperty({ type, value }: Property): boolean {
  if (type !== 'flag' || typeof value === 'boolean') return true
  return value !== 'true' && value !== 'false' && !hasReference(value)
}

function typedConfig({ groups, multivariate, payloads = {}, ...others }: DeclaredFilters): TargetingConfig {
  const payloadOf = (key: string) =>
    Object.hasOwn(payloads, key) ? { payload: payloadAttribute(payloads[key]) } : {}
  const index = others.aggregation_group_type_index
  return {
    ...(groups === undefined ? {} : { release: groups.map(typedCondition) }),
    ...(multivariate === undefined
      ? payloadOf('true')
      : {
          variants: multivariate.variants.map(({ key, name, rollout_percentage: share }) => ({
            key: escapeText(key),
            ...(isSaid(name) ? { name: escapeText(name) } : {}),
            rolloutPercentage: share,
            ...payloadOf(key),
          })),
        }),
    ...(index === undefined ? {} : { groupTypeIndex: index }),
  }
}

function typedCondition({
  properties = [],
  rollout_percentage: percent,
  variant,
  description,
}: DescribedCondition): FeatureFlagRelease {
  return {
    ...(properties.length === 0 ? {} : { properties: properties.map(typedProperty) }),
    ...(isSaid(percent) ? { rolloutPercentage: percent } : {}),
    ...(isSaid(variant) ? { variant: escapeText(variant) } : {}),
    ...(description === undefined ? {} : { description: escapeText(description) }),
  }
}

function typedProperty({
  key,
  type,
  operator,
  value,
  group_type_index: index,
}: Property): FeatureFlagReleaseProperties {
  return {
    key: escapeText(key),
    // People are what is meant when nothing is said.
    ...(type === undefined || type === 'person' ? {} : { type }),
    ...(operator === undefined ? {} : { operator: escapeText(operator) }),
    ...(Array.isArray(value)
      ? { values: value.map(textAttribute) }
      : value === undefined
        ? {}
        : { value: textAttribute(value) }),
    ...(isSaid(index) ? { groupTypeIndex: index } : {}),
  }
}

/** The service's own way of leaving a member out is null. */
function isSaid<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}

/** Whoever made the condition has read its values: what is no text is a number or a truth value. */
function textAttribute(value: unknown): string {
  if (typeof value === 'string') return escapeText(value)
  return isReference(value) ? Token.asString(value) : String(value)
}

/** A text that is JSON is meant as that JSON, as everywhere; a reference is a value. */
function payloadAttribute(payload: unknown): string {
  return typeof payload === 'string' && !hasReference(payload)
    ? escapeText(payloadText(payload))
    : jsonText(payload)
}
