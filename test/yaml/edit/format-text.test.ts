import { describe, expect, it } from 'vitest'
import { formatText } from '../../../src/yaml/write/format-text.ts'

function formatted(text: string): string {
  const result = formatText('flags.yaml', text)
  return 'text' in result ? result.text : result.problem.message
}

describe('formatText', () => {
  it('orders members, indents by two, and keeps comments, quotes and conditions where they are', () => {
    const text = `# the shop
feature_flags:
      # new
      checkout:   # c1
          environments:
            staging:
                # inside
                active: true
                name: "x"
          # who
          release:
              rest: {rollout_percentage:   5} # slowly
              staff:
                properties:
                - key: email
                  value: >
                    a
                     b

                  type: person
                -   key: "plan"
                    value: [a,
                       b]   # two
                # below

          tags:
          - 'b'
          - a
          # the name
          name: 'New'

          only: [staging]
      zero: {release: [], name: z, active: false}
  # end
`
    const after = `# the shop
feature_flags:
  # new
  checkout:   # c1
    only: [staging]
    # the name
    name: 'New'

    # who
    release:
      rest: {rollout_percentage:   5} # slowly
      staff:
        properties:
          - key: email
            value: >
              a
               b

            type: person
          - key: "plan"
            value: [a,
               b]   # two
        # below
    tags:
      - 'b'
      - a

    environments:
      staging:
        name: "x"
        # inside
        active: true
  zero: {name: z, active: false, release: []}
  # end
`
    expect(formatted(text)).toBe(after)
    expect(formatted(after)).toBe(after)
    expect(formatted(text.replaceAll('\n', '\r\n'))).toBe(after.replaceAll('\n', '\r\n'))
  })

  it('writes first which grant an element of a list is', () => {
    const text = `feature_flag_role_access:
  - { only: [staging], role: support, flag: search }
  - only: [staging]
    access_level: viewer
    ensure: present
    role: growth
    flag: menu
  - role: growth # theirs
    flag: search
  # the last one
  - role: support
    flag: menu
`
    const after = `feature_flag_role_access:
  - { flag: search, role: support, only: [staging] }
  - flag: menu
    role: growth
    access_level: viewer
    ensure: present
    only: [staging]
  - role: growth # theirs
    flag: search
  # the last one
  - flag: menu
    role: support
`
    expect(formatted(text)).toBe(after)
    expect(formatted(after)).toBe(after)
    expect(formatted(text.replaceAll('\n', '\r\n'))).toBe(after.replaceAll('\n', '\r\n'))
    expect(formatted(text.trimEnd())).toBe(after)
  })

  it('leaves the order where an alias needs it', () => {
    const text = 'feature_flags:\n  a:\n    tags: &t [x]\n    name: y\n    ignore: *t\n'
    expect(formatted(text)).toBe(text)
    const elsewhere = 'x-t: &t [x]\nfeature_flags:\n  a:\n    tags: *t\n    name: y\n'
    expect(formatted(elsewhere)).toBe('x-t: &t [x]\nfeature_flags:\n  a:\n    name: y\n    tags: *t\n')
  })

  it('ends a file with a line break, and leaves what is empty', () => {
    expect(formatted('feature_flags:\n    a: {}')).toBe('feature_flags:\n  a: {}\n')
    expect(formatted('')).toBe('')
    expect(formatted('# nothing\n')).toBe('# nothing\n')
  })

  it('says of a file that cannot be read that it is not formatted', () => {
    expect(formatted('a: [\n')).toBe('this file cannot be read, so it is not formatted')
  })
})
