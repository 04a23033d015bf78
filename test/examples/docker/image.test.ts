import { execFile } from 'node:child_process'
import { chmod, chown, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { DockerfileParser, type Instruction } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { subset } from 'semver'
import { beforeAll, describe, expect, it } from 'vitest'
import { git, gitEnv } from '../../git/repository.ts'
import { packageRoot } from '../../support/built.ts'
import { pack } from '../../support/consumer.ts'
import { folderOfTest } from '../../support/folder.ts'
import { startService } from '../../support/service.ts'

/** `examples/docker/Dockerfile`, read with a parser of its language; its steps in folders of their own, without Docker. */

const run = promisify(execFile)
const text = await readFile(join(packageRoot, 'examples/docker/Dockerfile'), 'utf8')
const instructions = DockerfileParser.parse(text).getInstructions()
const all = (keyword: string) => instructions.filter(each => each.getKeyword() === keyword)
const wordsOf = (instruction: Instruction | undefined): string[] =>
  instruction?.getArguments().map(each => each.getValue()) ?? []

const npmPath = [dirname(process.execPath), process.env.PATH].join(':')

describe('the Dockerfile', () => {
  it('has nothing that its language warns of', () => {
    expect(validate(text)).toEqual([])
  })

  it('takes nothing out of the folder that it is built in, and has no key', () => {
    expect(all('COPY').map(each => each.getTextContent())).toEqual([
      'COPY --from=install /opt/vexil /opt/vexil',
    ])
    expect(all('ADD')).toEqual([])
    const named = [...all('ENV'), ...all('ARG')].map(each => each.getTextContent()).join('\n')
    expect(named).not.toMatch(/key|token|secret|password/i)
  })

  it('installs the packages of a shared store in versions that vexil takes', async () => {
    const { peerDependencies } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'))
    const [, list = ''] = /^ARG STORE_PACKAGES="(.+)"$/m.exec(text) ?? []
    const packages = list.split(' ').map(each => each.split('@'))
    expect(packages.map(([name]) => name)).toEqual(['pg', 'pg-boss', 'prom-client'])
    for (const [name = '', range = ''] of packages)
      expect(subset(range, peerDependencies[name]), name).toBe(true)
  })

  it('starts the command itself, as a user that is a number and not root', () => {
    const last = all('FROM').at(-1)?.getRange().start.line ?? 0
    const [user, ...others] = all('USER').filter(each => each.getRange().start.line > last)
    expect(others).toEqual([])
    expect(wordsOf(user)[0]).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(all('ENTRYPOINT').map(each => each.getTextContent())).toEqual(['ENTRYPOINT ["vexil"]'])
    const written = instructions.filter(
      each => each.getRange().start.line > (user?.getRange().start.line ?? 0),
    )
    expect(written.map(each => each.getKeyword())).toEqual(['WORKDIR', 'ENTRYPOINT', 'CMD'])
  })
})

/** The first RUN of the Dockerfile, as a shell gets it, with a folder in place of `/opt/vexil`. */
async function install(folder: string, env: Readonly<Record<string, string>>) {
  const [step] = all('RUN')
  const script = (step?.getTextContent() ?? '').replace(/^RUN /, '').replaceAll('/opt/vexil', folder)
  return run('sh', ['-e', '-c', script], {
    cwd: folder,
    env: { PATH: npmPath, HOME: folder, npm_config_offline: 'true', ...env },
  })
}

describe('what the image runs', () => {
  beforeAll(async () => {
    await pack()
  })

  it('is not built without a version', async () => {
    await expect(install(await folderOfTest({}), {})).rejects.toThrow(
      'name a version: --build-arg VEXIL_VERSION=',
    )
  })

  it('is small, and plans and applies as somebody who may write to the repository alone', async () => {
    const folder = await folderOfTest({
      'work/flags.yaml': 'feature_flags: { checkout: { active: true } }\n',
    })
    await install(folder, { VEXIL_VERSION: `file:${await pack()}` })
    expect(await readdir(join(folder, 'lib/node_modules'))).toEqual(['vexil'])
    expect(await sizeOf(join(folder, 'lib'))).toBeLessThan(15_000_000)

    // Of root the tests make the user of the image; anybody else has no more rights than that.
    const uid = process.getuid?.() === 0 ? 1000 : undefined
    const work = join(folder, 'work')
    await git(work, 'init', '--quiet')
    await git(work, 'add', '--all')
    await git(work, 'commit', '--quiet', '--message', 'Flags')
    await chmod(folder, 0o755)
    if (uid !== undefined) {
      const entries = await readdir(work, { recursive: true })
      for (const path of ['', ...entries]) await chown(join(work, path), uid, uid)
    }
    const service = await startService()
    try {
      const vexil = (...words: readonly string[]) =>
        run(process.execPath, [join(folder, 'bin/vexil'), ...words], {
          cwd: work,
          env: { ...gitEnv, ...service.env, HOME: '/nowhere', TMPDIR: '/nowhere' },
          ...(uid === undefined ? {} : { uid, gid: uid }),
        })
      expect((await vexil('plan', '--out', 'plan.json')).stdout).toContain('1 to create')
      expect((await vexil('apply', 'plan.json', '--report', 'apply.md')).stdout).toContain('1 change applied')
      expect((await vexil('plan')).stdout).toContain('No changes')
      expect((await readdir(work)).sort()).toEqual(['.git', '.vexil', 'apply.md', 'flags.yaml', 'plan.json'])
    } finally {
      await service.close()
    }
  })
})

/** In bytes, of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async each => (await stat(join(each.parentPath, each.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
