/** What a grant of our constructs is called inside of its flag; Vexil reads the role's name back from there. */
export function grantName(role: string): string {
  return `${lead}${role}`
}

/** The role's name in the path of a grant's construct; undefined where the grant was made in another way. */
export function roleInPath(path: string): string | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.startsWith(lead) ? last.slice(lead.length) : undefined
}

const lead = 'Grant '
