import { invalid } from '../../../../cty/invalid-value.ts'
import { ofBool, ofText, set, type Typed } from '../../../../cty/typed.ts'
import { type HashName, hashes, hashOf } from '../encoding/hash-functions.ts'
import { type FunctionRow, type FunctionRows, textAt } from '../function-row.ts'
import type { Files } from './files.ts'

// The table has these names and no others.
const hashNames = Object.keys(hashes) as readonly HashName[]

export const fileFunctionNames: readonly string[] = [
  ...['file', 'filebase64', 'fileexists', 'fileset'],
  ...hashNames.map(fileHashName),
]

/** The functions that look at files, by their names. */
export function fileFunctions(files: Files): FunctionRows {
  const text = (apply: (path: string) => string): FunctionRow => ({
    least: 1,
    gives: 'string',
    apply: given => ofText(apply(textAt(given, 0))),
  })
  return {
    file: text(path => textOfFile(files, path)),
    filebase64: text(path => Buffer.from(files.read(path)).toString('base64')),
    fileexists: { least: 1, gives: 'bool', apply: given => ofBool(files.exists(textAt(given, 0))) },
    fileset: { least: 2, gives: ['set', 'string'], apply: given => found(files, given) },
    ...Object.fromEntries(
      hashNames.map(name => [fileHashName(name), text(path => hashOf(name, files.read(path)))] as const),
    ),
  }
}

function fileHashName(name: HashName): string {
  return `file${name}`
}

/** A file as text; one that is not UTF-8 is refused. */
export function textOfFile(files: Files, path: string): string {
  const bytes = files.read(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).normalize('NFC')
  } catch (error) {
    if (error instanceof TypeError)
      throw invalid(`${JSON.stringify(path)} is not UTF-8`, 'read other files with filebase64')
    throw error
  }
}

function found(files: Files, given: readonly Typed[]): Typed {
  return set(
    files.find(textAt(given, 0), textAt(given, 1)).map(name => ofText(name.normalize('NFC'))),
    'string',
  )
}
