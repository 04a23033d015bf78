import { describe, expect, it } from 'vitest'
import { providerSource } from '../../src/schema/terraform/terraform-names.ts'
import { start, vexil } from '../support/running.ts'
import { anOrganization, useWorkspace } from '../support/workspace.ts'
import { terraform } from './support/binary.ts'
import { flag } from './support/configurations.ts'

const projects = [
  { id: 1, name: 'Production' },
  { id: 2, name: 'Staging' },
]
const main = `terraform {
  required_providers {
    vexil = { source = "${providerSource}" }
  }
}
provider "vexil" {
  alias      = "staging"
  project_id = "2"
}
${flag('one')}${flag('two', 'provider = vexil.staging')}`

const workspace = useWorkspace({ 'main.tf': main }, { seed: anOrganization({ projects }) })
const serve = (before: string[], ...command: string[]) => {
  const [program = '', ...words] = [
    ...before,
    process.execPath,
    vexil,
    'terraform',
    'serve',
    '--',
    ...command,
  ]
  return start(program, words, workspace()).ended
}

describe('a command beside a provider that serves it', () => {
  it.skipIf(!terraform)('installs nothing, and its aliases write to their own projects', async () => {
    const { command = '' } = terraform ?? {}
    const script = `${command} init && ${command} apply -auto-approve && ${command} plan -detailed-exitcode`
    const { code, stdout, stderr } = await serve([], 'sh', '-ec', script)
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
    for (const [project, key] of [
      [1, 'one'],
      [2, 'two'],
    ]) {
      const list = await workspace.service.get(`/api/projects/${project}/feature_flags`)
      expect(list).toMatchObject({ count: 1, results: [{ key }] })
    }
  })

  it('ends with its exit code, or as its signal asks', async () => {
    expect(await serve([], 'sh', '-c', 'echo out; exit 7')).toEqual({ code: 7, stdout: 'out\n', stderr: '' })
    expect(await serve([], 'sh', '-c', 'kill $$')).toMatchObject({ code: 143 })
  })

  it('keeps the providers of others', async () => {
    const print = ['sh', '-c', 'echo "$TF_REATTACH_PROVIDERS"']
    const { stdout } = await serve(['env', 'TF_REATTACH_PROVIDERS={"a/b/c":1}'], ...print)
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      'a/b/c',
      'registry.terraform.io/vexil/vexil',
      'registry.opentofu.org/vexil/vexil',
    ])
    expect(await serve(['env', 'TF_REATTACH_PROVIDERS='], ...print)).toMatchObject({ code: 0 })
    expect(await serve(['env', 'TF_REATTACH_PROVIDERS=[]'], ...print)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'vexil: TF_REATTACH_PROVIDERS is not a JSON object\n',
    })
  })

  it('is an error if it does not exist', async () => {
    const stderr = 'vexil: "terrafrom" cannot be started (ENOENT)\n'
    expect(await serve([], 'terrafrom', 'plan')).toEqual({ code: 1, stdout: '', stderr })
  })
})
