import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { gitEnv } from '../../git/repository.ts'
import { built, packageRoot } from '../built.ts'
import { folderOfTest, writeFiles } from '../folder.ts'
import { vexilCommand } from '../resident-program.ts'

/** What a script left behind. */
export interface Ran {
  readonly code: number
  /** Both streams, as a log has them. */
  readonly log: string
}

export interface ScriptOptions {
  /** Where it runs. */
  readonly directory: string
  /** All that it has in its environment beside PATH, HOME and the settings of git. */
  readonly env: Readonly<Record<string, string>>
  /** The command that takes the script's file as its last word. */
  readonly shell?: readonly string[]
}

/**
 * A machine that runs the shell steps of pipelines: with Node, git, and `npm` and `npx` that ask no registry. What the
 * tests run with, such as keys of whoever runs them, does not get in. Gone when the test is over.
 */
export interface Runner {
  /** Its own folder: workspaces are made in it. */
  readonly folder: string
  readonly home: string
  run(script: string, options: ScriptOptions): Promise<Ran>
  /** Puts a folder `node_modules` into a workspace, with this package as it is built. */
  install(workspace: string): Promise<void>
}

export async function aRunner(): Promise<Runner> {
  const folder = await folderOfTest({ 'home/.keep': '', 'work/.keep': '' })
  const bin = join(folder, 'bin')
  await writeFiles(bin, {
    vexil: await vexilCommand({ words: [built('vexil.cjs')] }),
    // Of what is installed it runs the same; it takes a second less.
    npx: '#!/bin/sh\nexec "$@"\n',
    npm: npmCi(packageRoot),
  })
  for (const command of ['vexil', 'npx', 'npm']) await chmod(join(bin, command), 0o755)
  const PATH = [bin, join(process.execPath, '..'), process.env.PATH ?? ''].join(delimiter)
  const home = join(folder, 'home')
  let scripts = 0
  return {
    folder,
    home,
    async run(script, { directory, env, shell = ['bash', '-e'] }) {
      const file = `scripts/${scripts++}`
      await writeFiles(folder, { [`${file}.sh`]: script })
      const log = join(folder, `${file}.log`)
      const words = ['-c', 'exec "$@" < /dev/null >> "$0" 2>&1', log, ...shell, join(folder, `${file}.sh`)]
      const options = { cwd: directory, env: { ...gitEnv, HOME: home, LANG: 'C.UTF-8', ...env, PATH } }
      const code = await new Promise<number>((resolve, reject) =>
        execFile('sh', words, options, error => {
          if (typeof error?.code === 'string') reject(error)
          else resolve(error ? (error.code ?? 1) : 0)
        }),
      )
      return { code, log: await readFile(log, 'utf8') }
    },
    async install(workspace) {
      await mkdir(join(workspace, 'node_modules'), { recursive: true })
      await symlink(packageRoot, join(workspace, 'node_modules/vexil'))
    },
  }
}

/**
 * What `npm ci` does where the lock file names this package: it refuses without that file. What it has in its environment
 * is added to `npm-ci.env` at home, since whatever it installs could read that.
 */
const npmCi = (installed: string) => `#!/bin/sh
[ "$1" = ci ] || { echo "npm $1 is not for tests" >&2; exit 1; }
[ -f package-lock.json ] || { echo "npm ci needs package-lock.json" >&2; exit 1; }
env >> "$HOME/npm-ci.env"
rm -rf node_modules && mkdir node_modules && ln -s '${installed}' node_modules/vexil && echo 'added 1 package'
`
