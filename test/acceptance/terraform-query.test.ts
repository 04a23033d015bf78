import { describe, expect, it } from 'vitest'
import { sampleWorld } from '../../src/sandbox/index.ts'
import { useTerraform } from './support/attached.ts'
import { knowsLists } from './support/binary.ts'

const open = useTerraform()

const lists = `list "vexil_feature_flag" "all" {
  provider = vexil
}
list "vexil_feature_flag_role_access" "all" {
  provider = vexil
  config {
    flag_key = "gift-wrapping"
  }
}
list "vexil_plugin" "all" {
  provider = vexil
}
list "vexil_event_definition" "all" {
  provider = vexil
}
`

describe.skipIf(!knowsLists)('terraform query', () => {
  it('generates a configuration of all that is live, whose plan imports and changes nothing', async () => {
    const stack = await open('', { seed: sampleWorld })
    await stack.write({ 'all.tfquery.hcl': lists })
    await stack.succeed('query', '-no-color', '-generate-config-out=generated.tf')
    const planned = await stack.plan()
    expect(new Set(Object.values(planned))).toEqual(new Set(['import']))
    const types = Object.keys(planned).map(address => address.split('.')[0])
    expect(new Set(types).size).toBe(4)
    await stack.apply('made.plan')
    expect(await stack.plan()).toEqual({})
  })
})
