/** Terraform's values and types: how they are compared, converted, walked through, and read from JSON. */

export * from './values/convert.ts'
export * from './values/convert.ts'
export * from './values/number.ts'
export * from './values/type.ts'
export * from './values/type.ts'
export * from './values/typed.ts'
export * from './values/value.ts'
export * from './values/value.ts'
export * from './values/value.ts'
