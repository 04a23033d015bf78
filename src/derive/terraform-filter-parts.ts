import { type FilterMember, type FilterPartName, filterParts, type Takes } from '../targeting/filter-parts.ts'
import type { TerraformAttribute, TerraformAttributes, TerraformType } from './terraform-attribute.ts'

/** What Terraform has otherwise than the wire: a default, or more to say. */
interface Otherwise {
  readonly byDefault?: string
  readonly doc?: string
  readonly more?: string
}

/** What a sensitive payload cannot be spared: `filters` is computed from it. */
export const shownPayload =
  'A plan shows it under the computed `filters` even where it is sensitive; said with `filters = jsonencode(...)` it stays hidden.'

const property: TerraformAttributes = {
  key: memberAttribute('property', 'key'),
  value: memberAttribute('property', 'value', {
    doc: 'What it is compared with. Where the type is "flag", `true` asks whether that flag is on, `false` whether it is off, and any other text for the variant of that key; a variant that is called "true" or "false" is asked for with `filters = jsonencode(...)`.',
  }),
  values: {
    type: ['list', 'string'],
    optional: true,
    description: 'Several values, one of which has to match. Instead of `value`.',
  },
  operator: memberAttribute('property', 'operator'),
  type: memberAttribute('property', 'type', { byDefault: 'person' }),
  group_type_index: memberAttribute('property', 'group_type_index'),
  negation: memberAttribute('property', 'negation'),
}

/** What a condition of the attribute `release` consists of. */
export const conditionAttributes: TerraformAttributes = {
  properties: listAttribute('condition', 'properties', property),
  rollout_percentage: memberAttribute('condition', 'rollout_percentage'),
  variant: memberAttribute('condition', 'variant'),
  description: memberAttribute('condition', 'description'),
}

/** What an element of the attribute `variants` consists of. */
export const variantAttributes: TerraformAttributes = {
  key: memberAttribute('variant', 'key'),
  name: memberAttribute('variant', 'name'),
  rollout_percentage: memberAttribute('variant', 'rollout_percentage'),
  payload: {
    type: 'string',
    optional: true,
    description: `What code receives with it, as JSON text. ${shownPayload}`,
  },
}

/** A member of filters as an attribute of the same meaning. */
export function memberAttribute(
  part: FilterPartName,
  name: string,
  { byDefault, doc, more }: Otherwise = {},
): TerraformAttribute {
  const member = memberOf(part, name)
  const words = [doc ?? member.doc, ...choices(member.takes, byDefault), ...(more ? [more] : [])]
  return {
    type: typeOf(member.takes),
    description: words.join(' '),
    ...(member.required && byDefault === undefined ? { required: true } : { optional: true }),
  }
}

/** The same for one that is a list of parts. */
export function listAttribute(
  part: FilterPartName,
  name: string,
  list: TerraformAttributes,
  more?: string,
): TerraformAttribute {
  const { doc } = memberOf(part, name)
  return { list, optional: true, description: more === undefined ? doc : `${doc} ${more}` }
}

function memberOf(part: FilterPartName, name: string): FilterMember {
  const member = filterParts[part].members[name]
  if (!member) throw new RangeError(`${part} has no "${name}"`)
  return member
}

function choices(takes: Takes, byDefault: string | undefined): string[] {
  if (takes.is !== 'word') return []
  const words = Object.keys(takes.of).map(word => `"${word}"`)
  return [`One of ${words.join(', ')}${byDefault === undefined ? '' : `; "${byDefault}" when left out`}.`]
}

function typeOf(takes: Takes): TerraformType {
  switch (takes.is) {
    case 'number':
    case 'integer':
      return 'number'
    case 'truth':
      return 'bool'
    default:
      return 'string'
  }
}
