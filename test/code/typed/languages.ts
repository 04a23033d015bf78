import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TypedFile, TypedFlag } from '../../../src/code/typed-flag.ts'
import { goKeys, pythonKeys, typeScriptKeys } from '../../../src/code/typed-languages.ts'

const run = promisify(execFile)
const env = { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', PYTHONDONTWRITEBYTECODE: '1' }

export interface Language {
  readonly title: string
  readonly file: string
  readonly write: (flags: readonly TypedFlag[]) => TypedFile
  /** Whether its compiler is at hand. */
  readonly isThere: () => Promise<boolean>
  /** Throws with what the compiler says of files in a folder, each in a folder of its own. */
  readonly compile: (folder: string) => Promise<void>
}

/** Loads every file as a program would: what is right by its grammar may still fail there. */
const importAll = `
import glob, importlib.util, sys
for path in sorted(glob.glob(sys.argv[1] + '/*/flags.py')):
    spec = importlib.util.spec_from_file_location('flags', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert all(str(flag) == flag.value for flag in module.Flag), path
`

export const languages: readonly Language[] = [
  {
    title: 'TypeScript',
    file: 'flags.ts',
    write: typeScriptKeys,
    isThere: async () => true,
    async compile(folder) {
      const options = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module: 'esnext',
        types: [],
        noUncheckedIndexedAccess: true,
      }
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }),
      )
      const tsc = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
      await compiled(run(process.execPath, [tsc, '-p', folder]))
    },
  },
  {
    title: 'Python',
    file: 'flags.py',
    write: pythonKeys,
    isThere: () => answers('python3', '--version'),
    compile: folder => compiled(run('python3', ['-W', 'error', '-c', importAll, folder], { env })),
  },
  {
    title: 'Go',
    file: 'flags.go',
    write: flags => goKeys(flags, 'flags'),
    isThere: () => answers('go', 'version'),
    async compile(folder) {
      await writeFile(join(folder, 'go.mod'), 'module example.com/flags\n\ngo 1.18\n')
      const { stdout } = await run('gofmt', ['-l', '-d', folder])
      if (stdout !== '') throw new Error(stdout)
      await compiled(run('go', ['vet', './...'], { cwd: folder, env }))
    },
  },
]

async function answers(command: string, word: string): Promise<boolean> {
  return run(command, [word]).then(
    () => true,
    () => false,
  )
}

async function compiled(running: Promise<unknown>): Promise<void> {
  await running.catch(error => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
}

/** Writes what a language makes of several repositories, each in a folder of its own. */
export async function writeAll(
  folder: string,
  { file, write }: Language,
  repositories: readonly (readonly TypedFlag[])[],
): Promise<void> {
  await Promise.all(
    repositories.map(async (flags, index) => {
      await mkdir(join(folder, `r${index}`))
      await writeFile(join(folder, `r${index}`, file), write(flags).text)
    }),
  )
}
