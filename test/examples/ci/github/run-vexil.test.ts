import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../support/built.ts'
import { writeFiles } from '../../../support/folder.ts'
import { aRunner } from '../../../support/pipelines/runner.ts'
import { type Service, startService } from '../../../support/service.ts'

/** The step of the action that runs Vexil, by itself: what it makes of its inputs. */
async function aStep(files: Readonly<Record<string, string>>, service?: Service) {
  const runner = await aRunner()
  const [workspace, temp] = [join(runner.folder, 'work'), join(runner.folder, 'temp')]
  await writeFiles(workspace, files)
  await mkdir(temp)
  const run = async (inputs: Readonly<Record<string, string>>) => {
    await writeFiles(temp, { output: '', summary: '' })
    const ran = await runner.run(`exec node ${join(packageRoot, 'action/run-vexil.mjs')}`, {
      directory: workspace,
      env: {
        ...service?.env,
        ...inputs,
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: join(temp, 'output'),
        GITHUB_STEP_SUMMARY: join(temp, 'summary'),
        RUNNER_TEMP: temp,
      },
    })
    const read = (name: string) => readFile(join(temp, name), 'utf8').catch(() => '')
    return { ...ran, output: await read('output'), summary: await read('summary'), read }
  }
  return { run, install: () => runner.install(workspace) }
}

it('tells of files in a folder by their paths in the repository', async () => {
  const { run, install } = await aStep({
    'infra/flags/vexil.yaml': 'version: 1\n',
    'infra/flags/flags.yaml': 'feature_flags: { checkout: { actve: true } }\n',
  })
  await install()
  const { code, log, summary, output, read } = await run({
    INPUT_COMMAND: 'plan',
    INPUT_WORKING_DIRECTORY: 'infra/flags',
  })
  expect(code).toBe(1)
  expect(log).toContain('::error file=infra/flags/flags.yaml,line=1')
  expect(summary).toContain('Failed: vexil plan')
  expect(output).toMatch(/^exit-code<<(\S+)\n1\n\1\n/)
  const sarif = JSON.parse(await read('vexil-plan-default/report.sarif'))
  expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
    'infra/flags/flags.yaml',
  )
})

it('takes further words, one a line, and sets each output', async () => {
  const service = await startService()
  try {
    const { run, install } = await aStep(
      {
        'vexil.yaml': 'version: 1\n',
        'flags.yaml': 'feature_flags: { a: { active: false }, b: { active: false } }\n',
      },
      service,
    )
    await install()
    const { code, output } = await run({
      INPUT_COMMAND: 'plan',
      INPUT_OPTIONS: '--target\n  feature_flag.a  \n\n--detailed-exitcode',
    })
    expect(code).toBe(0)
    const set = Object.fromEntries(
      [...output.matchAll(/^([\w-]+)<<(\S+)\n(.*)\n\2$/gm)].map(([, name, , value]) => [name, value]),
    )
    expect(set).toEqual({
      'exit-code': '2',
      'plan-file': expect.stringMatching(/plan\.json$/),
      reports: expect.stringMatching(/vexil-plan-default$/),
      'has-changes': 'true',
      'as-reviewed': 'false',
      'has-drift': 'false',
      risk: 'low',
      blocked: '0',
      counts: expect.stringMatching(/^\{.*"create":1/),
    })
  } finally {
    await service.close()
  }
})

it.each([
  ['is asked for something else', { INPUT_COMMAND: 'export' }, 'say plan, apply or drift'],
  ['finds no vexil', { INPUT_COMMAND: 'plan' }, 'vexil is not installed in "." or above: run `npm ci` first'],
])('ends in one line where it %s', async (_, inputs, said) => {
  const { run } = await aStep({})
  const { code, log } = await run(inputs)
  expect(code).toBe(1)
  expect(log).toMatch(/^::error::[^\n]*\n$/)
  expect(log).toContain(said)
})
