/** The member of a declaration that names source files, and the field under which live edits of them are told and held. */
export const sourceField = 'source'

const prefix = `${sourceField}/`

/** The field that one source file is: `source/index.ts`. No other field has a slash in its name. */
export function fieldOfFile(name: string): string {
  return prefix + name
}

/** The name of the source file that a field is; undefined where it is no file. */
export function fileOfField(field: string): string | undefined {
  return field.startsWith(prefix) ? field.slice(prefix.length) : undefined
}

/** Values of source files, or what was made of them, by the fields that they are. */
export function byFileField<Value>(files: Readonly<Record<string, Value>> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [fieldOfFile(name), value]))
}
