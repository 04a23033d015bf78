/** The message of whatever was thrown, also of what is no Error. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || 'failed without a message'
}
