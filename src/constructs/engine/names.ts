/** The property for a field, or for an attribute of the typed form, named as the engines' generator does. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The id of a grant of our constructs inside its flag; Vexil reads the role's name from it again. */
export function grantName(role: string): string {
  return `${lead}${role}`
}

/** The role's name in the path of a grant's construct; undefined if the grant was made in another way. */
export function roleInPath(path: string): string | undefined {
  const last = path.slice(path.lastIndexOf('/') + 1)
  return last.startsWith(lead) ? last.slice(lead.length) : undefined
}

const lead = 'Grant '
