/** The id in a path, or undefined when it is not a whole number: such a path names nothing. */
export function integerId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
