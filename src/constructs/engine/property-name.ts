/** What constructs call a field, or an attribute of the typed form: the engines' generator names properties so. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
