import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { packageRoot } from '../../support/built.ts'
import { aRemote } from '../../support/pipelines/remote.ts'
import { aRunner } from '../../support/pipelines/runner.ts'
import { shopFiles } from '../../support/pipelines/shop.ts'
import { startService } from '../../support/service.ts'

/** `examples/devcontainer`, as the program of its makers reads it; no container is started. */

const run = promisify(execFile)
const path = '.devcontainer/devcontainer.json'

it('installs and validates without a key, and gives an editor the schemas of the installed package', async () => {
  const service = await startService()
  const files = shopFiles(service)
  await service.close()
  const runner = await aRunner()
  const directory = join(runner.folder, 'work/shop')
  const example = await readFile(join(packageRoot, 'examples/devcontainer', path))
  await (await aRemote({ ...files, [path]: example })).clone(directory, 'main')

  const program = createRequire(import.meta.url).resolve('@devcontainers/cli/devcontainer.js')
  const words = ['read-configuration', '--workspace-folder', directory, '--docker-path', '/bin/true']
  const { stdout } = await run(process.execPath, [program, ...words])
  const { configuration } = JSON.parse(stdout)
  // Whatever the container has in its environment, `npm ci` has.
  expect(configuration).not.toHaveProperty('remoteEnv')
  expect(configuration).not.toHaveProperty('containerEnv')

  const created = await runner.run(configuration.postCreateCommand, { directory, env: {}, shell: ['sh'] })
  expect(created, created.log).toMatchObject({ code: 0, log: expect.stringContaining('no problems') })
  const schemas = Object.keys(configuration.customizations.vscode.settings['yaml.schemas'])
  expect(schemas.map(each => each.replace(/.*\//, ''))).toEqual([
    'settings.schema.json',
    'declarations.schema.json',
  ])
  for (const schema of schemas)
    expect(JSON.parse(await readFile(join(directory, schema), 'utf8'))).toHaveProperty('$schema')
})
