import fc from 'fast-check'
import { expect, it } from 'vitest'
import { largestFile } from '../../../src/model/limits.ts'
import { placeSections } from '../../../src/yaml/write/split-files.ts'
import { oddName } from '../../support/live-worlds.ts'

const comment = '# yaml-language-server: $schema=a\n'

it('puts sections of one label into one file, and their further parts into others', () => {
  const files = placeSections(
    [
      { label: 'payments', section: 'feature_flags', texts: [`${comment}\na: 1\n`, 'second'] },
      { label: 'plugins', section: 'plugins', texts: ['b: 1\n'] },
      { label: 'payments', section: 'event_definitions', texts: [`${comment}\nc: 1\n`] },
    ],
    ['Plugins.yaml'],
  )
  expect(files).toEqual([
    { path: 'payments.yaml', text: `${comment}\na: 1\n\nc: 1\n` },
    { path: 'payments-2.yaml', text: 'second' },
    { path: 'plugins-2.yaml', text: 'b: 1\n' },
  ])
})

it('puts nothing into a file that it would be too much for', () => {
  const half = 'x'.repeat(largestFile / 2 + 1)
  const texts = [half]
  const files = placeSections(
    [
      { label: 'a', section: 'feature_flags', texts },
      { label: 'a', section: 'event_definitions', texts },
    ],
    [],
  )
  expect(files.map(({ path }) => path)).toEqual(['a.yaml', 'a-2.yaml'])
})

it.each([
  ['CON', 'con-flags.yaml'],
  ['vexil', 'vexil-2.yaml'],
  ['../../etc/passwd', 'etc-passwd.yaml'],
  ['漢字', 'other.yaml'],
  ['Größe', 'gro-e.yaml'],
  ['x'.repeat(300), `${'x'.repeat(80)}.yaml`],
])('names a file for %j so that every file system takes it', (label, path) => {
  const [file] = placeSections([{ label, section: 'feature_flags', texts: ['a'] }], [])
  expect(file?.path).toBe(path)
})

it('gives each label a name of its own that is safe and not taken, and loses no text', () => {
  fc.assert(
    fc.property(fc.uniqueArray(oddName), fc.array(oddName), (labels, there) => {
      const taken = there.map(name => `${name}.yaml`)
      const sections = labels.map(label => ({ label, section: 'feature_flags', texts: [label] }))
      const files = placeSections(sections, taken)
      expect(files.map(({ text }) => text)).toEqual(labels)
      const names = files.map(({ path }) => path.toLowerCase())
      expect(new Set([...names, ...taken.map(name => name.toLowerCase())]).size).toBe(
        names.length + new Set(taken.map(name => name.toLowerCase())).size,
      )
      for (const { path } of files) {
        expect(path).toMatch(/^[a-z0-9_][a-z0-9_-]{0,90}\.yaml$/)
        expect(path).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d|vexil)\./)
      }
    }),
  )
})
