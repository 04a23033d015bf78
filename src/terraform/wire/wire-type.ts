/** How many bytes a value takes, as the low three bits of a field's tag say it. */
export const wireType = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const
