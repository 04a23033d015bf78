import { describe, expect, it } from 'vitest'
import { Plugin } from '../../src/constructs/own-constructs.ts'
import { aStack, synthesized } from './a-stack.ts'

describe('Plugin', () => {
  it('is declared with its source files and settings', () => {
    const stack = aStack()
    const plugin = new Plugin(stack, 'Geo', {
      name: 'geo',
      description: 'Where people are: ${city}',
      pluginType: 'source',
      source: { 'index.ts': 'export const say = name => `hi ${name}, %{x}`', 'plugin.json': '{}' },
      configSchema: [{ key: 'city' }],
      publicJobs: { refresh: {} },
      organizationId: '01900000-0000-0000-0000-000000000001',
      logicalId: 'geo',
      protect: true,
      adopt: true,
    })
    expect(plugin.node.defaultChild).toBe(plugin.resource)
    expect(synthesized(stack).resource.vexil_plugin).toEqual({
      geo: {
        name: 'geo',
        description: 'Where people are: $${city}',
        plugin_type: 'source',
        source: { 'index.ts': 'export const say = name => `hi $${name}, %%{x}`', 'plugin.json': '{}' },
        config_schema: '[{"key":"city"}]',
        public_jobs: '{"refresh":{}}',
        organization_id: '01900000-0000-0000-0000-000000000001',
        lifecycle: { prevent_destroy: true },
        adopt: true,
      },
    })
  })

  it('refuses an empty name, and another of its name', () => {
    const stack = aStack()
    new Plugin(stack, 'One', { name: 'geo' })
    expect(() => new Plugin(stack, 'Two', { name: 'geo' })).toThrow(
      'plugin "geo" at "flags/Two": vexil_plugin.geo is declared twice, by "flags/One" and "flags/Two"; declare it once, or use a logicalId for one of them',
    )
    expect(() => new Plugin(stack, 'Three', { name: '' })).toThrow(
      'plugin "" at "flags/Three": the name is empty',
    )
  })
})
