import { payloadText } from '../../targeting/canonical-filters.ts'
import {
  attributeOf,
  partOf,
  type TypedAttribute,
  type TypedPart,
  type TypedPartName,
} from '../../targeting/typed-form.ts'
import { propertyOf } from '../engine/names.ts'
import type { FeatureFlag, FeatureFlagConfig } from '../generated/feature-flag/index.ts'
import { escapeText, hasReference } from '../synthesized/templates.ts'
import { jsonText } from '../synthesized/write-json.ts'

/** The attributes of the generated construct that define who gets a flag. */
export type TargetingConfig = Pick<
  FeatureFlagConfig,
  'filters' | 'release' | 'variants' | 'payload' | 'groupTypeIndex' | 'earlyExit'
>

/** The typed form in the properties of the generated construct. Undefined ones are left out. */
export function typedConfig(typed: Partial<TypedPart<'filters'>>): TargetingConfig {
  // The properties are generated from the table that also defines the typed form.
  return propertiesOf('filters', typed) as TargetingConfig
}

function propertiesOf(part: TypedPartName, typed: object): object {
  const properties = Object.entries(typed).flatMap(([name, value]) => {
    const attribute = attributeOf(part, name)
    return attribute && isSet(attribute, value) ? [[propertyOf(name), attributeValue(attribute, value)]] : []
  })
  return Object.fromEntries(properties)
}

function isSet({ byDefault, emptyIsNothing }: TypedAttribute, value: unknown): boolean {
  if (value === undefined || value === byDefault) return false
  return !(emptyIsNothing && Array.isArray(value) && value.length === 0)
}

function attributeValue(attribute: TypedAttribute, value: unknown): unknown {
  const of = partOf(attribute)
  // The attribute defines the type of its elements.
  if (of) return (value as readonly object[]).map(each => propertiesOf(of, each))
  switch (attribute.is) {
    case 'texts':
      return (value as readonly string[]).map(escapeText)
    case 'json':
      return payloadProperty(value)
    case 'number':
    case 'truth':
      return value
    default:
      // A value that is no text is a number or a boolean: its condition has checked it.
      return escapeText(String(value))
  }
}

/** A text that is JSON is used as that JSON, as everywhere; a reference is a value. */
function payloadProperty(payload: unknown): string {
  return typeof payload === 'string' && !hasReference(payload)
    ? escapeText(payloadText(payload))
    : jsonText(payload)
}

/** Replaces the whole targeting of the generated construct. */
export function setTargeting(resource: FeatureFlag, given: TargetingConfig): void {
  const { filters, release, variants, payload, groupTypeIndex, earlyExit } = given
  if (filters === undefined) resource.resetFilters()
  else resource.filters = filters
  if (release === undefined) resource.resetRelease()
  else resource.putRelease(release)
  if (variants === undefined) resource.resetVariants()
  else resource.putVariants(variants)
  if (payload === undefined) resource.resetPayload()
  else resource.payload = payload
  if (groupTypeIndex === undefined) resource.resetGroupTypeIndex()
  else resource.groupTypeIndex = groupTypeIndex
  if (earlyExit === undefined) resource.resetEarlyExit()
  else resource.earlyExit = earlyExit
}

/**
 * Refuses to continue if the generated construct has another targeting than it was given here: a value that
 * somebody set by hand, perhaps a reference, would be lost.
 */
export function requireAsGiven(resource: FeatureFlag, given: TargetingConfig = {}): void {
  const has: { readonly [Name in keyof TargetingConfig | 'rolloutPercentage']: unknown } = {
    filters: resource.filtersInput,
    release: resource.releaseInput,
    variants: resource.variantsInput,
    payload: resource.payloadInput,
    groupTypeIndex: resource.groupTypeIndexInput,
    earlyExit: resource.earlyExitInput,
    // Our constructs write it as a condition.
    rolloutPercentage: resource.rolloutPercentageInput,
  }
  const changed = Object.entries(has).find(([name, value]) => value !== Reflect.get(given, name))
  if (changed === undefined) return
  throw new Error(
    `"${changed[0]}" of the generated construct was set by hand, so nothing can be added to it; ` +
      'give it all conditions there: flag.resource.putRelease(...)',
  )
}
