import { access } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { listFolder } from '../../model/files/list-folder.ts'
import { meantHint } from '../../model/text/did-you-mean.ts'
import { type ManifestStack, readManifest, stackFileName } from '../../stack/index.ts'
import type { RepositoryFlags } from '../connection/repository-settings.ts'
import { CommandError, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { outputFolder, synthesizeApp } from './synthesize-app.ts'

/** The folders of the stacks that the flags name, of an app that is synthesized first where they name one. */
export async function findStacks(
  host: Host,
  { stack: wanted = [], app }: RepositoryFlags,
  directory: string,
): Promise<readonly string[]> {
  if (app !== undefined) {
    const { stacks } = await synthesizeApp(host, app, directory)
    return chooseStacks(stacks, wanted, `"${app}" has`)
  }
  const found = await Promise.all(wanted.map(each => findStack(host, each, directory)))
  return found.flat()
}

async function findStack(host: Host, stack: string, directory: string): Promise<readonly string[]> {
  const path = resolve(host.directory, stack)
  if (basename(path) === stackFileName && (await isThere(path))) return [dirname(path)]
  if (await isStack(path)) return [path]
  const fitting = stack.includes('/') ? await foldersThatFit(path) : []
  if (fitting.length > 0) return fitting
  const inPath = await readManifest(path)
  if (inPath) return chooseStacks(inPath.stacks, [], `"${stack}" has`)
  const output = await outputFolder(host, directory)
  const manifest = await readManifest(output)
  const shown = relative(host.directory, output) || '.'
  if (manifest) return chooseStacks(manifest.stacks, [stack], `"${shown}" has`)
  throw new CommandError(
    `there is no synthesized stack "${stack}"; name its folder, such as cdktf.out/stacks/NAME, or let --app "node main.js" synthesize it`,
  )
}

async function isStack(folder: string): Promise<boolean> {
  return (await isThere(join(folder, stackFileName))) || isThere(join(folder, 'cdk.tf'))
}

/** The stacks of a folder whose names fit the last part of a pattern, as `cdktf.out/stacks/*`. */
async function foldersThatFit(pattern: string): Promise<readonly string[]> {
  const above = dirname(pattern)
  const names = (await listFolder(above).catch(() => [])).filter(name => fits(basename(pattern), name)).sort()
  const folders = names.map(name => join(above, name))
  const stacks = await Promise.all(folders.map(isStack))
  return folders.filter((_, index) => stacks[index])
}

function chooseStacks(
  stacks: readonly ManifestStack[],
  wanted: readonly string[],
  who: string,
): readonly string[] {
  const names = stacks.map(({ name }) => name)
  const [only] = stacks
  if (wanted.length === 0 && only && stacks.length === 1) return [only.folder]
  if (names.length === 0) throw new CommandError(`${who} no stacks`)
  if (wanted.length === 0) {
    throw new CommandError(
      `${who} ${names.length} stacks; choose one with --stack: ${names.join(', ')}; or all with --stack "*"`,
      exitCode.usage,
    )
  }
  return wanted.flatMap(pattern => {
    const found = stacks.filter(({ name }) => fits(pattern, name))
    if (found.length > 0) return found.map(({ folder }) => folder)
    const hint = meantHint(pattern, names, `there are ${names.join(', ')}`)
    throw new CommandError(`${who} no stack "${pattern}"; ${hint}`, exitCode.usage)
  })
}

/** In a pattern, `*` stands for any letters and `?` for one. */
function fits(pattern: string, name: string): boolean {
  const parts = pattern.split(/([*?])/).map(part => {
    if (part === '*') return '.*'
    return part === '?' ? '.' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 'su').test(name)
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
