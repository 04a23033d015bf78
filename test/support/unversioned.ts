/** What a service answers without what newer ones count and stamp with each write, at any depth. */
export function unversioned(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(unversioned)
  if (typeof answer !== 'object' || answer === null) return answer
  const {
    version: _version,
    updated_at: _at,
    last_modified_by: _by,
    ...members
  } = answer as Record<string, unknown>
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, unversioned(member)]))
}
