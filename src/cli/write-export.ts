import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { unmarkedOf } from '../core/ownership.ts'
import type { Standing } from '../core/read-all.ts'
import { type ExportedObject, exportYaml, fileName, type TextFile } from '../declare/export.ts'
import { resolveRole } from '../declare/index.ts'
import { declarationSchemaPath } from '../declare/schema-path.ts'
import { declarableKind } from '../kinds/index.ts'
import { escapeText } from '../model/escape-text.ts'
import { counted } from '../report/names.ts'
import { CommandError } from './exit-code.ts'
import type { Host } from './host.ts'
import { isThere } from './is-there.ts'
import type { WrittenRepository } from './repository.ts'

/** Where an export goes: to standard output, into a folder of its own, or into one that the repository reads. */
export type ExportDestination =
  | { readonly to: 'stream' }
  | { readonly to: 'folder' | 'repository'; readonly folder: string }

/** Writes live objects as declarations, and says what that means for the next plan. */
export async function writeExport(
  host: Host,
  repository: WrittenRepository,
  destination: ExportDestination,
  live: readonly Standing[],
): Promise<void> {
  const { names } = repository
  if (destination.to === 'stream') {
    writeStream(
      host,
      exportYaml(
        live.map(object => toExported(object, repository)),
        { isOneText: true },
      ),
    )
    noteAdoptions(host, repository, live)
    return
  }
  const { folder } = destination
  if (destination.to === 'folder') {
    const files = exportYaml(live.map(object => toExported(object, repository)))
    await writeAll(host, folder, files)
    host.stderr.write(
      `${counted(files.length, 'file')} written; copy them into your repository and run vexil plan\n`,
    )
    noteAdoptions(host, repository, live)
    return
  }
  const fresh = live.filter(object => !names.has(object))
  if (fresh.length === 0) {
    host.stderr.write(`nothing to write: ${nothingFresh(live.length)}\n`)
    return
  }
  const files = exportYaml(
    fresh.map(object => withoutDeclaredGrants(toExported(object, repository), repository)),
    {
      isTaken: names.isTaken,
      fileOf: await freeNames(folder, fresh),
      schema: relative(folder, join(repository.directory, declarationSchemaPath)).replaceAll(sep, '/'),
    },
  )
  await writeAll(host, folder, files)
  const left = live.length - fresh.length
  const leftOut =
    left === 0
      ? ''
      : `${counted(left, 'object')} ${left === 1 ? 'is' : 'are'} declared already and ${left === 1 ? 'was' : 'were'} left out; `
  host.stderr.write(`${counted(files.length, 'file')} written; ${leftOut}run vexil plan\n`)
  noteEnvironments(host, repository)
  noteAdoptions(host, repository, fresh)
}

function nothingFresh(live: number): string {
  if (live === 0) return 'there are no live objects'
  return live === 1
    ? 'the one live object is declared already'
    : `all ${live} live objects are declared already`
}

/** With a marker in the settings, declaring an object means to mark it: no declaration could plan nothing here. */
function noteAdoptions(host: Host, { policy }: WrittenRepository, exported: readonly Standing[]): void {
  const { tag } = policy.ownership
  const unmarked = tag === undefined ? 0 : unmarkedOf(exported, tag).length
  if (tag === undefined || unmarked === 0) return
  const [objects, they] = [counted(unmarked, 'object'), unmarked === 1 ? ['does', 'it'] : ['do', 'them']]
  host.stderr.write(
    `${objects} ${they[0]} not carry the label "${escapeText(tag)}" yet: the next plan adopts ${they[1]}, which adds it and changes nothing else\n`,
  )
}

function noteEnvironments(host: Host, { environment, environments }: WrittenRepository): void {
  if (environment === undefined || environments.length < 2) return
  const all = environments.map(({ name = '' }) => name).join(', ')
  host.stderr.write(
    `${escapeText(
      `it is declared for every environment (${all}); \`only: [${environment}]\` limits an object to one`,
    )}\n`,
  )
}

/** Roles are written by the name that the settings give them; the others by their UUID, which is always right. */
function toExported({ grants, ...object }: Standing, { roles }: WrittenRepository): ExportedObject {
  const names = new Map(Object.entries(roles).map(([name, id]) => [id.toLowerCase(), name]))
  return {
    ...object,
    ...(grants ? { grants: grants.map(({ id }) => names.get(id.toLowerCase()) ?? id) } : {}),
  }
}

/** A grant that is declared on its own stays there: the list of a flag is not declared to be without it. */
function withoutDeclaredGrants(object: ExportedObject, { names, roles }: WrittenRepository): ExportedObject {
  if (!object.grants) return object
  const idOf = (role: string) => resolveRole(role, { roles })?.id ?? role
  const declared = new Set(names.rolesOf(object.identity).map(idOf))
  return { ...object, grants: object.grants.filter(role => !declared.has(idOf(role))) }
}

/** The first name for each section that is not there yet: what an earlier export wrote is never touched. */
async function freeNames(folder: string, objects: readonly Standing[]): Promise<(section: string) => string> {
  const names = new Map<string, string>()
  for (const section of new Set(objects.map(({ kind }) => declarableKind(kind).section))) {
    let name = fileName(section)
    for (let number = 2; await isThere(join(folder, name)); number++) name = fileName(`${section}-${number}`)
    names.set(section, name)
  }
  return section => names.get(section) ?? fileName(section)
}

/** Everything as one document. Source files of plugins have no place in it; the YAML holds them. */
function writeStream(host: Host, files: readonly TextFile[]): void {
  const [first, ...rest] = files
  const text = [first?.text ?? '', ...rest.map(file => withoutComment(file.text))].join('')
  host.stdout.write(text, 'data')
}

function withoutComment(text: string): string {
  return text.replace(/^# yaml-language-server:.*\n/, '')
}

/** Writes all files or none: what is there already may be somebody's work, and is never overwritten. */
async function writeAll(host: Host, folder: string, files: readonly TextFile[]): Promise<void> {
  const paths = files.map(({ path }) => join(folder, path))
  const taken = await Promise.all(paths.map(isThere))
  const first = paths.find((_, index) => taken[index])
  if (first !== undefined) throw new CommandError(`"${first}" is there already; export into an empty folder`)
  for (const [index, path] of paths.entries()) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, files[index]?.text ?? '', { flag: 'wx' })
    host.stdout.write(`wrote ${escapeText(path)}\n`)
  }
}
