/** The members that have a value: spread over others, `undefined` would win. */
export function definedMembers<Members extends object>(members: Members): DefinedMembers<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // The same members, without those that the type leaves out.
  return Object.fromEntries(entries) as DefinedMembers<Members>
}

type DefinedMembers<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
