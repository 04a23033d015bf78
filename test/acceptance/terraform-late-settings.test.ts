import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import type { Service } from '../support/service.ts'
import { useTerraform } from './support/attached.ts'
import { terraform } from './support/binary.ts'

const open = useTerraform()
const address = 'vexil_feature_flag.late'

const configuration = (project: string, tag: string) => `resource "terraform_data" "settings" {
  input = { project = "${project}", tags = ["${tag}"] }
}

resource "vexil_feature_flag" "late" {
  provider = vexil.late
  key      = "late"
  active   = false
  tags     = ["own"]
}
`

const lateProvider = ({ url, env }: Service) => `provider "vexil" {
  alias        = "late"
  base_url     = "${url}"
  api_key      = "${env.VEXIL_API_KEY}"
  project_id   = terraform_data.settings.output.project
  default_tags = terraform_data.settings.output.tags
}
`

describe.skipIf(!terraform)("a provider's settings that another resource makes", () => {
  it('may become another default tag in the run that changes it', async () => {
    const stack = await open(configuration('1', 'one'), { seed: sampleWorld })
    await stack.write({ 'late.tf': lateProvider(stack.service) })
    await stack.apply()
    await stack.write({ 'main.tf': configuration('1', 'two') })
    expect(await stack.plan()).toEqual({ 'terraform_data.settings': 'update', [address]: 'update' })
    await stack.apply('made.plan')
    expect((await stack.state())[address]).toMatchObject({ project_id: '1', tags_all: ['own', 'two'] })
    expect(await stack.plan()).toEqual({})
  })

  it('destroy nothing when they turn out to be another project, and move it with the next run', async () => {
    const stack = await open(configuration('1', 'one'), { seed: sampleWorld })
    await stack.write({ 'late.tf': lateProvider(stack.service) })
    await stack.apply()
    const { id } = (await stack.state())[address] ?? {}
    await stack.write({ 'main.tf': configuration('2', 'one') })
    await expect(stack.apply()).rejects.toThrow('inconsistent final plan')
    expect(await stack.service.get(`/api/projects/1/feature_flags/${id}`)).toMatchObject({ deleted: false })
    expect(await stack.plan()).toEqual({ [address]: 'delete create' })
    await stack.apply('made.plan')
    expect((await stack.state())[address]).toMatchObject({ project_id: '2' })
    expect(await stack.plan()).toEqual({})
  })
})
