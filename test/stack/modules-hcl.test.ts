import { describe, expect, it } from 'vitest'
import { call } from './call-module.ts'
import { desiredOf, load } from './load.ts'

const variables = `
variable "flags" {
  description = "The flags, by key."
  type = map(object({
    share = optional(number, 5)
    tags  = optional(list(string), [])
  }))
  validation {
    condition     = alltrue([for each in values(var.flags) : each.share <= 100])
    error_message = "A share is at most 100."
  }
}
`

const main = `
terraform {
  required_providers {
    vexil = { source = "vexil/vexil" }
  }
}

locals {
  # One note for all.
  note = <<-EOT
    Of the team.
  EOT
}

resource "vexil_feature_flag" "all" {
  for_each = var.flags

  key  = each.key
  name = trimspace(local.note)
  release = [
    { properties = [{ key = "country", values = ["DE"] }] },
    { rollout_percentage = each.value.share },
  ]
  tags = concat(["team"], each.value.tags)

  lifecycle {
    prevent_destroy = true
  }
}

output "keys" {
  value = keys(vexil_feature_flag.all)
}
`

const files = (more: Record<string, string> = {}) => ({
  files: {
    'modules/team/variables.tf': variables,
    'modules/team/main.tf': main,
    ...more,
  },
})

describe("a module in Terraform's own language", () => {
  it('is worked out as one of JSON is', async () => {
    const desired = await desiredOf(
      stack => call(stack, 'team', { variables: { flags: { a: {}, b: { share: 20, tags: ['x'] } } } }),
      files(),
    )
    const filters = (share: number) => ({
      groups: [
        { properties: [{ key: 'country', value: ['DE'], type: 'person' }] },
        { rollout_percentage: share },
      ],
    })
    expect(desired).toMatchObject([
      { identity: 'a', protect: true, fields: { name: 'Of the team.', tags: ['team'], filters: filters(5) } },
      { identity: 'b', protect: true, fields: { tags: ['team', 'x'], filters: filters(20) } },
    ])
  })

  it('tells what is wrong with its file and line', async () => {
    const { problems } = await load(
      stack => call(stack, 'team', { variables: { flags: { a: { share: 200 } } } }),
      files({ 'modules/team/more.tf': 'output "x" {\n  value = local.nothing\n}\n' }),
    )
    expect(
      problems.map(({ message, source }) => [message, source?.file.split('/').at(-1), source?.line]),
    ).toEqual([
      ['module.team.output.x.value: it refers to local.nothing, which is not declared', 'more.tf', 1],
      ['module.team.var.flags.validation[0]: A share is at most 100.', 'variables.tf', 2],
      [
        'module.team.vexil_feature_flag.all["a"].release[1].rollout_percentage: 200 is not a percentage',
        'main.tf',
        15,
      ],
    ])
  })

  it('is refused where its file cannot be read, at the place', async () => {
    const build = (stack: Parameters<typeof call>[0]) => call(stack, 'team', { variables: { flags: {} } })
    const { problems } = await load(build, files({ 'modules/team/more.tf': 'locals {\n  a = [1\n}\n' }))
    expect(problems).toMatchObject([
      {
        severity: 'error',
        message: 'it cannot be read: "}" stands where "," is needed',
        source: { file: 'stacks/flags/modules/team/more.tf', line: 2 },
      },
    ])
  })
})
