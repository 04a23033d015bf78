import { posix } from 'node:path'
import { type Expression, type Files, requireDeclared, type Scope } from '../language/expression.ts'
import { parseTemplate } from '../language/parse-expression.ts'
import { isName } from '../language/template.ts'
import { elsewhere, invalid, invalidToTerraform, undeclared, unsupported } from '../values/type.ts'
import { membersOf, nounOf, ofText, set, type Typed } from '../values/typed.ts'
import { hashed, hashes } from './encoding.ts'
import { type FunctionRows, row } from './function-row.ts'

export const fileFunctionNames: readonly string[] = [
  ...['file', 'filebase64', 'fileexists', 'fileset'],
  ...Object.keys(hashes).map(name => `file${name}`),
]

export function fileFunctions(files: Files): FunctionRows {
  return {
    file: row(['text'], 'string', path => textOfFile(files, path)),
    filebase64: row(['text'], 'string', path => Buffer.from(files.read(path)).toString('base64')),
    fileexists: row(['text'], 'bool', path => files.exists(path)),
    fileset: row(['text', 'text'], ['set', 'string'], (folder, pattern) =>
      set(
        files.find(folder, pattern).map(name => ofText(name.normalize('NFC'))),
        'string',
      ),
    ),
    ...Object.fromEntries(
      Object.entries(hashes).map(([name, hash]) => [
        `file${name}`,
        row(['text'], 'string', path => hashed(hash, files.read(path))),
      ]),
    ),
  }
}

/** The text of a file, which must be UTF-8. */
function textOfFile(files: Files, path: string): string {
  const bytes = files.read(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).normalize('NFC')
  } catch (error) {
    if (error instanceof TypeError)
      throw invalid(`${JSON.stringify(path)} is not UTF-8`, 'read other files with filebase64')
    throw error
  }
}

/** The functions of paths that read no file. Paths have slashes on every machine. */
export const pathFunctions: FunctionRows = {
  basename: row(['text'], 'string', whole => {
    const kept = whole.replace(/\/+$/, '')
    if (kept === '') return whole === '' ? '.' : '/'
    return kept.slice(kept.lastIndexOf('/') + 1)
  }),
  dirname: row(['text'], 'string', whole => cleaned(whole.slice(0, whole.lastIndexOf('/') + 1))),
  abspath: row(['text'], 'string', whole => {
    if (whole.startsWith('/')) return cleaned(whole)
    throw ofMachine('a relative path')
  }),
  pathexpand: row(['text'], 'string', whole => {
    if (!whole.startsWith('~')) return whole
    throw ofMachine('a path in the home directory')
  }),
}

/** The shortest form of a path. */
export function cleaned(whole: string): string {
  const normal = posix.normalize(whole)
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal
}

function ofMachine(what: string) {
  return unsupported(`${what} is another one on every machine`, 'name the path from path.module on')
}

export type Evaluate = (expression: Expression, scope: Scope) => Typed

/** Fills in the template in a file, with only the given variables. */
export function fillFile(
  files: Files,
  path: string,
  variables: Typed,
  scope: Scope,
  evaluate: Evaluate,
): Typed {
  if (scope.isInTemplate) throw unsupported('a template within a template', elsewhere)
  return fillText(textOfFile(files, path), variables, scope, evaluate)
}

export function fillText(text: string, variables: Typed, scope: Scope, evaluate: Evaluate): Typed {
  const named = membersOf(variables)
  if (!named) throw invalid(`its variables are ${nounOf(variables)} and not a map`)
  const stray = [...named.members.keys()].find(name => !isName(name))
  if (stray !== undefined) throw invalid(`${JSON.stringify(stray)} is no name of a variable`)
  const inside: Scope = {
    ...scope,
    isInTemplate: true,
    requireDeclared: undefined,
    declared: undefined,
    find([name = '']) {
      const value = named.members.get(name)
      if (value !== undefined) return { value, taken: 1 }
      throw undeclared(`the template asks for ${name}, which it is not given`)
    },
  }
  const template = parseTemplate(text)
  requireDeclared(template, inside)
  const filled = evaluate(template, inside)
  if (filled.plain === null) throw invalidToTerraform(scope.engine, 'the template comes to null')
  return filled
}
