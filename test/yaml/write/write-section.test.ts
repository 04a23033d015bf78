import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../../src/yaml/read/parse-yaml.ts'
import { writeSection } from '../../../src/yaml/write/split-files.ts'

const names = (text: string) => Object.keys(Object(parseYaml(text, 'f').value).feature_flags)

describe('a section that was written', () => {
  it('leaves out what would not be read back, and says why', () => {
    const { texts, unwritten } = writeSection(
      'feature_flags',
      [
        { name: 'a', members: { name: 'A' } },
        { name: 'half', members: { name: 'x\ud800' } },
        { name: 'b', members: {} },
      ],
      's',
    )
    expect(texts.map(names)).toEqual([['a', 'b']])
    expect([...unwritten]).toEqual([['half', 'this text contains half a character (a lone surrogate)']])
  })

  it('takes as many files as it needs', () => {
    const large = 'x'.repeat(6 * 1024 * 1024)
    const entries = ['a', 'b', 'c'].map(name => ({ name, members: { name: large } }))
    const { texts, unwritten } = writeSection('feature_flags', entries, 's')
    // Reading all of it once more takes longer than writing it.
    expect(texts.map(text => text.match(/^ {2}\w+(?=:)/gm))).toEqual([['  a', '  b'], ['  c']])
    expect(unwritten.size).toBe(0)
  })

  it('leaves out what is more than a file may hold', () => {
    const entries = [{ name: 'a', members: { name: 'x'.repeat(17 * 1024 * 1024) } }]
    const { texts, unwritten } = writeSection('feature_flags', entries, 's')
    expect({ texts, unwritten: [...unwritten] }).toEqual({
      texts: [],
      unwritten: [['a', 'its declaration is larger than a file may be']],
    })
  })
})
