import { describe, expect, it } from 'vitest'
import { sourceUrl } from '../../src/git/files.ts'

const commit = '4f2c1ab0'.repeat(5)
const github = (web: string) => `${web}/blob/${commit}/{file}#L{line}`
const gitlab = (web: string) => `${web}/-/blob/${commit}/{file}#L{line}`
const bitbucket = (web: string) => `${web}/src/${commit}/{file}#lines-{line}`

describe('the address of files on a code host', () => {
  it.each([
    ['https://github.com/acme/flags.git', github('https://github.com/acme/flags')],
    ['https://github.com/acme/flags/', github('https://github.com/acme/flags')],
    ['git@github.com:acme/flags.git', github('https://github.com/acme/flags')],
    ['github.com:acme/flags', github('https://github.com/acme/flags')],
    ['ssh://git@ssh.github.com:443/acme/flags.git', github('https://github.com/acme/flags')],
    ['git://github.example.com/acme/flags', github('https://github.example.com/acme/flags')],
    ['https://acme.ghe.com/shop/flags.git', github('https://acme.ghe.com/shop/flags')],
    ['git@gitlab.com:acme/shop/flags.git', gitlab('https://gitlab.com/acme/shop/flags')],
    ['http://gitlab.example.com:8080/acme/flags', gitlab('http://gitlab.example.com:8080/acme/flags')],
    ['ssh://git@gitlab.example.com:2222/a/b.git', gitlab('https://gitlab.example.com/a/b')],
    ['git@bitbucket.org:acme/flags.git', bitbucket('https://bitbucket.org/acme/flags')],
    ['https://ada@bitbucket.org/acme/flags.git', bitbucket('https://bitbucket.org/acme/flags')],
  ])('is known for %s', (remote, expected) => {
    expect(sourceUrl(remote, commit, '')).toBe(expected)
  })

  it.each([
    'https://ada:s3cret@github.com/acme/flags.git',
    'https://s3cret@github.com/acme/flags.git',
    'https://oauth2:s3cret@x@github.com/acme/flags',
    'https://github.com/acme/flags.git?token=s3cret',
    'https://github.com/acme/flags#s3cret',
    's3cret@github.com:acme/flags.git',
    'ssh://ada:s3cret@github.com/acme/flags.git',
  ])('has nothing of what %s keeps secret', remote => {
    expect(sourceUrl(remote, commit, '')).toBe(github('https://github.com/acme/flags'))
  })

  it.each([
    'https://git.example.com/acme/flags',
    'https://notgithub.com/acme/flags',
    'github-work:acme/flags',
    '/srv/git/github.com/acme/flags.git',
    'C:\\git\\flags',
    '../github.com/acme',
    'file:///github.com/acme/flags',
    'https://github.com/acme',
    'https://github.com/acme/fl"ags',
    'javascript://github.com/acme/flags',
    'ext::sh -c github.com:acme/flags',
    '',
  ])('is unknown for "%s"', remote => {
    expect(sourceUrl(remote, commit, '')).toBeUndefined()
  })

  it('begins with the folder, as an address spells it', () => {
    const found = sourceUrl('git@github.com:acme/flags.git', commit, 'my flags/{file}/#1/')
    expect(found).toBe(
      `https://github.com/acme/flags/blob/${commit}/my%20flags/%7Bfile%7D/%231/{file}#L{line}`,
    )
  })
})
