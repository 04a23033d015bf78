import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fromEnvironment } from '../../api/environment.ts'
import { makeFolder } from '../../model/files/make-folder.ts'
import { shellWord } from '../../model/text/shell-word.ts'
import type { InitDocument } from '../../report/document.ts'
import { ignoredByGit, type StarterFile, starterFiles } from '../../yaml/write/init.ts'
import { type ExitCode, exitCode } from '../host/exit-code.ts'
import type { Host } from '../host/host.ts'
import { type OutputFlags, print } from '../host/output.ts'

/**
 * `vexil init [DIRECTORY]`: what a repository starts with. A file that is there already is left as it is, but for the
 * schemas that editors read: they are those of this version.
 */
export async function runInit(host: Host, directory: string, flags: OutputFlags): Promise<ExitCode> {
  const root = resolve(host.directory, directory)
  const starters = starterFiles({
    baseUrl: fromEnvironment(host.env, 'baseUrl'),
    project: fromEnvironment(host.env, 'project'),
    organization: fromEnvironment(host.env, 'organization'),
  })
  const files: InitDocument['files'][number][] = []
  for (const given of starters) {
    const starter = { ...given, text: host.secrets.hide(given.text) }
    const target = join(root, starter.path)
    await makeFolder(dirname(target))
    files.push({ path: starter.path, state: await writeStarter(target, starter) })
  }
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  await print(host, flags, { is: 'init', directory, files, next: `vexil plan${where} --sandbox` })
  return exitCode.done
}

type FileState = InitDocument['files'][number]['state']

async function writeStarter(path: string, starter: StarterFile): Promise<FileState> {
  if (starter.path === '.gitignore') return addToIgnored(path)
  return starter.isComputed ? writeComputed(path, starter.text) : writeNew(path, starter.text)
}

async function writeComputed(path: string, text: string): Promise<FileState> {
  if ((await textOf(path)) === text) return 'kept'
  await writeFile(path, text)
  return 'wrote'
}

async function writeNew(path: string, text: string): Promise<FileState> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'kept'
    throw error
  }
}

async function addToIgnored(path: string): Promise<FileState> {
  const before = await textOf(path)
  if (before.split(/\r?\n/).includes(ignoredByGit)) return 'kept'
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  await writeFile(path, `${before}${separator}${ignoredByGit}\n`)
  return 'wrote'
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(error => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
}
