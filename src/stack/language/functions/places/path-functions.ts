import { posix } from 'node:path'
import { unsupported } from '../../../../cty/invalid-value.ts'
import { ofText } from '../../../../cty/typed.ts'
import { type FunctionRow, type FunctionRows, textAt } from '../function-row.ts'

const path = (apply: (path: string) => string): FunctionRow => ({
  least: 1,
  gives: 'string',
  apply: given => ofText(apply(textAt(given, 0))),
})

/** The functions of paths that look at no file. Paths have slashes, on every machine. */
export const pathFunctions: FunctionRows = {
  basename: path(whole => {
    const kept = whole.replace(/\/+$/, '')
    if (kept === '') return whole === '' ? '.' : '/'
    return kept.slice(kept.lastIndexOf('/') + 1)
  }),
  dirname: path(whole => cleaned(whole.slice(0, whole.lastIndexOf('/') + 1))),
  abspath: path(whole => {
    if (whole.startsWith('/')) return cleaned(whole)
    throw ofMachine('a relative path')
  }),
  pathexpand: path(whole => {
    if (!whole.startsWith('~')) return whole
    throw ofMachine('a path in the home directory')
  }),
}

/** A path in its shortest form. */
export function cleaned(whole: string): string {
  const normal = posix.normalize(whole)
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal
}

function ofMachine(what: string) {
  return unsupported(`${what} is another one on every machine`, 'name the path from path.module on')
}
