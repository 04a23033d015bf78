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
  it.each([
    ['another project', '2', 'one'],
    ['the same project, and another default tag', '1', 'two'],
  ])('may become %s in the run that changes them', async (_, project, tag) => {
    const stack = await open(configuration('1', 'one'), { seed: sampleWorld })
    await stack.write({ 'late.tf': lateProvider(stack.service) })
    await stack.apply()
    await stack.write({ 'main.tf': configuration(project, tag) })
    expect(await stack.plan()).toEqual({
      'terraform_data.settings': 'update',
      [address]: 'delete create',
    })
    await stack.apply('made.plan')
    expect((await stack.state())[address]).toMatchObject({
      project_id: project,
      tags_all: [tag, 'own'].sort(),
    })
    expect(await stack.plan()).toEqual({})
  })
})
