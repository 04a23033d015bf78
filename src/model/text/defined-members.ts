/** The members that have a value. In a spread, an `undefined` member would replace a value. */
export function definedMembers<Members extends object>(members: Members): DefinedMembers<Members> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  // The entries match the type without its undefined members.
  return Object.fromEntries(entries) as DefinedMembers<Members>
}

type DefinedMembers<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }
