/** The property for a field, or for an attribute of the typed form, named as the engines' generator does. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
