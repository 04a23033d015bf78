import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variables } from '../../src/api/settings.ts'
import { exitCode } from '../../src/cli/host/exit-code.ts'
import { metricRows } from '../../src/fleet/fleet-metrics.ts'
import { declarableKinds } from '../../src/kinds/index.ts'
import { guardRules } from '../../src/model/guard-rules.ts'
import { pluralTitle } from '../../src/model/kind.ts'
import { variableTable } from '../../src/schema/terraform/terraform-attribute.ts'
import { createLogger } from '../../src/terraform/serve/logger.ts'
import { createVexilProvider } from '../../src/terraform/vexil-provider.ts'
import { aProgram } from '../support/program.ts'
import { testRuntime } from '../support/test-runtime.ts'
import { pages, root } from './pages.ts'

/** The first cells of all table rows of a page. */
function firstCells(path: string): string {
  const text = pages.find(page => page.path === path)?.text ?? ''
  return Array.from(text.matchAll(/^\| (.+?) \|/gm), ([, cell = '']) => cell).join('\n')
}

describe('the tables of the pages', () => {
  it('have every command', () => {
    // `complete` is for the scripts of shells.
    const names = aProgram()
      .commands.map(command => command.name())
      .filter(name => name !== 'complete')
    const cells = firstCells('docs/commands.md')
    expect(names.length).toBeGreaterThan(15)
    expect(names.filter(name => !new RegExp(`\`${name}\\b`).test(cells))).toEqual([])
  })

  it('have every exit code', () => {
    const cells = firstCells('docs/commands.md').split(/[\n,]/)
    const missing = Object.values(exitCode).filter(code => !cells.some(cell => cell.trim() === String(code)))
    expect(missing).toEqual([])
  })

  it('have every metric of a fleet, as it is in the code', () => {
    expect(pages.find(page => page.path === 'docs/fleet.md')?.text).toContain(metricRows().join('\n'))
  })

  it('have every rule that can be allowed', () => {
    const cells = firstCells('docs/how-it-decides.md')
    expect(guardRules.filter(rule => !cells.includes(`\`${rule}\``))).toEqual([])
  })

  it('have every variable of the connection', () => {
    const cells = firstCells('docs/keys.md')
    expect(
      Object.values(variables)
        .flat()
        .filter(name => !cells.includes(`\`${name}\``)),
    ).toEqual([])
  })

  it('have every variable that the provider of Terraform reads, as its own pages have them', async () => {
    const texts = ['docs/terraform.md', 'examples/terraform/docs/index.md'].map(
      path => pages.find(page => page.path === path)?.text ?? '',
    )
    for (const text of texts) expect(text).toContain(variableTable().join('\n'))
    // Whatever is asked of its environment is noted, on the way to a request that nobody answers.
    const asked = new Set<string>()
    const given = {
      VEXIL_BASE_URL: 'https://127.0.0.1:1',
      VEXIL_API_KEY: 'example-key',
      VEXIL_PROJECT_ID: '1',
    }
    const proxied = {
      ...given,
      VEXIL_BASE_URL: 'https://flags.example.invalid',
      https_proxy: 'http://127.0.0.1:1',
    }
    for (const values of [{}, given, proxied]) {
      const env = new Proxy<Record<string, string>>(values, {
        get(target, name) {
          asked.add(String(name))
          return Reflect.get(target, name)
        },
      })
      const provider = createVexilProvider({
        runtime: testRuntime(),
        env,
        directory: '/',
        proxyEnvironment: env,
      })
      const context = { signal: AbortSignal.abort() }
      await provider.configure({}, { version: '1.11.4' }, context)
      await expect(provider.dataSources.vexil_feature_flags?.read({}, context)).rejects.toThrow()
      createLogger({ env, runtime: testRuntime(), write: () => {} })
      await provider.close()
    }
    expect([...asked]).toEqual(
      expect.arrayContaining(['POSTHOG_HOST', 'POSTHOG_API_KEY_FILE', 'NO_PROXY', 'TF_LOG', 'VEXIL_PROFILE']),
    )
    const cells = texts.map(text =>
      Array.from(text.matchAll(/^\| (.+?) \|/gm), ([, cell = '']) => cell).join(),
    )
    for (const name of asked)
      expect(
        cells.filter(each => !each.includes(`\`${name.toUpperCase()}\``)),
        name,
      ).toEqual([])
  })

  it('have every room of the source in the drawing', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name)
    const architecture = pages.find(({ path }) => path === 'docs/architecture.md')?.text ?? ''
    const [, drawing = ''] = /^## The rooms\n\n```\n([\s\S]*?)^```$/m.exec(architecture) ?? []
    expect(rooms.filter(room => !new RegExp(`\\b${room}\\b`).test(drawing))).toEqual([])
  })

  it('have the scopes of every kind', () => {
    const cells = firstCells('docs/keys.md')
    expect(declarableKinds.map(pluralTitle).filter(title => !cells.includes(title))).toEqual([])
  })
})
