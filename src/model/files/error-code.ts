/** What the system called a failure, such as `ENOENT`; other words for one that has no code. */
export function codeOf(error: unknown, otherwise: string): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise
}
