import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { blocksOf, fileOf } from '../../docs/blocks.ts'
import { pages } from '../../docs/pages.ts'
import { git } from '../../git/repository.ts'
import { built, packageRoot } from '../../support/built.ts'
import { folderOfTest, writeFiles } from '../../support/folder.ts'
import { aRunner } from '../../support/pipelines/runner.ts'

/** `.pre-commit-hooks.yaml` with the real pre-commit, set up as docs/ci.md says. */

const good = `feature_flags:
  checkout_v2:
    active: true
    filters:
      groups:
        - rollout_percentage: 100
    tests:
      - { person: { distinct_id: anna }, expect: true }
`

it('stops a commit with a mistake, with files that are not in order, or whose tests fail', async () => {
  const page = pages.find(({ path }) => path === 'docs/ci.md')
  const config = page && blocksOf(page).find(block => fileOf(block) === '.pre-commit-config.yaml')?.code
  const { runner, directory } = await withHooks(config ?? '', {})
  await writeFiles(directory, {
    '.gitignore': 'node_modules/\n',
    'node_modules/.bin/vexil': `#!/bin/sh\nexec "${process.execPath}" "${built('vexil.cjs')}" "$@"\n`,
  })
  // The npx of npm itself: what the hooks start has to work with that.
  const prepared = `chmod +x node_modules/.bin/vexil
    export PATH="${dirname(process.execPath)}:$PATH" PRE_COMMIT_HOME="$HOME/pre-commit"`
  const commit = async (files: Readonly<Record<string, string>>) => {
    await writeFiles(directory, files)
    const script = `${prepared}\npre-commit install; git add --all; git -c user.name=Ada -c user.email=a@example.com commit -m Change`
    const { code, log } = await runner.run(script, { directory, env: {} })
    const outcomes = [...log.matchAll(/^vexil (\w+)\.+(Passed|Failed|.*Skipped)$/gm)]
    return { code, log, outcomes: Object.fromEntries(outcomes.map(([, name, outcome]) => [name, outcome])) }
  }

  const first = await commit({ 'flags.yaml': good })
  expect(first.outcomes, first.log).toEqual({ validate: 'Passed', fmt: 'Passed', test: 'Passed' })
  expect(first.code).toBe(0)

  const broken = await commit({ 'flags.yaml': good.replace('active', 'actve') })
  expect(broken.outcomes.validate).toBe('Failed')
  expect(broken.log).toContain('flags.yaml:3:5 feature_flag "checkout_v2": "actve" is not a field')

  const nobody = good.replace('percentage: 100', 'percentage: 0')
  const disordered = `${nobody.replace('    active: true\n', '')}    active: true\n`
  const untested = await commit({ 'flags.yaml': disordered })
  expect(untested.outcomes, untested.log).toEqual({ validate: 'Failed', fmt: 'Failed', test: 'Failed' })
  expect(await readFile(join(directory, 'flags.yaml'), 'utf8')).toBe(nobody)
  expect(await git(directory, 'rev-list', '--count', 'HEAD')).toBe('1')
})

it('is built by pre-commit where the repository has no package.json', async () => {
  const page = pages.find(({ path }) => path === 'docs/ci.md')
  const configs = page?.text.match(/^ {4}repos:\n(?: {4}.*\n)+/gm) ?? []
  const config = configs
    .map(text => text.replaceAll(/^ {4}/gm, ''))
    .find(text => text.includes('language: node'))
  const own = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8'))
  // A package without dependencies, so that nothing is asked of a registry. Like ours it is built when it is packed, and
  // whoever builds it prints something.
  const { runner, directory } = await withHooks(config ?? '', {
    '.npmrc': await readFile(join(packageRoot, '.npmrc')),
    'build.mjs': `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('dist')
writeFileSync('dist/vexil.cjs', \`#!/usr/bin/env node\nimport(${JSON.stringify(built('vexil.cjs'))})\`)
console.log('built')
`,
    'package.json': JSON.stringify({
      name: 'vexil',
      version: own.version,
      bin: own.bin,
      files: ['dist'],
      scripts: { prepack: 'node build.mjs' },
    }),
  })
  await writeFiles(directory, { 'flags.yaml': good.replace('active', 'actve') })
  await git(directory, 'add', '--all')
  // The npm of npm itself, not that of other pipelines.
  const script = `export PATH="${dirname(process.execPath)}:$PATH" PRE_COMMIT_HOME="$HOME/pre-commit"
    npm_config_offline=true pre-commit run --all-files`
  const { log } = await runner.run(script, { directory, env: {} })
  expect(log).toMatch(/^vexil validate\.+Failed$/m)
  expect(log).toContain('flags.yaml:3:5 feature_flag "checkout_v2": "actve" is not a field')
  expect(log).toMatch(/^vexil fmt\.+/m)
})

/** A repository with a configuration of pre-commit, whose first hooks come from another repository with ours and those files. */
async function withHooks(config: string, files: Readonly<Record<string, string | Buffer>>) {
  const [{ repo, rev }] = parse(config).repos
  const hooks = await folderOfTest({
    '.pre-commit-hooks.yaml': await readFile(join(packageRoot, '.pre-commit-hooks.yaml')),
    ...files,
  })
  await git(hooks, 'init', '--quiet')
  await git(hooks, 'add', '--all')
  await git(hooks, 'commit', '--quiet', '--message', 'Hooks')
  await git(hooks, 'tag', rev)

  const runner = await aRunner()
  const directory = join(runner.folder, 'work')
  await git(directory, 'init', '--quiet')
  await writeFiles(directory, { '.pre-commit-config.yaml': config.replace(repo, `file://${hooks}`) })
  return { runner, directory }
}
