import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { SandboxOptions, WorldFile } from '../../src/sandbox/index.ts'
import { type CliOptions, type CliResult, cli, folderWith, writeFiles } from './cli.ts'
import { eachTime, type Service, startService } from './service.ts'

type Files = Readonly<Record<string, string>>

/**
 * A service, a folder and the command line, in this process: how tests arrange whatever a command does. What has to be
 * the built program, in a process of its own, is arranged by `consumer.ts`.
 */
export interface Workspace {
  readonly service: Service
  readonly path: string
  vexil(line: string | readonly string[], options?: Partial<CliOptions>): Promise<CliResult>
  write(files: Files): Promise<void>
  /** Writes flags, as they stand below `feature_flags`. */
  declareFlags(text: string): Promise<void>
  read(file: string): Promise<string>
  /** The files of a folder, sorted. */
  list(folder: string): Promise<string[]>
  /** The files in `.vexil/runs` that are records of runs, the oldest first. */
  records(): Promise<string[]>
  /** A live flag by its key. */
  flag(key: string): Promise<LiveFlag>
  /** Changes a live flag in the product, as the user whose key it is or as the one with this id. */
  edit(key: string, body: object, user?: number): Promise<void>
  /** Removes the folder. */
  remove(): Promise<void>
}

export interface LiveFlag {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly active: boolean
  readonly deleted: boolean
  readonly tags: readonly string[]
  readonly filters: unknown
}

export const flagsPath = '/api/projects/1/feature_flags'

export const support = '01900000-0000-0000-0000-0000000000aa'
export const organization = '01900000-0000-0000-0000-000000000001'

type Organization = WorldFile['organizations'][number]
type Project = NonNullable<Organization['projects']>[number]

/** A world of one organization with these parts. */
export function anOrganization(parts: Partial<Organization>): WorldFile {
  return { organizations: [{ id: organization, name: 'Example', ...parts }] }
}

/** A world of one organization with one project, the number 1. */
export function aWorld(project: Partial<Project>, more: Partial<Organization> = {}): WorldFile {
  return anOrganization({ ...more, projects: [{ id: 1, name: 'Production', ...project }] })
}

/** Files that declare two flags, one of them with a grant. */
export const twoFlags: Files = {
  'vexil.yaml': `version: 1
roles: { support: ${support} }
`,
  'flags.yaml': `feature_flags:
  checkout:
    name: New checkout
    active: true
    filters: { groups: [ { rollout_percentage: 10 } ] }
    tags: [shop]
    role_access: [support]
  dark_mode:
    active: false
    filters: { groups: [ { rollout_percentage: 100 } ] }
`,
}

type Methods = Omit<Workspace, 'path' | 'service' | 'remove'>

/** The workspace of the test that runs: its members may be taken out once for a whole file. */
export type WorkspaceOfTest = (() => Workspace) & Omit<Workspace, 'path' | 'remove'>

/** A new one for each test, with a service of its own. */
export function useWorkspace(
  files: Files = twoFlags,
  options: Partial<SandboxOptions> = {},
): WorkspaceOfTest {
  let current: Workspace | undefined
  const later = <Name extends keyof Methods>(name: Name) =>
    ((...words: never[]) => (current as Workspace)[name](...(words as [never, never]))) as Methods[Name]
  beforeEach(async () => {
    current = await aWorkspace(await startService(options), files)
  })
  afterEach(async () => {
    await current?.service.close()
    await current?.remove()
  })
  return Object.assign(() => current as Workspace, {
    service: eachTime(() => current?.service),
    vexil: later('vexil'),
    write: later('write'),
    declareFlags: later('declareFlags'),
    read: later('read'),
    list: later('list'),
    records: later('records'),
    flag: later('flag'),
    edit: later('edit'),
  })
}

/** Beside a service that is there already; options are for every command. */
export async function aWorkspace(
  service: Service,
  files: Files = {},
  options: Partial<CliOptions> = {},
): Promise<Workspace> {
  const folder = await folderWith(files)
  return { ...workspaceOf(service, folder.path, options), remove: folder.remove }
}

/**
 * Settings with two environments: project 1 is production and project 2 staging. Answers with a process environment
 * that names the key and nothing else.
 */
export async function writeTwoEnvironments({ service, write }: Workspace, more = '') {
  const at = (project: number) =>
    `{ base_url: "${service.url}", project: "${project}", organization: ${organization} }`
  await write({
    'vexil.yaml': `version: 1
roles: { support: ${support} }
${more}environments: { staging: ${at(2)}, production: ${at(1)} }
`,
  })
  return { VEXIL_API_KEY: service.env.VEXIL_API_KEY }
}

/** What a command wrote one JSON value per line of. */
export function jsonLines(text: string) {
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

export function isWrite(requestLine: string): boolean {
  return !requestLine.startsWith('GET ')
}

function workspaceOf(service: Service, path: string, given: Partial<CliOptions>): Omit<Workspace, 'remove'> {
  const flag = async (key: string) => {
    const { results } = (await service.get(`${flagsPath}/?limit=100`)) as { results: LiveFlag[] }
    const found = results.find(each => each.key === key)
    if (!found) throw new Error(`no flag ${key} among ${results.map(each => each.key)}`)
    return found
  }
  const list = async (folder: string) => (await readdir(join(path, folder)).catch(() => [])).sort()
  return {
    service,
    path,
    vexil: (line, options) => cli(line, { directory: path, env: service.env, ...given, ...options }),
    write: files => writeFiles(path, files),
    declareFlags: text => writeFiles(path, { 'flags.yaml': `feature_flags:\n${text}\n` }),
    read: file => readFile(join(path, file), 'utf8'),
    list,
    records: async () => (await list('.vexil/runs')).filter(name => name.endsWith('.json')),
    flag,
    async edit(key, body, user) {
      const { id } = await flag(key)
      await service.send('PATCH', `${flagsPath}/${id}/`, body, user)
    },
  }
}
