import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/text/json.ts'
import { useTerraform } from './support/attached.ts'
import { isOlderThan, terraform } from './support/binary.ts'

const open = useTerraform()
const hush = 'hush-hush'
const flagPath = '/api/projects/1/feature_flags/1'

/** A secret in every attribute that takes any text, which `test/terraform/resources/sensitive.test.ts` goes through one by one. */
const main = (percent: number) => `variable "secret" {
  sensitive = true
  default   = "${hush}"
}

resource "vexil_feature_flag" "x" {
  key     = "x"
  active  = true
  release = [
    {
      properties = [
        { key = var.secret, value = "a" },
        { key = "token", value = var.secret },
        { key = "tokens", values = ["a", var.secret] },
      ]
      variant            = "v-\${var.secret}"
      description        = var.secret
      rollout_percentage = ${percent}
    },
  ]
  variants = [
    { key = "v-\${var.secret}", name = var.secret, rollout_percentage = 50, payload = jsonencode({ token = var.secret }) },
    { key = "other", rollout_percentage = 50 },
  ]
}
`

describe.skipIf(!terraform)('what is sensitive in typed attributes', () => {
  it('is hidden in all that Terraform shows, however a flag changes', async () => {
    const stack = await open(main(10))
    const shown: string[] = []
    const show = async (...args: string[]) => {
      shown.push(await stack.succeed(...args))
    }
    const planned = ['plan', '-no-color', '-input=false', '-out=made.plan']
    const edit = async (change: (filters: JsonObject) => JsonObject) => {
      const { filters } = (await stack.service.get(flagPath)) as { filters: JsonObject }
      await stack.service.send('PATCH', flagPath, { filters: { ...filters, ...change(filters) } })
    }
    const showAll = async () => {
      await show(...planned)
      await show('show', '-no-color', 'made.plan')
      const json = JSON.parse(await stack.succeed('show', '-json', 'made.plan'))
      expect(unmarked(json)).not.toContain(hush)
    }

    await showAll()
    await show('apply', '-no-color', 'made.plan')
    await show('show', '-no-color')
    expect(JSON.stringify(await stack.service.get(flagPath))).toContain(hush)
    expect(await stack.plan()).toEqual({})
    await stack.write({ 'main.tf': main(20) })
    await showAll()
    await show('apply', '-no-color', 'made.plan')
    // Somebody changes in the product what the attributes can say, then what they cannot. Terraform hides by place, so
    // that a condition which moves would be shown.
    await edit(({ groups }) => ({
      groups: [...(groups as JsonObject[]), { properties: [], rollout_percentage: 1 }],
    }))
    await showAll()
    await edit(({ groups }) => ({ groups: (groups as JsonObject[]).map(each => ({ ...each, newer: true })) }))
    await showAll()
    expect(shown.at(-1)).toContain('newer')
    await show('apply', '-no-color', 'made.plan')
    expect(await stack.plan()).toEqual({})
    expect(shown.filter(text => text.includes(hush))).toEqual([])
  })

  it.skipIf(isOlderThan('1.8'))('makes sensitive what is worked out of the flag', async () => {
    const output = (value: string) => `${main(10)}output "reach" {\n  value = ${value}\n}\n`
    const filters = 'provider::vexil::filters(vexil_feature_flag.x)'
    const stack = await open(output(filters))
    const [refusal] = await stack.refusals('plan')
    expect(refusal?.summary).toBe('Output refers to sensitive values')
    await stack.write({
      'main.tf': output(`nonsensitive(provider::vexil::rollout(${filters}).max_percentage)`),
    })
    expect(await stack.succeed('plan', '-no-color')).toContain('+ reach = 10')
    await stack.apply()
    expect(await stack.outputs()).toEqual({ reach: 10 })
  })
})

/** A plan's JSON without those places that it marks as sensitive, and without the configuration and its variables. */
function unmarked(plan: PlanJson): string {
  const changes = plan.resource_changes.map(({ change }) => [
    withoutMarked(change.before, change.before_sensitive),
    withoutMarked(change.after, change.after_sensitive),
  ])
  return JSON.stringify(changes)
}

interface PlanJson {
  readonly resource_changes: readonly {
    readonly change: {
      readonly before: unknown
      readonly after: unknown
      readonly before_sensitive: unknown
      readonly after_sensitive: unknown
    }
  }[]
}

function withoutMarked(value: unknown, marks: unknown): unknown {
  if (marks === true) return undefined
  if (typeof value !== 'object' || value === null || typeof marks !== 'object' || marks === null) return value
  if (Array.isArray(value)) return value.map((each, at) => withoutMarked(each, (marks as unknown[])[at]))
  const known = marks as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutMarked(member, known[name])]),
  )
}
