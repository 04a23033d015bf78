import { payloadText } from '../../targeting/canonical-filters.ts'
import {
  attributeOf,
  partOf,
  type TypedAttribute,
  type TypedPart,
  type TypedPartName,
} from '../../targeting/typed-form.ts'
import { propertyOf } from '../engine/property-name.ts'
import type { FeatureFlagConfig } from '../generated/feature-flag/index.ts'
import { escapeText } from '../synthesized/escape-template.ts'
import { jsonText } from '../synthesized/json-with-references.ts'
import { hasReference } from '../synthesized/terraform-references.ts'

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
    return attribute && isSaid(attribute, value) ? [[propertyOf(name), attributeValue(attribute, value)]] : []
  })
  return Object.fromEntries(properties)
}

function isSaid({ byDefault, emptyIsNothing }: TypedAttribute, value: unknown): boolean {
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
