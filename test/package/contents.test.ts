import { readdir, readFile, stat } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { usePacked } from '../support/consumer.ts'

const packed = usePacked()
const read = (path: string) => readFile(join(packed.folder, path), 'utf8')

/** Bundled packages by the folder whose bundles have them, one or two for each, to see that the notices are its own. */
const bundled = {
  dist: ['commander', 'hono', 'undici', 'yaml'],
  'dist/terraform': ['@msgpack/msgpack', 'undici'],
  'dist/testing': ['hono', 'undici'],
  'dist/cdktf': ['lossless-json'],
  'dist/cdktn': ['lossless-json'],
}

describe('the packed package', () => {
  it.each(Object.entries(bundled))('has the licences of what is bundled beside %s', async (folder, names) => {
    const notices = await read(`${folder}/THIRD-PARTY-NOTICES.txt`)
    for (const name of names) expect(notices).toMatch(new RegExp(`^${name} \\d[\\d.]* \\(`, 'm'))
    const heads = [...notices.matchAll(/^(\S+) \d\S* \((\S+)\)$/gm)]
    const sections = notices.split(`${'-'.repeat(80)}\n`).slice(1)
    expect(heads.length).toBeGreaterThanOrEqual(names.length)
    for (const [, name = ''] of heads) {
      const section = sections.find(text => text.includes(`\n${name} `))
      expect(section, name).toMatch(/copyright|permission|license/i)
      expect(section?.length, name).toBeGreaterThan(400)
    }
  })

  it('has notices wherever it has code of somebody else', () => {
    const folders = new Set(packed.files.filter(path => /^dist\/.*\.(c|m)?js$/.test(path)).map(top))
    expect([...folders].sort()).toEqual(Object.keys(bundled).sort())
  })

  it('takes less than 13.4 MB when it is installed, since nothing is installed beside it', async () => {
    const own = await sizeOf(packed.folder)
    expect(own).toBeGreaterThan(1_000_000)
    expect(own).toBeLessThan(13_400_000)
  })

  it('asks in its types for no package that is not installed with it', async () => {
    const types = packed.files.filter(path => /\.d\.m?ts$/.test(path))
    const asked = await Promise.all(
      types.map(async path =>
        [...(await read(path)).matchAll(/(?:from|import)\s*\(?['"]([^.'"][^'"]*)['"]/g)].map(
          ([, name = '']) => name,
        ),
      ),
    )
    const names = new Set(asked.flat().map(name => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''))
    const installed = [...Object.keys(manifest.peerDependencies), ...builtinModules]
    expect(names).toContain('constructs')
    expect([...names].filter(name => !name.startsWith('node:') && !installed.includes(name))).toEqual([])
  })

  it('has no types but those that somebody can import', async () => {
    const named = new Set<string>()
    const walk = async (path: string): Promise<void> => {
      if (named.has(path)) return
      named.add(path)
      for (const [, to = ''] of (await read(path)).matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)) {
        await walk(
          join(dirname(path), to).replace(/\.m?js$/, kind =>
            kind.replace('js', 'd.ts').replace('.md', '.d.m'),
          ),
        )
      }
    }
    const entries = packed.files.filter(path => /^dist\/(?!types|[^/]+\/types).*\.d\.m?ts$/.test(path))
    expect(entries).toContain('dist/index.d.ts')
    for (const entry of entries) await walk(entry)
    expect(packed.files.filter(path => /\.d\.m?ts$/.test(path))).toEqual([...named].sort())
  })

  it('has every file that a link in one of its pages names', async () => {
    const pages = packed.files.filter(path => path.endsWith('.md'))
    const links = await Promise.all(pages.map(linksOf))
    expect(pages).toContain('README.md')
    expect(links.flat().length).toBeGreaterThan(5)
    const isThere = (path: string) =>
      packed.files.some(file => file === path || path === '.' || file.startsWith(`${path}/`))
    expect(links.flat().filter(({ path }) => !isThere(path))).toEqual([])
  })

  it('has the files that its manifest names', () => {
    const named = JSON.stringify([manifest.bin, manifest.exports, manifest.typesVersions, manifest.main])
    const paths = [...named.matchAll(/"\.?\/?(dist\/[^"*]+)"/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter(path => !packed.files.includes(path))).toEqual([])
  })
})

/** In bytes, of all files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async file => (await stat(join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** What the relative links of a page lead to. */
async function linksOf(page: string): Promise<{ page: string; path: string }[]> {
  const targets = [...(await read(page)).matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(([, to = '']) => to)
  return targets.map(to => ({ page, path: join(dirname(page), to).replace(/\/$/, '') }))
}

/** The folder of a bundle: `dist`, or the one below it that has its own notices. */
function top(path: string): string {
  return /^dist\/(?:cdktf|cdktn|terraform|testing)(?=\/)/.exec(path)?.[0] ?? 'dist'
}
