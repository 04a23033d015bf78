/**
 * Members of a declaration that are stored as one tag each, beside the declared tags: `owner: payments` is
 * `owner:payments`. Kinds whose objects have tags support them.
 */
export const tagMembers = {
  owner: {
    type: 'name',
    doc: 'Who answers for it, such as a team: in the service the tag `owner:NAME`. `--owner NAME` limits a command to what is theirs.',
  },
  expires: {
    type: 'day',
    doc: 'The last day on which it is wanted, as in 2027-03-01: in the service the tag `expires:DAY`. Later, `validate` and plans warn.',
  },
} as const satisfies Readonly<Record<string, { readonly type: 'name' | 'day'; readonly doc: string }>>

export type TagMember = keyof typeof tagMembers

// The table has these keys and no others.
export const tagMemberNames = Object.keys(tagMembers) as readonly TagMember[]

/** The tag for a member. */
export function tagOfMember(member: TagMember, value: string): string {
  return `${member}:${value}`
}

/** The member in a tag, if it has one. */
export function memberOfTag(tag: string): { readonly member: TagMember; readonly value: string } | undefined {
  const member = tagMemberNames.find(name => tag.startsWith(`${name}:`))
  return member && { member, value: tag.slice(member.length + 1) }
}

/** Whether a text is a day of the calendar, such as 2027-03-01. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The day of a time in milliseconds, in UTC. */
export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
