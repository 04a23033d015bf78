/** A type of Terraform's, in the form in which it travels as JSON; of those that it has, the ones that our schemas use. */
export type Type = 'string' | 'number' | 'bool' | readonly ['list' | 'set' | 'map', Type] | ObjectType
export type ObjectType = readonly ['object', { readonly [attribute: string]: Type }]

export function typeText(type: Type): string {
  return JSON.stringify(type)
}
