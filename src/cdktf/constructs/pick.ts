/** Some members of an object. */
export function pick<Whole extends object, Name extends keyof Whole>(
  whole: Whole,
  names: readonly Name[],
): Pick<Whole, Name> {
  // The entries are those of the names.
  return Object.fromEntries(names.map(name => [name, whole[name]])) as Pick<Whole, Name>
}
