import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { stringify } from 'yaml'
import { completeFilters } from '../../src/targeting/canonical-filters.ts'

export const benchOrganization = '01900000-0000-0000-0000-000000000001'

/** How many flags stand in one file, as a team would have them. */
const flagsPerFile = 100

/** The declared fields of the n-th flag: about what a real flag has. */
export function benchFlag(index: number, percent = index % 101) {
  return {
    name: `Flag number ${index}, which turns on part ${index % 17} of the product`,
    active: index % 7 !== 0,
    filters: {
      groups: [
        {
          properties: [
            { key: 'country', value: ['DE', 'AT', 'CH'], type: 'person', operator: 'exact' },
            { key: 'plan', value: 'enterprise', type: 'person', operator: 'icontains' },
          ],
          rollout_percentage: percent,
        },
      ],
    },
    tags: [`team-${index % 12}`, 'bench'],
  }
}

export function benchKey(index: number): string {
  return `flag_${String(index).padStart(6, '0')}`
}

/** Writes a repository of `count` flags; returns its folder. */
export async function writeRepository(
  folder: string,
  count: number,
  flagOf: (index: number) => Readonly<Record<string, unknown>> = index => benchFlag(index),
) {
  await mkdir(join(folder, 'flags'), { recursive: true })
  await writeFile(join(folder, 'vexil.yaml'), 'version: 1\n')
  for (let start = 0; start < count; start += flagsPerFile) {
    const flags: Record<string, unknown> = {}
    for (let index = start; index < Math.min(start + flagsPerFile, count); index++) {
      flags[benchKey(index)] = flagOf(index)
    }
    await writeFile(join(folder, 'flags', `${benchKey(start)}.yaml`), stringify({ feature_flags: flags }))
  }
  return folder
}

/** A world file whose project holds the same flags, as they are once Vexil has created them. */
export async function writeWorld(path: string, count: number, organization: string): Promise<void> {
  const flags = Array.from({ length: count }, (_, index) => {
    const flag = benchFlag(index)
    return { key: benchKey(index), ...flag, filters: completeFilters(flag.filters, undefined) }
  })
  const world = {
    organizations: [
      { id: organization, name: 'Bench', projects: [{ id: 1, name: 'Bench', feature_flags: flags }] },
    ],
  }
  await writeFile(path, JSON.stringify(world))
}

/** Our own parser of plain files as a module by itself; returns its file. */
export async function builtReader(folder: string): Promise<string> {
  const outfile = join(folder, 'read-plainly.mjs')
  await built(outfile, "export * from './src/yaml/read/parse-yaml.ts'", 'esm')
  return outfile
}

/** What loads the chunks of the program, as a module by itself; returns its file. */
export async function builtLoader(folder: string): Promise<string> {
  const outfile = join(folder, 'load-chunks.cjs')
  await built(outfile, "export * from './src/cli/host/compiled-code.ts'", 'cjs')
  return outfile
}

async function built(outfile: string, contents: string, format: 'esm' | 'cjs'): Promise<void> {
  const stdin = { contents, resolveDir: join(import.meta.dirname, '../..') }
  await build({ stdin, outfile, bundle: true, format, platform: 'node', logLevel: 'warning' })
}
