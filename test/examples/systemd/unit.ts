import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../support/built.ts'

/** The settings of a unit file, `Section.Name` with all values in order. */
export type Unit = Readonly<Record<string, readonly string[]>>

export const readExample = (name: string) => readFile(join(packageRoot, 'examples/systemd', name), 'utf8')

export function readUnit(text: string): Unit {
  const lines = text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(line => !/^(?:[#;].*)?$/.test(line))
  const settings = new Map<string, string[]>()
  let section = ''
  for (const line of lines) {
    const [, heading] = /^\[(\w+)\]$/.exec(line) ?? []
    const [, name, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (heading === undefined && name === undefined) throw new Error(`no setting: ${line}`)
    section = heading ?? section
    const key = `${section}.${name}`
    if (name !== undefined) settings.set(key, [...(settings.get(key) ?? []), value])
  }
  return Object.fromEntries(settings)
}
