import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ignoredByGit, starterFiles } from '../../declare/index.ts'
import { variables } from '../connection.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Host } from '../host.ts'
import { shellWord } from '../next-command.ts'

/** `vexil init [DIRECTORY]`: what a repository starts with. A file that is there already is left as it is. */
export async function runInit(host: Host, directory: string): Promise<ExitCode> {
  const root = resolve(host.directory, directory)
  const fromEnv = (setting: keyof typeof variables) =>
    variables[setting].map(name => host.env[name]).find(Boolean)
  const starters = starterFiles({
    baseUrl: fromEnv('baseUrl'),
    project: fromEnv('project'),
    organization: fromEnv('organization'),
  })
  for (const { path, text } of starters) {
    const target = join(root, path)
    await mkdir(dirname(target), { recursive: true })
    const verdict = path === '.gitignore' ? await addToIgnored(target) : await writeNew(target, text)
    host.stdout.write(`${verdict} ${path}\n`)
  }
  const where = directory === '.' ? '' : ` -C ${shellWord(directory)}`
  host.stdout.write(`\nNext: vexil plan${where} --sandbox\n`)
  return exitCode.done
}

async function writeNew(path: string, text: string): Promise<string> {
  try {
    await writeFile(path, text, { flag: 'wx' })
    return 'wrote'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'kept '
    throw error
  }
}

async function addToIgnored(path: string): Promise<string> {
  const before = await readFile(path, 'utf8').catch(error => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  if (before.split(/\r?\n/).includes(ignoredByGit)) return 'kept '
  const separator = before === '' || before.endsWith('\n') ? '' : '\n'
  await writeFile(path, `${before}${separator}${ignoredByGit}\n`)
  return 'wrote'
}
